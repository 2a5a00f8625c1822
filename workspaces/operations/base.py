"""What an operation kind is: a strict schema, a check against the document's schema, its touched paths, its effect and
its inverse. One small file a kind; `catalogue.CATALOGUE` lists them.

Operations plan on drafts. They know the schema and the drafts, and nothing of the web but their serializer, nothing of
the database at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Protocol

from workspaces.documents.draft import Draft
from workspaces.documents.schema import SYSTEM_FIELDS, DocumentKind, Fields
from workspaces.documents.values import ValueFlaw, check_value
from workspaces.errors import Flaw

from .fields import DocumentField, StrictSerializer

Data = dict[str, Any]


class OperationSerializer(StrictSerializer):
    """What every operation has; `kind` is taken off before."""

    document = DocumentField()


class Place(NamedTuple):
    """Where an application stands in its stage. Archived and trashed ones keep their places, unseen."""

    document: str
    rank: str
    state: str


class Planned(Protocol):
    """The workspace as an operation sees it while a batch is planned."""

    def draft(self, document: str) -> Draft: ...

    def create(self, document: str, kind: DocumentKind) -> Draft: ...

    def resolve(self, reference: str) -> str:
        """The real id of an existing, untrashed document (also for `new:NAME`). Raises OperationFlaw."""

    def places(self, stage: str) -> Sequence[Place]:
        """All applications of a stage, in order."""

    def require_room(self, kind: DocumentKind) -> None:
        """Raises CardinalityExceeded when one more document of this kind would be too many."""

    def new_item_id(self) -> str: ...

    def merge(self, document: str, text: str, update: bytes) -> bool:
        """Plans a client's own Yjs update of a text; False when it holds nothing new. Raises LiveUpdateRefused and
        EpochGone."""


class OperationFlaw(Exception):
    """This operation cannot be done: `path` below the operation, `code` and a message for people."""

    def __init__(self, path: str, code: str, message: str) -> None:
        self.flaw = Flaw(path, code, message)
        super().__init__(message)


class CannotInvert(Exception):
    """The effect has no safe inverse; the message says why."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What applying did: nothing, or something that `inverse` takes back (in this order).

    An inverse may hold a `Splice` under "anchor". Once the edits are carried out, all such operations on one text give
    way to one for each hunk that the batch changed.
    """

    changed: bool
    inverse: tuple[Data, ...] = ()
    not_reversible_because: str | None = None


NOTHING = Effect(changed=False)


@dataclass
class Checks:
    """Collects what is wrong with one operation, with paths below it."""

    flaws: list[Flaw] = field(default_factory=list)

    def add(self, path: str, code: str, message: str) -> None:
        self.flaws.append(Flaw(path, code, message))

    def value(self, path: str, fields: Fields, name: str, value: Any, *, name_path: str) -> Any:
        """The value normalised to the field's type; flaws are noted, and None stands in."""
        if name in SYSTEM_FIELDS and name in fields:
            self.add(name_path, "system_field", f"`{name}` is not set this way.")
            return None
        if name not in fields:
            self.add(name_path, "unknown_field", "This document has no such field.")
            return None
        try:
            return check_value(value, fields[name])
        except ValueFlaw as flaw:
            self.add(path, flaw.code, flaw.message)
            return None

    def pairs(self, path: str, fields: Fields, pairs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """A list of {"field", "value"} as a mapping; each field at most once."""
        values: dict[str, Any] = {}
        for index, pair in enumerate(pairs):
            name = pair["field"]
            if name in values:
                self.add(f"{path}/{index}/field", "duplicate", "This field is named twice.")
            values[name] = self.value(
                f"{path}/{index}/value", fields, name, pair["value"], name_path=f"{path}/{index}/field"
            )
        return values

    def section(self, kind: DocumentKind, data: Data) -> Fields:
        fields = kind.sections.get(data["section"])
        if fields is None:
            self.add("section", "unknown_section", "This document has no such section.")
            return {}
        return fields

    def text(self, kind: DocumentKind, data: Data) -> None:
        if data["text"] not in kind.texts:
            self.add("text", "unknown_text", "This document has no such text.")


class Operation:
    """One kind. Instances hold no state; the catalogue has one of each.

    `assistant`: whether an agent may use it. `internal`: for inverses and the system, never a request.
    """

    kind: ClassVar[str]
    Serializer: ClassVar[type[OperationSerializer]]
    assistant: ClassVar[bool] = True
    internal: ClassVar[bool] = False
    example: ClassVar[Data]

    def check(self, data: Data, kind: DocumentKind, checks: Checks) -> None:
        """Checks the parsed data against the document's schema and normalises values in place."""

    def touched(self, data: Data, doc_id: str) -> tuple[str, ...]:
        """The paths that this operation can change, at most."""
        raise NotImplementedError

    def apply(self, data: Data, planned: Planned) -> Effect:
        """Plans the change and says how to take it back. Raises OperationFlaw."""
        raise NotImplementedError


class AnchorLost(Exception):
    """An inverse cannot find its stretch of text any more: `path` names the text."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(path)
