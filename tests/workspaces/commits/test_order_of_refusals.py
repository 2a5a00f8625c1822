"""When several things are wrong, the first of the contract's order is told; whatever is told, nothing has changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.factories import Operation, Writer, agent, another_human, create, op, set_field
from tests.replay import snapshot
from workspaces import facade
from workspaces.errors import (
    ClockSetMismatch,
    DocumentTrashed,
    DomainError,
    IdempotencyMismatch,
    InvalidOperation,
    InvalidRequest,
    LinkInvalid,
    NotFound,
    OperationNotAllowed,
    StaleClock,
    ViewOnly,
)


def body(clocks: Any, *operations: Operation) -> dict[str, Any]:
    return {"expected_clocks": clocks, "operations": list(operations)}


def refused(writer: Writer, sent: Any, error: type[DomainError], *, key: str | None = None) -> DomainError:
    before = snapshot(writer.workspace)
    with pytest.raises(error) as refusal:
        writer.send(sent, key=key)
    assert type(refusal.value) is error
    assert snapshot(writer.workspace) == before
    return refusal.value


@pytest.fixture
def app(owner: Writer) -> str:
    return owner.new(title="A")


def test_a_mismatch_of_the_key_comes_before_everything(owner: Writer, app: str) -> None:
    viewer = another_human(owner, "edit")
    viewer.commit(set_field(app, "title", "B"), key="k")
    facade.revoke_link(access=owner.access, link=viewer.link)
    refused(viewer, "nonsense", IdempotencyMismatch, key="k")


def test_the_link_and_its_role_come_before_the_schema(owner: Writer, app: str) -> None:
    viewer, revoked = another_human(owner, "view"), another_human(owner)
    facade.revoke_link(access=owner.access, link=revoked.link)
    refused(viewer, "nonsense", ViewOnly)
    refused(revoked, "nonsense", LinkInvalid)
    stranger = another_human(owner)
    stranger.link = "lnk_" + "0" * 26
    refused(stranger, "nonsense", LinkInvalid)


def test_the_schema_comes_before_the_policy(owner: Writer, app: str) -> None:
    sent = body({}, op("document.trash", app), set_field(app, "nothing", 1))
    refused(agent(owner), sent, InvalidOperation)


def test_the_policy_comes_before_the_clock_set(owner: Writer, app: str) -> None:
    error = refused(
        agent(owner), body({}, set_field(app, "title", "B"), op("document.trash", app)), OperationNotAllowed
    )
    assert [(f.path, f.code) for f in error.flaws] == [("operations/1/kind", "operation_not_allowed")]


@pytest.mark.parametrize("kind", ["document.trash", "document.restore", "item.remove"])
def test_an_agent_is_refused_what_only_people_may_do(owner: Writer, app: str, kind: str) -> None:
    fields = {"section": "tasks", "item": "itm_" + "0" * 26} if kind == "item.remove" else {}
    refused(agent(owner), body({app: 1}, op(kind, app if not fields else "plan", **fields)), OperationNotAllowed)


def test_the_clock_set_comes_before_the_clocks(owner: Writer, app: str) -> None:
    error = refused(owner, body({app: 9, "profile": 9}, set_field(app, "title", "B")), ClockSetMismatch)
    assert error.details == {"missing": [], "surplus": ["profile"]}
    error = refused(
        owner, body({app: 9}, set_field(app, "title", "B"), set_field("plan", "weekly_goal", 1)), ClockSetMismatch
    )
    assert error.details == {"missing": ["plan"], "surplus": []}


def test_the_clocks_come_before_the_rest(owner: Writer, app: str) -> None:
    sent = body({app: 9, "new:n": 0}, set_field(app, "title", "B"), create("n", "note", application="new:nobody"))
    error = refused(owner, sent, StaleClock)
    assert error.details == {"clocks": {app: {"expected": 9, "current": 1}}}


def test_the_rest_is_told_by_the_first_operation_that_cannot_be_done(owner: Writer, app: str) -> None:
    trashed = owner.new()
    owner.commit(op("document.trash", trashed))
    unknown = "note:01J" + "0" * 23
    steps = {
        DocumentTrashed: (set_field(trashed, "title", "x"), {trashed: 2}),
        NotFound: (set_field(unknown, "title", "x"), {unknown: 1}),
        InvalidOperation: (op("text.replace", app, text="notes", old="x", new="y"), {app: 1}),
    }
    for first, (operation, clocks) in steps.items():
        for second, (other, more) in steps.items():
            if first is not second:
                refused(owner, body({**clocks, **more}, operation, other), first)


# --- the frame of a request --------------------------------------------------------------------------------------


def _frames() -> Iterator[tuple[Any, list[tuple[str, str]]]]:
    good = set_field("profile", "name", "A")
    yield "text", [("", "type")]
    yield None, [("", "type")]
    yield [good], [("", "type")]
    yield {}, [("expected_clocks", "required"), ("operations", "required")]
    yield {**body({}, good), "force": True}, [("force", "unknown_field")]
    yield {**body({}, good), "id": "op_1"}, [("id", "unknown_field")]
    yield body([], good), [("expected_clocks", "type")]
    yield body({"profile": "1"}, good), [("expected_clocks/profile", "type")]
    yield body({"profile": -1}, good), [("expected_clocks/profile", "type")]
    yield body({"profile": True}, good), [("expected_clocks/profile", "type")]
    yield body({"profile": 1.0}, good), [("expected_clocks/profile", "type")]
    yield body({"profile": 2**53}, good), [("expected_clocks/profile", "type")]
    yield body({}), [("operations", "required")]
    yield body({}, *[good] * 21), [("operations", "too_many")]
    yield body({}, *[good] * 10_000), [("operations", "too_many")]
    yield {"expected_clocks": {}, "operations": {"0": good}}, [("operations", "type")]
    yield {**body({}, good), "reason": "x" * 301}, [("reason", "too_long")]
    yield {**body({}, good), "reason": "a\nb"}, [("reason", "one_line")]
    yield {**body({}, good), "reason": "\x00"}, [("reason", "control_character")]
    yield {**body({}, good), "reason": 5}, [("reason", "type")]


@pytest.mark.parametrize(("sent", "expected"), list(_frames()), ids=lambda value: repr(value)[:60])
def test_a_frame_that_cannot_be_so_is_refused(owner: Writer, sent: Any, expected: list[tuple[str, str]]) -> None:
    error = refused(owner, sent, InvalidRequest)
    assert [(f.path, f.code) for f in error.flaws] == expected


def test_the_frame_is_told_whole(owner: Writer) -> None:
    error = refused(owner, {"reason": 5, "expected_clocks": [], "operations": []}, InvalidRequest)
    assert [f.path for f in error.flaws] == ["reason", "expected_clocks", "operations"]


def _operations() -> Iterator[tuple[Any, list[tuple[str, str]]]]:
    good = set_field("profile", "name", "A")
    yield "text", [("", "type")]
    yield None, [("", "type")]
    yield {}, [("kind", "unknown_kind")]
    yield {"kind": 5, "document": "profile"}, [("kind", "unknown_kind")]
    yield {"kind": ["field.set"]}, [("kind", "unknown_kind")]
    for kind in ("batch", "text.restore", "item.withdraw", "item.restore", "rank.upkeep", "FIELD.SET", "field.set "):
        yield {**good, "kind": kind}, [("kind", "unknown_kind")]
    yield {"kind": "batch", "operations": [good]}, [("kind", "unknown_kind")]
    yield {**good, "operations": [good]}, [("operations", "unknown_field")]
    yield {**good, "force": True}, [("force", "unknown_field")]
    yield {**good, "id": "op_1"}, [("id", "unknown_field")]
    yield {"kind": "field.set"}, [("document", "required"), ("field", "required"), ("value", "required")]
    for document in (
        "",
        "ws_1",
        "Profile",
        "profile\n",
        "application:1",
        "application:01j" + "0" * 23,
        "note",
        5,
        None,
    ):
        yield {**good, "document": document}, [("document", "null" if document is None else "pattern")]
    yield {**good, "document": "new:x"}, [("document", "unknown_document")]
    yield {**good, "field": "constructor"}, [("field", "unknown_field")]
    yield {**good, "field": "__class__"}, [("field", "unknown_field")]
    yield {**good, "value": {"a": 1}}, [("value", "type")]


@pytest.mark.parametrize(("operation", "expected"), list(_operations()), ids=lambda value: repr(value)[:60])
def test_an_operation_that_cannot_be_so_is_refused(owner: Writer, operation: Any, expected: list[Any]) -> None:
    error = refused(owner, body({}, operation), InvalidOperation)
    assert [(f.path, f.code) for f in error.flaws] == [
        (f"operations/0/{path}".rstrip("/"), code) for path, code in expected
    ]


def test_every_operations_flaws_are_told_up_to_fifty(owner: Writer) -> None:
    bad = {"kind": "field.set"}
    error = refused(owner, body({}, *[bad] * 20), InvalidOperation)
    assert len(error.flaws) == 50
    assert [f.path for f in error.flaws[:4]] == [
        "operations/0/document", "operations/0/field", "operations/0/value", "operations/1/document",
    ]  # fmt: skip


def test_no_refusal_repeats_a_value(owner: Writer, app: str) -> None:
    canary = "Canary-7f3a"
    for operation in (
        set_field(app, "tier", canary),
        set_field(app, "deadline", canary),
        set_field(app, "url", canary),
        op("text.replace", app, text="notes", old=canary, new="x"),
        create("x", "note", application=canary),
    ):
        clocks = {operation["document"]: 0 if operation["document"].startswith("new:") else 1}
        error = refused(owner, body(clocks, operation), InvalidOperation)
        assert canary not in str(error.flaws) + error.detail + str(error.details)


# --- new:NAME ----------------------------------------------------------------------------------------------------


def test_a_new_name_serves_later_operations_of_its_batch(owner: Writer) -> None:
    done = owner.commit(create("a-1"), set_field("new:a-1", "title", "A"), op("document.archive", "new:a-1"))
    app = done.response["documents"]["new:a-1"]
    assert owner.read(app)["fields"]["title"] == "A"
    assert owner.read(app)["state"] == "archived"
    assert owner.clock(app) == 1
    assert done.response["clocks"] == {"before": {}, "after": {app: 1}}


def test_a_new_name_is_given_once_a_batch_and_again_in_another(owner: Writer) -> None:
    error = refused(owner, body({"new:a": 0}, create("a"), create("a")), InvalidOperation)
    assert [(f.path, f.code) for f in error.flaws] == [("operations/1/document", "duplicate")]
    first, second = owner.commit(create("a")), owner.commit(create("a"))
    assert first.response["documents"] != second.response["documents"]


def test_a_new_name_before_its_creation_is_unknown(owner: Writer) -> None:
    error = refused(owner, body({"new:a": 0}, set_field("new:a", "title", "x"), create("a")), InvalidOperation)
    assert [(f.path, f.code) for f in error.flaws] == [("operations/0/document", "unknown_document")]


def test_a_new_documents_schema_is_its_kinds(owner: Writer) -> None:
    error = refused(
        owner, body({"new:a": 0}, create("a", "note"), set_field("new:a", "stage", "applied")), InvalidOperation
    )
    assert [(f.path, f.code) for f in error.flaws] == [("operations/1/field", "unknown_field")]
