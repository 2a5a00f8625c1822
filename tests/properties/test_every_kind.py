"""What holds for each operation kind of the catalogue, whatever it is asked to do."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.factories import Writer, add_item, append, clocks_now, create, op, open_workspace, set_field
from tests.hypothesis_profiles import examples
from tests.properties.strategies import LINES, operations
from tests.replay import assert_sound, read_by, snapshot
from workspaces.commits.batch import parse_operations
from workspaces.documents import paths
from workspaces.documents.schema import STAGES
from workspaces.errors import DomainError, InvalidOperation
from workspaces.models import Document
from workspaces.operations.catalogue import PUBLIC_KINDS

pytestmark = pytest.mark.django_db
WITHOUT_INVERSE = {"text.merge"}
SETTINGS = settings(
    max_examples=examples(6),
    suppress_health_check=[*settings.default.suppress_health_check, HealthCheck.function_scoped_fixture],
)


def scene() -> Writer:
    """A workspace with something of everything, also archived and trashed."""
    owner = open_workspace()
    owner.commit(
        create("one", title="One", texts={"notes": "First \U0001f600 note\nand more"}),
        create("two", title="Two", stage="applied"),
        create("three", title="Three"),
        create("gone", title="Gone"),
        create("note", "note", application="new:one", texts={"body": "B\u00f6dy"}),
        create("letter", "letter", title="L", texts={"body": "Dear"}),
        op("document.archive", "new:three"),
        op("document.trash", "new:gone"),
        add_item("new:one", "checklist", title="A"),
        add_item("new:one", "checklist", title="B", done=True),
        add_item("new:two", "contacts", name="Ada"),
        *(add_item("plan", "tasks", title=title, application="new:two") for title in "xyz"),
        add_item("profile", "work", name="Acme", highlights=["a", "b"]),
        set_field("profile", "name", "Grace"),
        append("plan", "strategy", "Fewer, better."),
    )
    return owner


def world(owner: Writer) -> dict[str, dict[str, Any]]:
    rows = Document.objects.filter(workspace_id=owner.workspace).order_by("id")
    return read_by(owner, rows.values_list("doc_id", flat=True))


def seen(owner: Writer) -> dict[str, Any]:
    """What people see: keys of ranks are nobody's business, the order that they make is."""
    documents = world(owner)
    columns = {stage: [] for stage in STAGES}  # type: dict[str, list[tuple[str, str]]]
    for doc_id, document in documents.items():
        if "rank" in document["fields"]:
            columns[document["fields"]["stage"]].append((document["fields"].pop("rank"), doc_id))
    return {**documents, "columns": {stage: [d for _, d in sorted(cards)] for stage, cards in columns.items()}}


def differences(before: dict[str, Any], after: dict[str, Any]) -> set[str]:
    """The paths at which two worlds differ."""
    found: set[str] = set()
    for doc_id in before.keys() | after.keys():
        if doc_id not in before:
            found.add(doc_id)
            continue
        one, two = before[doc_id], after[doc_id]
        if one["state"] != two["state"]:
            found.add(paths.state_path(doc_id))
        for part, path in (("fields", paths.field_path), ("texts", paths.text_path)):
            found |= {
                path(doc_id, n) for n in one[part].keys() | two[part].keys() if one[part].get(n) != two[part].get(n)
            }
        for section in one["sections"].keys() | two["sections"].keys():
            old, new = ({i["id"]: i for i in w["sections"].get(section, [])} for w in (one, two))
            for item in old.keys() | new.keys():
                if item not in old or item not in new:
                    found.add(paths.item_path(doc_id, section, item))
                else:
                    found |= {
                        paths.item_field_path(doc_id, section, item, n)
                        for n in old[item].keys() | new[item].keys()
                        if old[item].get(n) != new[item].get(n)
                    }
    return found


@pytest.mark.parametrize("kind", PUBLIC_KINDS)
@SETTINGS
@given(data=st.data())
def test_a_kind_keeps_the_promises_of_the_catalogue(db: None, kind: str, data: st.DataObject) -> None:
    owner = scene()
    before, before_seen = world(owner), seen(owner)
    batch = operations(data.draw, kind, before)
    assume(batch)
    # The request survives JSON, and parsing leaves it alone.
    assert json.loads(json.dumps(batch)) == batch
    original = copy.deepcopy(batch)
    steps = parse_operations(batch)
    assert batch == original
    try:
        clocks = clocks_now(owner.workspace, [o["document"] for o in batch])
        done = owner.commit(*batch, key="k", clocks=clocks)
    except InvalidOperation:
        # A drawn passage may occur twice; nothing else that is drawn may be refused.
        assert kind == "text.replace"
        assert world(owner) == before
        return
    answer = done.as_json()
    assert json.loads(json.dumps(answer)) == answer
    after = world(owner)

    # What changed lies within what was told, and that within what the kind says it may touch.
    declared = [
        path
        for step in steps
        for path in step.operation.touched(step.data, answer["documents"].get(step.document, step.document))
    ]
    changed = differences(before, after)
    assert all(paths.within(path, answer["affected_paths"]) for path in changed)
    assert all(paths.within(path, declared) for path in answer["affected_paths"])

    # Clocks rise by one where something changed, else not at all; an unchanged operation is told.
    documents = {paths.document_of(path) for path in answer["affected_paths"]}
    for doc_id in after:
        expected = 1 if doc_id not in before else (doc_id in documents) + before_clock(clocks, doc_id)
        if doc_id in clocks or doc_id not in before:
            assert owner.clock(doc_id) == expected
    assert (done.event is None) == (len(answer["unchanged"]) == len(batch))
    if done.event is None:
        assert not changed

    # A retry changes nothing and is answered the same.
    rows = snapshot(owner.workspace)
    again = owner.commit(*batch, key="k", clocks=clocks)
    assert again.as_json() == {**answer, "replayed": True}
    assert snapshot(owner.workspace) == rows
    assert_sound(owner)

    # Its inverse restores the state; a creation is archived. The inverse of the inverse brings it back.
    if done.event is None:
        return
    assert answer["reversible"] is (kind not in WITHOUT_INVERSE)
    if not answer["reversible"]:
        assert (answer["receipt"], bool(answer["not_reversible_because"])) == (None, True)
        return
    after_seen = seen(owner)
    undone = owner.undo(done.receipt)
    restored = seen(owner)
    for made in answer["documents"].values():
        assert restored.pop(made)["state"] == "archived"
        for column in restored["columns"].values():
            if made in column:
                column.remove(made)
    assert restored == before_seen
    owner.undo(undone.receipt)
    assert seen(owner) == after_seen
    assert_sound(owner)


def before_clock(clocks: dict[str, int], doc_id: str) -> int:
    return clocks.get(doc_id, 0)


@SETTINGS
@given(data=st.data())
def test_a_batch_of_any_kinds_is_taken_back_whole(db: None, data: st.DataObject) -> None:
    owner = scene()
    before, before_seen = world(owner), seen(owner)
    batch: list[Any] = []
    for index, kind in enumerate(data.draw(st.lists(st.sampled_from(PUBLIC_KINDS), min_size=2, max_size=8))):
        for operation in operations(data.draw, kind, before):
            if operation["document"] == "new:made":
                operation["document"] = f"new:made-{index}"
            batch.append(operation)
    assume(batch)
    try:
        done = owner.commit(*batch)
    except DomainError:
        # Operations were drawn one by one: a later one may not fit what an earlier one has done.
        assert world(owner) == before
        return
    assert_sound(owner)
    if done.receipt is None:
        assert seen(owner) == before_seen or WITHOUT_INVERSE & {operation["kind"] for operation in batch}
        return
    after_seen = seen(owner)
    undone = owner.undo(done.receipt)
    restored = seen(owner)
    for made in done.response["documents"].values():
        assert restored.pop(made)["state"] == "archived"
        for column in restored["columns"].values():
            if made in column:
                column.remove(made)
    assert restored == before_seen
    if undone.receipt is not None:
        owner.undo(undone.receipt)
        assert seen(owner) == after_seen
    assert_sound(owner)


@SETTINGS
@given(contents=st.lists(LINES.filter(bool), min_size=1, max_size=6), data=st.data())
def test_text_edits_are_undone_in_any_order_that_is_allowed(db: None, contents: list[str], data: st.DataObject) -> None:
    """Appends never stand in each other's way, whatever their order and bytes."""
    owner = open_workspace()
    done = [owner.commit(append("plan", "strategy", content)) for content in contents]
    order = data.draw(st.permutations(range(len(done))))
    for count, index in enumerate(order, start=1):
        owner.undo(done[index].receipt)
        left = [entry for i, entry in enumerate(done) if i not in order[:count]]
        assert len(left) == len(contents) - count
    assert owner.read("plan")["texts"] == {}
    assert_sound(owner)
