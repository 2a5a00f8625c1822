"""Whether the process is up, whether it can serve, and how much it did. None of the three says anything of content."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from redis import Redis

from careervector.upkeep_metrics import upkeep_metrics


@require_safe
@never_cache
def healthz(_request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def readyz(_request: HttpRequest) -> JsonResponse:
    """200 when everything needed to serve answers, else 503; `checks` names what is down."""
    checks = {name: _state(check) for name, check in CHECKS.items()}
    ready = all(state == "ok" for state in checks.values())
    return JsonResponse({"status": "ready" if ready else "not_ready", "checks": checks}, status=200 if ready else 503)


@require_safe
@never_cache
def metrics(_request: HttpRequest) -> HttpResponse:
    """Prometheus text: counts and durations by class, no ids."""
    return HttpResponse(generate_latest() + upkeep_metrics(), content_type=CONTENT_TYPE_LATEST)


def _state(check: Callable[[], bool]) -> str:
    try:
        return "ok" if check() else "down"
    except Exception:  # whatever its driver raises, it is down
        return "down"


def _database_answers() -> bool:
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def _migrations_are_applied() -> bool:
    executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _valkey_answers() -> bool:
    if not settings.VALKEY_URL:
        return False
    with Redis.from_url(settings.VALKEY_URL, socket_timeout=2, socket_connect_timeout=2) as client:
        return bool(client.ping())


CHECKS: dict[str, Callable[[], bool]] = {
    "database": _database_answers,
    "migrations": _migrations_are_applied,
    "valkey": _valkey_answers,
}
