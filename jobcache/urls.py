"""The addresses of JobCache. Everything else is 404."""

from __future__ import annotations

from django.urls import path

from jobcache.http import views

urlpatterns = [
    path("api/corpus/search", views.corpus_search),
    path("healthz", views.healthz),
    path("metrics", views.show_metrics),
]
handler400 = "jobcache.http.gate.bad_request"
handler404 = "jobcache.http.gate.not_found"
handler500 = "jobcache.http.gate.server_error"
