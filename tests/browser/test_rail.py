"""The conversation: streaming, stopping, reloading, hostile text, receipts and their undo, a restart in mid-answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.live_workspace import LiveWorkspace
from tests.product import Product

from .windows import Window

pytestmark = pytest.mark.browser
NewWindow = Callable[..., Window]


def script(*steps: dict[str, Any]) -> str:
    return "script:" + json.dumps(steps)


def apply(document: str, clock: str, reason: str, *operations: dict[str, Any]) -> dict[str, Any]:
    """A step that changes one document; `clock` says where earlier results hold its clock."""
    return {
        "call": {
            "name": "apply_workspace_operations",
            "arguments": {
                "reason": reason,
                "expected_clocks": [{"document": document, "clock": {"$ref": clock}}],
                "operations": [{"document": document, **operation} for operation in operations],
            },
        }
    }


CONTEXT = {
    "call": {
        "name": "get_workspace_context",
        "arguments": {"surface": "board", "document": None, "job": None, "cursor": None},
    }
}


@pytest.fixture
def scripted(sample: LiveWorkspace, new_window: NewWindow) -> Window:
    """A window whose open conversation is answered by scripts."""
    sample.scripted_thread()
    window = new_window()
    window.open(sample)
    expect(window.page.get_by_label("Conversation", exact=True).first).to_be_visible()
    return window


def two_changes(sample: LiveWorkspace) -> tuple[str, str]:
    """A script that sets a field and appends to a text of one application, and the application's id."""
    document = sample.application("Larkspur Systems")["id"]
    text = script(
        CONTEXT,
        apply(
            document,
            f"0/clocks/{document}",
            "Set the next step",
            {"kind": "field.set", "field": "next_step", "value": "Send the design document"},
        ),
        apply(
            document,
            f"1/clocks/after/{document}",
            "Note that they called",
            {"kind": "text.append", "text": "notes", "content": "\nThey called."},
        ),
        {"complete": {"text": f"Both are done for [Larkspur](#{document}).", "citations": [document]}},
    )
    return text, document


def test_text_streams_and_stop_ends_the_answer_on_the_server(sample: LiveWorkspace, scripted: Window) -> None:
    page = scripted.page
    scripted.ask(script({"say": "The first half"}, {"wait": "cancel"}, {"say": " and the second"}))
    expect(page.locator(".turn .markdown")).to_have_text("The first half")
    expect(page.get_by_role("status").filter(has_text="answering")).to_be_attached()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".turn .outcome")).to_have_text("Stopped. What stands above stays.")
    expect(page.get_by_role("button", name="Send")).to_be_visible()
    expect(page.locator(".turn .markdown")).to_have_text("The first half")
    threads = sample.call("GET", "/threads")["items"]
    assert [thread["running_turn"] for thread in threads] == [None]


def test_escape_never_stops_an_answer(scripted: Window) -> None:
    page = scripted.page
    scripted.ask(script({"say": "Working"}, {"wait": 1}, {"say": " on, to the end."}))
    expect(page.locator(".turn .markdown")).to_contain_text("Working")
    page.keyboard.press("Escape")
    scripted.wait_for_end(1)
    expect(page.locator(".turn .markdown")).to_have_text("Working on, to the end.")


def test_a_reload_in_mid_answer_loses_and_doubles_nothing(scripted: Window) -> None:
    page = scripted.page
    scripted.ask(script({"say": "One. "}, {"wait": 1.5}, {"say": "Two. "}, {"wait": 0.5}, {"say": "Three."}))
    expect(page.locator(".turn .markdown")).to_contain_text("One.")
    page.reload()
    scripted.wait_for_end(1)
    expect(page.locator(".turn .markdown")).to_have_text("One. Two. Three.")
    expect(page.locator(".question")).to_have_count(1)


def test_a_restart_in_mid_answer_loses_and_doubles_nothing(product: Product, scripted: Window) -> None:
    scripted.expected.update({500, 502, 503})
    page = scripted.page
    scripted.ask(script({"say": "Before the restart. "}, {"wait": 60}, {"say": "After."}))
    expect(page.locator(".turn .markdown")).to_have_text("Before the restart.")
    product.stop()
    expect(page.get_by_text("Reconnecting, nothing lost.").first).to_be_visible()
    product.start(sample=False)
    expect(page.get_by_text("Reconnecting, nothing lost.")).to_have_count(0, timeout=40_000)
    page.wait_for_function(
        "() => ['failed', 'cancelled'].includes(document.querySelector('.turn').dataset.status)", timeout=60_000
    )
    page.reload()
    scripted.wait_for_end(1)
    expect(page.locator(".turn .markdown")).to_have_text("Before the restart.")
    scripted.ask(script({"complete": {"text": "Here again.", "citations": []}}))
    scripted.wait_for_end(2)
    expect(page.locator(".turn .markdown").last).to_have_text("Here again.")


def test_hostile_markdown_is_only_text_and_links(scripted: Window) -> None:
    hostile = (
        "# Big\n\n<img src=x onerror=alert(1)><script>alert(1)</script>\n\n![p](https://tracker.example/p.png)\n\n"
        "[a](javascript:alert(1)) [b](data:text/html,x) [c](https://jobs.example/1) <iframe src=//evil.example>"
    )
    scripted.ask(script({"complete": {"text": hostile, "citations": []}}))
    scripted.wait_for_end(1)
    page = scripted.page
    answer = page.locator(".turn .markdown")
    assert answer.locator("img, script, iframe, h1, h2").count() == 0
    hrefs = answer.locator("a").evaluate_all("(links) => links.map((link) => link.getAttribute('href'))")
    assert hrefs == ["https://tracker.example/p.png", None, None, "https://jobs.example/1"]


def test_a_receipt_is_undone_and_redone_wherever_it_is_shown(sample: LiveWorkspace, scripted: Window) -> None:
    text, document = two_changes(sample)
    scripted.ask(text)
    scripted.wait_for_end(1)
    page = scripted.page
    rail = page.locator("cv-rail .receipt", has_text="Note that they called")
    recent = page.locator(".overview .receipt", has_text="Note that they called")
    expect(rail.locator("ins")).to_contain_text("They called.")
    rail.get_by_role("button", name="Undo").click()
    expect(rail.locator(".state")).to_have_text("Undone")
    expect(recent.locator(".state")).to_have_text("Undone")
    assert "called" not in sample.call("GET", f"/documents/{document}")["texts"]["notes"]
    recent.get_by_role("button", name="Redo").click()
    expect(rail.locator(".state")).to_have_text("Applied")
    assert sample.call("GET", f"/documents/{document}")["texts"]["notes"].endswith("\nThey called.")
    rail.get_by_role("link", name="Larkspur Systems › Notes").click()
    expect(page.get_by_role("textbox", name="Notes")).to_be_focused()
    expect(page.locator('[data-place="texts/notes"]')).to_have_class("field text-field highlighted")


def test_undo_after_an_edit_by_hand_is_refused_and_names_the_later_work(
    sample: LiveWorkspace, scripted: Window
) -> None:
    scripted.expected.add(409)
    text, _ = two_changes(sample)
    scripted.ask(text)
    scripted.wait_for_end(1)
    page = scripted.page
    page.locator("cv-rail .receipt", has_text="Set the next step").get_by_role("link").first.click()
    page.get_by_role("textbox", name="Next step", exact=True).fill("My own plan")
    page.keyboard.press("Enter")
    expect(page.locator("cv-activity .receipt").first).to_contain_text("Set next step")
    receipt = page.locator("cv-rail .receipt", has_text="Set the next step")
    receipt.get_by_role("button", name="Undo").click()
    expect(receipt.get_by_role("alert")).to_contain_text("Undo would overwrite later work.")
    expect(receipt.get_by_role("alert")).to_contain_text("Larkspur Systems › Next step was changed again by a person")
    assert sample.application("Larkspur Systems")["fields"]["next_step"] == "My own plan"
    # The whole answer cannot be taken back either, and says so before anything is tried.
    page.get_by_role("button", name="Undo all 2 changes of this answer…").click()
    expect(page.get_by_text("Not all of it can be undone together:")).to_be_visible()
    # The other change of the same answer still can.
    note = page.locator("cv-rail .receipt", has_text="Note that they called")
    note.get_by_role("button", name="Undo").click()
    expect(note.locator(".state")).to_have_text("Undone")


def test_all_changes_of_an_answer_are_taken_back_together(sample: LiveWorkspace, scripted: Window) -> None:
    before = sample.application("Larkspur Systems")
    text, document = two_changes(sample)
    scripted.ask(text)
    scripted.wait_for_end(1)
    page = scripted.page
    page.get_by_role("button", name="Undo all 2 changes of this answer…").click()
    page.get_by_role("button", name="Undo all", exact=True).click()
    expect(page.locator("cv-rail .receipt .state").first).to_have_text("Undone")
    expect(page.locator("cv-rail .receipt .state").last).to_have_text("Undone")
    after = sample.call("GET", f"/documents/{document}")
    assert (after["fields"]["next_step"], after["texts"]) == (before["fields"]["next_step"], before["texts"])


def test_a_long_answer_does_not_pull_a_reader_who_scrolled_up(scripted: Window) -> None:
    page = scripted.page
    paragraphs = [{"say": f"Paragraph {number}. " + "word " * 60 + "\n\n"} for number in range(12)]
    scripted.ask(script(*paragraphs, {"wait": 1.5}, {"say": "The end."}))
    expect(page.locator(".turn .markdown")).to_contain_text("Paragraph 11")
    log = page.get_by_role("log")
    log.evaluate("(log) => { log.scrollTop = 0; }")
    jump = page.get_by_role("button", name="Jump to latest")
    expect(jump).to_be_visible()
    scripted.wait_for_end(1)
    assert log.evaluate("(log) => log.scrollTop") == 0
    jump.click()
    expect(jump).to_be_hidden()
    page.wait_for_function(_AT_END)


def test_a_long_conversation_opens_at_its_newest_turns_and_has_the_rest_on_demand(
    sample: LiveWorkspace, new_window: NewWindow
) -> None:
    thread = sample.scripted_thread()
    for number in range(1, 53):
        sample.answer(thread, script({"complete": {"text": f"Answer {number}.", "citations": []}}))
    window = new_window()
    window.open(sample)
    answers = window.page.locator(".turn .markdown")
    expect(answers).to_have_count(50)
    expect(answers.last).to_have_text("Answer 52.")
    window.page.get_by_role("button", name="Show earlier").click()
    expect(answers).to_have_count(52)
    expect(answers.first).to_have_text("Answer 1.")
    window.ask(script({"complete": {"text": "Answer 53.", "citations": []}}))
    expect(answers.last).to_have_text("Answer 53.")
    expect(answers).to_have_count(53)


def test_a_draft_survives_a_reload_and_nothing_is_spoken_token_by_token(scripted: Window) -> None:
    page = scripted.page
    page.get_by_label("Ask the assistant").fill("half a thought")
    page.reload()
    expect(page.get_by_label("Ask the assistant")).to_have_value("half a thought")
    assert page.get_by_role("log").get_attribute("aria-live") == "off"


_AT_END = """() => {
  const log = document.querySelector(".log");
  return log.scrollHeight - log.scrollTop - log.clientHeight < 3;
}"""
