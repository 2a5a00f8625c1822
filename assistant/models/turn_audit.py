"""What remains of a turn for staff: ids, counts and times, never a word of anybody's.

Written by `assistant.threads.audit`; it outlives the thread. Source: contract section 8 ("each turn leaves one too").
"""

from __future__ import annotations

from django.db import models


class TurnAudit(models.Model):
    """One turn, ended or refused. `outcome` is completed, cancelled, failed or refused; `code` says why.

    `dropped_events` counts events that came after the end, `duplicate_events` those delivered twice,
    `refused_events` those a host may not send. Times are milliseconds since the turn was queued.
    """

    id = models.CharField(primary_key=True, max_length=40)
    at = models.DateTimeField()
    workspace = models.CharField(max_length=40)
    link = models.CharField(max_length=40)
    thread = models.CharField(max_length=40, default="")
    turn = models.CharField(max_length=40, default="")
    connector = models.CharField(max_length=40, default="")
    provider = models.CharField(max_length=20, default="")
    connector_version = models.CharField(max_length=40, default="")
    model = models.CharField(max_length=100, default="")
    host = models.CharField(max_length=40, default="")
    surface = models.CharField(max_length=20, default="")
    attempt = models.IntegerField(default=0)
    outcome = models.CharField(max_length=10)
    code = models.CharField(max_length=40, default="")
    tool_calls = models.IntegerField(default=0)
    records = models.IntegerField(default=0)
    ungrounded = models.IntegerField(default=0)
    citations_left_out = models.IntegerField(default=0)
    dropped_events = models.IntegerField(default=0)
    duplicate_events = models.IntegerField(default=0)
    refused_events = models.IntegerField(default=0)
    started_ms = models.IntegerField(null=True)
    first_text_ms = models.IntegerField(null=True)
    ended_ms = models.IntegerField(null=True)

    class Meta:
        db_table = "assistant_turnaudit"
        indexes = [
            models.Index(fields=["workspace", "-at"], name="turn_audit_by_workspace"),
            models.Index(fields=["turn"], name="turn_audit_by_turn"),
            models.Index(fields=["outcome", "-at"], name="turn_audit_by_outcome"),
        ]

    def __str__(self) -> str:
        return self.id
