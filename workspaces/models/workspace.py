"""The workspace row: the lock that serialises its writers, its event counter and its settings."""

from __future__ import annotations

from django.db import models


class Workspace(models.Model):
    """`seq` is the number of the newest event; `chain_head` the HMAC of the audit chain at that event.

    An erased workspace is a tombstone: `erased_at` and the chain stay, the rest is empty. `scrubbed_at` is when the
    database's files were rewritten after it, so that no page of them holds its content any more.
    """

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
    scrubbed_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "workspaces_workspace"
        indexes = [
            models.Index(
                fields=["erased_at"],
                condition=models.Q(erased_at__isnull=False, scrubbed_at__isnull=True),
                name="workspace_to_scrub",
            )
        ]

    def __str__(self) -> str:
        return self.id
