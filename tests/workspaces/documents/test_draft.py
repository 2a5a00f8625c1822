"""Drafts: what they touch, what they note as changed, and that equal values leave no trace."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workspaces.documents.draft import Draft
from workspaces.documents.edits import DropItem, PutItem, SetField, SetItemValue, SetMeta, minimal_splice
from workspaces.documents.schema import KINDS
from workspaces.documents.state import DocumentState, ordered_items, ranks_too_long, value_at

ID = "application:01J" + "0" * 23


def draft(**parts: object) -> Draft:
    kind = KINDS["application"]
    base = {
        "state": "active",
        "fields": {"title": "Engineer", "stage": "saved", "rank": "a0"},
        "sections": {**{s: {} for s in kind.sections}, "checklist": {"itm_1": {"rank": "a0", "title": "CV"}}},
        "texts": {"notes": "one\ntwo\nthree"},
    }
    state = DocumentState(**{**base, **parts})  # type: ignore[arg-type]
    return Draft(doc_id=ID, kind=kind, base=state, resolver=lambda *_: None)


def test_setting_a_field_touches_it_and_notes_before_and_after() -> None:
    made = draft()
    made.set_field("title", "Chief")
    assert made.changed
    assert made.edits == [SetField("title", "Chief")]
    assert list(made.touched) == [f"{ID}/fields/title"]
    assert made.changes() == [{"path": f"{ID}/fields/title", "before": "Engineer", "after": "Chief"}]
    assert made.base.fields["title"] == "Engineer"


def test_clearing_a_field_takes_it_out() -> None:
    made = draft()
    made.set_field("title", None)
    assert made.state.fields == {"stage": "saved", "rank": "a0"}
    assert made.changes()[0]["after"] is None


def test_an_equal_value_leaves_no_trace() -> None:
    made = draft()
    made.set_field("title", "Engineer")
    made.set_field("company", None)
    made.set_item_value("checklist", "itm_1", "title", "CV")
    assert (made.changed, made.edits, made.touched, made.changes()) == (False, [], {}, [])
    assert made.set_text("notes", "one\ntwo\nthree") is None
    assert not made.changed


def test_before_is_what_stood_before_the_first_change() -> None:
    made = draft()
    made.set_field("title", "A")
    made.set_field("title", "B")
    assert made.changes() == [{"path": f"{ID}/fields/title", "before": "Engineer", "after": "B"}]


def test_items_are_put_changed_and_dropped() -> None:
    made = draft()
    made.put_item("checklist", "itm_2", {"rank": "a1", "title": "Letter", "due": None})
    made.set_item_value("checklist", "itm_2", "done", True)
    made.drop_item("checklist", "itm_1")
    assert made.state.sections["checklist"] == {"itm_2": {"rank": "a1", "title": "Letter", "done": True}}
    assert made.edits == [
        PutItem("checklist", "itm_2", {"rank": "a1", "title": "Letter"}),
        SetItemValue("checklist", "itm_2", "done", True),
        DropItem("checklist", "itm_1"),
    ]
    base = f"{ID}/sections/checklist"
    assert list(made.touched) == [f"{base}/itm_2", f"{base}/itm_2/done", f"{base}/itm_1"]
    assert made.changes()[-1] == {"path": f"{base}/itm_1", "before": {"title": "CV"}, "after": None}


def test_trashing_remembers_where_from() -> None:
    made = draft(state="archived")
    made.set_state("trashed", trashed_from="archived")
    assert (made.state.state, made.state.trashed_from) == ("trashed", "archived")
    assert made.edits == [SetMeta("trashed_from", "archived"), SetMeta("state", "trashed")]
    assert list(made.touched) == [f"{ID}/state"]


def test_a_creation_touches_the_document_and_says_nothing_more() -> None:
    made = draft()
    made.set_field("title", "A")
    made.touch_whole()
    assert list(made.touched) == [ID]


def test_a_texts_change_is_told_by_the_lines_that_changed() -> None:
    made = draft()
    made.replace_text("notes", 4, "two", "2")
    assert made.state.texts == {"notes": "one\n2\nthree"}
    assert made.changes() == [{"path": f"{ID}/texts/notes", "before": "two", "after": "2"}]


def test_replacing_leaves_alone_what_both_share() -> None:
    splice = draft().replace_text("notes", 4, "two", "tomato")
    assert (splice.at, splice.delete, splice.insert) == (5, "w", "omat")


@given(st.text(alphabet="ab😀\u0301\n"), st.text(alphabet="ab😀\u0301\n"))
def test_a_minimal_splice_leads_from_one_text_to_the_other(before: str, after: str) -> None:
    splice = minimal_splice("notes", before, after)
    if splice is None:
        assert before == after
        return
    assert before[: splice.at] + splice.insert + before[splice.at + len(splice.delete) :] == after
    assert not (splice.delete and splice.insert and splice.delete[0] == splice.insert[0])
    assert not (splice.delete and splice.insert and splice.delete[-1] == splice.insert[-1])


def test_items_are_in_the_order_of_ranks_then_ids() -> None:
    items = {"itm_b": {"rank": "a1"}, "itm_a": {"rank": "a1"}, "itm_c": {"rank": "a0"}}
    assert [item for item, _ in ordered_items(items)] == ["itm_c", "itm_a", "itm_b"]


def test_what_stands_at_a_path_is_found_or_null() -> None:
    state = draft().state
    assert value_at(state, f"{ID}/state") == "active"
    assert value_at(state, f"{ID}/fields/nothing") is None
    assert value_at(state, f"{ID}/sections/checklist/itm_1") == {"title": "CV"}
    assert value_at(state, f"{ID}/sections/checklist/itm_9/title") is None
    assert value_at(state, f"{ID}/texts/notes") == "one\ntwo\nthree"
    assert value_at(state, f"{ID}/elsewhere") is None


def test_long_ranks_are_noticed_in_fields_and_items() -> None:
    assert not ranks_too_long(draft().state)
    assert not ranks_too_long(draft(fields={"rank": "a" * 64}).state)
    assert ranks_too_long(draft(fields={"rank": "a" * 65}).state)
    assert ranks_too_long(draft(sections={"checklist": {"itm_1": {"rank": "a" * 65}}}).state)
