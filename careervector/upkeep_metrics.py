"""How the regular tasks fare, for `/metrics`: read from their records when somebody asks, so that every web process
tells the same, whichever worker did the work.

Above: `careervector.health`. Below: the facade. Content-free: a task's name is a name of ours.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db import DatabaseError
from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from workspaces import facade


class _Upkeep:
    def describe(self) -> list[Metric]:
        # Registering must not ask the database.
        return []

    def collect(self) -> Iterator[Metric]:
        readable = GaugeMetricFamily(
            "careervector_upkeep_readable", "Whether the records of the regular tasks could be read"
        )
        try:
            runs = facade.list_upkeep_runs()
        except DatabaseError:
            readable.add_metric([], 0)
            yield readable
            return
        readable.add_metric([], 1)
        yield readable
        at = facade.now()
        age = GaugeMetricFamily(
            "careervector_upkeep_last_success_age_seconds", "Since a task last ended well", labels=["task"]
        )
        overdue = GaugeMetricFamily(
            "careervector_upkeep_overdue", "Whether a task should have ended well since", labels=["task"]
        )
        totals = {
            "runs": CounterMetricFamily("careervector_upkeep_runs", "Runs of a task", labels=["task"]),
            "failures": CounterMetricFamily("careervector_upkeep_failures", "Runs that failed", labels=["task"]),
            "handled": CounterMetricFamily("careervector_upkeep_handled", "What a task has handled", labels=["task"]),
        }
        for run in runs:
            if run.finished_at is not None:
                age.add_metric([run.task], max(0.0, (at - run.finished_at).total_seconds()))
            overdue.add_metric([run.task], float(run.is_overdue(at)))
            for name, family in totals.items():
                family.add_metric([run.task], getattr(run, name))
        yield from (age, overdue, *totals.values())


_registry = CollectorRegistry()
_registry.register(_Upkeep())


def upkeep_metrics() -> bytes:
    """Prometheus text."""
    return generate_latest(_registry)
