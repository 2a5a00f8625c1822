"""JobCache: a public job-ad corpus with evidence and freshness, as a Django project of its own.

Above: nobody imports it; CareerVector reaches it over HTTP alone. Below: its own settings and its own database.
Run it with `python -m jobcache serve|migrate|load_corpus|load_ads`.
"""
