"""Hostile clients over the real store: refused whole, and rows, clock, log and served bytes are what they were."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from pycrdt import Array, Doc, Map, Text

from tests.factories import Writer, add_item, append, op, open_workspace, set_field
from tests.hypothesis_profiles import examples
from tests.live_typing import Browser
from tests.replay import assert_sound, read_by, snapshot
from workspaces import facade
from workspaces.contracts import LiveApplied
from workspaces.documents.ydoc import client_id_of
from workspaces.errors import DomainError

pytestmark = pytest.mark.django_db
SETTINGS = settings(
    max_examples=examples(25),
    suppress_health_check=[*settings.default.suppress_health_check, HealthCheck.function_scoped_fixture],
)
LETTERS = "ab \u00e9\u20ac\U0001f600\n"


def scene() -> tuple[Writer, str, str]:
    """(an owner, an application with something of everything, another document)."""
    owner = open_workspace()
    app = owner.new(title="A", texts={"notes": "One \U0001f600 two"})
    other = owner.new("note", title="N", texts={"body": "Other"})
    item = owner.item(app, "checklist", title="x")
    owner.commit(op("item.remove", app, section="checklist", item=item))
    owner.commit(add_item(app, "checklist", title="y"), set_field(app, "title", "B"), append(app, "notes", "\nthree"))
    return owner, app, other


def _draw_text(data: st.DataObject) -> str:
    return data.draw(st.text(alphabet=LETTERS, min_size=1, max_size=5))


Hostile = Callable[[Browser, st.DataObject], Any]


def _write_map(root: str) -> Hostile:
    def how(browser: Browser, data: st.DataObject) -> None:
        values: list[Any] = [1, "x", True, None, {"a": [1]}, Map({"b": 2}), Array([1]), Text("t"), Doc()]
        key = data.draw(st.sampled_from(["title", "state", "checklist", "notes", "evil", ""]))
        browser.root(root)[key] = data.draw(st.sampled_from(range(len(values))).map(lambda index: values[index]))

    return how


def _drop_entry(root: str) -> Hostile:
    def how(browser: Browser, data: st.DataObject) -> None:
        found = browser.root(root)
        del found[data.draw(st.sampled_from(sorted(found.keys())))]

    return how


def _nested(browser: Browser, data: st.DataObject) -> None:
    for item in browser.root("sections")["checklist"].values():
        item[data.draw(st.sampled_from(["title", "rank", "evil"]))] = _draw_text(data)


def _new_root(browser: Browser, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from([Map({"a": 1}), Text("x"), Array([1])]))
    browser.doc[data.draw(st.sampled_from(["evil", "notes", "texts2", ""]))] = kind


def _embed(browser: Browser, data: st.DataObject) -> None:
    browser.text.insert_embed(0, {"a": 1})


def _format(browser: Browser, data: st.DataObject) -> None:
    browser.text.format(0, 2, {"bold": True})


def _formatted(browser: Browser, data: st.DataObject) -> None:
    browser.text.insert(0, _draw_text(data), {"link": "x"})


def _control(browser: Browser, data: st.DataObject) -> None:
    browser.text.insert(0, data.draw(st.sampled_from(["\x00", "\r\n", "\x1b[0m", "\x7f", "\x9f"])))


def _too_long(browser: Browser, data: st.DataObject) -> None:
    browser.text.insert(0, "x" * 50_000)


DEEDS: tuple[Hostile, ...] = (
    *(_write_map(root) for root in ("fields", "sections", "meta", "texts")),
    *(_drop_entry(root) for root in ("fields", "sections", "meta", "texts")),
    _nested,
    _new_root,
    _embed,
    _format,
    _formatted,
    _control,
    _too_long,
)


@SETTINGS
@given(data=st.data())
def test_a_client_that_does_anything_hostile_beside_typing_changes_nothing(db: None, data: st.DataObject) -> None:
    owner, app, _ = scene()
    browser = Browser(owner, app)
    if data.draw(st.booleans()):
        browser.type(_draw_text(data), at=0)
    before = browser.doc.get_state()
    steps: list[Hostile | None] = [data.draw(st.sampled_from(DEEDS))]
    steps += data.draw(st.lists(st.none() | st.sampled_from(DEEDS), max_size=2))
    for step in data.draw(st.permutations(steps)):
        event(getattr(step, "__qualname__", "typing"))
        # An earlier deed may have taken away what this one needs.
        with contextlib.suppress(KeyError, TypeError, RuntimeError, AssertionError):
            if step is None:
                browser.insert(0, _draw_text(data))
            else:
                step(browser, data)
    update = browser.doc.get_update() if data.draw(st.booleans()) else browser.doc.get_update(before)
    refused(owner, app, [update], browser)


def refused(owner: Writer, document: str, updates: list[bytes], browser: Browser) -> None:
    """Every one of them is refused, and nothing anywhere has changed."""
    rows = snapshot(owner.workspace)
    served = facade.open_live(workspace=owner.workspace, document=document).encode()
    content = read_by(owner, [document])
    for outcome in browser.send(*updates):
        assert isinstance(outcome, DomainError), outcome
    assert snapshot(owner.workspace) == rows
    assert facade.open_live(workspace=owner.workspace, document=document).encode() == served
    assert read_by(owner, [document]) == content
    # Somebody else's typing goes on.
    assert Browser(owner, document).type("fine") == facade.open_live(workspace=owner.workspace, document=document).clock
    assert_sound(owner)


def test_a_client_with_the_servers_id_is_refused(db: None) -> None:
    owner, app, _ = scene()
    browser = Browser(owner, app, client=client_id_of(owner.workspace, app, 1))
    refused(owner, app, [browser.insert(0, "x"), browser.insert(1, "y")], browser)


def test_an_update_whose_dependencies_were_never_sent_is_refused(db: None) -> None:
    owner, app, _ = scene()
    browser = Browser(owner, app)
    browser.insert(0, "never sent")
    other = Browser(owner, app)
    other.doc.apply_update(browser.doc.get_update())
    updates = [browser.insert(3, "x"), browser.delete(0, 2), other.insert(4, "y")]
    refused(owner, app, updates, browser)


def test_another_documents_client_is_refused(db: None) -> None:
    owner, app, other = scene()
    stranger = Browser(owner, other)
    before = stranger.doc.get_state()
    updates = [
        stranger.insert(0, "x"),
        stranger.delete(2, 2),
        stranger.doc.get_update(),
        stranger.doc.get_update(before),
    ]
    target = Browser(owner, app)
    refused(owner, app, updates, target)


@SETTINGS
@given(data=st.data())
def test_mutated_bytes_never_leave_anything_but_sound_typing(db: None, data: st.DataObject) -> None:
    owner, app, _ = scene()
    browser = Browser(owner, app)
    valid = [browser.insert(3, "abc"), browser.delete(0, 2), browser.insert(0, "\U0001f600")]
    for _ in range(3):
        update = bytearray(data.draw(st.sampled_from(valid)))
        # The server's id differs from run to run, and so may the length.
        at = data.draw(st.integers(0, 30)) % len(update)
        update[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=3))
        rows = snapshot(owner.workspace)
        [outcome] = browser.send(bytes(update))
        if not isinstance(outcome, LiveApplied) or outcome.clock is None:
            assert snapshot(owner.workspace) == rows
        read = owner.read(app)
        assert (read["fields"]["title"], read["state"]) == ("B", "active")
        assert_sound(owner)


@SETTINGS
@given(data=st.data())
def test_valid_typing_by_several_clients_ends_equal_everywhere(db: None, data: st.DataObject) -> None:
    owner, app, _ = scene()
    browsers = [Browser(owner, app) for _ in range(3)]
    # A plain model of what each of them has: the characters it typed are its own.
    typed = ""
    for _ in range(data.draw(st.integers(1, 10))):
        browser = data.draw(st.sampled_from(browsers))
        match data.draw(st.sampled_from(["type", "delete", "resend", "read", "commit"])):
            case "type":
                words = _draw_text(data)
                browser.type(words, at=data.draw(st.integers(0, len(browser.content))))
                typed += words
            case "delete" if browser.content:
                at = data.draw(st.integers(0, len(browser.content) - 1))
                browser.send(browser.delete(at, 1))
            case "resend":
                assert [o.clock for o in browser.send(browser.doc.get_update()) if isinstance(o, LiveApplied)] == [None]
            case "read":
                browser.catch_up()
            case "commit":
                owner.commit(append(app, "notes", "+"))
        assert_sound(owner)
    for browser in browsers:
        browser.catch_up()
        assert browser.content == owner.read(app)["texts"].get("notes", "")
    facade.seal_rested(before=facade.now(), limit=10)
    assert_sound(owner)
