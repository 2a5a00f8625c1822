"""Rebuilds documents under a new epoch although nothing is wrong with them, in commits of nobody's.

For a database that came back from a backup: browsers may hold a later history of the same documents, made under the
same Yjs client ids, and two histories under one id lose data when they meet.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from workspaces.contracts import Actor, RequestIdentity
from workspaces.operations.catalogue import BY_KIND

from . import lookups
from .batch import MAX_OPERATIONS, Step
from .service import Door, Work, write

ACTOR = "system:renew_epochs"
MOST_AT_ONCE = MAX_OPERATIONS


def renew_documents(*, workspace: str, documents: Sequence[str], run: str, apart: bool) -> bool:
    """Rebuilds at most `MOST_AT_ONCE` documents in one commit; False when this `run` did so before.

    `apart`: histories may have been lost; see `persist.renewed_epoch`. Raises LinkInvalid for an erased workspace.
    """

    def door(_: lookups.WorkspaceRow) -> Work:
        rows = lookups.document_rows(workspace, documents)
        return Work(
            reason="",
            expected_clocks={doc_id: row.clock for doc_id, row in rows.items()},
            steps=[Step(BY_KIND["document.renew"], {"document": doc_id, "apart": apart}) for doc_id in rows],
            upkeep=True,
        )

    def prepare() -> Door:
        return door

    which = hashlib.sha256("\n".join(documents).encode()).hexdigest()
    result = write(
        workspace=workspace,
        body={},
        actor=Actor("system", ACTOR),
        request=RequestIdentity(scope=ACTOR, key=f"{run}/{which}", route="renew-epochs", target=workspace, link=None),
        enclosing=None,
        prepare=prepare,
    )
    return not result.replayed
