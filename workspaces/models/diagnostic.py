"""What a person chose to tell the operators (contract section 7). Goes with its workspace."""

from __future__ import annotations

from django.db import models

from .workspace import Workspace


class Diagnostic(models.Model):
    """`text` is what the person wrote, at most 4,000 characters; sent with consent, read by staff only."""

    id = models.CharField(primary_key=True, max_length=40)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="diagnostics")
    text = models.TextField()
    created_at = models.DateTimeField()

    class Meta:
        db_table = "workspaces_diagnostic"

    def __str__(self) -> str:
        return self.id
