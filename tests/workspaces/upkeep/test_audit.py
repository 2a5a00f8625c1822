"""The audit chain as a whole: what was tampered with is found, and where it begins."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from tests.factories import Writer, open_workspace, set_field
from tests.workspaces.upkeep.trails import change, event_at, found_by, history
from workspaces import facade
from workspaces.clock import now
from workspaces.models import Event, EventDocument, IdempotencyRecord, Receipt, Workspace
from workspaces.upkeep import audit

pytestmark = pytest.mark.django_db


def test_an_untouched_chain_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "BATCH", 2)
    writer = history(7)
    row = Workspace.objects.get(id=writer.workspace)
    assert facade.verify_chain(workspace=writer.workspace) == audit.Verdict(
        workspace=writer.workspace, seq=7, mac=row.chain_head, of=7, erased=False, unsealed=0, older_keys=0, broken=None
    )


def test_a_workspace_without_events_is_whole() -> None:
    verdict = facade.verify_chain(workspace=open_workspace().workspace)
    assert (verdict.seq, verdict.mac, verdict.complete) == (0, "", True)


TAMPERED: dict[str, tuple[dict[str, Any], str]] = {
    "id": ({"id": "evt_another"}, "event_changed"),
    "at": ({"at": now() - timedelta(days=9)}, "rest_changed"),
    "actor_class": ({"actor_class": "agent"}, "rest_changed"),
    "actor": ({"actor": "link:somebody"}, "rest_changed"),
    "reason": ({"reason": "another"}, "rest_changed"),
    "origin_event": ({"origin_event": "tev_1"}, "rest_changed"),
    "operation_kinds": ({"operation_kinds": '["field.get"]'}, "event_changed"),
    "operation_kinds, another spelling": ({"operation_kinds": '[ "field.set"]'}, "event_changed"),
    "operation_kinds, no JSON": ({"operation_kinds": "?"}, "event_changed"),
    "affected_paths": ({"affected_paths": '["profile/fields/name"]'}, "event_changed"),
    "clocks": ({"clocks": '{"after":{"profile":9},"before":{"profile":8}}'}, "event_changed"),
    "clocks, another shape": ({"clocks": "[]"}, "event_changed"),
    "receipt": ({"receipt": "rcp_another"}, "rest_changed"),
    "receipt, gone": ({"receipt": None}, "rest_changed"),
    "undoes": ({"undoes": '["evt_another"]'}, "rest_changed"),
    "undone_by": ({"undone_by": "evt_another"}, "undo_changed"),
    "digest": ({"digest": "0" * 64}, "event_changed"),
    "digest, gone": ({"digest": ""}, "event_changed"),
    "chain_mac": ({"chain_mac": "0" * 64}, "event_changed"),
}


@pytest.mark.parametrize("column", TAMPERED)
def test_each_column_of_an_event_is_held(column: str) -> None:
    writer = history()
    columns, what = TAMPERED[column]
    event = str(columns.get("id", event_at(writer, 4).id))
    change(writer, 4, **columns)
    assert found_by(writer) == (4, event, what)


def test_every_column_of_events_is_tampered_with_above() -> None:
    held = {name.partition(",")[0] for name in TAMPERED}
    assert {field.attname for field in Event._meta.concrete_fields} - held == {"seq", "workspace_id"}


def test_an_undo_that_is_hidden_or_made_up_is_found() -> None:
    writer = history()
    first, second = event_at(writer, 1), event_at(writer, 2)
    assert first.undone_by == second.id
    change(writer, 1, undone_by=None)
    assert found_by(writer) == (1, first.id, "undo_changed")
    change(writer, 1, undone_by=event_at(writer, 3).id)
    assert found_by(writer) == (1, first.id, "undo_changed")


def delete_fourth(writer: Writer) -> tuple[int, str | None, str]:
    Event.objects.filter(workspace_id=writer.workspace, seq=4).delete()
    return 4, None, "event_missing"


def delete_first(writer: Writer) -> tuple[int, str | None, str]:
    Event.objects.filter(workspace_id=writer.workspace, seq=1).delete()
    return 1, None, "event_missing"


def delete_and_close_the_gap(writer: Writer) -> tuple[int, str | None, str]:
    Event.objects.filter(workspace_id=writer.workspace, seq=4).delete()
    change(writer, 5, seq=4)
    change(writer, 6, seq=5)
    Workspace.objects.filter(id=writer.workspace).update(seq=5)
    return 4, event_at(writer, 4).id, "event_changed"


def swap_two(writer: Writer) -> tuple[int, str | None, str]:
    change(writer, 4, seq=100)
    change(writer, 5, seq=4)
    change(writer, 100, seq=5)
    return 4, event_at(writer, 4).id, "event_changed"


def insert_one(writer: Writer) -> tuple[int, str | None, str]:
    for seq in (6, 5):
        change(writer, seq, seq=seq + 1)
    Workspace.objects.filter(id=writer.workspace).update(seq=7)
    row = event_at(writer, 4)
    row.pk, row.seq = "evt_inserted", 5
    row.save(force_insert=True)
    return 5, "evt_inserted", "event_changed"


def cut_the_tail(writer: Writer) -> tuple[int, str | None, str]:
    Event.objects.filter(workspace_id=writer.workspace, seq__gt=4).delete()
    return 5, None, "tail_cut"


def cut_everything(writer: Writer) -> tuple[int, str | None, str]:
    Event.objects.filter(workspace_id=writer.workspace).delete()
    return 1, None, "tail_cut"


def cut_the_tail_and_the_counter(writer: Writer) -> tuple[int, str | None, str]:
    Event.objects.filter(workspace_id=writer.workspace, seq__gt=4).delete()
    Workspace.objects.filter(id=writer.workspace).update(seq=4)
    return 4, None, "head_changed"


def add_one_at_the_end(writer: Writer) -> tuple[int, str | None, str]:
    row = event_at(writer, 6)
    row.pk, row.seq = "evt_added", 7
    row.save(force_insert=True)
    return 7, None, "tail_added"


def take_the_row_of_another(writer: Writer) -> tuple[int, str | None, str]:
    other = history()
    row = event_at(other, 4)
    Event.objects.filter(workspace_id=writer.workspace, seq=4).delete()
    Event.objects.filter(pk=row.pk).update(workspace_id=writer.workspace)
    return 4, row.id, "event_changed"


def take_the_chain_of_another(writer: Writer) -> tuple[int, str | None, str]:
    other = history()
    Event.objects.filter(workspace_id=writer.workspace).delete()
    Event.objects.filter(workspace_id=other.workspace).update(workspace_id=writer.workspace)
    EventDocument.objects.filter(workspace_id=writer.workspace).delete()
    theirs = Workspace.objects.get(id=other.workspace)
    Workspace.objects.filter(id=writer.workspace).update(
        seq=theirs.seq, chain_head=theirs.chain_head, digest_key=theirs.digest_key
    )
    return 1, event_at(writer, 1).id, "event_changed"


def hide_from_a_documents_history(writer: Writer) -> tuple[int, str | None, str]:
    EventDocument.objects.filter(workspace_id=writer.workspace, seq=4).delete()
    return 6, None, "documents_changed"


@pytest.mark.parametrize(
    "tamper",
    [
        delete_fourth, delete_first, delete_and_close_the_gap, swap_two, insert_one, cut_the_tail, cut_everything,
        cut_the_tail_and_the_counter, add_one_at_the_end, take_the_row_of_another, take_the_chain_of_another,
        hide_from_a_documents_history,
    ],
)  # fmt: skip
@pytest.mark.parametrize("batch", [1, 3, 500])
def test_rows_that_were_moved_are_found_where_it_begins(
    tamper: Callable[[Writer], tuple[int, str | None, str]], batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "BATCH", batch)
    writer = history()
    expected = tamper(writer)
    assert found_by(writer) == expected


def test_a_tail_that_was_cut_with_the_workspaces_row_is_found_by_a_head_from_before() -> None:
    writer = history()
    head = facade.verify_chain(workspace=writer.workspace).head
    writer.commit(set_field("profile", "label", "later"))
    assert found_by(writer, head=head) is None
    fourth = event_at(writer, 4)
    Event.objects.filter(workspace_id=writer.workspace, seq__gt=4).delete()
    EventDocument.objects.filter(workspace_id=writer.workspace, seq__gt=4).delete()
    Workspace.objects.filter(id=writer.workspace).update(seq=4, chain_head=fourth.chain_mac)
    assert found_by(writer) is None
    assert found_by(writer, head=head) == (5, None, "tail_cut")


def test_a_history_written_anew_under_the_key_is_found_by_a_head_from_before() -> None:
    writer = history()
    head = facade.verify_chain(workspace=writer.workspace).head
    Event.objects.filter(workspace_id=writer.workspace, seq__gt=4).delete()
    EventDocument.objects.filter(workspace_id=writer.workspace, seq__gt=4).delete()
    Receipt.objects.filter(workspace_id=writer.workspace, seq__gt=4).delete()
    Workspace.objects.filter(id=writer.workspace).update(seq=4, chain_head=event_at(writer, 4).chain_mac)
    for number in range(3):
        writer.commit(set_field("profile", "label", f"another {number}"))
    assert found_by(writer) is None
    assert found_by(writer, head=head) == (6, event_at(writer, 6).id, "head_file_mismatch")


def test_another_key_fits_no_link(settings: Any) -> None:
    writer = history()
    settings.CAREERVECTOR_AUDIT_KEY = b"another-key-0123456789-0123456789-0123"
    assert found_by(writer) == (1, event_at(writer, 1).id, "event_changed")


def test_links_made_under_an_older_key_hold_while_it_is_named(settings: Any) -> None:
    writer = history(4)
    old = settings.CAREERVECTOR_AUDIT_KEY.decode()
    settings.CAREERVECTOR_AUDIT_KEY = b"another-key-0123456789-0123456789-0123"
    settings.CAREERVECTOR_AUDIT_KEY_FALLBACKS = [old]
    writer.commit(set_field("profile", "label", "under the new key"))
    verdict = facade.verify_chain(workspace=writer.workspace)
    assert (verdict.broken, verdict.seq, verdict.older_keys) == (None, 5, 4)
    settings.CAREERVECTOR_AUDIT_KEY_FALLBACKS = []
    assert found_by(writer) == (1, event_at(writer, 1).id, "event_changed")


def test_the_chain_survives_what_expires() -> None:
    writer = history()
    Receipt.objects.update(expires_at=now() - timedelta(days=1))
    IdempotencyRecord.objects.update(expires_at=now() - timedelta(days=1))
    facade.expire_receipts()
    facade.expire_idempotency_records()
    assert found_by(writer) is None


def erase(writer: Writer) -> None:
    """What an erasure leaves of the trail: no reasons, no index, no key."""
    Event.objects.filter(workspace_id=writer.workspace).update(reason="", origin_event=None)
    EventDocument.objects.filter(workspace_id=writer.workspace).delete()
    Workspace.objects.filter(id=writer.workspace).update(digest_key="", erased_at=now())


def test_the_chain_survives_an_erasure() -> None:
    writer = history()
    erase(writer)
    verdict = facade.verify_chain(workspace=writer.workspace)
    assert (verdict.broken, verdict.seq, verdict.erased) == (None, 6, True)
    change(writer, 4, affected_paths="[]")
    assert found_by(writer) == (4, event_at(writer, 4).id, "event_changed")


def test_an_erasure_in_the_middle_of_a_walk_is_no_broken_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "BATCH", 2)
    writer = history()
    read = audit._Walk._batch
    erased: list[bool] = []

    def batch(walk: Any, end: int) -> Any:
        if walk.seq == 2 and not erased:
            erase(writer)
            erased.append(True)
        return read(walk, end)

    monkeypatch.setattr(audit._Walk, "_batch", batch)
    assert found_by(writer) is None
    assert erased == [True]


def as_before_digests(writer: Writer) -> None:
    """Rewrites the chain as it was made when digests had no column and receipts no place in them."""
    from workspaces.clock import rfc3339
    from workspaces.commits import chain

    row = Workspace.objects.get(id=writer.workspace)
    previous = ""
    for event in Event.objects.filter(workspace_id=writer.workspace).order_by("seq"):
        rest = [rfc3339(event.at), event.actor_class, event.actor, event.reason, event.origin_event]
        previous = chain.link_mac(
            previous=previous,
            event=event.id,
            seq=event.seq,
            kinds=json.loads(event.operation_kinds),
            paths=json.loads(event.affected_paths),
            clocks=json.loads(event.clocks),
            digest=chain.digest_of(row.digest_key, rest),
        )
        Event.objects.filter(pk=event.pk).update(chain_mac=previous, digest="")
    Workspace.objects.filter(pk=row.pk).update(chain_head=previous)


def test_events_from_before_digests_were_kept_are_checked_too() -> None:
    writer = history()
    as_before_digests(writer)
    writer.commit(set_field("profile", "label", "later"))
    assert found_by(writer) is None
    change(writer, 4, reason="another")
    assert found_by(writer) == (4, event_at(writer, 4).id, "event_changed")


def test_the_migration_keeps_their_digests_so_that_they_survive_an_erasure() -> None:
    writer = history()
    as_before_digests(writer)
    import_module("workspaces.migrations.0006_event_digests").fill(apps, None)
    assert found_by(writer) is None
    change(writer, 4, reason="another")
    assert found_by(writer) == (4, event_at(writer, 4).id, "rest_changed")
    erase(writer)
    assert found_by(writer) is None


def test_memory_does_not_grow_with_the_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "BATCH", 20)

    def peak(events: int) -> int:
        writer = history(events)
        facade.verify_chain(workspace=writer.workspace)
        connection.queries_log.clear()
        tracemalloc.start()
        facade.verify_chain(workspace=writer.workspace)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    few, many = peak(40), peak(400)
    assert many < few * 2
