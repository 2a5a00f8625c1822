"""Bringing a file in: read whole, then committed in batches like anybody's work, and taken back as a whole.

Above: the facade and the view. Below: the plan makers, `import_rows` and the one commit path. Other writers get their
turn between two batches. Whatever ends an import in the middle leaves it marked failed, with the receipts of what it
has done: it can be taken back as far as it came. Contract section 7; ADR 0009.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from django.conf import settings

from workspaces.commits import lookups, undo
from workspaces.commits.service import commit, fingerprint_of
from workspaces.contracts import Access, Actor, CommitResult, RequestIdentity
from workspaces.documents.schema import KINDS
from workspaces.documents.state import DocumentState
from workspaces.erasure import is_erased
from workspaces.errors import (
    DomainError,
    Flaw,
    InvalidRequest,
    LinkInvalid,
    NotFound,
    ReceiptSpent,
    StaleClock,
    UndoConflict,
)
from workspaces.ids import new_id
from workspaces.queries import open_documents
from workspaces.realtime import hub

from . import import_rows
from .import_plan import ImportPlan, Operation, batches, with_real_ids
from .import_rows import ImportLost
from .resume_in import looks_like_resume, read_resume
from .workspace_file import is_workspace_file, read_workspace_file

_REASONS = {"workspace": "Import of a workspace's file", "resume": "Import of a CV"}
_TRIES = 5
# A breath between two batches: who waits for the database polls, and would hardly ever win against a tight loop.
_PAUSE_S = 0.002
_WAIT_S = 0.1
# Reading a file of 32 MiB takes several times its size in memory.
_reading = threading.BoundedSemaphore(2)


def import_file(
    *,
    access: Access,
    load: Callable[[], Any],
    actor: Actor,
    request: RequestIdentity | None,
    remarks: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """`{"import", "counts", "report"}`. `load` gives the file's JSON: a workspace's export or a JSON Resume. `remarks`
    go before the report.

    With a `request` the same key gives the same answer and one import; a refusal frees the key. Raises what `load`
    does, InvalidRequest and CardinalityExceeded before anything is written, then what a commit can raise: `details`
    then name the import, and how far it has come.
    """
    while True:
        with _reading:
            data = load()
            fingerprint = "" if request is None else fingerprint_of(request, data)
            found = None if request is None else import_rows.find_finished(access, request, fingerprint)
            plan = None if found is not None else read_plan(access.workspace, data)
            del data
        if plan is None:
            assert found is not None
            return _answer_of(access, found)
        plan = replace(plan, report=[*remarks, *plan.report])
        run = _Run(access, actor, plan)
        life = timedelta(days=settings.CAREERVECTOR_RECEIPT_DAYS)
        if import_rows.begin(
            import_id=run.id, access=access, plan=plan, request=request, fingerprint=fingerprint, record_life=life
        ):
            run.carry_out()
            return {"import": run.id, "counts": dict(plan.counts), "report": list(plan.report)}


def _answer_of(access: Access, found: import_rows.ImportRow) -> dict[str, Any]:
    """Waits for the end of an import that another delivery of this request has begun."""
    while found.state == "running":
        time.sleep(_WAIT_S)
        found = import_rows.get_row(access.workspace, found.id)
    if found.state == "failed":
        raise InvalidRequest(
            "This import was begun and has failed; it can be taken back as far as it came.",
            details={"import": found.id},
        )
    return found.answer


def read_plan(workspace: str, data: Any) -> ImportPlan:
    """What a file would do to the workspace as it is now. Raises InvalidRequest, CardinalityExceeded."""
    if not isinstance(data, dict):
        raise InvalidRequest("The file must be a JSON object.", flaws=[Flaw("", "type", "This must be an object.")])
    if is_workspace_file(data) or not looks_like_resume(data):
        if "format" not in data and "documents" not in data:
            message = "This is neither a workspace's export nor a JSON Resume."
            raise InvalidRequest(message, flaws=[Flaw("", "unknown_format", message)])
        present = {name: lookups.count_documents(workspace, name) for name in KINDS}
        return read_workspace_file(data, singletons=_singletons(workspace), present=present)
    resume = read_resume(data=data, profile=_singletons(workspace)["profile"])
    groups = [[operation] for operation in resume.operations]
    return ImportPlan(kind="resume", groups=groups, counts=resume.counts, report=resume.report)


def _singletons(workspace: str) -> dict[str, DocumentState]:
    names = [kind.name for kind in KINDS.values() if kind.singleton]
    found = open_documents(workspace, names)
    if len(found) < len(names):  # they are there as long as their workspace: it was erased since the link was looked at
        raise LinkInvalid
    return {doc_id: warm.state for doc_id, warm in found.items()}


@dataclass(slots=True)
class _Run:
    """One import being carried out. `made` maps the plan's names to real ids, `clocks` has what was last seen."""

    access: Access
    actor: Actor
    plan: ImportPlan
    id: str = field(default_factory=lambda: new_id("imp"))
    done: int = 0
    receipts: list[str] = field(default_factory=list)
    made: dict[str, str] = field(default_factory=dict)
    clocks: dict[str, int] = field(default_factory=dict)

    def carry_out(self) -> None:
        try:
            for number, batch in enumerate(batches(self.plan.groups)):
                if number:
                    time.sleep(_PAUSE_S)
                self._commit(number, batch)
                self._tell("running")
            import_rows.end(self.id, "done")
        except BaseException as error:
            self._fail()
            if isinstance(error, ImportLost) and is_erased(workspace=self.access.workspace):
                raise LinkInvalid from None
            if isinstance(error, ImportLost):
                raise InvalidRequest("The import was given up: it did not come forward in time.") from None
            if isinstance(error, DomainError):
                error.details |= {"import": self.id, "done": self.done, "total": self.plan.total}
            raise
        self._tell("done")

    def _commit(self, number: int, batch: list[Operation]) -> None:
        operations = with_real_ids(batch, self.made)
        enclosing = _Batch(self, len(operations))
        for attempt in range(_TRIES):
            try:
                result = commit(
                    workspace=self.access.workspace,
                    body={
                        "reason": _REASONS[self.plan.kind],
                        "expected_clocks": self._expected(operations, fresh=attempt > 0),
                        "operations": operations,
                    },
                    actor=self.actor,
                    request=RequestIdentity(
                        scope=f"import:{self.id}",
                        key=f"batch-{number}",
                        route="import",
                        target=self.id,
                        link=self.access.link,
                    ),
                    enclosing=enclosing,
                )
            except StaleClock:
                # Somebody works here meanwhile. What an import does adds to what it finds.
                if attempt == _TRIES - 1:
                    raise
            else:
                self.done, self.receipts = enclosing.done, enclosing.receipts
                self.made |= result.response["documents"]
                self.clocks |= result.response["clocks"]["after"]
                return

    def _expected(self, operations: list[Operation], *, fresh: bool) -> dict[str, int]:
        named = list(dict.fromkeys(str(operation["document"]) for operation in operations))
        unknown = [doc_id for doc_id in named if fresh or doc_id not in self.clocks]
        rows = lookups.document_rows(self.access.workspace, [d for d in unknown if not d.startswith("new:")])
        self.clocks |= {doc_id: row.clock for doc_id, row in rows.items()}
        return {doc_id: self.clocks.get(doc_id, 0) for doc_id in named}

    def _fail(self) -> None:
        try:
            import_rows.end(self.id, "failed")
        except Exception:
            # What went wrong first is what must be told; the sweep does the rest.
            return
        self._tell("failed")

    def _tell(self, state: str) -> None:
        hub.publish(
            topic=f"workspace:{self.access.workspace}",
            message={
                "type": "import", "import": self.id, "state": state, "done": self.done, "total": self.plan.total,
            },
        )  # fmt: skip


class _Batch:
    """What the import's row gets in the transaction of each batch."""

    def __init__(self, run: _Run, operations: int) -> None:
        self.run = run
        self.done = run.done + operations
        self.receipts = run.receipts

    def before(self) -> None:
        """Nothing: the row is taken last, after the workspace's."""

    def after(self, result: CommitResult) -> None:
        if result.receipt is not None:
            self.receipts = [*self.run.receipts, result.receipt]
        import_rows.come_forward(self.run.id, done=self.done, receipts=self.receipts)


class _Undone:
    """What the import's row gets in the transaction of its undo."""

    def __init__(self, import_id: str) -> None:
        self.import_id = import_id

    def before(self) -> None:
        """Nothing."""

    def after(self, result: CommitResult) -> None:
        if result.event is not None and not result.replayed:
            import_rows.note_undone(self.import_id, result.event)


def undo_import(
    *, workspace: str, import_id: str, body: Mapping[str, Any], actor: Actor, request: RequestIdentity
) -> CommitResult:
    """Takes back all that an import did and that still stands, in one commit, or nothing. What it made is archived.

    Raises NotFound, ReceiptSpent, ReceiptExpired, UndoConflict and what a commit can raise.
    """
    return undo.undo_together(
        workspace=workspace,
        body=body,
        actor=actor,
        request=request,
        find=lambda: _receipts(workspace, import_id),
        enclosing=_Undone(import_id),
    )


def preview_import_undo(*, workspace: str, import_id: str) -> dict[str, Any]:
    """What undoing an import would meet now: `{"receipts", "conflicts", "expected_clocks", "possible"}`.

    One that changed nothing has nothing to take back. Raises NotFound, ReceiptSpent, ReceiptExpired.
    """
    if not import_rows.get_row(workspace, import_id).receipts:
        return {"receipts": [], "conflicts": [], "expected_clocks": {}, "possible": False}
    return undo.preview_together(workspace=workspace, find=lambda: _receipts(workspace, import_id))


def _receipts(workspace: str, import_id: str) -> list[lookups.ReceiptRow]:
    row = import_rows.get_row(workspace, import_id)
    if row.state == "running":
        raise UndoConflict("The import is still running.", details={"conflicts": []})
    if not row.receipts:
        raise ReceiptSpent("This import changed nothing that could be undone.")
    receipts = lookups.receipt_rows(workspace, row.receipts)
    if not receipts:
        raise NotFound
    return undo.still_open(receipts)
