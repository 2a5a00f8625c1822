"""The Django project: settings, URLs, ASGI, Celery and the embedded start. Stands above every other package."""
