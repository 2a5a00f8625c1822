"""The first hour of a new user, in two windows, with the built-in assistant; its pictures go into the documentation."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.live_workspace import LiveWorkspace
from tests.product import ROOT

from .windows import PHONE, Window

pytestmark = pytest.mark.browser
NewWindow = Callable[..., Window]


def picture(window: Window, name: str, folder: Path) -> None:
    """Into docs/screenshots when asked to renew them, else where the test's files go."""
    keep = os.environ.get("CAREERVECTOR_SCREENSHOTS") == "1"
    place = ROOT / "docs" / "screenshots" if keep else folder
    place.mkdir(parents=True, exist_ok=True)
    window.page.screenshot(path=place / f"{name}.png")


def test_the_first_hour(sample: LiveWorkspace, new_window: NewWindow, tmp_path: Path) -> None:
    window, other = new_window(), new_window()
    window.expected.add(409)
    page = window.page
    window.open(sample)
    other.open(sample)
    other.go("Board")

    window.ask("what's next this week?")
    window.wait_for_end(1)
    expect(page.locator(".turn .markdown").last).to_contain_text("Brackenfield")
    expect(page.locator(".provenance").last).to_contain_text("read the workspace")

    window.ask("move the Brackenfield application to interviewing and note that they called")
    window.wait_for_end(2)
    receipts = page.locator("cv-rail .receipt")
    expect(receipts.first).to_be_visible()
    moved = '[data-stage-column="interviewing"] .board-card'
    expect(other.page.locator(moved, has_text="Brackenfield Health")).to_be_visible()
    expect(other.page.locator(moved, has_text="Brackenfield Health")).to_contain_text("assistant edited just now")
    expect(receipts.first.locator("ins").first).to_be_visible()
    picture(window, "overview", tmp_path)

    # Undo in the rail; the other window follows.
    last = receipts.last
    count = receipts.count()
    last.get_by_role("button", name="Undo").click()
    expect(last.locator(".state")).to_have_text("Undone")
    if count == 1:
        expect(other.page.locator('[data-stage-column="screening"] .board-card')).to_contain_text("Brackenfield Health")
    last.get_by_role("button", name="Redo").click()
    expect(last.locator(".state")).to_have_text("Applied")

    # The same field by hand, then the refusal.
    page.get_by_role("link", name="Brackenfield Health › Stage").first.click()
    expect(page.get_by_role("region", name="Notes and letters")).to_contain_text("they called")
    expect(page.get_by_role("combobox", name="Stage")).to_have_value("interviewing")
    page.get_by_role("combobox", name="Stage").select_option("Offer")
    expect(page.locator("cv-activity .receipt").first).to_contain_text("Set stage")
    expect(other.page.locator('[data-stage-column="offer"] .board-card', has_text="Brackenfield")).to_be_visible()
    refused = page.locator("cv-rail .receipt", has=page.get_by_role("link", name="Brackenfield Health › Stage"))
    refused.last.get_by_role("button", name="Undo").click()
    expect(refused.last.get_by_role("alert")).to_contain_text("Undo would overwrite later work.")
    assert sample.application("Brackenfield Health")["fields"]["stage"] == "offer"
    picture(window, "application", tmp_path)

    window.ask("search python developer Zurich")
    window.wait_for_end(3)
    expect(page.locator(".turn .markdown").last).to_contain_text("Zürich")

    page.reload()
    window.wait_for_end(3)
    expect(page.locator(".question")).to_have_count(3)
    picture(other, "board", tmp_path)


def test_pictures_of_a_phone_and_of_the_dark(sample: LiveWorkspace, new_window: NewWindow, tmp_path: Path) -> None:
    phone = new_window(viewport=PHONE)
    phone.open(sample)
    picture(phone, "phone", tmp_path)
    dark = new_window(color_scheme="dark")
    dark.open(sample)
    dark.go("Board")
    picture(dark, "board-dark", tmp_path)
