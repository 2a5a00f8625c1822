"""The erasure outbox towards JobCache: random tokens that went out with a person's `jobs/import`, and nothing else."""

from __future__ import annotations

from django.db import models

from .workspace import Workspace


class CorpusParticipant(models.Model):
    """While its workspace lives, `workspace` names it. Erasure empties `workspace` and sets `queued_at`, in its own
    transaction; the drain claims queued tokens under a lease until it acknowledges them, then the row goes.

    Source: contract sections 7 and 10.
    """

    token = models.CharField(max_length=80, unique=True)
    workspace = models.ForeignKey(Workspace, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    queued_at = models.DateTimeField(null=True)
    lease = models.CharField(max_length=40, default="")
    lease_expires_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "workspaces_corpusparticipant"
        indexes = [models.Index(fields=["queued_at"], name="participant_by_queue")]

    def __str__(self) -> str:
        return f"participant {self.pk}"
