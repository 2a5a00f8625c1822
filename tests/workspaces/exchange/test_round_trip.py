"""What is taken out of one workspace comes into another as it was."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.factories import Writer, add_item, append, move_stage, op, open_workspace, set_field
from tests.hypothesis_profiles import examples
from tests.properties.strategies import operations
from tests.replay import assert_sound, replayed
from workspaces import facade

from .conftest import bring_in, content_of, exported, take_back


def lived_in(owner: Writer) -> None:
    """Every kind, references in every place, cards moved about, archived and trashed documents."""
    first = owner.new(title="A", company="Acme \U0001f600", stage="applied", texts={"notes": "One\n\ntwo."})
    second = owner.new(title="B", stage="applied", url="https://example.org/b")
    third = owner.new(title="C", stage="saved")
    gone = owner.new(title="Gone")
    owner.commit(move_stage(second, "applied", "start"))
    owner.commit(add_item(first, "contacts", name="Mia", email="mia@example.org"))
    owner.commit(add_item(first, "interviews", kind="video", starts_at="2026-12-01T09:00:00Z"))
    owner.commit(add_item(first, "contacts", "start", name="Noa"))
    owner.new("note", title="About A", application=first, pinned=True, texts={"body": "new:application-0"})
    owner.new("note", title="About a lost one", application=gone)
    owner.new("letter", title="new:application-0", application=second, status="final", texts={"body": "Dear all"})
    owner.commit(op("document.archive", third), op("document.trash", gone))
    owner.commit(add_item("plan", "tasks", title="Call", application=first, done=False))
    owner.commit(append("plan", "strategy", "Fewer, better."), set_field("plan", "target_titles", ["Engineer"]))
    owner.commit(set_field("profile", "name", "Ada"), add_item("profile", "work", name="Acme", highlights=["a", "b"]))


def test_a_workspace_comes_into_another_one_as_it_was(owner: Writer, other: Writer) -> None:
    lived_in(owner)
    file = exported(owner)
    answer = bring_in(other, file)
    assert content_of(exported(other)) == content_of(file)
    assert answer["counts"] == {"profile": 1, "plan": 1, "application": 3, "note": 2, "letter": 1}
    assert [(line["path"], line["code"]) for line in answer["report"]] == [
        ("documents/5", "trashed"),
        ("documents/7/fields/application", "reference"),
    ]
    assert not {d["id"] for d in exported(other)["documents"]} & {d["id"] for d in file["documents"]} - {
        "profile",
        "plan",
    }
    assert_sound(other)


def test_what_looks_like_a_new_documents_name_stays_the_text_that_it_is(owner: Writer, other: Writer) -> None:
    lived_in(owner)
    bring_in(other, exported(owner))
    [letter] = content_of(exported(other))["letter"]
    assert letter["fields"]["title"] == "new:application-0"


def test_an_import_taken_back_leaves_what_was_there_before(owner: Writer, other: Writer) -> None:
    lived_in(owner)
    other.new(title="Mine", stage="applied")
    other.commit(set_field("profile", "name", "Grace"), append("plan", "strategy", "Mine."))
    before = exported(other)
    there = {document["id"] for document in before["documents"]}
    answer = bring_in(other, exported(owner))
    undone = take_back(other, answer["import"])
    after = exported(other)
    assert content_of(after, archived=False) == content_of(before, archived=False)
    assert {d["state"] for d in after["documents"] if d["id"] not in there} == {"archived"}
    assert_sound(other)
    # ... and it can be brought back, because an undo has a receipt of its own.
    other.undo(undone.receipt)
    assert len(content_of(exported(other), archived=False)["columns"]["applied"]) == 3


def test_a_second_import_makes_documents_anew_and_leaves_profile_and_plan_alone(owner: Writer, other: Writer) -> None:
    lived_in(owner)
    file = exported(owner)
    file["documents"] = [d for d in file["documents"] if d["kind"] in ("profile", "plan", "note")]
    for document in file["documents"]:
        document["sections"].pop("tasks", None)
    bring_in(other, file)
    profile = other.read("profile"), other.read("plan")
    answer = bring_in(other, file)
    assert (other.read("profile"), other.read("plan")) == profile
    assert len(content_of(exported(other))["note"]) == 4
    doubled = [line["path"].split("/") for line in answer["report"] if line["code"] == "duplicate"]
    assert ["documents", "0", "sections", "work", "0"] in doubled


DRAWN = [
    "document.create", "document.create", "field.set", "item.add", "item.add", "item.move", "text.append",
    "application.move_stage", "document.archive", "document.trash",
]  # fmt: skip


@pytest.mark.django_db
@settings(max_examples=examples(20), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_workspace_comes_into_another_one_and_goes_again(data: st.DataObject) -> None:
    owner, other = open_workspace(), open_workspace()
    for _ in range(data.draw(st.integers(1, 12), label="steps")):
        world = replayed(owner.workspace)
        for operation in operations(data.draw, data.draw(st.sampled_from(DRAWN)), world):
            owner.commit(operation)
    file, empty = exported(owner), exported(other)
    answer = bring_in(other, file)
    assert content_of(exported(other)) == content_of(file)
    if facade.get_import(access=other.access, import_id=answer["import"])["total"]:
        take_back(other, answer["import"])
    assert content_of(exported(other), archived=False) == content_of(empty)
    assert_sound(other)
