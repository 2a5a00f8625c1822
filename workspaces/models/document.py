"""A document's row and its Yjs update log. Written by `commits.store` alone."""

from __future__ import annotations

from django.db import models

from .workspace import Workspace


class Document(models.Model):
    """`doc_id` is the contract's id (`profile`, `application:01J…`), unique within its workspace.

    The current state is its snapshot (taken at `snapshot_clock`) plus the updates after it. `epoch` changes when the
    document is rebuilt; the server's Yjs client id is derived from it. `firm_clock` is the clock of the newest change
    that can make an expectation stale: live typing and rank upkeep raise `clock` alone. `typed_clocks` is JSON, text →
    clock of the newest live typing in it; `typing` counts the typing sessions that are not sealed yet. `stage` and
    `rank` repeat an application's fields, so that a column can be read without opening its documents.
    """

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="documents", db_index=False)
    doc_id = models.CharField(max_length=40)
    kind = models.CharField(max_length=12)
    state = models.CharField(max_length=8, default="active")
    clock = models.BigIntegerField(default=1)
    firm_clock = models.BigIntegerField(default=1)
    typed_clocks = models.TextField(default="{}", db_default="{}")
    typing = models.SmallIntegerField(default=0, db_default=0)
    epoch = models.IntegerField(default=1)
    snapshot_clock = models.BigIntegerField(default=0)
    snapshot_bytes = models.IntegerField(default=0)
    tail_updates = models.IntegerField(default=0)
    tail_bytes = models.IntegerField(default=0)
    stage = models.CharField(max_length=12, default="")
    rank = models.CharField(max_length=80, default="")
    last_event = models.CharField(max_length=40, default="")
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    trashed_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "workspaces_document"
        constraints = [models.UniqueConstraint(fields=["workspace", "doc_id"], name="document_once_a_workspace")]
        indexes = [
            models.Index(fields=["workspace", "kind", "state"], name="document_by_kind"),
            models.Index(fields=["workspace", "stage", "rank"], name="document_by_column"),
        ]

    def __str__(self) -> str:
        return self.doc_id


class DocumentSnapshot(models.Model):
    """The whole Yjs state at the document's `snapshot_clock`; no row stands for an empty document at clock 0.

    Apart from the document's row, which every commit rewrites: a row's size is what a commit costs.
    """

    document = models.OneToOneField(Document, on_delete=models.CASCADE, primary_key=True, related_name="snapshot")
    state = models.BinaryField()

    class Meta:
        db_table = "workspaces_documentsnapshot"

    def __str__(self) -> str:
        return f"{self.document_id}"


class DocumentUpdate(models.Model):
    """One Yjs update, at the clock it raised the document to. `seq` is its event's; 0 while its typing is unsealed."""

    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="updates", db_index=False)
    clock = models.BigIntegerField()
    seq = models.BigIntegerField()
    update = models.BinaryField()

    class Meta:
        db_table = "workspaces_documentupdate"
        constraints = [models.UniqueConstraint(fields=["document", "clock"], name="update_once_a_clock")]

    def __str__(self) -> str:
        return f"{self.document_id}@{self.clock}"
