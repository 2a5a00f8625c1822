"""Every address of the product, composed from the packages' own lists."""

from __future__ import annotations

from importlib.util import find_spec

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from careervector import health

handler400 = "careervector.problems.handler400"
handler403 = "careervector.problems.handler403"
handler404 = "careervector.problems.handler404"
handler500 = "careervector.problems.handler500"

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", health.metrics),
    path("staff/", admin.site.urls),
]
for _module, _prefix in (("workspaces.http.urls", "api/v1/"), ("assistant.http.urls", "api/v1/")):
    if find_spec(_module.rsplit(".", 1)[0]) and find_spec(_module):
        urlpatterns.append(path(_prefix, include(_module)))
