"""From a request body to checked operations: the schema step, before any transaction. Collects everything wrong.

Stands on the operations' catalogue and the document schema; reads no database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from workspaces.documents.schema import KINDS, DocumentKind, kind_of
from workspaces.documents.values import ValueFlaw, clean_string
from workspaces.errors import DomainError, Flaw, InvalidOperation, InvalidRequest
from workspaces.operations.base import Checks, Data, Operation
from workspaces.operations.catalogue import BY_KIND
from workspaces.operations.parsing import parse

MAX_OPERATIONS = 20
MAX_REASON = 300
MAX_CLOCK = 2**53 - 1


@dataclass(frozen=True, slots=True)
class Step:
    """One checked operation of a batch."""

    operation: Operation
    data: Data

    @property
    def document(self) -> str:
        return str(self.data["document"])


@dataclass(frozen=True, slots=True)
class Batch:
    reason: str
    expected_clocks: Mapping[str, int]
    steps: tuple[Step, ...]


def check_reason(value: Any) -> tuple[str, list[Flaw]]:
    """The reason, and what is wrong with it. Absent and null are an empty reason."""
    if value is None:
        return "", []
    try:
        return clean_string(value, maximum=MAX_REASON, newlines=False), []
    except ValueFlaw as flaw:
        return "", [Flaw("reason", flaw.code, flaw.message)]


def check_expected_clocks(value: Any) -> tuple[dict[str, int], list[Flaw]]:
    """The expected clocks, and what is wrong with them."""
    if not isinstance(value, Mapping):
        return {}, [Flaw("expected_clocks", "type", "This must map each document touched to its clock.")]
    flaws = []
    for document, clock in value.items():
        if isinstance(clock, bool) or not isinstance(clock, int) or not 0 <= clock <= MAX_CLOCK:
            path = f"expected_clocks/{str(document)[:60]}"
            flaws.append(Flaw(path, "type", "A clock is a whole number from 0 up."))
            if len(flaws) == 20:
                break
    return dict(value), flaws


def check_body(body: Any, *, required: Iterable[str], optional: Iterable[str] = ()) -> Mapping[str, Any]:
    """The body as an object with exactly these properties. Raises InvalidRequest."""
    if not isinstance(body, Mapping):
        raise InvalidRequest("The body must be a JSON object.", flaws=[Flaw("", "type", "This must be an object.")])
    required, allowed = tuple(required), {*required, *optional}
    flaws = [Flaw(name, "required", "This property is missing.") for name in required if name not in body]
    unknown = [name for name in body if name not in allowed]
    flaws += [Flaw(str(name)[:60], "unknown_field", "There is no such property here.") for name in unknown[:10]]
    if flaws:
        raise InvalidRequest("The body has missing or unknown properties.", flaws=flaws)
    return body


def parse_batch(body: Any) -> Batch:
    """Checks a whole request body. Raises InvalidRequest for its frame and InvalidOperation for its operations."""
    body = check_body(body, required=("expected_clocks", "operations"), optional=("reason",))
    reason, flaws = check_reason(body.get("reason"))
    clocks, clock_flaws = check_expected_clocks(body["expected_clocks"])
    flaws += clock_flaws
    raw = body["operations"]
    if not isinstance(raw, list):
        flaws.append(Flaw("operations", "type", "This must be a list of operations."))
    elif not 1 <= len(raw) <= MAX_OPERATIONS:
        message = f"A batch holds 1 to {MAX_OPERATIONS} operations; this has {len(raw):,}."
        flaws.append(Flaw("operations", "too_many" if raw else "required", message))
    if flaws:
        raise InvalidRequest(flaws[0].message, flaws=flaws)
    return Batch(reason=reason, expected_clocks=clocks, steps=parse_operations(raw))


def parse_operations(raw: list[Any]) -> tuple[Step, ...]:
    """Checks each operation against its own schema and its document's. Raises InvalidOperation with every flaw."""
    steps: list[Step] = []
    flaws: list[Flaw] = []
    new_documents: dict[str, DocumentKind] = {}
    for index, entry in enumerate(raw):
        step, found = _parse_operation(entry, new_documents)
        flaws += [Flaw(f"operations/{index}/{f.path}".rstrip("/"), f.code, f.message) for f in found]
        if step is not None:
            steps.append(step)
    if flaws:
        raise _refusal(flaws)
    return tuple(steps)


def _refusal(flaws: list[Flaw]) -> DomainError:
    return InvalidOperation(flaws[0].message, flaws=flaws[:50])


def _parse_operation(entry: Any, new_documents: dict[str, DocumentKind]) -> tuple[Step | None, list[Flaw]]:
    if not isinstance(entry, Mapping):
        return None, [Flaw("", "type", "An operation is an object.")]
    kind_name = entry.get("kind")
    operation = BY_KIND.get(kind_name) if isinstance(kind_name, str) else None
    if operation is None or operation.internal:
        return None, [Flaw("kind", "unknown_kind", "There is no operation of this kind.")]
    data, flaws = parse(operation, {name: value for name, value in entry.items() if name != "kind"})
    if data is None:
        return None, flaws
    document = data["document"]
    if operation.kind == "document.create":
        kind: DocumentKind | None = KINDS[data["document_kind"]]
        if document in new_documents:
            return None, [Flaw("document", "duplicate", "This name is given to another new document of the batch.")]
    elif document.startswith("new:"):
        kind = new_documents.get(document)
        if kind is None:
            return None, [Flaw("document", "unknown_document", "No earlier operation of this batch creates it.")]
    else:
        kind = kind_of(document)
    assert kind is not None
    checks = Checks()
    operation.check(data, kind, checks)
    if operation.kind == "document.create":
        new_documents[document] = kind
    return Step(operation, data), checks.flaws
