"""Work by hand: the board, an application's fields, lists and notes, two people at once, a link that only looks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.live_workspace import LiveWorkspace

from .windows import PHONE, Window

pytestmark = pytest.mark.browser
NewWindow = Callable[..., Window]


def test_a_card_is_moved_by_keyboard_and_keeps_the_focus(sample: LiveWorkspace, new_window: NewWindow) -> None:
    window, other = new_window(), new_window()
    for each in (window, other):
        each.open(sample)
        each.go("Board")
    page = window.page
    move = page.get_by_role("button", name="Move Brackenfield Health")
    move.focus()
    page.keyboard.press("Enter")
    page.get_by_role("combobox", name="Stage").select_option("Interviewing")
    page.get_by_role("combobox", name="Position").select_option("At the top")
    page.get_by_role("button", name="Move", exact=True).press("Enter")
    interviewing = page.locator('[data-stage-column="interviewing"]')
    expect(interviewing.locator(".board-card").first).to_contain_text("Brackenfield Health")
    expect(page.get_by_role("status").filter(has_text="moved")).to_have_text(
        "Brackenfield Health moved to Interviewing, 1 of 3"
    )
    expect(page.get_by_role("button", name="Move Brackenfield Health")).to_be_focused()
    # The other window hears of it without a reload.
    expect(other.page.locator('[data-stage-column="interviewing"] .board-card').first).to_contain_text(
        "Brackenfield Health"
    )


def test_a_role_is_saved_by_hand_and_edited(sample: LiveWorkspace, new_window: NewWindow) -> None:
    window = new_window()
    window.open(sample)
    window.go("Board")
    page = window.page
    page.get_by_role("button", name="Add application").click()
    page.get_by_role("textbox", name="Role").fill("Data Steward")
    page.get_by_role("textbox", name="Company").fill("Fernhollow Library")
    page.get_by_role("textbox", name="Link to the ad").fill("https://fernhollow.example/jobs/7")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Data Steward")

    page.get_by_role("textbox", name="Next step", exact=True).fill("Ask about the archive")
    page.keyboard.press("Enter")
    page.get_by_role("textbox", name="Salary currency").fill("eur")
    page.keyboard.press("Enter")
    page.get_by_role("textbox", name="Notes").fill("They work with ÖPNV data 🙂.")
    page.get_by_role("button", name="Add to-do").click()
    page.locator(".inline-form").get_by_role("textbox", name="Title").fill("Read their report")
    page.locator(".inline-form").get_by_role("button", name="Add to-do").click()
    page.get_by_role("checkbox", name="Read their report").check()
    expect(page.get_by_role("checkbox", name="Read their report")).to_be_checked()
    page.get_by_role("button", name="Add contact").click()
    page.locator(".inline-form").get_by_role("textbox", name="Name").fill("Ida Fern")
    page.get_by_role("textbox", name="Email").fill("ida@fernhollow.example")
    page.locator(".inline-form").get_by_role("button", name="Add contact").click()
    expect(page.get_by_role("link", name="ida@fernhollow.example")).to_be_visible()
    expect(page.locator("cv-activity .receipt").first).to_contain_text("Add contact")

    page.reload()
    expect(page.get_by_role("textbox", name="Notes")).to_have_value("They work with ÖPNV data 🙂.")
    saved = sample.call("GET", f"/documents/{sample.application('Fernhollow Library')['id']}")
    assert saved["fields"]["next_step"] == "Ask about the archive"
    assert saved["fields"]["salary_currency"] == "EUR"
    assert saved["texts"] == {"notes": "They work with ÖPNV data 🙂."}
    assert [(item["title"], item["done"]) for item in saved["sections"]["checklist"]] == [("Read their report", True)]


def test_a_refused_value_is_told_beside_its_field(sample: LiveWorkspace, new_window: NewWindow) -> None:
    window = new_window()
    window.expected.add(422)
    window.open(sample)
    window.go("Board")
    page = window.page
    page.get_by_role("link", name="C++ Engineer").click()
    page.get_by_role("textbox", name="Salary currency").fill("XQZ")
    page.keyboard.press("Enter")
    expect(page.locator('[data-place="fields/salary_currency"]').get_by_role("alert")).to_contain_text("ISO 4217")


def test_two_people_at_one_field_see_both_values(sample: LiveWorkspace, new_window: NewWindow) -> None:
    window = new_window()
    window.open(sample)
    application = sample.application("Kestrel Robotics")
    window.goto(sample, f"applications/{application['id'].split(':')[1]}")
    page = window.page
    field = page.get_by_role("textbox", name="Next step", exact=True)
    field.fill("Mine")
    sample.change("Kestrel Robotics", "next_step", "Theirs")
    expect(page.locator("cv-activity .receipt").first).to_contain_text("Set next_step")
    field.press("Enter")
    conflict = page.locator('[data-place="fields/next_step"] .conflict')
    expect(conflict).to_contain_text("Changed meanwhile to Theirs. You wrote Mine.")
    assert sample.application("Kestrel Robotics")["fields"]["next_step"] == "Theirs"
    conflict.get_by_role("button", name="Use mine").click()
    expect(conflict).to_be_hidden()
    page.wait_for_function("() => document.querySelector('#field-next_step').value === 'Mine'")
    expect(page.locator("cv-activity .receipt").first).to_contain_text("Set next step")
    assert sample.application("Kestrel Robotics")["fields"]["next_step"] == "Mine"


def test_notes_typed_in_two_windows_come_together(sample: LiveWorkspace, new_window: NewWindow) -> None:
    application = sample.application("Larkspur Systems")
    windows = [new_window(), new_window()]
    for each in windows:
        each.expected.add(409)  # the slower of the two is told that its clock is stale, and rebases
        each.open(sample)
        each.goto(sample, f"applications/{application['id'].split(':')[1]}")
    boxes = [each.page.get_by_role("textbox", name="Notes") for each in windows]
    expect(boxes[0]).to_have_value("Team of six. They run Django and Celery.")
    expect(boxes[1]).to_have_value("Team of six. They run Django and Celery.")
    boxes[0].fill("Team of seven. They run Django and Celery.")
    boxes[1].fill("Team of six. They run Django and Celery. Nice people.")
    boxes[0].blur()
    boxes[1].blur()
    for box in boxes:
        expect(box).to_have_value("Team of seven. They run Django and Celery. Nice people.")


def test_jobs_are_searched_and_saved_to_the_board(sample: LiveWorkspace, new_window: NewWindow) -> None:
    window = new_window()
    window.open(sample)
    window.go("Jobs")
    page = window.page
    page.get_by_placeholder("Role, skill or company").fill("python developer")
    page.get_by_label("Place").fill("Zürich")
    page.get_by_role("search").get_by_role("button", name="Search").click()
    first = page.locator(".role").first
    expect(first).to_contain_text("Zürich")
    expect(first.locator("[data-freshness]")).to_be_visible()
    title = first.get_by_role("heading").inner_text()
    first.get_by_role("button", name="Save").click()
    first.get_by_role("link", name="Saved, open").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.get_by_role("combobox", name="Stage")).to_have_value("saved")


def test_a_job_search_that_is_down_says_so_and_harms_nothing_else(sample: LiveWorkspace, new_window: NewWindow) -> None:
    window = new_window()
    window.expected.add(503)
    window.open(sample)
    window.go("Jobs")
    page = window.page
    problem = {"code": "jobcache_unavailable", "title": "The job corpus cannot be reached", "status": 503}
    page.route("**/jobs/search", lambda route: route.fulfill(status=503, json=problem))
    page.get_by_placeholder("Role, skill or company").fill("python")
    page.get_by_role("search").get_by_role("button", name="Search").click()
    expect(page.get_by_role("alert")).to_contain_text(["The job search is not available right now."])
    window.go("Board")
    expect(page.get_by_role("link", name="C++ Engineer")).to_be_visible()


def test_a_view_link_reads_and_changes_nothing(sample: LiveWorkspace, new_window: NewWindow) -> None:
    _, watched = sample.through_new_link(label="for a friend", role="view")
    window = new_window()
    window.expected.add(403)
    window.open(watched)
    page = window.page
    expect(page.get_by_text("View only")).to_be_visible()
    expect(page.get_by_role("button", name="Assistant")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    window.go("Board")
    expect(page.get_by_role("button", name="Move")).to_have_count(0)
    expect(page.get_by_role("button", name="Add application")).to_have_count(0)
    page.get_by_role("link", name="C++ Engineer").click()
    expect(page.get_by_role("textbox", name="Company")).not_to_be_editable()
    expect(page.get_by_role("textbox", name="Notes")).not_to_be_editable()
    expect(page.get_by_role("combobox", name="Stage")).to_be_disabled()


def test_revoking_a_link_closes_the_page_that_it_opened(sample: LiveWorkspace, new_window: NewWindow) -> None:
    link, lost = sample.through_new_link(label="lost phone", role="edit")
    window = new_window()
    window.expected.update({401, 404})
    window.open(lost)
    sample.call("DELETE", f"/links/{link}")
    expect(window.page.get_by_role("heading", name="This workspace is not open here")).to_be_visible()


def test_history_is_filtered_by_who_acted(sample: LiveWorkspace, new_window: NewWindow) -> None:
    sample.change("Kestrel Robotics", "tier", "safe")
    window = new_window()
    window.open(sample)
    window.go("History")
    page = window.page
    expect(page.locator(".history .receipt").first).to_contain_text("Set tier")
    page.get_by_label("By").select_option("Assistant")
    expect(page.get_by_text("Nothing by them yet.")).to_be_visible()
    page.get_by_label("By").select_option("People")
    expect(page.locator(".history .receipt")).to_have_count(1)
    page.locator(".history .receipt").get_by_role("button", name="Undo").click()
    expect(page.locator(".history .receipt", has_text="Set tier").locator(".state").last).to_have_text("Undone")
    assert sample.application("Kestrel Robotics")["fields"]["tier"] == "dream"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_never_scrolls_sideways_and_every_target_is_large_enough(
    sample: LiveWorkspace, new_window: NewWindow, scheme: str
) -> None:
    window = new_window(viewport=PHONE, color_scheme=scheme)
    window.open(sample)
    page = window.page
    application = sample.application("Larkspur Systems")["id"].split(":")[1]
    for path in ("", "board", f"applications/{application}", "jobs", "history", "documents/profile"):
        window.goto(sample, path)
        page.get_by_role("heading", level=1).wait_for()
        page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
        assert page.evaluate("() => document.querySelector('main').scrollWidth") <= PHONE["width"], path
        assert page.evaluate(_SMALL_TARGETS) == [], path
        assert page.evaluate(_NAMELESS) == [], path
    page.get_by_role("button", name="Assistant", exact=True).click()
    expect(page.get_by_label("Ask the assistant")).to_be_focused()
    assert page.evaluate("() => document.documentElement.scrollWidth") == PHONE["width"]
    page.keyboard.press("Escape")
    expect(page.get_by_label("Ask the assistant")).to_be_hidden()


def test_an_erased_workspace_says_so_and_leaves_nothing_in_the_browser(
    sample: LiveWorkspace, new_window: NewWindow
) -> None:
    window = new_window()
    window.open(sample)
    page = window.page
    page.get_by_label("Ask the assistant").fill("Never sent")
    assert "Never sent" in page.evaluate("() => JSON.stringify({...localStorage})")
    with sample.client() as client:
        here = str(client.base_url).rstrip("/")
        assert client.request("DELETE", here, json={"confirm": sample.id}).status_code == 204
    expect(page.get_by_role("heading", level=1)).to_have_text("This workspace was erased")
    expect(page.get_by_text("Its content is gone for good.")).to_be_visible()
    assert page.evaluate("() => JSON.stringify({...localStorage, ...sessionStorage})").count(sample.id) == 0
    window.expected |= {401}
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("This workspace is not open here")


_SMALL_TARGETS = """() => {
  const shown = (e) => e.checkVisibility({visibilityProperty: true}) && !e.closest(".visually-hidden, .skip");
  return [...document.querySelectorAll("button, input, select, textarea, summary, nav a")].filter(shown)
    .map((e) => [e, e.getBoundingClientRect()])
    .filter(([e, box]) => (box.height < 24 || box.width < 24) && !(e.type === "checkbox" && e.closest("label")))
    .map(([e, box]) => `${e.outerHTML.slice(0, 80)} ${box.width}x${box.height}`);
}"""
_NAMELESS = """() => {
  const shown = (e) => e.checkVisibility({visibilityProperty: true}) && !e.closest(".visually-hidden, .skip");
  const labels = (e) => [...(e.labels ?? [])].map((label) => label.textContent).join("");
  return [...document.querySelectorAll("button, a[href], input, select, textarea")].filter(shown)
    .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || labels(e)))
    .map((e) => e.outerHTML.slice(0, 100));
}"""
