"""How an import goes on while others work, how it ends in the middle, and how far it can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from tests.at_once import at_once
from tests.factories import Writer, another_human, append, open_workspace, set_field
from tests.replay import assert_sound, snapshot
from workspaces import facade
from workspaces.contracts import CommitResult
from workspaces.errors import DomainError, InvalidRequest, LinkInvalid, UndoConflict
from workspaces.exchange import import_rows, imports
from workspaces.models import Import

from .conftest import bring_in, content_of, exported, take_back

ULID = "0" * 23


def file(*, notes: int = 45, **profile: Any) -> dict[str, Any]:
    """`notes` notes, which take three batches, and something for the profile and the plan, which come last."""
    documents: list[dict[str, Any]] = [
        {"id": f"note:{ULID}{n:03}", "kind": "note", "fields": {"title": f"N{n}"}} for n in range(notes)
    ]
    documents.append({"id": "profile", "kind": "profile", "fields": {"name": "Ada", **profile}})
    documents.append({"id": "plan", "kind": "plan", "fields": {}, "texts": {"strategy": "From the file."}})
    return {"format": "careervector.workspace", "version": 1, "documents": documents}


class PowerCut(BaseException):
    """Nothing after it runs, not even what tidies up."""


def at_batch(monkeypatch: pytest.MonkeyPatch, number: int, what: Callable[[], None]) -> None:
    """Something happens just before a batch is committed."""
    commit = imports.commit
    seen: list[str] = []

    def commit_later(**words: Any) -> CommitResult:
        if words["request"].key == f"batch-{number}" and not seen:
            seen.append("once")
            what()
        return commit(**words)

    monkeypatch.setattr(imports, "commit", commit_later)


def stopped_by(error: BaseException) -> Callable[[], None]:
    def stop() -> None:
        raise error

    return stop


def only_import(owner: Writer) -> dict[str, Any]:
    [row] = facade.list_imports(access=owner.access)["items"]
    return facade.get_import(access=owner.access, import_id=row["id"])


def titles(owner: Writer) -> int:
    return len(content_of(exported(owner), archived=False).get("note", []))


def test_progress_is_told_after_each_batch_and_at_the_end(owner: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(imports.hub, "publish", lambda **words: told.append((words["topic"], words["message"])))
    answer = bring_in(owner, file())
    messages = [message for topic, message in told if message["type"] == "import"]
    assert {topic for topic, _ in told} == {f"workspace:{owner.workspace}"}
    assert [(m["import"], m["state"], m["done"], m["total"]) for m in messages] == [
        (answer["import"], "running", 20, 47), (answer["import"], "running", 40, 47),
        (answer["import"], "running", 47, 47), (answer["import"], "done", 47, 47),
    ]  # fmt: skip


def test_its_commits_are_the_persons_and_say_what_they_are(owner: Writer) -> None:
    bring_in(owner, file(notes=1))
    [event] = exported(owner)["history"]
    assert (event["actor_class"], event["actor"], event["reason"]) == (
        "human", owner.actor.actor, "Import of a workspace's file",
    )  # fmt: skip


def test_work_of_others_between_two_batches_stays_and_the_import_goes_on(
    owner: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def others_work() -> None:
        owner.commit(append("plan", "strategy", "Mine."))
        owner.commit(set_field("profile", "label", "Mine"))

    at_batch(monkeypatch, 2, others_work)
    bring_in(owner, file())
    assert owner.read("plan")["texts"]["strategy"] == "Mine.From the file."
    assert owner.read("profile")["fields"] == {"name": "Ada", "label": "Mine"}
    assert only_import(owner)["state"] == "done"


def test_somebody_who_is_faster_at_the_same_document_makes_it_try_again(
    owner: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = imports._Run._expected
    done: list[str] = []

    def expected_then_overtaken(run: Any, operations: Any, *, fresh: bool) -> dict[str, int]:
        clocks = expected(run, operations, fresh=fresh)
        if "profile" in clocks and not done:
            done.append("once")
            owner.commit(set_field("profile", "label", "Mine"))
        return clocks

    monkeypatch.setattr(imports._Run, "_expected", expected_then_overtaken)
    bring_in(owner, file())
    assert owner.read("profile")["fields"] == {"name": "Ada", "label": "Mine"}


def test_a_refusal_in_the_middle_leaves_it_failed_and_undoable_as_far_as_it_came(
    owner: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = another_human(owner)
    before = content_of(exported(owner))
    at_batch(monkeypatch, 2, lambda: facade.revoke_link(access=owner.access, link=guest.link or ""))
    with pytest.raises(LinkInvalid) as refused:
        bring_in(guest, file(), key="k")
    found = only_import(owner)
    assert refused.value.details == {"import": found["id"], "done": 40, "total": 47}
    assert (found["state"], found["done"], found["finished_at"] is None) == ("failed", 40, False)
    assert titles(owner) == 40
    take_back(owner, found["id"])
    assert content_of(exported(owner), archived=False) == before
    assert_sound(owner)


def test_a_failed_import_frees_its_key(owner: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    at_batch(monkeypatch, 1, stopped_by(OSError("the disk is full")))
    with pytest.raises(OSError, match="full"):
        bring_in(owner, file(), key="k")
    first = only_import(owner)
    assert (first["state"], titles(owner)) == ("failed", 20)
    answer = bring_in(owner, file(), key="k")
    assert answer["import"] != first["id"]
    assert bring_in(owner, file(), key="k") == answer
    assert titles(owner) == 65


def lost(owner: Writer, monkeypatch: pytest.MonkeyPatch) -> str:
    """An import whose process died after its first batch."""
    monkeypatch.setattr(imports._Run, "_fail", lambda run: None)
    at_batch(monkeypatch, 1, stopped_by(PowerCut()))
    with pytest.raises(PowerCut):
        bring_in(owner, file(), key="k")
    monkeypatch.undo()
    return str(only_import(owner)["id"])


def test_one_whose_process_died_runs_until_it_is_silent_for_too_long(
    owner: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_id = lost(owner, monkeypatch)
    assert only_import(owner)["state"] == "running"
    assert facade.end_lost_imports(limit=10) == 0
    before = snapshot(owner.workspace)
    with pytest.raises(UndoConflict):
        take_back(owner, import_id)
    assert snapshot(owner.workspace) == before
    Import.objects.update(progressed_at=facade.now() - import_rows.SILENCE - timedelta(seconds=1))
    # Readers know it at once; the sweep writes it down, once.
    assert only_import(owner)["state"] == "failed"
    assert Import.objects.get().state == "running"
    assert (facade.end_lost_imports(limit=10), facade.end_lost_imports(limit=10)) == (1, 0)
    assert Import.objects.get().state == "failed"
    assert only_import(owner)["done"] == 20
    take_back(owner, import_id)
    assert titles(owner) == 0


def test_one_that_was_only_slow_stops_when_it_has_been_given_up(owner: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    def given_up() -> None:
        Import.objects.update(progressed_at=facade.now() - import_rows.SILENCE - timedelta(seconds=1))
        facade.end_lost_imports(limit=10)

    at_batch(monkeypatch, 1, given_up)
    with pytest.raises(InvalidRequest, match="given up"):
        bring_in(owner, file())
    assert (only_import(owner)["state"], only_import(owner)["done"], titles(owner)) == ("failed", 20, 20)
    assert_sound(owner)


def test_an_import_that_changes_nothing_is_one_all_the_same(owner: Writer) -> None:
    answer = bring_in(owner, {"format": "careervector.workspace", "version": 1, "documents": []})
    assert (answer["counts"], answer["report"]) == ({}, [])
    found = only_import(owner)
    assert (found["state"], found["total"]) == ("done", 0)
    assert facade.preview_import_undo(workspace=owner.workspace, import_id=answer["import"]) == {
        "receipts": [], "conflicts": [], "expected_clocks": {}, "possible": False,
    }  # fmt: skip
    with pytest.raises(DomainError, match="changed nothing"):
        take_back(owner, answer["import"])


def test_what_was_taken_back_by_hand_before_is_left_out_of_the_undo(owner: Writer) -> None:
    answer = bring_in(owner, file())
    newest = exported(owner)["receipts"][-1]
    owner.undo(newest["id"])
    undone = take_back(owner, answer["import"])
    assert len(undone.response["operations"]) == 40
    assert titles(owner) == 0


def test_an_undo_names_the_documents_it_touches_or_none(owner: Writer) -> None:
    answer = bring_in(owner, file(notes=3))
    preview = facade.preview_import_undo(workspace=owner.workspace, import_id=answer["import"])
    assert set(preview["expected_clocks"]) == {"profile", "plan", *(
        d["id"] for d in exported(owner)["documents"] if d["kind"] == "note")}  # fmt: skip
    undone = take_back(owner, answer["import"], body={"expected_clocks": preview["expected_clocks"]})
    assert facade.get_import(access=owner.access, import_id=answer["import"])["undone_by"] == undone.event


@pytest.mark.django_db(transaction=True)
def test_many_deliveries_of_one_request_are_one_import_with_one_answer() -> None:
    owner = open_workspace()
    answers = at_once(lambda: bring_in(owner, file(), key="k"), times=4)
    assert answers == [answers[0]] * 4
    assert (Import.objects.count(), titles(owner)) == (1, 45)
