"""The audit trail: what happened, by whom, to which paths. No content but the reason."""

from __future__ import annotations

from django.db import models

from .workspace import Workspace


class Event(models.Model):
    """JSON columns are canonical JSON text. `undoes` lists the events that this one compensated.

    `digest` is what the chain holds of the rest (time, actor, reason, origin) under the workspace's own key: it stays
    when an erasure takes the key and the reason.
    """

    id = models.CharField(primary_key=True, max_length=40)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="events", db_index=False)
    seq = models.BigIntegerField()
    at = models.DateTimeField()
    actor_class = models.CharField(max_length=8)
    actor = models.CharField(max_length=200)
    reason = models.CharField(max_length=300, default="")
    origin_event = models.CharField(max_length=40, null=True)  # noqa: DJ001  absent is not empty
    operation_kinds = models.TextField(default="[]")
    affected_paths = models.TextField(default="[]")
    clocks = models.TextField(default="{}")
    receipt = models.CharField(max_length=40, null=True)  # noqa: DJ001
    undoes = models.TextField(default="[]")
    undone_by = models.CharField(max_length=40, null=True)  # noqa: DJ001
    digest = models.CharField(max_length=64, default="", db_default="")
    chain_mac = models.CharField(max_length=64, default="")

    class Meta:
        db_table = "workspaces_event"
        constraints = [models.UniqueConstraint(fields=["workspace", "seq"], name="event_once_a_seq")]

    def __str__(self) -> str:
        return self.id


class EventDocument(models.Model):
    """Which documents an event touched: the index behind a document's history and the undo check."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+", db_index=False)
    doc_id = models.CharField(max_length=40)
    seq = models.BigIntegerField()

    class Meta:
        db_table = "workspaces_eventdocument"
        constraints = [models.UniqueConstraint(fields=["workspace", "doc_id", "seq"], name="event_document_once")]

    def __str__(self) -> str:
        return f"{self.doc_id}@{self.seq}"
