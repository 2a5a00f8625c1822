"""JobCache over HTTP: gate (credentials, limits, problems), views, and the ASGI edge in `jobcache.asgi`."""
