"""What an answer rests on: tools, counts, what was cut, and the claims that no result supports.

Above it: `ending`, in the transaction that ends the turn. Below it: the rows of the turn's calls and answers, and
`assistant.grounding`. Source: contract section 9 (`provenance`).
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from assistant.models import ThreadEvent, ToolCall, Turn

logger = logging.getLogger(__name__)
MAX_CLAIMS = 50
MAX_ID = 200


@dataclass(frozen=True, slots=True)
class ToolUse:
    """All calls of one tool in one version. `counts` sums what the answers held, by what it was."""

    name: str
    version: str
    calls: int
    refused: int
    counts: dict[str, int]
    truncated: bool


@dataclass(frozen=True, slots=True)
class Provenance:
    """Of one turn. `ungrounded` are the claims of the answer that are in none of the turn's results; `checked` is
    false when they could not be looked for."""

    tools: tuple[ToolUse, ...]
    provider: str
    model: str | None
    connector: str
    connector_version: str
    ungrounded: tuple[dict[str, Any], ...]
    checked: bool
    citations_left_out: int

    @property
    def counts(self) -> dict[str, int]:
        return dict(sum((Counter(use.counts) for use in self.tools), Counter()))

    @property
    def records(self) -> int:
        return sum(self.counts.values())

    @property
    def calls(self) -> int:
        return sum(use.calls for use in self.tools)

    def as_json(self) -> dict[str, Any]:
        return {
            "tools": [asdict(use) for use in self.tools],
            "counts": self.counts,
            "truncated": any(use.truncated for use in self.tools),
            "provider": self.provider,
            "model": self.model,
            "connector": self.connector,
            "connector_version": self.connector_version or None,
            "ungrounded": list(self.ungrounded),
            "checked": self.checked,
        }


def summarise(row: Turn, *, model: str | None) -> Provenance:
    """The provenance of a turn as its rows stand in the current transaction."""
    ungrounded = _ungrounded(row)
    return Provenance(
        tools=_tool_uses(row.id),
        provider=row.provider,
        model=model,
        connector=row.connector,
        connector_version=row.connector_version,
        ungrounded=ungrounded or (),
        checked=ungrounded is not None,
        citations_left_out=row.citations_left_out,
    )


def known_ids(row: Turn) -> frozenset[str]:
    """The ids that the turn's answer may cite: those of its tool results and of the context its host was given."""
    from assistant.tools.results import turn_results

    found: set[str] = set()
    for documents, roles in ToolCall.objects.filter(turn=row.id).values_list("documents", "roles"):
        found.update(json.loads(documents), json.loads(roles))
    for result in turn_results(row.id).results:
        found.update(_id_like(result))
    found.update(_id_like(json.loads(row.context)))
    if row.document:
        found.add(row.document)
    return frozenset(found)


def answer_text(turn: str) -> str:
    """The turn's answer as a reader saw it: whole parts, and what was streamed of parts that never became whole."""
    parts: dict[str, str] = {}
    whole: set[str] = set()
    for event in ThreadEvent.objects.filter(turn=turn, kind__in=["message.delta", "message.completed"]).order_by("seq"):
        data = json.loads(event.data)
        if event.kind == "message.completed":
            parts[data["part"]] = data["text"]
            whole.add(data["part"])
        elif data["part"] not in whole:
            parts[data["part"]] = parts.get(data["part"], "") + data["text"]
    return "\n\n".join(parts.values())


def _tool_uses(turn: str) -> tuple[ToolUse, ...]:
    uses: dict[tuple[str, str], list[ToolCall]] = {}
    # A name that is none of the four has no version, and is no tool that was used.
    for call in ToolCall.objects.filter(turn=turn).exclude(version="").order_by("at", "id"):
        uses.setdefault((call.tool, call.version), []).append(call)
    return tuple(
        ToolUse(
            name=tool,
            version=version,
            calls=len(calls),
            refused=sum(call.outcome != "ok" for call in calls),
            counts=dict(sum((_counts(call.counts) for call in calls), Counter())),
            truncated=any(call.truncated for call in calls),
        )
        for (tool, version), calls in uses.items()
    )


def _counts(counts: str) -> Counter[str]:
    return Counter({name: value for name, value in json.loads(counts).items() if isinstance(value, int)})


def _ungrounded(row: Turn) -> tuple[dict[str, Any], ...] | None:
    from assistant.grounding import check
    from assistant.tools.results import turn_results

    text = answer_text(row.id)
    if not text:
        return ()
    basis = turn_results(row.id)
    known = known_ids(row)
    try:
        context = json.loads(row.context)
        claims = check(
            text=text,
            results=basis.results,
            arguments=basis.arguments,
            known_ids=known,
            now=context.get("now"),
            time_zone=context.get("time_zone"),
        )
    except Exception as error:  # whatever an answer may hold, its turn must come to its end
        logger.error("the grounding check failed: %s", type(error).__name__)
        return None
    return tuple(asdict(claim) for claim in claims[:MAX_CLAIMS])


def _id_like(value: Any) -> Iterator[str]:
    """Every key and string in a JSON value that could be an id: short and without blanks."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack.extend(item)
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, str) and 0 < len(item) <= MAX_ID and not any(c.isspace() for c in item):
            yield item
