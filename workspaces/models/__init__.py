"""The tables of the canonical documents. For `commits.store`, `queries`, `links` and `admin` only."""

from .document import Document, DocumentSnapshot, DocumentUpdate
from .event import Event, EventDocument
from .idempotency import IdempotencyRecord
from .link import Link
from .receipt import Receipt
from .workspace import Workspace

__all__ = [
    "Document",
    "DocumentSnapshot",
    "DocumentUpdate",
    "Event",
    "EventDocument",
    "IdempotencyRecord",
    "Link",
    "Receipt",
    "Workspace",
]
