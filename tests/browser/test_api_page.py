"""The API's page in a browser: nothing blocked, nothing from elsewhere, by keyboard and on a small screen."""

from __future__ import annotations

from typing import Any

import pytest

from tests.product import Product

from .windows import DESKTOP, PHONE


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_page_fits_the_screen_and_its_look_is_ours(new_window: Any, product: Product, screen: dict) -> None:
    page = new_window(viewport=screen).page
    page.goto(f"{product.origin}/api/#apply_operations")
    page.get_by_role("heading", name="Change documents").wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("() => getComputedStyle(document.querySelector('.api pre')).whiteSpace") == "pre-wrap"
    assert page.evaluate("() => getComputedStyle(document.body).getPropertyValue('--accent')") != ""


def test_the_keyboard_leads_past_the_list_to_an_operation_and_opens_its_python(
    new_window: Any, product: Product
) -> None:
    page = new_window().page
    page.goto(f"{product.origin}/api/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.hash === '#operations'")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.querySelector('#operations').contains(document.activeElement)")
    summary = page.locator("#create_workspace summary", has_text="Python")
    summary.focus()
    page.keyboard.press("Enter")
    page.locator("#create_workspace pre", has_text="import httpx").wait_for()
