"""Opening a document from its log after 10,000 commits against after 100, in alternating rounds.

Opening is what a process does that has not seen the document yet: row, snapshot, updates, projection. The commits move
an application, set its fields, tick its checklist and write and delete in its notes, so that its content stays about
the same while its history grows. Between rounds some more are made: the tail behind the snapshot is long or short.
"""

from __future__ import annotations

import argparse
import json
import statistics

from bench.product import facade, median_us, migrate, new_application, say

from workspaces.commits.cache import documents  # isort: skip
from workspaces.contracts import Access  # isort: skip
from workspaces.models import Document, DocumentUpdate  # isort: skip

# A snapshot is taken every 60 commits or so: the rounds come upon tails of every length.
BETWEEN = 5
STAGES = ("saved", "preparing", "applied", "screening", "interviewing")


class Worked:
    """An application that is worked on. It counts its commits."""

    def __init__(self, name: str) -> None:
        made = facade.create_workspace()
        self.access = Access(workspace=made.workspace, link=made.link.id, role="owner")
        self.writer = new_application(made, notes="word " * 400, name=name)
        self.items = [self._add(f"Step {number}") for number in range(10)]
        self.count = 11

    def _add(self, title: str) -> str:
        item = [{"field": "title", "value": title}]
        answer = self.writer.commit({"kind": "item.add", "section": "checklist", "item": item})
        return str(answer["affected_paths"][0].split("/")[-1])

    def until(self, commits: int) -> None:
        while self.count < commits:
            self._commit(self.count)
            self.count += 1
            if self.count % 2000 == 0:
                say(f"{self.count} commits")

    def _commit(self, number: int) -> None:
        writer, turn = self.writer, number // 5
        match number % 5:
            case 0:
                writer.set_field("next_step", f"call {number}")
            case 1:
                stage = STAGES[turn % len(STAGES)]
                writer.commit({"kind": "application.move_stage", "stage": stage, "position": None})
            case 2:
                done = [{"field": "done", "value": turn // 10 % 2 == 0}]
                item = self.items[turn % 10]
                writer.commit({"kind": "item.update", "section": "checklist", "item": item, "changes": done})
            case 3:
                writer.commit({"kind": "text.append", "text": "notes", "content": f" {number}."})
            case _:
                old = f" {number - 1}."
                writer.commit({"kind": "text.replace", "text": "notes", "old": old, "new": ""})


def opened(worked: Worked) -> None:
    documents.clear()
    facade.get_document(access=worked.access, document=worked.writer.document)


def kept(worked: Worked) -> dict[str, int]:
    row = Document.objects.get(workspace_id=worked.writer.workspace, doc_id=worked.writer.document)
    updates = DocumentUpdate.objects.filter(document=row).count()
    return {"snapshot_bytes": row.snapshot_bytes, "tail_updates": row.tail_updates, "updates_kept": updates}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    many = 400 if quick else 10_000
    rounds, times = (2, 20) if quick else (12, 40)
    migrate()
    worked = {"few": Worked("few"), "many": Worked("many")}
    starts = {"few": 100, "many": many}
    taken: dict[str, list[float]] = {"few": [], "many": []}
    for turn in range(rounds):
        for name, entry in worked.items():
            entry.until(starts[name] + turn * BETWEEN)
            taken[name].append(median_us(lambda _, e=entry: opened(e), times))
        say(f"round {turn + 1} of {rounds}: {taken['many'][-1]:.0f} µs, {taken['few'][-1]:.0f} µs")
    few_us, many_us = statistics.mean(taken["few"]), statistics.mean(taken["many"])
    result = {"ratio": many_us / few_us, "few_us": few_us, "many_us": many_us}
    print(json.dumps({**result, **{name: kept(entry) for name, entry in worked.items()}}))


if __name__ == "__main__":
    main()
