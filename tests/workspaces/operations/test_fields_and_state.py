"""field.set, document.create and the four changes of state: effect, inverse, affected paths, what is unchanged."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.factories import Writer, agent, create, op, set_field
from tests.replay import assert_sound
from workspaces.errors import DocumentTrashed, InvalidOperation, NotFound, OperationNotAllowed


def flaws(refusal: pytest.ExceptionInfo[Any]) -> list[tuple[str, str]]:
    return [(flaw.path, flaw.code) for flaw in refusal.value.flaws]


def test_a_field_is_set_and_its_old_value_comes_back(owner: Writer) -> None:
    app = owner.new(title="Engineer")
    done = owner.commit(set_field(app, "title", "Chief"))
    assert done.response["affected_paths"] == [f"{app}/fields/title"]
    assert done.response["clocks"] == {"before": {app: 1}, "after": {app: 2}}
    assert owner.read(app)["fields"]["title"] == "Chief"
    owner.undo(done.receipt)
    assert owner.read(app)["fields"]["title"] == "Engineer"


def test_null_clears_a_field_and_it_comes_back(owner: Writer) -> None:
    app = owner.new(title="Engineer", salary_min=90_000)
    done = owner.commit(set_field(app, "salary_min", None))
    assert "salary_min" not in owner.read(app)["fields"]
    owner.undo(done.receipt)
    assert owner.read(app)["fields"]["salary_min"] == 90_000


@pytest.mark.parametrize("value", ["Engineer", None])
def test_setting_what_stands_there_is_unchanged(owner: Writer, value: Any) -> None:
    app = owner.new(title="Engineer")
    done = owner.commit(set_field(app, "title" if value else "company", value))
    assert done.response["unchanged"] == [0]
    assert (done.event, done.receipt) == (None, None)
    assert owner.clock(app) == 1


def test_a_time_is_kept_in_utc_and_text_in_nfc(owner: Writer) -> None:
    app = owner.new(title="e\u0301")
    assert owner.read(app)["fields"]["title"] == "\u00e9"
    assert owner.commit(set_field(app, "title", "\u00e9")).response["unchanged"] == [0]


@pytest.mark.parametrize(
    ("field", "value", "flaw"),
    [
        ("rank", "a0", ("field", "system_field")),
        ("role", "x", ("field", "system_field")),
        ("nothing", "x", ("field", "unknown_field")),
        ("email", "x", ("field", "unknown_field")),
        ("stage", None, ("value", "required")),
        ("stage", "hired", ("value", "choice")),
        ("tier", "best", ("value", "choice")),
        ("deadline", "soon", ("value", "date")),
        ("salary_min", 1_000_000_001, ("value", "range")),
        ("salary_min", 5.5, ("value", "type")),
        ("url", "javascript:x", ("value", "url")),
        ("title", "x" * 501, ("value", "too_long")),
        ("title", "a\nb", ("value", "one_line")),
        ("BAD NAME", "x", ("field", "pattern")),
    ],
)
def test_a_field_that_cannot_be_so_is_refused(owner: Writer, field: str, value: Any, flaw: tuple[str, str]) -> None:
    app = owner.new(title="Engineer")
    with pytest.raises(InvalidOperation) as refusal:
        owner.commit(set_field(app, field, value))
    assert flaws(refusal) == [(f"operations/0/{flaw[0]}", flaw[1])]
    assert owner.clock(app) == 1


def test_a_new_application_is_saved_at_the_columns_end_without_a_tier(owner: Writer) -> None:
    first = owner.new(title="One")
    done = owner.commit(create("two", title="Two", texts={"notes": "Met them.\n"}))
    second = done.response["documents"]["new:two"]
    assert re.fullmatch(r"application:[0-9A-HJKMNP-TV-Z]{26}", second)
    document = owner.read(second)
    assert {k: v for k, v in document["fields"].items() if k != "rank"} == {"title": "Two", "stage": "saved"}
    assert document["texts"] == {"notes": "Met them.\n"}
    assert document["state"] == "active"
    assert owner.column("saved") == [first, second]
    assert done.response["affected_paths"] == [second]
    assert done.response["clocks"] == {"before": {}, "after": {second: 1}}


def test_an_application_may_begin_in_another_stage(owner: Writer) -> None:
    app = owner.new(title="One", stage="applied", tier="dream")
    assert owner.column("applied") == [app]


def test_undoing_a_creation_archives_it_and_redoing_brings_it_back(owner: Writer) -> None:
    done = owner.commit(create("it", "note", title="Idea"))
    note = done.response["documents"]["new:it"]
    undone = owner.undo(done.receipt)
    assert owner.read(note)["state"] == "archived"
    assert undone.response["affected_paths"] == [f"{note}/state"]
    owner.undo(undone.receipt)
    assert owner.read(note)["state"] == "active"
    assert owner.read(note)["fields"] == {"title": "Idea"}


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        (op("document.create", "new:x", document_kind="profile"), [("document_kind", "choice")]),
        (op("document.create", "note:01J" + "0" * 23, document_kind="note"), [("document", "not_new")]),
        (op("document.create", "new:X", document_kind="note"), [("document", "pattern")]),
        (op("document.create", "new:" + "x" * 33, document_kind="note"), [("document", "pattern")]),
        (create("x", "note", pinned="yes"), [("fields/0/value", "type")]),
        (create("x", "note", stage="saved"), [("fields/0/field", "unknown_field")]),
        (create("x", rank="a0"), [("fields/0/field", "system_field")]),
        (create("x", texts={"body": ""}), [("texts/0/text", "unknown_text")]),
        (create("x", "note", texts={"body": "x" * 50_001}), [("texts/0/content", "too_long")]),
        (create("x", "note", texts={"body": "\x00"}), [("texts/0/content", "control_character")]),
        ({**create("x", "note"), "state": "trashed"}, [("state", "unknown_field")]),
        (
            op(
                "document.create",
                "new:x",
                document_kind="note",
                fields=[{"field": "title", "value": "a"}, {"field": "title", "value": "b"}],
            ),
            [("fields/1/field", "duplicate")],
        ),
        (
            op(
                "document.create",
                "new:x",
                document_kind="note",
                texts=[{"text": "body", "content": "a"}, {"text": "body", "content": "b"}],
            ),
            [("texts/1/text", "duplicate")],
        ),
    ],
)
def test_a_creation_that_cannot_be_so_is_refused(owner: Writer, operation: Any, expected: list[Any]) -> None:
    with pytest.raises(InvalidOperation) as refusal:
        owner.commit(operation, clocks={operation["document"]: 0})
    assert flaws(refusal) == [(f"operations/0/{path}", code) for path, code in expected]


def test_fields_and_texts_of_a_creation_may_be_left_out_or_null(owner: Writer) -> None:
    bare = owner.commit(op("document.create", "new:x", document_kind="note"))
    null = owner.commit(op("document.create", "new:x", document_kind="note", fields=None, texts=None))
    for done in (bare, null):
        assert owner.read(done.response["documents"]["new:x"])["fields"] == {}


def test_archive_and_unarchive_take_each_other_back(owner: Writer) -> None:
    app = owner.new()
    archived = owner.commit(op("document.archive", app))
    assert archived.response["affected_paths"] == [f"{app}/state"]
    assert owner.read(app)["archived"] is True
    assert owner.commit(op("document.archive", app)).response["unchanged"] == [0]
    owner.undo(archived.receipt)
    assert owner.read(app)["archived"] is False
    assert owner.commit(op("document.unarchive", app)).response["unchanged"] == [0]


@pytest.mark.parametrize("before", ["active", "archived"])
def test_a_restored_document_is_in_the_state_that_it_was_trashed_from(owner: Writer, before: str) -> None:
    app = owner.new()
    if before == "archived":
        owner.commit(op("document.archive", app))
    trashed = owner.commit(op("document.trash", app))
    assert owner.read(app)["state"] == "trashed"
    restored = owner.commit(op("document.restore", app))
    assert owner.read(app)["state"] == before
    owner.undo(restored.receipt)
    assert owner.read(app)["state"] == "trashed"
    assert trashed.response["reversible"] is True
    assert_sound(owner)


def test_undoing_a_trash_restores(owner: Writer) -> None:
    app = owner.new()
    done = owner.commit(op("document.trash", app))
    owner.undo(done.receipt)
    assert owner.read(app)["state"] == "active"


def test_restoring_what_is_not_trashed_is_unchanged(owner: Writer) -> None:
    assert owner.commit(op("document.restore", owner.new())).response["unchanged"] == [0]


@pytest.mark.parametrize("kind", ["document.archive", "document.unarchive", "document.trash", "field.set"])
def test_a_trashed_document_takes_nothing_but_a_restore(owner: Writer, kind: str) -> None:
    app = owner.new()
    owner.commit(op("document.trash", app))
    operation = set_field(app, "title", "x") if kind == "field.set" else op(kind, app)
    with pytest.raises(DocumentTrashed) as refusal:
        owner.commit(operation)
    assert refusal.value.details == {"document": app}
    assert owner.clock(app) == 2


@pytest.mark.parametrize("document", ["profile", "plan"])
@pytest.mark.parametrize("kind", ["document.archive", "document.unarchive", "document.trash", "document.restore"])
def test_the_singletons_are_always_there(owner: Writer, document: str, kind: str) -> None:
    with pytest.raises(InvalidOperation) as refusal:
        owner.commit(op(kind, document))
    assert flaws(refusal) == [("operations/0/document", "singleton")]


def test_a_document_created_and_trashed_at_once_is_in_the_trash(owner: Writer) -> None:
    done = owner.commit(create("x", "note", title="A"), op("document.trash", "new:x"))
    note = done.response["documents"]["new:x"]
    assert owner.read(note)["state"] == "trashed"
    assert_sound(owner)
    owner.undo(done.receipt)
    assert owner.read(note)["state"] == "archived"
    assert_sound(owner)


def test_for_the_assistant_a_trashed_document_is_not_there_whatever_clock_it_names(owner: Writer) -> None:
    app = owner.new()
    owner.commit(op("document.trash", app))
    for clock in (1, 2, 0, 99):
        with pytest.raises(NotFound):
            agent(owner).commit(set_field(app, "title", "x"), clocks={app: clock})
    with pytest.raises(OperationNotAllowed):
        agent(owner).commit(op("document.restore", app))


# --- references --------------------------------------------------------------------------------------------------


def test_a_reference_may_name_an_existing_or_a_new_document(owner: Writer) -> None:
    app = owner.new(title="Acme")
    done = owner.commit(
        create("app", title="New"),
        create("one", "note", application=app),
        create("two", "letter", application="new:app"),
        set_field("new:one", "application", "new:app"),
    )
    ids = done.response["documents"]
    assert owner.read(ids["new:one"])["fields"]["application"] == ids["new:app"]
    assert owner.read(ids["new:two"])["fields"]["application"] == ids["new:app"]


def test_a_reference_to_an_archived_document_is_fine(owner: Writer) -> None:
    app = owner.new()
    owner.commit(op("document.archive", app))
    note = owner.new("note", application=app)
    assert owner.read(note)["fields"]["application"] == app


@pytest.mark.parametrize("how", ["unknown", "trashed", "trashed in the batch", "later", "other kind", "other new kind"])
def test_a_reference_to_what_is_not_there_is_refused(owner: Writer, how: str) -> None:
    app, note = owner.new(), owner.new("note")
    before: list[dict[str, Any]] = []
    after: list[dict[str, Any]] = []
    match how:
        case "unknown":
            reference = "application:01J" + "0" * 23
        case "trashed":
            owner.commit(op("document.trash", app))
            reference = app
        case "trashed in the batch":
            before, reference = [create("a"), op("document.trash", "new:a")], "new:a"
        case "later":
            after, reference = [create("a")], "new:a"
        case "other kind":
            reference = note
        case _:
            before, reference = [create("a", "note")], "new:a"
    with pytest.raises(InvalidOperation) as refusal:
        owner.commit(*before, set_field(note, "application", reference), *after)
    assert flaws(refusal) == [(f"operations/{len(before)}/value", "reference")]
    assert "application" not in owner.read(note)["fields"]


def test_a_reference_into_another_workspace_is_refused_like_an_unknown_one(owner: Writer) -> None:
    from tests.factories import open_workspace

    foreign = open_workspace().new()
    with pytest.raises(InvalidOperation) as refusal:
        owner.commit(create("n", "note", application=foreign))
    assert flaws(refusal) == [("operations/0/fields/0/value", "reference")]
