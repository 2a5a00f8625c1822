"""A person comes for the first time: the start page, a new workspace, the link, the link page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.live_workspace import LiveWorkspace
from tests.product import Product

from .windows import Window

pytestmark = pytest.mark.browser
NewWindow = Callable[..., Window]


def test_a_new_workspace_shows_its_link_once_and_opens_empty(product: Product, new_window: NewWindow) -> None:
    window = new_window(permissions=["clipboard-read", "clipboard-write"])
    page = window.page
    page.goto(product.origin + "/")
    page.get_by_role("button", name="Create a workspace").click()
    url = page.get_by_label("Your link, shown only now").input_value()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()") == url
    page.get_by_role("button", name="I kept it, open the workspace").click()
    expect(page.get_by_role("heading", name="A good start")).to_be_visible()
    assert url.split("#")[0] == f"{product.origin}/w/"
    assert "cvl_" not in page.content()


def test_a_pasted_link_leads_to_one_button_and_leaves_the_address(
    product: Product, sample: LiveWorkspace, new_window: NewWindow
) -> None:
    page = new_window().page
    page.goto(product.origin + "/")
    page.get_by_label("Your workspace link").fill(f"  {sample.url} ")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Open workspace").click()
    expect(page.get_by_role("heading", name="Next up")).to_be_visible()
    assert page.url == f"{product.origin}/w/{sample.id}/"
    page.go_back()
    assert "cvl_" not in page.url


def test_half_a_link_is_told_where_it_was_pasted(product: Product, new_window: NewWindow) -> None:
    page = new_window().page
    page.goto(product.origin + "/")
    page.get_by_label("Your workspace link").fill("cvl_tooshort")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert").filter(has_text="not a whole workspace link")).to_be_visible()


@pytest.mark.parametrize("fragment", ["#cvl_" + "A" * 43, "#cvl_broken", ""])
def test_every_link_that_opens_nothing_gets_the_same_page(
    product: Product, new_window: NewWindow, fragment: str
) -> None:
    window = new_window()
    window.expected.add(401)
    page = window.page
    page.goto(f"{product.origin}/w/{fragment}")
    if len(fragment) == 48:
        page.get_by_role("button", name="Open workspace").click()
    expect(page.get_by_role("main")).to_contain_text("This link does not open a workspace")
    expect(page.get_by_role("main")).to_contain_text("It may be incomplete, or it was replaced.")


def test_a_workspace_that_is_not_open_here_looks_like_one_that_does_not_exist(
    product: Product, sample: LiveWorkspace, new_window: NewWindow
) -> None:
    texts = []
    for workspace in (sample.id, "ws_01JABCDEFGHJKMNPQRSTVWXYZ0"):
        window = new_window()
        window.expected.update({401, 404})
        window.page.goto(f"{product.origin}/w/{workspace}/board")
        expect(window.page.get_by_role("heading", name="This workspace is not open here")).to_be_visible()
        texts.append(window.page.get_by_role("main").inner_text())
    assert texts[0] == texts[1]


def test_the_pages_carry_a_strict_policy(product: Product, new_window: NewWindow) -> None:
    window = new_window()
    response = window.page.goto(product.origin + "/")
    assert response is not None
    policy = dict(
        directive.strip().split(" ", 1)
        for directive in response.headers["content-security-policy"].split(";")
        if " " in directive.strip()
    )
    assert policy["default-src"] == "'none'"
    assert "unsafe-inline" not in policy["script-src"]
    assert "unsafe-eval" not in policy["script-src"]
    assert policy["require-trusted-types-for"] == "'script'"
    assert policy["trusted-types"] == "lit-html"
    assert policy["frame-ancestors"] == "'none'"
    assert response.headers["cache-control"].find("no-store") >= 0
