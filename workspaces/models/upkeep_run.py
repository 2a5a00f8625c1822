"""How the regular tasks have fared: what `/metrics` and the admin show. Content-free."""

from __future__ import annotations

from django.db import models


class UpkeepRun(models.Model):
    """One row a task. `every_s`: how often it is due, in seconds (0: at no fixed times). `finished_at`: when a run last
    ended well. `handled` counts what it has done in all, `last_handled` in the run that last began. `last_error` is the
    class name of what ended the last run, or empty.
    """

    task = models.CharField(primary_key=True, max_length=80)
    every_s = models.IntegerField(default=0, db_default=0)
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
