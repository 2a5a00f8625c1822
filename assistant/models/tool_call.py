"""What the tool boundary keeps: an audit row a call for good, and a turn's answers for as long as the turn runs.

Above it: `assistant.tools.audit` and `assistant.tools.results`, the only writers, and the read-only admin. Ids are
opaque strings, no foreign keys: the audit trail outlives what it names. Source: contract section 8.
"""

from __future__ import annotations

from django.db import models


class ToolCall(models.Model):
    """One call of a tool, answered or refused. Content-free: ids, counts and a keyed digest, never a word of anybody's.

    `request` is the derived request id (hex SHA-256, contract section 8). `tool` is `unknown` for a name that is none
    of the four. `documents` and `roles` are JSON lists of the ids that the answer held, `counts` a JSON object of
    small numbers. `outcome` is `ok` or the refusal's code. Empty strings stand for what a forged capability hid.
    """

    id = models.CharField(primary_key=True, max_length=40)
    at = models.DateTimeField()
    workspace = models.CharField(max_length=40, default="")
    connector = models.CharField(max_length=40, default="")
    thread = models.CharField(max_length=40, default="")
    turn = models.CharField(max_length=40, default="")
    link = models.CharField(max_length=40, default="")
    request = models.CharField(max_length=64, default="")
    tool = models.CharField(max_length=40)
    version = models.CharField(max_length=8, default="")
    argument_digest = models.CharField(max_length=64, default="")
    documents = models.TextField(default="[]")
    roles = models.TextField(default="[]")
    counts = models.TextField(default="{}")
    truncated = models.BooleanField(default=False)
    outcome = models.CharField(max_length=40)
    event = models.CharField(max_length=40, default="")
    duration_ms = models.FloatField(default=0.0)

    class Meta:
        db_table = "assistant_toolcall"
        indexes = [
            models.Index(fields=["workspace", "-at"], name="tool_call_by_workspace"),
            models.Index(fields=["turn"], name="tool_call_by_turn"),
        ]

    def __str__(self) -> str:
        return self.id


class TurnToolResult(models.Model):
    """The answer to one call of a running turn: given again to a repeated delivery, read by the grounding check.

    `digest` is the SHA-256 over tool and arguments. `result` is null while the first delivery is still at work.
    `refused` rows give way to the same call id with other arguments. All rows of a turn go when it ends.
    """

    turn = models.CharField(max_length=40)
    call = models.CharField(max_length=200)
    tool = models.CharField(max_length=40)
    digest = models.CharField(max_length=64)
    arguments = models.TextField()
    result = models.TextField(null=True)  # noqa: DJ001  null: not answered yet
    refused = models.BooleanField(default=False)

    class Meta:
        db_table = "assistant_turntoolresult"
        constraints = [models.UniqueConstraint(fields=["turn", "call"], name="turn_tool_result_once_a_call")]

    def __str__(self) -> str:
        return f"{self.turn}/{self.call}"
