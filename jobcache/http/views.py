"""The routes of Core that exist so far. A view parses, asks, renders. Above: urls. Below: gate, search, metrics."""

from __future__ import annotations

import time

from django.http import HttpRequest, HttpResponse, JsonResponse
from prometheus_client import CONTENT_TYPE_LATEST

from jobcache import credentials, metrics
from jobcache.http.gate import read_json_body, route
from jobcache.search.arguments import read_arguments
from jobcache.search.service import search


@route("corpus_search", method="POST", bearer=credentials.CONTROL)
def corpus_search(request: HttpRequest) -> HttpResponse:
    """`POST /api/corpus/search`: the search of the tools, for CareerVector's servers."""
    arguments = read_arguments(read_json_body(request))
    started = time.perf_counter()
    answer = search(arguments)
    metrics.SEARCH_SECONDS.observe(time.perf_counter() - started)
    return JsonResponse(answer, json_dumps_params={"ensure_ascii": False})


@route("healthz", method="GET")
def healthz(request: HttpRequest) -> HttpResponse:
    """`GET /healthz`: the process is up. Looks at nothing else."""
    return JsonResponse({"status": "ok"})


@route("metrics", method="GET")
def show_metrics(request: HttpRequest) -> HttpResponse:
    """`GET /metrics`: Prometheus text, content-free."""
    return HttpResponse(metrics.exposition(), content_type=CONTENT_TYPE_LATEST)
