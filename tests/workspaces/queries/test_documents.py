"""Reading documents: their shape, lists in pages, what is in no list, and that others' are not there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import Writer, add_item, create, op, open_workspace, set_field
from workspaces import facade
from workspaces.errors import InvalidRequest, NotFound


def ids(page: dict[str, Any]) -> list[str]:
    return [document["id"] for document in page["items"]]


def pages(owner: Writer, **options: Any) -> list[list[str]]:
    found = []
    cursor = None
    while True:
        page = facade.list_documents(access=owner.access, cursor=cursor, **options)
        found.append(ids(page))
        cursor = page["next_cursor"]
        if cursor is None:
            return found


def test_the_shape_of_a_document(owner: Writer) -> None:
    done = owner.commit(
        create("a", title="A", texts={"notes": "N"}),
        add_item("new:a", "checklist", title="one"),
        add_item("new:a", "checklist", "start", title="two", done=True),
    )
    app = done.response["documents"]["new:a"]
    document = owner.read(app)
    made, updated = document.pop("created_at"), document.pop("updated_at")
    assert made == updated == done.response["provenance"]["at"]
    two, one = document["sections"]["checklist"]
    assert document == {
        "id": app,
        "kind": "application",
        "clock": 1,
        "state": "active",
        "archived": False,
        "fields": {"title": "A", "stage": "saved", "rank": "a0"},
        "sections": {"checklist": [{"id": two["id"], "title": "two", "done": True}, {"id": one["id"], "title": "one"}]},
        "texts": {"notes": "N"},
        "role_snapshot": None,
        "last_event": done.event,
    }


def test_the_singletons_are_there_from_the_start_at_clock_one(owner: Writer) -> None:
    page = facade.list_documents(access=owner.access)
    assert sorted(ids(page)) == ["plan", "profile"]
    assert [(d["clock"], d["last_event"], d["fields"]) for d in page["items"]] == [(1, None, {})] * 2


def test_archived_documents_are_listed_on_request_and_trashed_ones_never(owner: Writer) -> None:
    active, archived, trashed = (owner.new("note", title=t) for t in "ABC")
    owner.commit(op("document.archive", archived), op("document.trash", trashed))
    assert ids(facade.list_documents(access=owner.access, kind="note")) == [active]
    assert ids(facade.list_documents(access=owner.access, kind="note", archived=True)) == [archived, active]
    assert owner.read(archived)["archived"] is True
    assert owner.read(trashed)["state"] == "trashed"


@pytest.mark.parametrize("limit", [1, 3, 10, 100])
def test_pages_hold_each_document_once_newest_first(owner: Writer, limit: int) -> None:
    made = [owner.new("note", title=str(n)) for n in range(10)]
    found = pages(owner, kind="note", limit=limit)
    assert [doc_id for page in found for doc_id in page] == made[::-1]
    assert all(len(page) <= limit for page in found)


def test_a_document_made_between_two_pages_shifts_nothing(owner: Writer) -> None:
    made = [owner.new("note") for _ in range(6)]
    first = facade.list_documents(access=owner.access, kind="note", limit=3)
    owner.new("note")
    owner.commit(set_field(made[0], "title", "x"))
    second = facade.list_documents(access=owner.access, kind="note", limit=3, cursor=first["next_cursor"])
    assert ids(first) + ids(second) == made[::-1]
    assert second["next_cursor"] is None


def test_kinds_are_told_apart(owner: Writer) -> None:
    app, note, letter = owner.new(), owner.new("note"), owner.new("letter")
    for kind, expected in (("application", app), ("note", note), ("letter", letter), ("profile", "profile")):
        assert ids(facade.list_documents(access=owner.access, kind=kind)) == [expected]


@pytest.mark.parametrize(
    "options",
    [
        {"kind": "resume"},
        {"limit": 0},
        {"limit": 101},
        {"cursor": ""},
        {"cursor": "x"},
        {"cursor": "\u00e9"},
        {"cursor": "MTIzNDU2Nzg5MDEyMzQ1Njc4OTA"},
        {"cursor": "LTE"},
    ],
)
def test_a_question_that_makes_no_sense_is_refused(owner: Writer, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest):
        facade.list_documents(access=owner.access, **options)


def test_what_is_not_there_and_what_is_elsewhere_is_not_found(owner: Writer) -> None:
    foreign = open_workspace().new()
    for document in ("application:01J" + "0" * 23, foreign, "nonsense", "", "new:a"):
        with pytest.raises(NotFound):
            owner.read(document)
        with pytest.raises(NotFound):
            facade.list_document_events(access=owner.access, document=document)


def test_hello_names_everything_but_the_trash(owner: Writer) -> None:
    note, trashed = owner.new("note"), owner.new("note")
    owner.commit(op("document.trash", trashed), set_field("plan", "weekly_goal", 1))
    assert facade.get_hello(workspace=owner.workspace) == {
        "documents": [
            {"id": "profile", "kind": "profile", "clock": 1},
            {"id": "plan", "kind": "plan", "clock": 2},
            {"id": note, "kind": "note", "clock": 1},
        ],
        "seq": 3,
    }


def test_private_words_are_the_names_of_the_profile_and_contacts(owner: Writer) -> None:
    owner.commit(set_field("profile", "name", "Ada LOVELACE "))
    app, trashed = owner.new(), owner.new()
    owner.commit(add_item(app, "contacts", name="Grace Hopper", email="g@example.org"))
    owner.commit(add_item(app, "contacts", email="x@example.org"), add_item(trashed, "contacts", name="Gone"))
    owner.commit(op("document.trash", trashed))
    assert facade.private_words(workspace=owner.workspace) == frozenset({"ada lovelace", "grace hopper"})
