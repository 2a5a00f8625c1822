"""A workspace in plain Python: lists, dicts and characters with a number each. It shares no code with the product.

Order is a list's order, a text is a list of numbered characters, history is a list of events. What the product may
decide by itself (new ids) is read off its answers.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from tests.properties.model_parts import (
    Document,
    Event,
    NewItem,
    Refused,
    Run,
    beside,
    overlap,
    place,
    put,
)
from tests.properties.text_model import find, fresh_number, numbered, restorations, shared, text_of


class Workspace:
    def __init__(self) -> None:
        self.documents: dict[str, Document] = {"profile": Document(), "plan": Document()}
        self.columns: dict[str, list[str]] = {}
        self.events: list[Event] = []

    # --- what people see --------------------------------------------------------------------------------------

    def seen(self) -> dict[str, Any]:
        documents = {
            doc_id: {
                "state": document.state,
                "fields": dict(document.fields),
                "sections": {
                    name: [{"id": item, **values} for item, values in items]
                    for name, items in document.sections.items()
                    if items
                },
                "texts": {name: text_of(chars) for name, chars in document.texts.items() if chars},
            }
            for doc_id, document in self.documents.items()
        }
        return {"documents": documents, "columns": {s: list(c) for s, c in self.columns.items() if c}}

    # --- operations: each gives (changed?, steps that take it back) and notes paths ------------------------------

    def _open(self, doc_id: str) -> Document:
        if doc_id not in self.documents:
            raise Refused("no such document")
        document = self.documents[doc_id]
        if document.state == "trashed":
            raise Refused("trashed")
        return document

    def _reference(self, name: str, value: Any, new: Mapping[str, str]) -> Any:
        if name != "application" or value is None:
            return value
        doc_id = new.get(value, value)
        if not doc_id.startswith("application:") or doc_id not in self.documents:
            raise Refused("reference")
        if self.documents[doc_id].state == "trashed":
            raise Refused("reference to the trash")
        return doc_id

    def apply(self, operation: Mapping[str, Any], new: Mapping[str, str], items: NewItem, run: Run) -> bool:
        """`new` maps names to ids, `items` gives the ids of added items. True when something changed."""
        kind = operation["kind"]
        doc_id = new.get(operation["document"], operation["document"])
        if kind == "document.create":
            return self._create(doc_id, operation, new, run)
        if kind.startswith("document."):
            return self._state(kind, doc_id, run)
        document = self._open(doc_id)
        match kind:
            case "field.set" if operation["field"] == "stage":
                return self._move_card(doc_id, operation["value"], None, run)
            case "field.set":
                value = self._reference(operation["field"], operation["value"], new)
                return self._field(doc_id, operation["field"], value, run)
            case "application.move_stage":
                return self._move_card(doc_id, operation["stage"], operation["position"], run, new)
            case "item.add":
                values = {
                    pair["field"]: self._reference(pair["field"], pair["value"], new) for pair in operation["item"]
                }
                section = document.sections.setdefault(operation["section"], [])
                index = place([i for i, _ in section], operation["position"])
                item = items(doc_id, operation["section"])
                section.insert(index, (item, {n: v for n, v in values.items() if v is not None}))
                run.note(
                    f"{doc_id}/sections/{operation['section']}/{item}", ("withdraw", doc_id, operation["section"], item)
                )
                return True
            case "item.update":
                return self._update(doc_id, operation, new, run)
            case "item.move":
                return self._move_item(doc_id, operation["section"], operation["item"], operation["position"], run)
            case "item.remove":
                return self._remove(doc_id, operation["section"], operation["item"], run)
            case "text.append":
                chars = document.texts.setdefault(operation["text"], [])
                return self._splice(doc_id, operation["text"], len(chars), 0, operation["content"], run)
            case "text.replace":
                return self._replace(doc_id, operation, run)
        raise AssertionError(f"the model does not know {kind}")

    def _create(self, doc_id: str, operation: Mapping[str, Any], new: Mapping[str, str], run: Run) -> bool:
        values = {p["field"]: self._reference(p["field"], p["value"], new) for p in operation["fields"]}
        document = Document(fields={n: v for n, v in values.items() if v is not None})
        for text in operation["texts"]:
            document.texts[text["text"]] = numbered(text["content"])
        self.documents[doc_id] = document
        if doc_id.startswith("application:"):
            stage = document.fields.setdefault("stage", "saved")
            self.columns.setdefault(stage, []).append(doc_id)
        run.created.add(doc_id)
        run.note(doc_id, ("state", doc_id, "archived"))
        return True

    def _state(self, kind: str, doc_id: str, run: Run) -> bool:
        if doc_id not in self.documents:
            raise Refused("no such document")
        document = self.documents[doc_id]
        if document.state == "trashed" and kind != "document.restore":
            raise Refused("trashed")
        wanted = {"archive": "archived", "unarchive": "active", "trash": "trashed"}
        if kind == "document.restore":
            if document.state != "trashed":
                return False
            to = document.trashed_from
        else:
            to = wanted[kind.partition(".")[2]]
        if document.state == to:
            return False
        run.note(f"{doc_id}/state", ("state", doc_id, document.state))
        self.set_state(doc_id, to)
        return True

    def set_state(self, doc_id: str, to: str) -> None:
        document = self.documents[doc_id]
        if to == "trashed":
            document.trashed_from = document.state
        document.state = to

    def _field(self, doc_id: str, name: str, value: Any, run: Run) -> bool:
        fields = self.documents[doc_id].fields
        before = fields.get(name)
        if before == value:
            return False
        run.note(f"{doc_id}/fields/{name}", ("field", doc_id, name, before))
        put(fields, name, value)
        return True

    def _move_card(
        self, doc_id: str, stage: str, position: Any, run: Run, new: Mapping[str, str] | None = None
    ) -> bool:
        before = self.documents[doc_id].fields["stage"]
        if before == stage and position is None:
            return False
        neighbours = beside(self.columns[before], doc_id)
        others = [card for card in self.columns.get(stage, []) if card != doc_id]
        if isinstance(position, Mapping):
            name = (new or {}).get(position["after"], position["after"])
            if name not in others or self.documents[name].state == "trashed":
                raise Refused("neighbour")
            position = {"after": name}
        index = place(others, position)
        after = [*others[:index], doc_id, *others[index:]]
        if before == stage and self._visible(after, doc_id) == self._visible(self.columns[stage], doc_id):
            return False
        self.columns[before].remove(doc_id)
        self.columns[stage] = after
        self.documents[doc_id].fields["stage"] = stage
        run.note(f"{doc_id}/fields/rank", ("card", doc_id, before, neighbours))
        if before != stage:
            run.paths.add(f"{doc_id}/fields/stage")
        return True

    def _visible(self, column: Sequence[str], card: str) -> list[str]:
        return [c for c in column if c == card or self.documents[c].state == "active"]

    def _update(self, doc_id: str, operation: Mapping[str, Any], new: Mapping[str, str], run: Run) -> bool:
        item = operation["item"]
        path = f"{doc_id}/sections/{operation['section']}/{item}"
        values = dict(self.documents[doc_id].sections.get(operation["section"], [])).get(item)
        if values is None:
            raise Refused("no such item")
        old: dict[str, Any] = {}
        for pair in operation["changes"]:
            value = self._reference(pair["field"], pair["value"], new)
            if values.get(pair["field"]) != value:
                old[pair["field"]] = values.get(pair["field"])
                put(values, pair["field"], value)
        if not old:
            return False
        run.note(None, ("values", doc_id, operation["section"], item, old))
        run.paths |= {f"{path}/{name}" for name in old}
        return True

    def _move_item(self, doc_id: str, section: str, item: str, position: Any, run: Run) -> bool:
        items = self.documents[doc_id].sections.get(section, [])
        ids = [i for i, _ in items]
        if item not in ids:
            raise Refused("no such item")
        others = [i for i in ids if i != item]
        if isinstance(position, Mapping) and position["after"] not in others:
            raise Refused("neighbour")
        index = place(others, position)
        if [*others[:index], item, *others[index:]] == ids:
            return False
        run.note(f"{doc_id}/sections/{section}/{item}/rank", ("item", doc_id, section, item, beside(ids, item)))
        entry = items.pop(ids.index(item))
        items.insert(index, entry)
        return True

    def _remove(self, doc_id: str, section: str, item: str, run: Run) -> bool:
        items = self.documents[doc_id].sections.get(section, [])
        ids = [i for i, _ in items]
        if item not in ids:
            raise Refused("no such item")
        index = ids.index(item)
        run.note(
            f"{doc_id}/sections/{section}/{item}",
            ("put", doc_id, section, items[index], beside(ids, item)),
        )
        del items[index]
        return True

    def _splice(self, doc_id: str, text: str, at: int, length: int, content: str, run: Run) -> bool:
        if not content and not length:
            return False
        chars = self.documents[doc_id].texts.setdefault(text, [])
        chars[at : at + length] = numbered(content)
        run.note(f"{doc_id}/texts/{text}", None)
        return True

    def _replace(self, doc_id: str, operation: Mapping[str, Any], run: Run) -> bool:
        chars = self.documents[doc_id].texts.setdefault(operation["text"], [])
        content, old, new = text_of(chars), operation["old"], operation["new"]
        if not old:
            if content:
                raise Refused("not empty")
            return self._splice(doc_id, operation["text"], 0, 0, new, run)
        at = content.find(old)
        if at < 0 or content.find(old, at + 1) >= 0:
            raise Refused("not once")
        if old == new:
            return False
        start, end = shared(old, new)
        return self._splice(
            doc_id, operation["text"], at + start, len(old) - start - end, new[start : len(new) - end], run
        )

    # --- history ----------------------------------------------------------------------------------------------

    def event(self, receipt: str) -> Event:
        return next(event for event in self.events if event.receipt == receipt)

    def _stands(self, name: str | None) -> bool:
        """Whether an event's effect stands: it was not undone, or its undo was undone."""
        event = next(e for e in self.events if e.id == name)
        return event.undone_by is None or not self._stands(event.undone_by)

    def in_the_way(self, events: Sequence[Event]) -> set[str]:
        """Later events that an undo of `events` would lose work of."""
        going = {event.id for event in events}
        order = {event.id: index for index, event in enumerate(self.events)}
        found = set()
        for event in events:
            for later in self.events[order[event.id] + 1 :]:
                if later.id in going or not self._stands(later.id):
                    continue
                for path in later.paths:
                    if not any(overlap(path, own) for own in event.paths if "/texts/" not in own):
                        continue
                    # An undo of nothing but still later work has no part in it.
                    undone = [self.events[order[name]] for name in later.undoes]
                    about = [e for e in undone if any(overlap(path, p) for p in e.paths)]
                    if not about or any(order[e.id] <= order[event.id] for e in about):
                        found.add(later.id)
        return found

    def certain(self, events: Sequence[Event]) -> bool:
        """Whether every stretch of text that the events put in stands whole, so that nothing is left to judgement."""
        texts = {place: list(self.documents[place[0]].texts.get(place[1], [])) for e in events for place in e.hunks}
        for event in events:
            for place_, hunks in event.hunks.items():
                for hunk in hunks:
                    if hunk.put and find(texts[place_], hunk.put) is None:
                        return False
        return len(events) == 1

    def take_back(self, events: Sequence[Event], actual: Mapping[str, Mapping[str, str]], run: Run) -> None:
        """Undoes events, newest first. `actual` gives the texts as the product has them now, where it had to judge."""
        for event in events:
            for step in event.inverse:
                self._step(step, run)
        for doc_id, text in {place_ for event in events for place_ in event.hunks}:
            if self.documents[doc_id].state == "trashed" and doc_id not in run.touched_state:
                raise Refused("trashed")
            run.paths.add(f"{doc_id}/texts/{text}")
            chars = self.documents[doc_id].texts.get(text, [])
            hunks = [hunk for event in events for hunk in event.hunks.get((doc_id, text), [])]
            wanted = actual[doc_id].get(text, "")
            possible = itertools.islice(restorations(chars, hunks), 20_000)
            chosen = next((r for r in possible if text_of(r) == wanted), None)
            assert chosen is not None, (wanted, text_of(chars), hunks)
            # What was put back is new text as far as later undos are concerned.
            back = {number for hunk in hunks for number, _ in hunk.taken}
            self.documents[doc_id].texts[text] = [
                (fresh_number(), character) if number in back else (number, character) for number, character in chosen
            ]

    def _step(self, step: tuple[Any, ...], run: Run) -> None:
        match step:
            case ("state", doc_id, to):
                document = self.documents[doc_id]
                if document.state == "trashed" and to == "trashed":
                    raise Refused("trashed")
                run.note(f"{doc_id}/state", ("state", doc_id, document.state))
                self.set_state(doc_id, to)
                run.touched_state.add(doc_id)
                return
        doc_id = step[1]
        document = self._open(doc_id)
        match step:
            case ("field", _, name, value):
                self._reference(name, value, {})
                self._field(doc_id, name, value, run)
            case ("card", _, stage, neighbours):
                before = document.fields["stage"]
                run.note(f"{doc_id}/fields/rank", ("card", doc_id, before, beside(self.columns[before], doc_id)))
                if before != stage:
                    run.paths.add(f"{doc_id}/fields/stage")
                self.columns[before].remove(doc_id)
                column = self.columns.setdefault(stage, [])
                column.insert(place(column, neighbours), doc_id)
                document.fields["stage"] = stage
            case ("withdraw", _, section, item):
                self._remove(doc_id, section, item, run)
            case ("put", _, section, entry, neighbours):
                items = document.sections.setdefault(section, [])
                items.insert(place([i for i, _ in items], neighbours), copy.deepcopy(entry))
                run.note(f"{doc_id}/sections/{section}/{entry[0]}", ("withdraw", doc_id, section, entry[0]))
            case ("values", _, section, item, old):
                changes = [{"field": name, "value": value} for name, value in old.items()]
                self._update(doc_id, {"section": section, "item": item, "changes": changes}, {}, run)
            case ("item", _, section, item, neighbours):
                items = document.sections[section]
                ids = [i for i, _ in items]
                run.note(f"{doc_id}/sections/{section}/{item}/rank", ("item", doc_id, section, item, beside(ids, item)))
                entry = items.pop(ids.index(item))
                items.insert(place([i for i, _ in items], neighbours), entry)
