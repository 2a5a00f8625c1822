"""The workspace row: the lock that serialises its writers, its event counter and its settings."""

from __future__ import annotations

from django.db import models


class Workspace(models.Model):
    """`seq` is the number of the newest event; `chain_head` the HMAC of the audit chain at that event."""

    id = models.CharField(primary_key=True, max_length=40)
    label = models.CharField(max_length=500, default="")
    created_at = models.DateTimeField()
    seq = models.BigIntegerField(default=0)
    chain_head = models.CharField(max_length=64, default="")
    digest_key = models.CharField(max_length=64, default="")
    assistant_sees_contact_details = models.BooleanField(default=False)
    time_zone = models.CharField(max_length=64, default="UTC")
    language = models.CharField(max_length=35, default="en")
    erased_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "workspaces_workspace"

    def __str__(self) -> str:
        return self.id
