"""Two web processes over one database: each has its own warm copies, and neither trusts them further than the rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.factories import Writer, another_human, append, op, set_field
from tests.live_typing import Browser
from tests.replay import assert_sound
from workspaces.clock import now
from workspaces.commits import cache, live, planner, service, typing
from workspaces.commits.cache import DocumentCache
from workspaces.commits.typing import seal_rested
from workspaces.documents import following


class Process:
    """A cache of its own; `with process:` acts as that process."""

    def __init__(self) -> None:
        self.cache = DocumentCache(maximum_bytes=64 * 1024 * 1024)

    @contextmanager
    def acting(self) -> Iterator[None]:
        patch = pytest.MonkeyPatch()
        for module in (cache, live, planner, service, typing):
            patch.setattr(module, "documents", self.cache)
        try:
            yield
        finally:
            patch.undo()


def test_each_process_sees_what_the_other_wrote(owner: Writer) -> None:
    one, two = Process(), Process()
    expected = ""
    for index in range(12):
        process = (one, two)[index % 3 == 0]
        with process.acting():
            owner.commit(append("plan", "strategy", f"{index} \U0001f600\n"))
            expected += f"{index} \U0001f600\n"
            assert owner.read("plan")["texts"]["strategy"] == expected
            assert_sound(owner)
    for process in (one, two):
        with process.acting():
            assert owner.read("plan")["texts"]["strategy"] == expected
            assert_sound(owner)


def test_a_copy_that_is_behind_is_brought_forward_by_the_updates_alone(owner: Writer) -> None:
    one, two = Process(), Process()
    with one.acting():
        owner.commit(set_field("plan", "weekly_goal", 1))
        copy = one.cache.get(owner.workspace, "plan")
    with two.acting():
        owner.commit(set_field("plan", "weekly_goal", 2))
    with one.acting():
        owner.read("plan")
        newer = one.cache.get(owner.workspace, "plan")
    assert copy is not None
    assert newer is not None
    assert newer.ydoc is copy.ydoc
    assert (copy.clock, newer.clock) == (2, 3)


def test_a_copy_too_far_behind_or_of_another_epoch_is_read_anew(owner: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    from workspaces.commits import persist

    one, two = Process(), Process()
    with one.acting():
        owner.commit(append("plan", "strategy", "start"))
    with two.acting():
        for index in range(persist.MAX_TAIL_UPDATES + persist.KEPT_UPDATES + 10):
            owner.commit(set_field("plan", "weekly_goal", index % 50))
    with one.acting():
        owner.commit(append("plan", "strategy", " one"))
        assert_sound(owner)
    monkeypatch.setattr(persist, "MAX_STATE_BYTES", 1_000)
    with two.acting():
        for _ in range(8):
            owner.commit(*[op("text.replace", "plan", text="strategy", old="sta", new="sta-")] * 20)
        assert two.cache.get(owner.workspace, "plan").epoch > 1  # type: ignore[union-attr]
    with one.acting():
        owner.commit(append("plan", "strategy", " two"))
        assert owner.read("plan")["texts"]["strategy"] == f"sta{'-' * 160}rt one two"
        assert_sound(owner)


def test_a_receipt_of_one_process_is_undone_in_another(owner: Writer) -> None:
    one, two, three = Process(), Process(), Process()
    with one.acting():
        done = owner.commit(append("plan", "strategy", "one \U0001f600"))
    with two.acting():
        owner.commit(append("plan", "strategy", " two"))
    with three.acting():
        undone = owner.undo(done.receipt)
        assert owner.read("plan")["texts"]["strategy"] == " two"
    with one.acting():
        owner.undo(undone.receipt)
        assert owner.read("plan")["texts"]["strategy"] == "one \U0001f600 two"
        assert_sound(owner)


def test_two_processes_in_which_people_type_alternately_have_one_document(owner: Writer) -> None:
    one, two = Process(), Process()
    with one.acting():
        mine = Browser(owner, "plan")
    with two.acting():
        theirs = Browser(another_human(owner), "plan")
    for index in range(10):
        with one.acting():
            mine.catch_up()
            mine.type(f"{index} \U0001f600")
            assert_sound(owner)
        with two.acting():
            if index % 3 == 0:
                owner.commit(set_field("plan", "weekly_goal", index))
            theirs.catch_up()
            theirs.type(f"({index})", at=0)
            assert_sound(owner)
    with one.acting():
        mine.catch_up()
        assert mine.content == owner.read("plan")["texts"]["strategy"]
        # The last commit has sealed what was typed before it.
        assert seal_rested(before=now(), limit=10) == 1
    with two.acting():
        theirs.catch_up()
        assert theirs.content == mine.content == owner.read("plan")["texts"]["strategy"]
        assert_sound(owner)


def test_another_processes_typing_is_followed_without_reading_the_whole_document(
    owner: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = Process(), Process()
    with one.acting():
        owner.commit(append("plan", "strategy", "start"), set_field("plan", "weekly_goal", 3))
        browser = Browser(owner, "plan")
    with two.acting():
        owner.read("plan")
    with one.acting():
        browser.type(" typed")
    with two.acting():
        with monkeypatch.context() as patch:
            patch.setattr(following, "project", None)
            read = owner.read("plan")
        assert (read["texts"], read["fields"]) == ({"strategy": "start typed"}, {"weekly_goal": 3})
        assert_sound(owner)
    with one.acting():
        owner.commit(set_field("plan", "weekly_goal", 4))
    with two.acting():
        assert owner.read("plan")["fields"] == {"weekly_goal": 4}
