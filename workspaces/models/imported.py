"""A file that a person brought in: how far it has come, what it said, and which receipts take it back."""

from __future__ import annotations

from django.db import models

from .workspace import Workspace


class Import(models.Model):
    """`kind` is workspace or resume. `state`: running, done, failed. `done` and `total` count operations.

    `receipts` (JSON list of receipt ids, in order) grows in the transaction of each batch; `counts` and `report` are
    the answer's. `undone_by` is the event that took the whole back. One that runs and has not progressed for a while
    has lost its process (`exchange.import_rows`).
    """

    id = models.CharField(primary_key=True, max_length=40)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="imports", db_index=False)
    link = models.CharField(max_length=40)
    kind = models.CharField(max_length=12)
    state = models.CharField(max_length=8, default="running")
    total = models.IntegerField(default=0)
    done = models.IntegerField(default=0)
    receipts = models.TextField(default="[]")
    counts = models.TextField(default="{}")
    report = models.TextField(default="[]")
    created_at = models.DateTimeField()
    progressed_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    undone_by = models.CharField(max_length=40, null=True)  # noqa: DJ001

    class Meta:
        db_table = "workspaces_import"
        indexes = [models.Index(fields=["workspace", "created_at"], name="import_by_workspace")]

    def __str__(self) -> str:
        return self.id
