"""What a commit answers and records: the answer's shape, the event, the receipt, idempotency."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest

from tests.factories import Writer, agent, another_human, create, op, open_workspace, set_field, system
from tests.replay import assert_sound, snapshot
from workspaces import facade
from workspaces.commits import service
from workspaces.contracts import RequestIdentity
from workspaces.errors import IdempotencyMismatch, InvalidOperation, LinkInvalid, StaleClock
from workspaces.models import Event, IdempotencyRecord

ULID = "[0-9A-HJKMNP-TV-Z]{26}"


def test_the_answer_of_a_batch(owner: Writer) -> None:
    app = owner.new(title="Old")
    done = owner.commit(
        set_field(app, "title", "New"),
        create("n", "note", title="Note", application=app),
        set_field(app, "title", "New"),
        reason="Tidy up",
    )
    note = done.response["documents"]["new:n"]
    answer = done.as_json()
    assert re.fullmatch(f"evt_{ULID}", answer["event"])
    assert re.fullmatch(f"rcp_{ULID}", answer["receipt"]["id"])
    assert [re.fullmatch(f"op_{ULID}", o["id"]) is not None for o in answer["operations"]] == [True] * 3
    assert len({o["id"] for o in answer["operations"]}) == 3
    at = answer["provenance"]["at"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", at)
    expires = answer["receipt"]["expires_at"]
    assert answer == {
        "event": answer["event"],
        "replayed": False,
        "operations": [
            {"id": o["id"], "kind": kind}
            for o, kind in zip(answer["operations"], ["field.set", "document.create", "field.set"], strict=True)
        ],
        "provenance": {"actor_class": "human", "actor": owner.actor.actor, "at": at, "origin_event": None},
        "clocks": {"before": {app: 1}, "after": {app: 2, note: 1}},
        "documents": {"new:n": note},
        "affected_paths": [f"{app}/fields/title", note],
        "unchanged": [2],
        "receipt": {"id": answer["receipt"]["id"], "expires_at": expires},
        "reversible": True,
    }
    assert json.loads(json.dumps(answer)) == answer
    [event] = facade.list_events(access=owner.access, limit=1)["items"]
    assert event == {
        "id": answer["event"],
        "seq": 2,
        "at": at,
        "actor_class": "human",
        "actor": owner.actor.actor,
        "reason": "Tidy up",
        "origin_event": None,
        "operation_kinds": ["field.set", "document.create", "field.set"],
        "affected_paths": [f"{app}/fields/title", note],
        "clocks": {"before": {app: 1}, "after": {app: 2, note: 1}},
        "receipt": answer["receipt"]["id"],
    }
    receipt = facade.get_receipt(access=owner.access, receipt=answer["receipt"]["id"])
    assert receipt == {
        "id": answer["receipt"]["id"],
        "event": answer["event"],
        "actor_class": "human",
        "actor": owner.actor.actor,
        "reason": "Tidy up",
        "thread": None,
        "turn": None,
        "operation_kinds": event["operation_kinds"],
        "affected_paths": event["affected_paths"],
        "clocks": event["clocks"],
        "created_at": at,
        "expires_at": expires,
        "state": "active",
        "undone_by": None,
    }
    assert_sound(owner)


def test_an_agents_commit_carries_its_thread_turn_and_origin(owner: Writer) -> None:
    app = owner.new()
    done = agent(owner, thread="thr_9", turn="trn_9").commit(set_field(app, "title", "x"), reason="Asked for")
    assert done.response["provenance"]["origin_event"] == "tev_1"
    receipt = facade.get_receipt(access=owner.access, receipt=done.receipt)
    assert (receipt["thread"], receipt["turn"]) == ("thr_9", "trn_9")
    assert (receipt["actor_class"], receipt["actor"]) == ("agent", "careervector-assistant:builtin:con_1")
    assert owner.read(app)["last_event"] == done.event


def test_a_batch_that_changes_nothing_is_answered_and_recorded_for_its_key(owner: Writer) -> None:
    app = owner.new(title="Same")
    first = owner.commit(set_field(app, "title", "Same"), key="nothing")
    assert (first.event, first.receipt, first.response["unchanged"]) == (None, None, [0])
    assert first.response["clocks"] == {"before": {app: 1}, "after": {app: 1}}
    assert first.response["affected_paths"] == []
    owner.commit(set_field(app, "title", "Other"))
    again = owner.commit(set_field(app, "title", "Same"), key="nothing", clocks={app: 1})
    assert again.replayed
    assert again.response == first.response
    assert owner.read(app)["fields"]["title"] == "Other"
    assert Event.objects.count() == 2


def test_several_documents_rise_by_one_each_and_untouched_ones_not(owner: Writer) -> None:
    a, b, c = owner.new(), owner.new(), owner.new()
    done = owner.commit(*(set_field(d, "title", str(i)) for i in range(3) for d in (a, b)))
    assert done.response["clocks"] == {"before": {a: 1, b: 1}, "after": {a: 2, b: 2}}
    assert [owner.clock(d) for d in (a, b, c, "profile")] == [2, 2, 1, 1]


# --- idempotency -------------------------------------------------------------------------------------------------


def test_a_retry_gets_the_first_answer_and_changes_nothing(owner: Writer) -> None:
    body = {
        "reason": "once",
        "expected_clocks": {"new:a": 0},
        "operations": [create("a", title="A")],
    }
    first = owner.send(body, key="k")
    before = snapshot(owner.workspace)
    again = owner.send(dict(reversed(body.items())), key="k")
    assert (first.replayed, again.replayed) == (False, True)
    assert again.response == first.response
    assert snapshot(owner.workspace) == before


def test_the_same_key_with_another_payload_is_refused_and_changes_nothing(owner: Writer) -> None:
    app = owner.new()
    owner.commit(set_field(app, "title", "A"), key="k")
    before = snapshot(owner.workspace)
    for body in (
        {"reason": "", "expected_clocks": {app: 1}, "operations": [set_field(app, "title", "B")]},
        {"reason": "x", "expected_clocks": {app: 1}, "operations": [set_field(app, "title", "A")]},
        {"operations": "nonsense"},
        None,
        {"expected_clocks": float("nan")},
    ):
        with pytest.raises(IdempotencyMismatch):
            owner.send(body, key="k")
    assert snapshot(owner.workspace) == before


def test_an_undo_under_a_commits_key_is_another_request(owner: Writer) -> None:
    app = owner.new()
    done = owner.commit(set_field(app, "title", "A"), key="k")
    with pytest.raises(IdempotencyMismatch):
        owner.undo(done.receipt, key="k")


def test_a_refusal_frees_the_key(owner: Writer) -> None:
    app = owner.new()
    with pytest.raises(StaleClock):
        owner.commit(set_field(app, "title", "A"), key="k", clocks={app: 9})
    with pytest.raises(InvalidOperation):
        owner.commit(set_field(app, "nothing", "A"), key="k")
    assert not IdempotencyRecord.objects.filter(key="k").exists()
    assert owner.commit(set_field(app, "title", "B"), key="k").replayed is False


def test_keys_are_each_links_own_and_each_workspaces(owner: Writer) -> None:
    other, elsewhere = another_human(owner), open_workspace()
    app, theirs = owner.new(), elsewhere.new()
    done = [
        owner.commit(set_field(app, "title", "A"), key="k"),
        other.commit(set_field(app, "title", "B"), key="k"),
        agent(owner).commit(set_field(app, "title", "C"), key="k"),
        agent(owner, thread="thr_2").commit(set_field(app, "title", "D"), key="k"),
        system(owner).commit(set_field(app, "title", "E"), key="k"),
        elsewhere.commit(set_field(theirs, "title", "F"), key="k"),
    ]
    assert [result.replayed for result in done] == [False] * 6
    assert owner.read(app)["fields"]["title"] == "E"


def test_operation_ids_are_the_same_in_a_retry_and_others_in_another_request(owner: Writer) -> None:
    app = owner.new(title="x")
    ids = [owner.commit(set_field(app, "title", "x"), key=key).response["operations"] for key in ("a", "b")]
    assert ids[0] != ids[1]


def test_a_record_lives_as_long_as_its_receipt(owner: Writer) -> None:
    app = owner.new()
    done = owner.commit(set_field(app, "title", "A"), key="k")
    record = IdempotencyRecord.objects.get(key="k")
    assert record.expires_at - record.created_at == timedelta(days=30)
    receipt = facade.get_receipt(access=owner.access, receipt=done.receipt)
    assert facade.rfc3339(record.expires_at) == receipt["expires_at"]


def test_a_record_lives_a_day_where_receipts_live_shorter(owner: Writer, settings: pytest.FixtureRequest) -> None:
    settings.CAREERVECTOR_RECEIPT_DAYS = 0  # type: ignore[attr-defined]
    owner.commit(set_field("profile", "name", "A"), key="k")
    record = IdempotencyRecord.objects.get(key="k")
    assert record.expires_at - record.created_at == timedelta(hours=24)


def test_a_replay_for_a_revoked_link_is_refused(owner: Writer) -> None:
    other = another_human(owner)
    body = {"expected_clocks": {"profile": 1}, "operations": [set_field("profile", "name", "A")]}
    other.send(body, key="k")
    facade.revoke_link(access=owner.access, link=other.link)
    with pytest.raises(LinkInvalid):
        other.send(body, key="k")


def test_no_record_keeps_content(owner: Writer) -> None:
    canary = "Canary-7f3a"
    app = owner.new(title=canary, texts={"notes": canary})
    owner.commit(set_field(app, "company", canary), op("text.append", app, text="notes", content=canary))
    assert IdempotencyRecord.objects.filter(response__contains=canary).count() == 0
    assert Event.objects.filter(affected_paths__contains=canary).count() == 0


def test_a_workspaces_commits_make_one_chain(owner: Writer) -> None:
    other = another_human(owner)
    app = owner.new(title="\u00e9 \U0001f600")
    done = other.commit(set_field(app, "title", "B"), reason="\u00fc")
    owner.undo(done.receipt)
    agent(owner).commit(set_field(app, "title", "C"))
    assert_sound(owner)
    assert Event.objects.filter(workspace_id=owner.workspace).count() == 4


def test_a_fingerprint_does_not_depend_on_the_order_of_properties() -> None:
    request = open_request()
    one = service.fingerprint_of(request, {"a": 1, "b": {"c": 2, "d": 3}})
    assert one == service.fingerprint_of(request, {"b": {"d": 3, "c": 2}, "a": 1})
    assert one != service.fingerprint_of(request, {"a": 1, "b": {"c": 2, "d": 4}})


def open_request() -> RequestIdentity:
    return RequestIdentity(scope="s", key="k", route="operations", target="ws", link=None)
