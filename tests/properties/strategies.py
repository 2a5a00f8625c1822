"""Operations drawn from the declarations: any value that a field's type takes, for any field that a kind has.

A new field or value is drawn as soon as it is declared. A new operation kind is covered by its `example` until it gets
a line in `DRAWS`.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

from tests.factories import Operation, Writer, op
from tests.live_typing import Browser
from workspaces.contracts import Actor
from workspaces.documents.schema import KINDS, STAGES, SYSTEM_FIELDS, Fields
from workspaces.documents.values import SEARCH_FILTERS, ValueType
from workspaces.models import Document
from workspaces.operations.catalogue import BY_KIND

Draw = Callable[[st.SearchStrategy[Any]], Any]
World = Mapping[str, Mapping[str, Any]]

# One to four bytes of UTF-8, and a joiner; in NFC whatever stands beside what, so that a model need not know of it.
LETTERS = "ab \u00e9\u20ac\U0001f600\u200d"
WORDS = st.text(alphabet=LETTERS, max_size=12)
LINES = st.text(alphabet=LETTERS + "\n", max_size=20)
SMALL = {"max_size": 3}


def values(kind: ValueType, references: Mapping[str, list[str]]) -> st.SearchStrategy[Any]:
    """Values that the type takes, without null. `references` are the ids that may be named, by kind."""
    match kind.name:
        case "line":
            return WORDS
        case "multiline":
            return LINES
        case "integer":
            return st.integers(kind.minimum, kind.maximum)
        case "boolean":
            return st.booleans()
        case "date":
            return st.dates().map(lambda d: d.isoformat())
        case "partial_date":
            return st.sampled_from(["2021", "2021-05", "2021-05-04"])
        case "time":
            return st.sampled_from(["2026-11-30T09:00:00Z", "1999-01-01T00:00:00.120Z"])
        case "enum":
            return st.sampled_from(kind.of)
        case "currency":
            return st.sampled_from(["EUR", "CHF", "JPY"])
        case "country":
            return st.sampled_from(["DE", "CH", "JP"])
        case "language":
            return st.sampled_from(["en", "de-CH", "zh-Hans-TW"])
        case "time_zone":
            return st.sampled_from(["UTC", "Europe/Zurich", "America/St_Johns"])
        case "url":
            return st.sampled_from(["https://example.org/\u00fc?a=b#c", "http://[::1]:8000/", "mailto:a@example.org"])
        case "strings":
            return st.lists(LINES if kind.multiline_items else WORDS, **SMALL)
        case "filters":
            known = {name: values(entry, references) for name, entry in SEARCH_FILTERS.items()}
            return st.fixed_dictionaries({}, optional=known)
        case "reference":
            named = [doc_id for target in kind.of for doc_id in references.get(target, [])]
            return st.sampled_from(named) if named else st.none()
    raise AssertionError(f"no strategy yet for the value type {kind.name}")


def references(world: World) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for doc_id, document in world.items():
        if document["state"] != "trashed":
            found.setdefault(doc_id.partition(":")[0], []).append(doc_id)
    return found


def settable(fields: Fields) -> list[str]:
    return [name for name in fields if name not in SYSTEM_FIELDS]


def some_pairs(draw: Draw, fields: Fields, world: World, *, maximum: int = 4) -> list[dict[str, Any]]:
    names = draw(st.lists(st.sampled_from(settable(fields)), unique=True, max_size=maximum))
    known = references(world)
    return [{"field": name, "value": draw(st.none() | values(fields[name], known))} for name in names]


def _document(draw: Draw, world: World, fits: Callable[[str, Mapping[str, Any]], bool]) -> str | None:
    found = [doc_id for doc_id, document in world.items() if document["state"] != "trashed" and fits(doc_id, document)]
    return draw(st.sampled_from(found)) if found else None


def _kind(doc_id: str) -> Any:
    return KINDS[doc_id.partition(":")[0]]


def _position(draw: Draw, neighbours: list[str]) -> Any:
    after = [{"after": neighbour} for neighbour in neighbours]
    return draw(st.sampled_from([None, "start", "end", *after]))


def field_set(draw: Draw, world: World) -> Operation | None:
    document = _document(draw, world, lambda *_: True)
    if document is None:
        return None
    fields = _kind(document).fields
    name = draw(st.sampled_from(settable(fields)))
    strategy = values(fields[name], references(world))
    value = draw(strategy if name == "stage" else st.none() | strategy)
    return op("field.set", document, field=name, value=value)


def document_create(draw: Draw, world: World, name: str = "made") -> Operation:
    kind = draw(st.sampled_from([kind for kind in KINDS.values() if not kind.singleton]))
    texts = [{"text": text, "content": draw(LINES)} for text in kind.texts if draw(st.booleans())]
    fields = some_pairs(draw, kind.fields, world)
    return op("document.create", f"new:{name}", document_kind=kind.name, fields=fields, texts=texts)


def change_of_state(kind: str) -> Callable[[Draw, World], Operation | None]:
    def draw_it(draw: Draw, world: World) -> Operation | None:
        wanted = kind == "document.restore"
        found = [
            doc_id
            for doc_id, document in world.items()
            if not _kind(doc_id).singleton and (document["state"] == "trashed") == wanted
        ]
        return op(kind, draw(st.sampled_from(found))) if found else None

    return draw_it


def _section(draw: Draw, world: World, *, filled: bool) -> tuple[str, str] | None:
    found = [
        (doc_id, section)
        for doc_id, document in world.items()
        if document["state"] != "trashed"
        for section in _kind(doc_id).sections
        if not filled or document["sections"].get(section)
    ]
    return draw(st.sampled_from(found)) if found else None


def _items(world: World, document: str, section: str) -> list[str]:
    return [item["id"] for item in world[document]["sections"].get(section, [])]


def item_add(draw: Draw, world: World) -> Operation | None:
    place = _section(draw, world, filled=False)
    if place is None:
        return None
    document, section = place
    return op(
        "item.add",
        document,
        section=section,
        item=some_pairs(draw, _kind(document).sections[section], world),
        position=_position(draw, _items(world, document, section)),
    )


def of_an_item(kind: str) -> Callable[[Draw, World], Operation | None]:
    def draw_it(draw: Draw, world: World) -> Operation | None:
        place = _section(draw, world, filled=True)
        if place is None:
            return None
        document, section = place
        items = _items(world, document, section)
        item = draw(st.sampled_from(items))
        rest: dict[str, Any] = {}
        if kind == "item.update":
            rest["changes"] = some_pairs(draw, _kind(document).sections[section], world)
        elif kind == "item.move":
            rest["position"] = _position(draw, [other for other in items if other != item])
        return op(kind, document, section=section, item=item, **rest)

    return draw_it


def _text(draw: Draw, world: World) -> tuple[str, str] | None:
    document = _document(draw, world, lambda doc_id, _: bool(_kind(doc_id).texts))
    return None if document is None else (document, draw(st.sampled_from(_kind(document).texts)))


def text_append(draw: Draw, world: World) -> Operation | None:
    place = _text(draw, world)
    return None if place is None else op("text.append", place[0], text=place[1], content=draw(LINES))


def text_replace(draw: Draw, world: World) -> Operation | None:
    place = _text(draw, world)
    if place is None:
        return None
    content = world[place[0]]["texts"].get(place[1], "")
    start, end = sorted((draw(st.integers(0, len(content))), draw(st.integers(0, len(content)))))
    return op("text.replace", place[0], text=place[1], old=content[start:end], new=draw(LINES))


def text_merge(draw: Draw, world: World) -> Operation | None:
    place = _text(draw, world)
    if place is None:
        return None
    document, text = place
    # Which ids the text is made of stands in the workspace that was made last.
    row = Document.objects.filter(doc_id=document).latest("pk")
    browser = Browser(Writer(row.workspace_id, Actor("human", ""), ""), document)
    start, end = sorted((draw(st.integers(0, len(browser.content))), draw(st.integers(0, len(browser.content)))))
    before = browser.doc.get_state()
    browser.delete(start, end - start)
    browser.insert(start, draw(LINES))
    update = base64.b64encode(browser.doc.get_update(before)).decode()
    return op("text.merge", document, text=text, update=update)


def application_move_stage(draw: Draw, world: World) -> Operation | None:
    document = _document(draw, world, lambda doc_id, _: "stage" in _kind(doc_id).fields)
    if document is None:
        return None
    stage = draw(st.sampled_from(STAGES[:3]))
    column = [
        doc_id
        for doc_id, other in world.items()
        if doc_id != document and other["state"] == "active" and other["fields"].get("stage") == stage
    ]
    return op("application.move_stage", document, stage=stage, position=_position(draw, column))


DRAWS: dict[str, Callable[[Draw, World], Operation | None]] = {
    "document.create": document_create,
    "document.archive": change_of_state("document.archive"),
    "document.unarchive": change_of_state("document.unarchive"),
    "document.trash": change_of_state("document.trash"),
    "document.restore": change_of_state("document.restore"),
    "field.set": field_set,
    "item.add": item_add,
    "item.update": of_an_item("item.update"),
    "item.move": of_an_item("item.move"),
    "item.remove": of_an_item("item.remove"),
    "text.append": text_append,
    "text.replace": text_replace,
    "text.merge": text_merge,
    "application.move_stage": application_move_stage,
}


def operations(draw: Draw, kind: str, world: World) -> list[Operation]:
    """One operation of a kind that fits the world, or its example with what that needs; none where nothing fits."""
    if kind in DRAWS:
        drawn = DRAWS[kind](draw, world)
        return [] if drawn is None else [drawn]
    example = dict(BY_KIND[kind].example)
    needs = [dict(BY_KIND["document.create"].example)] if str(example["document"]).startswith("new:") else []
    return [*needs, example]
