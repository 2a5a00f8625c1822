"""/healthz, /readyz and /metrics."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from careervector import health


def test_healthz_needs_nothing(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_readyz_names_valkey_when_it_is_down(client: Client, settings: Any) -> None:
    settings.VALKEY_URL = "unix:///nowhere/valkey.sock"
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (
        503,
        {"status": "not_ready", "checks": {"database": "ok", "migrations": "ok", "valkey": "down"}},
    )


@pytest.mark.django_db
def test_readyz_names_migrations_that_are_not_applied(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(health.CHECKS, "valkey", lambda: True)
    assert client.get("/readyz").status_code == 200
    recorder = MigrationRecorder(connections[DEFAULT_DB_ALIAS])
    recorder.migration_qs.filter(app="workspaces").delete()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["checks"]["migrations"]) == (503, "down")


def test_readyz_names_a_database_that_does_not_answer(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> bool:
        raise OSError("a path that must not be shown")

    monkeypatch.setitem(health.CHECKS, "database", broken)
    monkeypatch.setitem(health.CHECKS, "migrations", broken)
    monkeypatch.setitem(health.CHECKS, "valkey", lambda: True)
    answer = client.get("/readyz")
    assert answer.json() == {
        "status": "not_ready",
        "checks": {"database": "down", "migrations": "down", "valkey": "ok"},
    }


def test_metrics_are_prometheus_text_of_our_counters_without_ids(db, client: Client) -> None:
    answer = client.get("/metrics")
    text = answer.content.decode()
    assert answer["Content-Type"].startswith("text/plain")
    for name in (
        "careervector_hub_published_total",
        "careervector_turns_started_total",
        "careervector_conflicts_total",
    ):
        assert f"# HELP {name.removesuffix('_total')}" in text
    assert not [prefix for prefix in ("ws_", "evt_", "lnk_", "thr_", "cvl_") if f'"{prefix}' in text]


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_they_are_for_reading_only(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405
