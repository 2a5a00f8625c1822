"""Whether a request knows the documents that it would change: the clock rules of contract section 5.

A document is stale when anything but live typing moved its clock past the expected one, or when live typing did so in a
text that the batch touches. Reads rows that the commit service has looked up; writes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from workspaces.documents import paths
from workspaces.errors import ClockSetMismatch, StaleClock
from workspaces.operations.text_merge import TextMerge

from . import json_text
from .batch import Step
from .lookups import DocumentRow


def not_only_typed(steps: Sequence[Step]) -> set[str]:
    """The documents that need an expected clock: all but those that only text.merge touches."""
    return {step.document for step in steps if step.operation.kind != TextMerge.kind}


def texts_of(steps: Sequence[Step]) -> dict[str, set[str]]:
    """The texts that the steps touch, by document."""
    found: dict[str, set[str]] = {}
    for step in steps:
        for path in step.operation.touched(step.data, step.document):
            if paths.is_text_path(path):
                found.setdefault(step.document, set()).add(path.rpartition("/")[2])
    return found


def typed_alone(steps: Sequence[Step]) -> dict[str, set[str]]:
    """The texts, by document, of the documents in which the steps do nothing but merge typed text."""
    firm = not_only_typed(steps)
    if len(firm) == len({step.document for step in steps}):
        return {}
    return {document: texts for document, texts in texts_of(steps).items() if document not in firm}


def check_clock_set(expected: Mapping[str, int], named: Sequence[str], *, needed: Collection[str]) -> None:
    """Raises ClockSetMismatch unless `expected` names the `needed` documents, and none but the `named` ones."""
    missing = [document for document in named if document not in expected and document in needed]
    surplus = [document for document in expected if document not in named]
    if missing or surplus:
        raise ClockSetMismatch(details={"missing": missing[:20], "surplus": [str(s)[:60] for s in surplus[:20]]})


def check_clocks(expected: Mapping[str, int], rows: Mapping[str, DocumentRow], *, steps: Sequence[Step] = ()) -> None:
    """Raises StaleClock. Typing makes stale what the `steps` touch, so nothing when there are none."""
    # Where nobody has typed since the last other change there is nothing to compare.
    texts = texts_of(steps) if any(row.typed_clocks != "{}" for row in rows.values()) else {}
    stale = {}
    for document, clock in expected.items():
        row = rows.get(document)
        if row is None:
            # `new:NAME` must expect 0; an id that is not there is told as not found by the planner.
            if document.startswith("new:") and clock != 0:
                stale[document] = {"expected": clock, "current": 0}
        elif not row.firm_clock <= clock <= row.clock or _typed_since(row, clock, texts.get(document, ())):
            stale[document] = {"expected": clock, "current": row.clock}
    if stale:
        raise StaleClock(details={"clocks": stale})


def _typed_since(row: DocumentRow, clock: int, texts: Collection[str]) -> bool:
    if not texts:
        return False
    typed = json_text.decode(row.typed_clocks)
    return any(typed.get(text, 0) > clock for text in texts)
