"""Undo of one receipt: the compensating commit, redo, who may and until when, and its clocks."""

from __future__ import annotations

import pytest

from tests.factories import (
    Writer,
    add_item,
    agent,
    another_human,
    append,
    open_workspace,
    set_field,
    system,
)
from tests.replay import assert_sound
from tests.workspaces.commits.undoing import conflicts, later, receipt, refused
from workspaces import facade
from workspaces.errors import (
    ClockSetMismatch,
    InvalidRequest,
    LinkInvalid,
    NotFound,
    ReceiptExpired,
    ReceiptSpent,
    StaleClock,
    UndoConflict,
    ViewOnly,
    to_problem,
)


@pytest.fixture
def app(owner: Writer) -> str:
    return owner.new(title="A", company="Acme", texts={"notes": "Notes."})


# --- the compensating commit -------------------------------------------------------------------------------------


def test_an_undo_is_a_commit_of_its_own_with_a_receipt_of_its_own(owner: Writer, app: str) -> None:
    done = agent(owner).commit(set_field(app, "title", "B"), reason="Rename")
    undone = owner.undo(done.receipt)
    assert undone.response["clocks"] == {"before": {app: 2}, "after": {app: 3}}
    assert undone.response["affected_paths"] == [f"{app}/fields/title"]
    assert undone.response["provenance"]["actor_class"] == "human"
    assert undone.receipt not in (None, done.receipt)
    first, second = receipt(owner, done.receipt), receipt(owner, undone.receipt)
    assert (first["state"], first["undone_by"]) == ("undone", undone.event)
    assert (second["state"], second["undone_by"], second["reason"]) == ("active", None, "Undo: Rename")
    assert (second["actor_class"], second["thread"]) == ("human", None)
    assert [e["id"] for e in facade.list_events(access=owner.access)["items"]][:2] == [undone.event, done.event]
    assert_sound(owner)


def test_an_undo_may_have_a_reason_of_its_own(owner: Writer, app: str) -> None:
    done = owner.commit(set_field(app, "title", "B"))
    assert receipt(owner, owner.undo(done.receipt, reason="Wrong card").receipt)["reason"] == "Wrong card"
    plain = owner.commit(set_field(app, "title", "C"))
    assert receipt(owner, owner.undo(plain.receipt).receipt)["reason"] == "Undo"


def test_undoing_an_undo_is_a_redo_and_so_on(owner: Writer, app: str) -> None:
    last = owner.commit(set_field(app, "title", "B"), append(app, "notes", " More \U0001f600."))
    for index in range(6):
        last = owner.undo(last.receipt)
        document = owner.read(app)
        done = index % 2 == 1
        assert document["fields"]["title"] == ("B" if done else "A")
        assert document["texts"]["notes"] == ("Notes. More \U0001f600." if done else "Notes.")
    assert_sound(owner)


def test_a_spent_receipt_is_refused_also_after_a_redo(owner: Writer, app: str) -> None:
    done = owner.commit(set_field(app, "title", "B"))
    undone = owner.undo(done.receipt)
    assert refused(owner, done.receipt, ReceiptSpent).details == {"undone_by": undone.event}
    owner.undo(undone.receipt)
    assert refused(owner, done.receipt, ReceiptSpent).details == {"undone_by": undone.event}


def test_a_retried_undo_gets_the_first_answer(owner: Writer, app: str) -> None:
    done = owner.commit(set_field(app, "title", "B"))
    first = owner.undo(done.receipt, key="k", clocks={app: 2})
    again = owner.undo(done.receipt, key="k", clocks={app: 2})
    assert (again.replayed, again.response) == (True, first.response)


def test_an_undo_of_a_batch_is_whole_or_not_at_all(owner: Writer, app: str) -> None:
    other = owner.new(title="X")
    done = owner.commit(set_field(app, "title", "B"), set_field(other, "title", "Y"), append(app, "notes", "!"))
    owner.commit(set_field(other, "title", "Z"))
    refused(owner, done.receipt, UndoConflict)
    assert owner.read(app)["fields"]["title"] == "B"


# --- who and when ------------------------------------------------------------------------------------------------


def test_a_link_may_undo_anybodys_receipt_but_not_one_that_only_reads(owner: Writer, app: str) -> None:
    done = [w.commit(set_field(app, "title", t)) for w, t in ((owner, "B"), (agent(owner), "C"), (system(owner), "D"))]
    other = another_human(owner)
    for result in reversed(done):
        other.undo(result.receipt)
    assert owner.read(app)["fields"]["title"] == "A"
    fresh = owner.commit(set_field(app, "title", "E"))
    refused(another_human(owner, "view"), fresh.receipt, ViewOnly)
    facade.revoke_link(access=owner.access, link=other.link)
    refused(other, fresh.receipt, LinkInvalid)


def test_another_workspaces_receipt_is_not_there(owner: Writer, app: str) -> None:
    elsewhere = open_workspace()
    foreign = elsewhere.commit(set_field("profile", "name", "X"))
    unknown = to_problem(refused(owner, "rcp_" + "0" * 26, NotFound, clocks={"profile": 2}))
    assert to_problem(refused(owner, foreign.receipt, NotFound, clocks={"profile": 2})) == unknown
    assert elsewhere.read("profile")["fields"]["name"] == "X"


def test_the_tool_undoes_only_agent_receipts_of_its_own_thread(owner: Writer, app: str) -> None:
    by_person = owner.commit(set_field(app, "title", "B"))
    elsewhere = agent(owner, thread="thr_2").commit(set_field(app, "company", "C"))
    here = agent(owner, thread="thr_1").commit(set_field(app, "location", "D"))
    tool = agent(owner, thread="thr_1", turn="trn_2")
    refused(tool, by_person.receipt, NotFound, only_thread="thr_1")
    refused(tool, elsewhere.receipt, NotFound, only_thread="thr_1")
    tool.undo(here.receipt, only_thread="thr_1")
    assert "location" not in owner.read(app)["fields"]


def test_a_receipt_expires_after_thirty_days_at_the_moment_of_use(
    owner: Writer, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = owner.commit(set_field(app, "title", "B"))
    with monkeypatch.context() as almost:
        later(almost, days=29, hours=23)
        assert receipt(owner, done.receipt)["state"] == "active"
    later(monkeypatch, days=30, seconds=1)
    assert receipt(owner, done.receipt)["state"] == "expired"
    refused(owner, done.receipt, ReceiptExpired)
    with pytest.raises(ReceiptExpired):
        facade.list_receipt_changes(access=owner.access, receipt=done.receipt)
    assert owner.read(app)["fields"]["title"] == "B"


def test_expiry_drops_what_was_kept_and_the_receipt_stays(
    owner: Writer, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workspaces.models import IdempotencyRecord, Receipt

    done = owner.commit(set_field(app, "title", "Canary"), key="k")
    undone = owner.undo(done.receipt)
    fresh = facade.expire_receipts()
    later(monkeypatch, days=30, seconds=1)
    assert (fresh, facade.expire_receipts(), facade.expire_receipts()) == (0, 3, 0)
    assert facade.expire_idempotency_records() == 3
    assert IdempotencyRecord.objects.count() == 0
    assert list(Receipt.objects.values_list("inverse", "changes").distinct()) == [(None, None)]
    assert receipt(owner, done.receipt)["state"] == "undone"
    refused(owner, undone.receipt, ReceiptExpired)
    assert_sound(owner)


def test_a_spent_receipt_is_told_as_spent_even_when_it_has_expired(
    owner: Writer, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = owner.commit(set_field(app, "title", "B"))
    owner.undo(done.receipt)
    later(monkeypatch, days=31)
    refused(owner, done.receipt, ReceiptSpent)


def test_what_a_receipt_changed_is_not_shown_after_its_time_also_when_it_was_undone(
    owner: Writer, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = owner.commit(set_field(app, "title", "B"))
    undone = owner.undo(done.receipt)
    assert [
        len(facade.list_receipt_changes(access=owner.access, receipt=each.receipt)["items"]) for each in (done, undone)
    ] == [1, 1]
    later(monkeypatch, days=30, seconds=1)
    for each in (done, undone):
        with pytest.raises(ReceiptExpired):
            facade.list_receipt_changes(access=owner.access, receipt=each.receipt)


# --- clocks ------------------------------------------------------------------------------------------------------


def test_an_undo_names_exactly_its_documents_at_their_clocks(owner: Writer, app: str) -> None:
    done = owner.commit(set_field(app, "title", "B"))
    refused(owner, done.receipt, ClockSetMismatch, clocks={})
    refused(owner, done.receipt, ClockSetMismatch, clocks={app: 2, "plan": 1})
    refused(owner, done.receipt, StaleClock, clocks={app: 1})
    refused(owner, done.receipt, StaleClock, clocks={app: 3})
    with pytest.raises(InvalidRequest):
        facade.undo_receipt(
            workspace=owner.workspace,
            receipt=str(done.receipt),
            body={"expected_clocks": {app: "2"}, "force": True},
            actor=owner.actor,
            request=owner.request(key=None, route="undo", target=str(done.receipt)),
        )
    owner.undo(done.receipt, clocks={app: 2})


def test_a_conflict_is_told_before_a_stale_clock(owner: Writer, app: str) -> None:
    done = owner.commit(set_field(app, "title", "B"))
    by = another_human(owner).commit(set_field(app, "title", "C"))
    error = refused(owner, done.receipt, UndoConflict, clocks={app: 2})
    assert conflicts(error) == [(f"{app}/fields/title", by.event, "human")]
    assert to_problem(error)["status"] == 409


def test_later_work_elsewhere_makes_the_clock_stale_but_is_no_conflict(owner: Writer, app: str) -> None:
    done = owner.commit(set_field(app, "title", "B"))
    owner.commit(set_field(app, "company", "C"), add_item(app, "checklist", title="x"), append(app, "notes", "!"))
    refused(owner, done.receipt, StaleClock, clocks={app: 2})
    owner.undo(done.receipt, clocks={app: 3})
    assert owner.read(app)["fields"]["title"] == "A"
    assert owner.read(app)["texts"]["notes"] == "Notes.!"
