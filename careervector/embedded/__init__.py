"""The embedded placement: one data folder, one command. Used by `settings.embedded` and `manage.py up` alone."""
