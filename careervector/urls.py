"""Every address of the product, composed from the packages' own lists."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from careervector import api_page, health, pages

handler400 = "careervector.problems.handler400"
handler403 = "careervector.problems.handler403"
handler404 = "careervector.problems.handler404"
handler500 = "careervector.problems.handler500"

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", health.metrics),
    *api_page.urlpatterns,
    path("api/v1/", include("workspaces.http.urls")),
    path("api/v1/", include("assistant.http.urls")),
    path("staff/", admin.site.urls),
    *pages.urlpatterns,
]
