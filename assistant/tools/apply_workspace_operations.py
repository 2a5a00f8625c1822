"""apply_workspace_operations: one typed batch through the one commit path, with exact clocks and a reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workspaces import facade
from workspaces.contracts import Actor, CommitResult, Enclosing, RequestIdentity

from .base import CLOCKS, Arguments, Record, Schema, Scope, WritingTool, clock_list

MAX_OPERATIONS = 20
MAX_REASON = 300


class ApplyWorkspaceOperations(WritingTool):
    name = "apply_workspace_operations"
    version = "1"
    source = "operations"
    title = "Change the workspace"
    cuttable = ("affected_paths",)

    @property
    def description(self) -> str:  # type: ignore[override]
        return (
            "Change the person's workspace by one batch of operations, applied wholly or not at all. Do only what the"
            " person asked for. Each change leaves a receipt that takes it back. Read first: expected_clocks names"
            " exactly the documents touched, with the clock last seen, 0 for new:NAME (a-z 0-9 -), which later"
            " operations of the batch may name. On stale_clock read details.fresh and think again. null clears."
            " Times: RFC 3339.\n" + facade.describe_documents()
        )

    def properties(self) -> Mapping[str, Schema]:
        return {
            "reason": {
                "type": "string",
                "minLength": 1,
                "maxLength": MAX_REASON,
                "description": "What and why, for the person.",
            },
            "expected_clocks": CLOCKS,
            "operations": {
                "type": "array",
                "items": facade.operation_union(assistant=True),
                "minItems": 1,
                "maxItems": MAX_OPERATIONS,
            },
        }

    def definitions(self) -> Mapping[str, Schema]:
        return facade.operation_definitions()

    def checked_later(self) -> Mapping[str, Schema]:
        operations = {"type": "array", "items": {"type": "object"}, "minItems": 1, "maxItems": MAX_OPERATIONS}
        return {"operations": operations}

    def summary(self, arguments: Arguments) -> str:
        return str(arguments["reason"])

    def write(self, scope: Scope, arguments: Arguments, *, enclosing: Enclosing) -> CommitResult:
        body = {
            "reason": arguments["reason"],
            "expected_clocks": clock_list(arguments["expected_clocks"]),
            "operations": arguments["operations"],
        }
        return facade.commit(
            workspace=scope.workspace,
            body=body,
            actor=actor_of(scope),
            request=request_of(scope, route=self.name, target=scope.workspace),
            enclosing=enclosing,
        )

    def documents_named(self, arguments: Arguments) -> tuple[str, ...]:
        return existing_documents(arguments)

    def record(self, answer: Mapping[str, Any]) -> Record:
        return record_of_commit(answer)


def actor_of(scope: Scope) -> Actor:
    """The assistant as the audit trail names it: provider and connector, never a person."""
    return Actor(actor_class="agent", actor=f"careervector-assistant:{scope.provider}:{scope.connector}")


def request_of(scope: Scope, *, route: str, target: str) -> RequestIdentity:
    """The write's identity: scoped to connector and thread, keyed by the derived request id."""
    return RequestIdentity(
        scope=f"connector:{scope.connector}:{scope.thread}",
        key=scope.request,
        route=f"tool:{route}",
        target=target,
        link=scope.link,
        origin_event=scope.origin_event,
        thread=scope.thread,
        turn=scope.turn,
    )


def existing_documents(arguments: Arguments) -> tuple[str, ...]:
    return tuple(
        entry["document"] for entry in arguments["expected_clocks"] if not entry["document"].startswith("new:")
    )


def record_of_commit(answer: Mapping[str, Any]) -> Record:
    """Audit facts of a commit's answer, for both writing tools."""
    receipt = answer.get("receipt")
    return Record(
        documents=tuple(answer["clocks"]["after"]),
        counts={"operations": len(answer["operations"])},
        truncated=bool(answer.get("truncated")),
        receipt=receipt["id"] if receipt else None,
        event=answer.get("event"),
    )


TOOL = ApplyWorkspaceOperations()
