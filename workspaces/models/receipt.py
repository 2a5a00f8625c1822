"""The right to take a commit back, until it expires."""

from __future__ import annotations

from django.db import models

from .workspace import Workspace


class Receipt(models.Model):
    """`inverse` (the compensating operations) and `changes` (before and after values) are dropped on expiry."""

    id = models.CharField(primary_key=True, max_length=40)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="receipts", db_index=False)
    event = models.CharField(max_length=40)
    seq = models.BigIntegerField()
    actor_class = models.CharField(max_length=8)
    actor = models.CharField(max_length=200)
    reason = models.CharField(max_length=300, default="")
    thread = models.CharField(max_length=40, null=True)  # noqa: DJ001
    turn = models.CharField(max_length=40, null=True)  # noqa: DJ001
    operation_kinds = models.TextField(default="[]")
    affected_paths = models.TextField(default="[]")
    clocks = models.TextField(default="{}")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    undone_by = models.CharField(max_length=40, null=True)  # noqa: DJ001
    inverse = models.TextField(null=True)  # noqa: DJ001
    changes = models.TextField(null=True)  # noqa: DJ001

    class Meta:
        db_table = "workspaces_receipt"
        indexes = [
            models.Index(fields=["workspace", "seq"], name="receipt_by_seq"),
            models.Index(fields=["workspace", "turn"], name="receipt_by_turn", condition=models.Q(turn__isnull=False)),
            models.Index(fields=["expires_at"], name="receipt_by_expiry", condition=models.Q(inverse__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.id
