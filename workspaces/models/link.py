"""The secret links of a workspace. Only a digest of the secret is kept."""

from __future__ import annotations

from django.db import models

from .workspace import Workspace


class Link(models.Model):
    """`secret_sha256` is the hex SHA-256 of the whole secret (`cvl_…`); `last4` its last four characters."""

    id = models.CharField(primary_key=True, max_length=40)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="links")
    label = models.CharField(max_length=500, default="")
    role = models.CharField(max_length=8)
    secret_sha256 = models.CharField(max_length=64, unique=True)
    last4 = models.CharField(max_length=4)
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    last_used_on = models.DateField(null=True)

    class Meta:
        db_table = "workspaces_link"

    def __str__(self) -> str:
        return self.id
