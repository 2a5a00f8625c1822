"""Conversations: threads, their turns and the durable events of both.

Written by `assistant.threads` alone. Ids are opaque strings without foreign keys into other packages; JSON columns are
JSON text. Source: contract section 9.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class Thread(models.Model):
    """`last_seq` is the number of the newest event; its row lock orders the events of the thread.

    `provider_thread` is what the provider calls this conversation, opaque to us.
    """

    id = models.CharField(primary_key=True, max_length=40)
    workspace = models.CharField(max_length=40)
    title = models.CharField(max_length=200, default="")
    connector = models.CharField(max_length=40)
    created_by = models.CharField(max_length=40)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    last_seq = models.BigIntegerField(default=0)
    provider_thread = models.CharField(max_length=500, null=True)  # noqa: DJ001  null: the provider has none yet

    class Meta:
        db_table = "assistant_thread"
        indexes = [models.Index(fields=["workspace", "-updated_at", "-id"], name="thread_newest_first")]

    def __str__(self) -> str:
        return self.id


class Turn(models.Model):
    """One question and its answer. `state`: queued, assigned, running, then completed, failed or cancelled.

    `nonce` is the one that the current capability carries. `claimed_by` is the host that has the turn; `confirmed_at`
    the last moment at which that host showed that it knows of it. `tried_hosts` lists those that did not accept.
    `first_seq` is the `seq` of its `turn.queued`, `context` the JSON that its host was given. The counters at the end
    bound what a host may send and go to the audit.
    """

    id = models.CharField(primary_key=True, max_length=40)
    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="turns")
    workspace = models.CharField(max_length=40)
    connector = models.CharField(max_length=40)
    provider = models.CharField(max_length=20)
    link = models.CharField(max_length=40)
    text = models.TextField()
    surface = models.CharField(max_length=20, null=True)  # noqa: DJ001  null: none was named
    context = models.TextField(default="{}")
    document = models.CharField(max_length=40, null=True)  # noqa: DJ001
    state = models.CharField(max_length=10, default="queued")
    origin_event = models.CharField(max_length=40)
    first_seq = models.BigIntegerField()
    created_at = models.DateTimeField()
    deadline_at = models.DateTimeField()
    nonce = models.CharField(max_length=40, default="")
    attempt = models.IntegerField(default=0)
    claimed_by = models.CharField(max_length=40, null=True)  # noqa: DJ001
    claimed_at = models.DateTimeField(null=True)
    confirmed_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    tried_hosts = models.TextField(default="[]")
    failure_class = models.CharField(max_length=40, default="")
    connector_version = models.CharField(max_length=40, default="")
    first_text_at = models.DateTimeField(null=True)
    events_taken = models.IntegerField(default=0)
    text_characters = models.IntegerField(default=0)
    duplicate_events = models.IntegerField(default=0)
    refused_events = models.IntegerField(default=0)
    citations_left_out = models.IntegerField(default=0)

    class Meta:
        db_table = "assistant_turn"
        constraints = [
            models.UniqueConstraint(
                fields=["thread"],
                condition=Q(state__in=["queued", "assigned", "running"]),
                name="one_running_turn_a_thread",
            )
        ]
        indexes = [
            models.Index(
                fields=["state", "created_at"],
                condition=Q(state__in=["queued", "assigned", "running"]),
                name="turn_open",
            ),
            models.Index(fields=["claimed_by"], name="turn_by_host"),
            models.Index(fields=["workspace"], name="turn_by_workspace"),
        ]

    def __str__(self) -> str:
        return self.id


class ThreadEvent(models.Model):
    """One line of a thread's record. `data` holds content; it goes when the thread goes."""

    id = models.CharField(primary_key=True, max_length=40)
    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="events")
    seq = models.BigIntegerField()
    turn = models.CharField(max_length=40)
    kind = models.CharField(max_length=20)
    at = models.DateTimeField()
    data = models.TextField()

    class Meta:
        db_table = "assistant_threadevent"
        constraints = [models.UniqueConstraint(fields=["thread", "seq"], name="thread_event_once_a_seq")]
        indexes = [models.Index(fields=["turn", "seq"], name="thread_event_by_turn")]

    def __str__(self) -> str:
        return self.id


class ProviderEventSeen(models.Model):
    """A host's event id that has had its effect; kept while the turn runs, so that a repeated delivery is dropped."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="+")
    event = models.CharField(max_length=200)

    class Meta:
        db_table = "assistant_providereventseen"
        constraints = [models.UniqueConstraint(fields=["turn", "event"], name="provider_event_once_a_turn")]

    def __str__(self) -> str:
        return f"{self.turn_id}/{self.event}"
