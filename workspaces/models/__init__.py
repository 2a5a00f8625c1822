"""The tables of a workspace. Who may import them is in `.importlinter` (rows-stay-home)."""

from .diagnostic import Diagnostic
from .document import Document, DocumentSnapshot, DocumentUpdate
from .event import Event, EventDocument
from .idempotency import IdempotencyRecord
from .imported import Import
from .link import Link
from .participant import CorpusParticipant
from .receipt import Receipt
from .typing_session import TypingSession
from .upkeep_run import UpkeepRun
from .workspace import Workspace

__all__ = [
    "CorpusParticipant",
    "Diagnostic",
    "Document",
    "DocumentSnapshot",
    "DocumentUpdate",
    "Event",
    "EventDocument",
    "IdempotencyRecord",
    "Import",
    "Link",
    "Receipt",
    "TypingSession",
    "UpkeepRun",
    "Workspace",
]
