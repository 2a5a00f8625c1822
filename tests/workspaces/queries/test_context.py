"""The bounded projection: never over its bytes, each document on exactly one page, no contact details, no trash."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.factories import Writer, add_item, agent, create, op, open_workspace, pairs, set_field
from workspaces import facade
from workspaces.documents.schema import KINDS
from workspaces.errors import InvalidRequest, NotFound

SMILE = "\U0001f600"


def page(owner: Writer, **options: Any) -> dict[str, Any]:
    asked = {"surface": None, "document": None, "job": None, "cursor": None, **options}
    return facade.get_context(workspace=owner.workspace, **asked)


def pages(owner: Writer, **options: Any) -> Iterator[dict[str, Any]]:
    cursor = None
    while True:
        found = page(owner, cursor=cursor, **options)
        yield found
        cursor = found["next_cursor"]
        if cursor is None:
            return


def size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode())


def ids(found: dict[str, Any]) -> list[str]:
    return [document["id"] for document in found["documents"]]


# --- shape -------------------------------------------------------------------------------------------------------


def test_the_shape_of_a_page(owner: Writer) -> None:
    done = agent(owner).commit(set_field("plan", "weekly_goal", 5))
    item = owner.item("plan", "tasks", title="x")
    found = page(owner, surface="plan")
    [event] = facade.list_events(access=owner.access, limit=1)["items"]
    assert found == {
        "surface": "plan",
        "clocks": {"plan": 3},
        "documents": [
            {
                "id": "plan",
                "kind": "plan",
                "clock": 3,
                "state": "active",
                "fields": {"weekly_goal": 5},
                "sections": {"tasks": [{"id": item, "title": "x"}]},
                "texts": {},
                "cut": [],
            }
        ],
        "provenance": {"plan": {"actor_class": "human", "actor": owner.actor.actor, "at": event["at"]}},
        "truncated": False,
        "omitted": 0,
        "next_cursor": None,
    }
    assert done.event is not None


@pytest.mark.parametrize(
    ("surface", "kinds"),
    [
        (None, ["plan", "profile", "application", "note", "letter"]),
        ("overview", ["plan", "profile", "application", "note", "letter"]),
        ("board", ["application"]),
        ("application", ["application", "note", "letter"]),
        ("profile", ["profile"]),
        ("notes", ["note", "application"]),
        ("letters", ["letter", "application"]),
        ("plan", ["plan", "application"]),
        ("jobs", ["plan", "application"]),
    ],
)
def test_a_surface_shows_its_kinds_in_order(owner: Writer, surface: str | None, kinds: list[str]) -> None:
    owner.commit(create("a"), create("n", "note"), create("l", "letter"))
    assert [document["kind"] for document in page(owner, surface=surface)["documents"]] == kinds


def test_a_document_is_shown_whole_also_an_archived_one(owner: Writer) -> None:
    app = owner.new(title="A", texts={"notes": "N"})
    owner.commit(add_item(app, "checklist", title="x"), op("document.archive", app))
    assert app not in ids(page(owner))
    [document] = page(owner, document=app)["documents"]
    assert (document["state"], document["texts"]) == ("archived", {"notes": "N"})
    assert [entry["title"] for entry in document["sections"]["checklist"]] == ["x"]


@pytest.mark.parametrize("options", [{"surface": "settings"}, {"cursor": "x"}, {"surface": ""}])
def test_a_question_that_makes_no_sense_is_refused(owner: Writer, options: Any) -> None:
    with pytest.raises(InvalidRequest):
        page(owner, **options)


def test_what_is_not_there_is_not_found(owner: Writer) -> None:
    trashed, foreign = owner.new(), open_workspace().new()
    owner.commit(op("document.trash", trashed))
    for options in ({"document": trashed}, {"document": foreign}, {"document": "nonsense"}, {"job": "rol_1"}):
        with pytest.raises(NotFound):
            page(owner, **options)


# --- bounds ------------------------------------------------------------------------------------------------------


def crowd(owner: Writer, *, long: bool) -> None:
    text = (SMILE + '\u00e9\\"\n' if long else "x") * 60
    for start in range(0, 60, 6):
        owner.commit(
            *(create(f"a{n}", title=text[:400].replace("\n", ""), stage="applied") for n in range(start, start + 6)),
            *(create(f"n{n}", "note", title="n", texts={"body": text * 3}) for n in range(start, start + 6)),
            *(create(f"l{n}", "letter", texts={"body": text}) for n in range(start, start + 6)),
        )
    for start in range(0, 100, 20):
        owner.commit(
            *(add_item("plan", "tasks", title=f"{n} {text[:100]}".replace("\n", "")) for n in range(start, start + 20))
        )


def heavy(owner: Writer) -> str:
    """One document that is far larger than a page by itself."""
    lines = [SMILE * 1_000 + "\n" + "\u00e9" * 1_000] * 5
    for _ in range(8):
        owner.commit(
            op("item.add", "profile", section="work", item=pairs(name="n", summary=SMILE * 5_000, highlights=lines))
        )
    for name in ("name", "label", "city", "region"):
        owner.commit(set_field("profile", name, SMILE * 500))
    owner.commit(op("text.append", "profile", text="summary", content=('\\"\u00e9' + SMILE) * 12_000))
    return "profile"


@pytest.mark.parametrize("maximum", [4 * 1024, 9 * 1024, 28 * 1024])
@pytest.mark.parametrize("build", ["crowded", "long", "heavy", "sample"])
def test_no_page_is_over_its_bytes_and_each_document_is_on_exactly_one(maximum: int, build: str, db: None) -> None:
    owner = open_workspace(sample=build == "sample")
    if build == "heavy":
        heavy(owner)
    elif build != "sample":
        crowd(owner, long=build == "long")
    for surface in facade.SURFACES:
        seen: list[str] = []
        total = None
        for found in pages(owner, surface=surface, max_bytes=maximum):
            assert size(found) <= maximum
            assert found["documents"] or not found["omitted"]
            seen += ids(found)
            total = len(seen) + found["omitted"] if total is None else total
            assert len(seen) + found["omitted"] == total
            assert found["truncated"] == (bool(found["omitted"]) or any(d["cut"] for d in found["documents"]))
            assert found["clocks"] == {d["id"]: d["clock"] for d in found["documents"]}
        assert len(seen) == len(set(seen)) == total


def test_what_was_cut_is_marked_and_the_rest_is_true(owner: Writer) -> None:
    heavy(owner)
    [document] = page(owner, document="profile", contact_details=True)["documents"]
    whole = owner.read("profile")
    assert document["cut"]
    for name, value in document["fields"].items():
        assert value == whole["fields"][name] or (
            f"fields/{name}" in document["cut"] and whole["fields"][name].startswith(value)
        )
    text = document["texts"].get("summary", "")
    assert whole["texts"]["summary"].startswith(text)
    assert "texts/summary" in document["cut"]
    section = "work"
    shown, real = (d["sections"].get(section, []) for d in (document, whole))
    assert len(shown) == len(real) or f"sections/{section}" in document["cut"]
    for entry, item in zip(shown, real, strict=False):
        assert entry["id"] == item["id"]
        assert entry["summary"] == item["summary"][:4_000]
        assert f"sections/{section}/{entry['id']}/summary" in document["cut"]


def test_a_text_is_cut_at_four_thousand_characters_and_marked(owner: Writer) -> None:
    note = owner.new("note", texts={"body": "x" * 4_001})
    short = owner.new("note", texts={"body": "x" * 4_000})
    found = page(owner, surface="notes")
    by_id = {document["id"]: document for document in found["documents"]}
    assert (len(by_id[note]["texts"]["body"]), by_id[note]["cut"]) == (4_000, ["texts/body"])
    assert (len(by_id[short]["texts"]["body"]), by_id[short]["cut"]) == (4_000, [])
    assert found["truncated"] is True


def test_a_fresh_projection_of_some_documents_is_bounded_and_leaves_out_the_trash(owner: Writer) -> None:
    notes = [owner.new("note", title=str(n), texts={"body": SMILE * 3_000}) for n in range(5)]
    owner.commit(op("document.trash", notes[1]))
    foreign = open_workspace().new()
    asked = [notes[0], notes[1], foreign, "note:01J" + "0" * 23, notes[2], notes[3], notes[4]]
    found = facade.project_documents(workspace=owner.workspace, documents=asked, max_bytes=30_000)
    assert size(found) <= 30_000
    assert ids(found) == [notes[0], notes[2]]
    assert (found["omitted"], found["truncated"]) == (2, True)


# --- what the assistant must not see -----------------------------------------------------------------------------


def private_parts() -> Iterator[tuple[str, str | None, str, Any]]:
    """Every field that is declared private: (kind, section, field, a value with the canary)."""
    for kind in KINDS.values():
        for section, fields in ((None, kind.fields), *kind.sections.items()):
            for name, type_ in fields.items():
                if type_.private:
                    yield kind.name, section, name, "https://canary.example/" if type_.name == "url" else "canary"


def test_contact_details_are_what_the_contract_says() -> None:
    assert [(kind, section, name) for kind, section, name, _ in private_parts()] == [
        ("profile", None, "email"),
        ("profile", None, "phone"),
        ("profile", None, "address"),
        ("profile", None, "postal_code"),
        ("application", "contacts", "name"),
        ("application", "contacts", "email"),
        ("application", "contacts", "phone"),
        ("application", "contacts", "url"),
        ("application", "contacts", "note"),
    ]


def test_contact_details_and_the_trash_are_nowhere_in_the_projection(owner: Writer) -> None:
    app = owner.new(title="A")
    for kind, section, name, value in private_parts():
        document = "profile" if kind == "profile" else app
        owner.commit(
            set_field(document, name, value) if section is None else add_item(document, section, **{name: value})
        )
    trashed = owner.new(title="canary", texts={"notes": "canary"})
    owner.commit(op("document.trash", trashed))
    asked = [
        {"surface": s} for s in ("overview", "board", "application", "profile", "notes", "letters", "plan", "jobs")
    ]
    asked += [{"document": "profile"}, {"document": app}]
    for options in asked:
        for found in pages(owner, **options):
            assert "canary" not in json.dumps(found)
            assert trashed not in json.dumps(found)
    fresh = facade.project_documents(workspace=owner.workspace, documents=["profile", app, trashed])
    assert "canary" not in json.dumps(fresh)
    assert ids(fresh) == ["profile", app]


def test_the_setting_lets_contact_details_through(owner: Writer) -> None:
    app = owner.new()
    owner.commit(set_field("profile", "email", "a@example.org"), add_item(app, "contacts", name="Ada"))
    assert page(owner, surface="profile")["documents"][0]["fields"] == {}
    facade.update_settings(access=owner.access, body={"assistant_sees_contact_details": True})
    assert page(owner, surface="profile")["documents"][0]["fields"] == {"email": "a@example.org"}
    [document] = page(owner, document=app)["documents"]
    assert document["sections"]["contacts"][0]["name"] == "Ada"
    fresh = facade.project_documents(workspace=owner.workspace, documents=["profile"])
    assert fresh["documents"][0]["fields"] == {"email": "a@example.org"}


def test_ranks_are_nobodys_business(owner: Writer) -> None:
    owner.new(title="A")
    owner.item("plan", "tasks", title="x")
    assert '"rank"' not in json.dumps(list(pages(owner)))
