"""Judging a turn against a line of `cases/*.tsv`: the matchers and their meaning stand in the cases' README.

Two forms of our own: a note `names: @a @b` lists the applications that an answer must name, no more and no fewer; the intent
`unchanged` is for what people say without wanting a change, where any answer is right that changes nothing.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from .tool_model import Session, Thread, ToolModel, load_sample

CASES = Path(__file__).parent / "cases"
SAMPLE = Path(__file__).parents[4] / "workspaces" / "sample" / "sample_workspace.json"
CHANGING = "Move Larkspur to offer"
ROLES = [
    {
        "role": "rol_1", "title": "Backend Engineer", "company": "Gannet Works", "location": "Bristol, UK", "work_mode": "hybrid", "employment_type": "full",
        "salary": None, "posted_on": "2026-11-25", "valid_through": None, "url": "https://jobs.gannet.example/1", "snippet": "Python services",
        "evidence": [], "freshness": {"state": "fresh", "checked_at": "2026-11-29T10:00:00Z"},
    }
]  # fmt: skip
_DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


@dataclass(frozen=True)
class Case:
    text: str
    intent: str
    tool: str
    args: Mapping[str, Any]
    note: str

    @property
    def id(self) -> str:
        return f"{self.intent}: {self.text}"


def read_cases(name: str) -> list[Case]:
    lines = (CASES / name).read_text().splitlines()[1:]
    return [
        Case(t, i, tool, json.loads(args or "{}"), note)
        for t, i, tool, args, note in (line.split("\t") for line in lines if line)
    ]


@dataclass
class Played:
    """One case played in a fresh thread on a fresh sample."""

    case: Case
    model: ToolModel
    ids: Mapping[str, str]
    session: Session
    today: date
    zone: str
    calls: list[tuple[str, dict[str, Any]]]
    clocks_before: Mapping[str, int]
    receipts_before: list[str]

    @property
    def answer(self) -> str:
        return self.session.text or ""


async def play(case: Case, *, today: date, zone: str = "Europe/London") -> Played:
    model, ids = load_sample(SAMPLE, today=today, roles=ROLES)
    thread = Thread(model, today=today, zone=zone)
    if case.intent == "undo_last":
        await thread.say(CHANGING)
        model.calls.clear()
    clocks = {d: v["clock"] for d, v in model.documents.items()}
    receipts = [receipt["id"] for receipt in model.receipts]
    session = await thread.say(case.text)
    return Played(case, model, ids, session, today, zone, list(model.calls), clocks, receipts)


def flaws(played: Played) -> list[str]:
    """What is wrong with the turn, in words; empty where all is right."""
    case, found = played.case, []
    clocks = {d: v["clock"] for d, v in played.model.documents.items()}
    if case.tool in ("none", "get_workspace_context", "search_jobcache") and clocks != played.clocks_before:
        found.append("a clock rose")
    names = [name for name, _ in played.calls]
    if case.tool == "none":
        if any(name != "get_workspace_context" for name in names):
            found.append(f"called {names}")
        if case.intent in ("help", "forbidden", "out_of_scope") and names:
            found.append(f"called {names}")
        if case.intent != "unchanged":
            found.extend(_said(played))
        return found
    decided = [arguments for name, arguments in played.calls if name == case.tool]
    if not decided:
        return [f"{case.tool} was not called, only {names}: {played.answer[:200]}"]
    if case.tool == "apply_workspace_operations":
        wanted = [case.args["operations"], *([case.args["or"]] if "or" in case.args else [])]
        if not any(_operations(ops, decided[-1]["operations"], played) for ops in wanted):
            found.append(f"operations {json.dumps(decided[-1]['operations'], ensure_ascii=False)}")
    elif case.tool == "undo_workspace_receipt":
        if decided[-1]["receipt"] != played.receipts_before[0]:
            found.append("another receipt")
    else:
        found.extend(
            f"{n} is {decided[-1].get(n)!r}" for n, w in case.args.items() if not _equal(w, decided[-1].get(n), played)
        )
    if case.note.startswith("names:"):
        applications = {n for n, i in played.ids.items() if i.startswith("application:") and i in played.answer}
        if applications != {n.removeprefix("@") for n in case.note.removeprefix("names:").split()}:
            found.append(f"names {sorted(applications)}")
    return found


def _said(played: Played) -> list[str]:
    if "candidates" in played.case.args:
        missing = [c for c in played.case.args["candidates"] if played.ids[c[1:]] not in played.answer]
        extra = [
            n for n, i in played.ids.items() if i in played.answer and f"@{n}" not in played.case.args["candidates"]
        ]
        return (
            [f"does not name {missing}"] * bool(missing)
            + [f"names also {extra}"] * bool(extra)
            + ["asks nothing"] * ("?" not in played.answer)
        )
    if played.case.intent == "help":
        return [] if played.answer.count("“") >= 3 else ["names too little"]
    return [] if re.search(r"I can .*“", played.answer) else [f"suggests nothing: {played.answer}"]


def _operations(wanted: Sequence[Mapping[str, Any]], made: Sequence[Mapping[str, Any]], played: Played) -> bool:
    left = list(made)
    for operation in wanted:
        match = next((other for other in left if _operation(operation, other, played)), None)
        if match is None:
            return False
        left.remove(match)
    if "may also" in played.case.note:
        left = [other for other in left if other.get("field") != "applied_on"]
    return not left


def _operation(wanted: Mapping[str, Any], made: Mapping[str, Any], played: Played) -> bool:
    return all(_equal(value, _plain(made.get(name)), played) for name, value in wanted.items())


def _plain(value: Any) -> Any:
    """The wire's lists of pairs as name → value maps."""
    if isinstance(value, list) and value and all(isinstance(e, dict) for e in value):
        if "field" in value[0]:
            return {pair["field"]: pair["value"] for pair in value}
        if "text" in value[0]:
            return {pair["text"]: pair["content"] for pair in value}
    return {} if value == [] else value


def _equal(wanted: Any, made: Any, played: Played) -> bool:
    if isinstance(wanted, str) and wanted.startswith("@"):
        return made == played.ids[wanted[1:]]
    if not isinstance(wanted, dict):
        return bool(wanted == made)
    if not any(name.startswith("$") for name in wanted):
        return isinstance(made, dict) and all(_equal(v, made.get(n), played) for n, v in wanted.items())
    for name, value in wanted.items():
        if name == "$has" and not (isinstance(made, str) and all(part.lower() in made.lower() for part in value)):
            return False
        if name == "$not" and any(part.lower() in str(made).lower() for part in value):
            return False
        if name == "$in" and not any(_equal(v, made, played) for v in value):
            return False
        if name == "$date" and not _dated(value, made, played):
            return False
        if name == "$item" and made != _item_id(value, played):
            return False
    return True


def _item_id(title: str, played: Played) -> str | None:
    for document in played.model.documents.values():
        for items in document["sections"].values():
            for item in items:
                if item.get("title") == title:
                    return str(item["id"])
    return None


def _dated(wanted: str, made: Any, played: Played) -> bool:
    day, _, rest = wanted.partition(" ")
    if day.startswith("next:"):
        ahead = (_DAYS.index(day[5:]) - played.today.weekday()) % 7 or 7
        expected = played.today + timedelta(ahead)
    elif day.startswith("today"):
        expected = played.today + timedelta(int(day[5:].rstrip("d") or 0))
    else:
        expected = date.fromisoformat(day)
    if not isinstance(made, str):
        return False
    if not rest:
        return made[:10] == expected.isoformat()
    hour, minute = map(int, rest.split()[0].split(":"))
    there = datetime.fromisoformat(made.replace("Z", "+00:00")).astimezone(ZoneInfo(played.zone))
    return (there.date(), there.hour, there.minute) == (expected, hour, minute)
