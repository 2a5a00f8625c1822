"""Reading history: events, receipts, what they changed, and the commits that a socket missed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import Writer, add_item, agent, append, create, op, open_workspace, replace, set_field, system
from tests.replay import apply_messages, content_of, replayed
from workspaces import facade
from workspaces.errors import InvalidRequest, NotFound


def names(page: dict[str, Any]) -> list[str]:
    return [entry["id"] for entry in page["items"]]


def all_pages(list_: Any, **options: Any) -> list[str]:
    found: list[str] = []
    cursor = None
    while True:
        page = list_(cursor=cursor, **options)
        found += names(page)
        cursor = page["next_cursor"]
        if cursor is None:
            return found


@pytest.fixture
def busy(owner: Writer) -> list[Any]:
    """Six commits: by the owner, two turns of two threads, the system; the third is undone."""
    app = owner.new(title="A")
    done = [
        owner.commit(set_field(app, "title", "B"), reason="one"),
        agent(owner, thread="thr_1", turn="trn_1").commit(set_field(app, "company", "C"), reason="two"),
        agent(owner, thread="thr_2", turn="trn_2").commit(set_field("plan", "weekly_goal", 1), reason="three"),
        system(owner).commit(set_field(app, "location", "D"), set_field("plan", "weekly_goal", 2), reason="four"),
    ]
    done.append(owner.undo(done[1].receipt))
    return done


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_events_are_newest_first_and_each_on_one_page(owner: Writer, busy: list[Any], limit: int) -> None:
    found = all_pages(facade.list_events, access=owner.access, limit=limit)
    assert found[:5] == [result.event for result in busy[::-1]]
    assert len(found) == len(set(found)) == 6


def test_events_are_filtered(owner: Writer, busy: list[Any]) -> None:
    def found(**by: Any) -> list[str]:
        return names(facade.list_events(access=owner.access, **by))

    assert found(after=4) == [busy[4].event, busy[3].event]
    assert found(actor_class="agent") == [busy[2].event, busy[1].event]
    assert found(actor_class="system") == [busy[3].event]
    assert found(document="plan") == [busy[3].event, busy[2].event]
    assert found(document="plan", actor_class="agent") == [busy[2].event]
    assert found(document="profile") == found(actor_class="nobody") == []
    assert names(facade.list_document_events(access=owner.access, document="plan")) == found(document="plan")


def test_receipts_are_filtered(owner: Writer, busy: list[Any]) -> None:
    def found(**by: Any) -> list[str | None]:
        return names(facade.list_receipts(access=owner.access, **by))

    assert found(thread="thr_1") == [busy[1].receipt]
    assert found(document="plan") == [busy[3].receipt, busy[2].receipt]
    assert found(state="undone") == [busy[1].receipt]
    assert found(state="undone", thread="thr_2") == found(state="expired") == found(document="pla") == []
    assert busy[1].receipt not in found(state="active")
    assert len(found(state="active")) == 5
    assert all_pages(facade.list_receipts, access=owner.access, limit=2) == found()


def test_a_documents_receipts_are_found_by_its_id_alone(owner: Writer) -> None:
    made = owner.commit(create("n", "note"))
    note = made.response["documents"]["new:n"]
    edited = owner.commit(append(note, "body", "x"))
    owner.new("note", title=note)
    assert names(facade.list_receipts(access=owner.access, document=note)) == [edited.receipt, made.receipt]
    assert names(facade.list_receipts(access=owner.access, document='note"%')) == []


def test_an_undone_receipt_names_what_undid_it(owner: Writer, busy: list[Any]) -> None:
    receipt = facade.get_receipt(access=owner.access, receipt=busy[1].receipt)
    assert (receipt["state"], receipt["undone_by"]) == ("undone", busy[4].event)


def test_the_newest_receipts_of_a_thread_are_the_agents_active_ones(owner: Writer) -> None:
    helper = agent(owner, thread="thr_1")
    done = [helper.commit(set_field("plan", "weekly_goal", n), reason=str(n)) for n in range(1, 13)]
    agent(owner, thread="thr_2").commit(set_field("profile", "name", "x"))
    owner.undo(done[-1].receipt)
    found = facade.newest_receipts(workspace=owner.workspace, thread="thr_1")
    assert [entry["id"] for entry in found] == [result.receipt for result in done[-2:0:-1]][:10]
    assert found[0] == {"id": done[-2].receipt, "reason": "11", "clocks": done[-2].response["clocks"]}


def test_an_unknown_state_and_receipt_are_refused(owner: Writer) -> None:
    with pytest.raises(InvalidRequest):
        facade.list_receipts(access=owner.access, state="spent")
    elsewhere = open_workspace()
    foreign = elsewhere.commit(set_field("plan", "weekly_goal", 1))
    for receipt in ("rcp_" + "0" * 26, str(foreign.receipt), ""):
        for read in (facade.get_receipt, facade.list_receipt_changes):
            with pytest.raises(NotFound):
                read(access=owner.access, receipt=receipt)


def test_changes_tell_before_and_after_of_each_path(owner: Writer) -> None:
    app = owner.new(title="A", texts={"notes": "one\ntwo \U0001f600\nthree"})
    item = owner.item(app, "checklist", title="x")
    done = owner.commit(
        set_field(app, "title", "B"),
        set_field(app, "company", "C"),
        op("item.update", app, section="checklist", item=item, changes=[{"field": "done", "value": True}]),
        replace(app, "notes", "two \U0001f600", "2"),
        create("n", "note", title="N", texts={"body": "b"}),
        op("document.archive", app),
    )
    note = done.response["documents"]["new:n"]
    assert facade.list_receipt_changes(access=owner.access, receipt=str(done.receipt)) == {
        "items": [
            {"path": f"{app}/fields/title", "before": "A", "after": "B"},
            {"path": f"{app}/fields/company", "before": None, "after": "C"},
            {"path": f"{app}/sections/checklist/{item}/done", "before": None, "after": True},
            {"path": f"{app}/texts/notes", "before": "two \U0001f600", "after": "2"},
            {"path": f"{app}/state", "before": "active", "after": "archived"},
            {"path": note, "before": None, "after": {"fields": {"title": "N"}, "texts": {"body": "b"}}},
        ],
        "next_cursor": None,
    }
    undone = owner.undo(done.receipt)
    rows = facade.list_receipt_changes(access=owner.access, receipt=str(undone.receipt))["items"]
    assert {"path": f"{app}/fields/title", "before": "B", "after": "A"} in rows
    assert {"path": note + "/state", "before": "active", "after": "archived"} in rows


def test_no_receipt_and_no_event_holds_content(owner: Writer) -> None:
    canary = "Canary-7f3a"
    app = owner.new(title=canary, texts={"notes": canary})
    owner.commit(
        set_field(app, "company", canary), add_item(app, "contacts", name=canary), append(app, "notes", canary)
    )
    told = [facade.list_receipts(access=owner.access), facade.list_events(access=owner.access)]
    assert canary not in repr(told)


# --- resuming ----------------------------------------------------------------------------------------------------


def test_a_client_that_missed_commits_gets_them_in_order_and_equals_a_fresh_one(owner: Writer) -> None:
    docs: dict[str, Any] = {}
    apply_messages(docs, facade.list_commits_after(workspace=owner.workspace, seq=0) or [])
    app = owner.new(title="A", texts={"notes": "one"})
    owner.commit(append(app, "notes", " two"), create("n", "note", application=app))
    done = owner.commit(set_field(app, "title", "B"))
    owner.undo(done.receipt)
    messages = facade.list_commits_after(workspace=owner.workspace, seq=0)
    assert messages is not None
    assert [message["seq"] for message in messages] == [1, 2, 3, 4]
    assert [message["event"]["id"] for message in messages][::-1] == names(facade.list_events(access=owner.access))
    apply_messages(docs, messages)
    logged = replayed(owner.workspace)
    assert {doc_id: content_of(doc) for doc_id, doc in docs.items()} == {doc_id: logged[doc_id] for doc_id in docs}
    assert len(docs) == 2
    assert facade.list_commits_after(workspace=owner.workspace, seq=4) == []


def test_too_many_missed_commits_are_not_told_one_by_one(owner: Writer) -> None:
    for goal in range(1, 6):
        owner.commit(set_field("plan", "weekly_goal", goal))
    assert facade.list_commits_after(workspace=owner.workspace, seq=0, limit=4) is None
    told = facade.list_commits_after(workspace=owner.workspace, seq=1, limit=4)
    assert told is not None
    assert [message["seq"] for message in told] == [2, 3, 4, 5]


def test_another_workspaces_commits_are_nobodys_business(owner: Writer) -> None:
    open_workspace().commit(set_field("plan", "weekly_goal", 1))
    assert facade.list_commits_after(workspace=owner.workspace, seq=0) == []
    assert facade.list_events(access=owner.access)["items"] == []
