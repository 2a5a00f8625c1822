"""The first answer of each write request, so that a repeated delivery gets it again."""

from __future__ import annotations

from django.db import models

from .workspace import Workspace


class IdempotencyRecord(models.Model):
    """Lives as long as the receipt it made, at least 24 hours. `fingerprint` is a hex SHA-256.

    Records expire in the order in which they are made, so the sweep reads the oldest ids and needs no index.
    """

    workspace = models.ForeignKey(
        Workspace, on_delete=models.CASCADE, related_name="idempotency_records", db_index=False
    )
    scope = models.CharField(max_length=130)
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)
    response = models.TextField(default="")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        db_table = "workspaces_idempotencyrecord"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "scope", "key"], name="idempotency_key_once_a_scope")
        ]

    def __str__(self) -> str:
        return f"{self.scope}/{self.key}"
