"""undo_workspace_receipt: takes back one of the assistant's own receipts of this thread, by a compensating commit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workspaces import facade
from workspaces.contracts import CommitResult, Enclosing

from .apply_workspace_operations import (
    MAX_REASON,
    actor_of,
    existing_documents,
    record_of_commit,
    request_of,
)
from .base import CLOCKS, Arguments, Record, Schema, Scope, WritingTool, clock_list


class UndoWorkspaceReceipt(WritingTool):
    name = "undo_workspace_receipt"
    version = "1"
    source = "operations"
    title = "Take a change back"
    description = (
        "Take back one change that you made in this thread, by its receipt, when the person asks. This is a new change"
        " with its own receipt. undo_conflict means that later work would be lost: say which, do not work around it."
    )
    cuttable = ("affected_paths",)

    def properties(self) -> Mapping[str, Schema]:
        return {
            "receipt": {"type": "string", "minLength": 1, "maxLength": 40},
            "expected_clocks": CLOCKS,
            "reason": {"type": ["string", "null"], "minLength": 1, "maxLength": MAX_REASON},
        }

    def summary(self, arguments: Arguments) -> str:
        return str(arguments.get("reason") or self.title)

    def write(self, scope: Scope, arguments: Arguments, *, enclosing: Enclosing) -> CommitResult:
        body: dict[str, Any] = {"expected_clocks": clock_list(arguments["expected_clocks"])}
        if arguments["reason"] is not None:
            body["reason"] = arguments["reason"]
        return facade.undo_receipt(
            workspace=scope.workspace,
            receipt=arguments["receipt"],
            body=body,
            actor=actor_of(scope),
            request=request_of(scope, route=self.name, target=arguments["receipt"]),
            enclosing=enclosing,
            only_thread=scope.thread,
        )

    def documents_named(self, arguments: Arguments) -> tuple[str, ...]:
        return existing_documents(arguments)

    def record(self, answer: Mapping[str, Any]) -> Record:
        return record_of_commit(answer)


TOOL = UndoWorkspaceReceipt()
