"""Every operation kind there is. A newcomer adds a file and a line here; schemas, types and tests follow."""

from __future__ import annotations

from collections.abc import Mapping

from .application_move_stage import ApplicationMoveStage
from .base import Operation
from .document_create import DocumentCreate
from .document_renew import DocumentRenew
from .document_state import DocumentArchive, DocumentRestore, DocumentTrash, DocumentUnarchive
from .field_set import FieldSet
from .item_add import ItemAdd
from .item_move import ItemMove
from .item_remove import ItemRemove, ItemRestore, ItemWithdraw
from .item_update import ItemUpdate
from .rank_upkeep import RankUpkeep
from .text_edit import TextAppend, TextReplace, TextRestore
from .text_merge import TextMerge

CATALOGUE: tuple[Operation, ...] = (
    DocumentCreate(),
    DocumentArchive(),
    DocumentUnarchive(),
    DocumentTrash(),
    DocumentRestore(),
    FieldSet(),
    ItemAdd(),
    ItemUpdate(),
    ItemMove(),
    ItemRemove(),
    TextAppend(),
    TextReplace(),
    TextMerge(),
    ApplicationMoveStage(),
    # Only inverses hold these.
    ItemWithdraw(),
    ItemRestore(),
    TextRestore(),
    # Only the system uses these.
    RankUpkeep(),
    DocumentRenew(),
)

BY_KIND: Mapping[str, Operation] = {operation.kind: operation for operation in CATALOGUE}
PUBLIC_KINDS = tuple(operation.kind for operation in CATALOGUE if not operation.internal)
ASSISTANT_KINDS = tuple(o.kind for o in CATALOGUE if o.assistant and not o.internal)
