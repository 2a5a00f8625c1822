"""How the regular tasks have fared: what `/metrics` and the admin show. Content-free."""

from __future__ import annotations

from django.db import models


class UpkeepRun(models.Model):
    """One row a task. `handled` counts what it has done in all; `last_error` is an exception's class name or empty."""

    task = models.CharField(primary_key=True, max_length=80)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    runs = models.BigIntegerField(default=0)
    failures = models.BigIntegerField(default=0)
    handled = models.BigIntegerField(default=0)
    last_handled = models.BigIntegerField(default=0)
    last_error = models.CharField(max_length=80, default="")

    class Meta:
        db_table = "workspaces_upkeeprun"

    def __str__(self) -> str:
        return self.task
