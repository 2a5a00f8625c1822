"""Live typing: browsers' raw Yjs updates of one document, committed in groups of one transaction.

The same lock, clock, log and compaction as every commit; the event of the audit trail comes when the typing session is
sealed (`typing`). Above: the document sockets. Below: the check of each update (`documents.live_update`) and store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import structlog
from django.db import transaction

from workspaces.clock import now
from workspaces.contracts import LiveApplied, LiveUpdate
from workspaces.documents.live_update import (
    LiveChange,
    LiveMismatch,
    apply_live,
    identity_of,
    read_live_update,
)
from workspaces.documents.state import DocumentState
from workspaces.errors import (
    DocumentTrashed,
    DomainError,
    EpochGone,
    LinkInvalid,
    LiveUpdateRefused,
    NotFound,
    TooLarge,
    ViewOnly,
)

from . import lookups, store
from .after_commit import Committed, Typed, run_effects, tell_typing
from .cache import Warm, documents, workspace_lock
from .lookups import DocumentRow, SessionRow, WorkspaceRow
from .persist import keep_small, typed_at
from .planner import open_warm
from .typing import Sealed, seal_sessions

log = structlog.get_logger(__name__)

Outcome = LiveApplied | DomainError


def merge_live(*, workspace: str, document: str, updates: Sequence[LiveUpdate]) -> list[Outcome]:
    """Commits several clients' updates of one document in one transaction; gives each one's outcome, in order.

    A refused update changes nothing and does not spoil the others: LinkInvalid, ViewOnly, NotFound, DocumentTrashed,
    LiveUpdateRefused (4403), EpochGone (4409), TooLarge. Afterwards it tells, in the order of the clocks:
    `document:<ws>:<doc>` {"type": "typed", "clock", "epoch", "update": base64} for each accepted one,
    `workspace:<ws>` {"type": "typing", "document", "clock"}, and after a rebuild {"type": "epoch", "epoch"} on the
    document's topic. When sessions are sealed, their `commit` messages hold what was told as `typed` before.
    """
    if not updates:
        return []
    with workspace_lock(workspace):
        merge = _Merge(workspace, document, updates)
        try:
            with transaction.atomic(durable=True):
                merge.run()
        except TooLarge as error:
            documents.evict(workspace, document)
            if len(updates) == 1:
                return [error]
        except BaseException:
            # The live document may hold what was rolled back.
            documents.evict(workspace, document)
            raise
        else:
            merge.publish()
            return merge.outcomes()
        # Somebody's update outgrew the document: each for itself, so that the others' stand.
        return [merge_live(workspace=workspace, document=document, updates=[update])[0] for update in updates]


@dataclass(frozen=True, slots=True)
class _Accepted:
    """`base` is the Yjs state vector before the update."""

    index: int
    clock: int
    change: LiveChange
    base: bytes


class _Merge:
    """One run through the transaction, and what must be known when it has ended."""

    def __init__(self, workspace: str, document: str, updates: Sequence[LiveUpdate]) -> None:
        self.workspace = workspace
        self.document = document
        self.updates = updates
        self.at = now()
        self.found: dict[int, Outcome] = {}
        self.warm: Warm | None = None
        self.typed_in = 0
        self.accepted: list[_Accepted] = []
        self.sealed: list[Committed] = []

    def run(self) -> None:
        row = lookups.lock_workspace(self.workspace, None)
        roles = {} if row is None else lookups.link_roles(self.workspace, {update.link for update in self.updates})
        for index, update in enumerate(self.updates):
            if update.link not in roles:
                self.found[index] = LinkInvalid()
        if row is None or len(self.found) == len(self.updates):
            return
        document = lookups.document_rows(self.workspace, [self.document]).get(self.document)
        if document is None or document.state == "trashed":
            refusal = NotFound if document is None else DocumentTrashed
            for index in self._open_indexes():
                self.found[index] = refusal(details={"document": self.document})
            return
        warm, state = self._apply_all(document, roles)
        if self.accepted:
            self._write(row, document, warm, state)

    def _open_indexes(self) -> list[int]:
        return [index for index in range(len(self.updates)) if index not in self.found]

    # --- what each update does to the live document ----------------------------------------------------------------

    def _apply_all(self, document: DocumentRow, roles: Mapping[str, str]) -> tuple[Warm, DocumentState]:
        settled = dict(self.found)
        while True:
            self.found, self.accepted = dict(settled), []
            warm = open_warm(self.workspace, document)
            if warm.clock != document.clock or warm.epoch != document.epoch:
                raise RuntimeError(f"the warm copy of {document.doc_id} is not at its row's clock")
            state = warm.state
            for index in self._open_indexes():
                try:
                    state = self._apply(index, document, warm, state, roles[self.updates[index].link])
                except DomainError as refusal:
                    self.found[index] = refusal
                except LiveMismatch:
                    # Nothing is written yet: read the document anew and do without this one.
                    log.warning("live_update_mismatch", workspace=self.workspace, document=document.doc_id)
                    settled[index] = LiveUpdateRefused("The update is refused: Yjs makes something else of it.")
                    documents.evict(self.workspace, document.doc_id)
                    break
            else:
                return warm, state

    def _apply(self, index: int, document: DocumentRow, warm: Warm, state: DocumentState, role: str) -> DocumentState:
        update = self.updates[index]
        if update.epoch is not None and update.epoch != document.epoch:
            raise EpochGone
        identity = identity_of(self.workspace, document.doc_id, document.epoch)
        change = read_live_update(update.update, warm.ydoc, identity, state.texts)
        if change.text is None:
            # Also from a view link: whoever only reads sends what it has when it connects.
            self.found[index] = LiveApplied(None, b"")
            return state
        if role == "view":
            raise ViewOnly
        base = warm.ydoc.state_vector()
        content = apply_live(warm.ydoc, change, state.texts[change.text])
        clock = document.clock + len(self.accepted) + 1
        self.accepted.append(_Accepted(index, clock, change, base))
        self.found[index] = LiveApplied(clock, change.update)
        return replace(state, texts={**state.texts, change.text: content})

    # --- rows ------------------------------------------------------------------------------------------------------

    def _write(self, row: WorkspaceRow, document: DocumentRow, warm: Warm, state: DocumentState) -> None:
        assert document.pk is not None
        typed: dict[str, int] = {}
        sessions = {s.author: s for s in lookups.typing_sessions(document.pk)} if document.typing else {}
        changed: dict[str, SessionRow] = {}
        for entry in self.accepted:
            assert entry.change.text is not None
            typed[entry.change.text] = entry.clock
            author = self.updates[entry.index].author
            changed[author] = sessions[author] = self._session(sessions.get(author), author, entry)
            store.insert_update(document.pk, entry.clock, 0, entry.change.update)
        for session in changed.values():
            store.put_typing_session(self.workspace, document.pk, session)
        written = replace(
            document,
            clock=document.clock + len(self.accepted),
            tail_updates=document.tail_updates + len(self.accepted),
            tail_bytes=document.tail_bytes + sum(len(entry.change.update) for entry in self.accepted),
            typed_clocks=typed_at(document, typed),
            typing=len(sessions),
        )
        if not store.update_document(written, before=document, event=None, at=self.at, typed=True):
            raise RuntimeError(f"another writer moved {document.doc_id} under the workspace's lock")

        def seal() -> None:
            # State vectors mean nothing in the document to come.
            order = sorted(sessions.values(), key=lambda session: session.clock_from)
            sealed: Sealed = seal_sessions(self.workspace, row, written, warm.ydoc, order)
            self.sealed = sealed.committed

        ydoc, epoch, size = keep_small(self.workspace, written, state, warm.ydoc, hunks={}, before_rebuild=seal)
        self.typed_in = document.epoch
        if epoch != document.epoch:
            self.sealed[-1] = replace(self.sealed[-1], rebuilt={document.doc_id: epoch})
        self.warm = Warm(ydoc, state, written.clock, epoch, size)

    def _session(self, session: SessionRow | None, author: str, entry: _Accepted) -> SessionRow:
        text = entry.change.text
        assert text is not None
        if session is None:
            return SessionRow(None, author, [text], entry.clock, entry.clock, entry.base, self.at, self.at)
        texts = session.texts if text in session.texts else [*session.texts, text]
        return replace(session, texts=texts, clock_to=entry.clock, last_at=self.at)

    # --- what follows the transaction ------------------------------------------------------------------------------

    def outcomes(self) -> list[Outcome]:
        return [self.found[index] for index in range(len(self.updates))]

    def publish(self) -> None:
        if self.warm is None:
            return
        documents.put(self.workspace, self.document, self.warm)
        tell_typing(
            Typed(
                workspace=self.workspace,
                document=self.document,
                epoch=self.typed_in,
                updates=tuple((entry.clock, entry.change.update) for entry in self.accepted),
            )
        )
        for committed in self.sealed:
            run_effects(committed)
