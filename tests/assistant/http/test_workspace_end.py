"""DELETE workspaces/{ws} and links/{link}/rotate over HTTP: who may, what must be said, what happens to who asked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assistant import facade as assistant
from assistant.models import Connector
from tests.workspaces.http.conftest import Browser, Opened, batch, make_workspace, problem
from workspaces import facade
from workspaces.contracts import Access
from workspaces.errors import LinkInvalid
from workspaces.models import Link, Workspace

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def opened(transactional_db: None) -> Opened:
    return make_workspace()


@pytest.fixture
def browser(transactional_db: None) -> Browser:
    return Browser()


def here(opened: Opened) -> str:
    return f"/api/v1/workspaces/{opened.workspace}"


def confirm(opened: Opened) -> dict[str, str]:
    return {"confirm": opened.workspace}


# --- erasure ----------------------------------------------------------------------------------------------------


def test_an_owner_erases_and_then_the_link_is_simply_invalid(opened: Opened) -> None:
    answer = opened.owner("DELETE", here(opened), confirm(opened))
    assert (answer.status_code, answer.content) == (204, b"")
    unknown = opened.owner("GET", "/api/v1/workspaces/ws_other/documents")
    for again in (opened.owner("DELETE", here(opened), confirm(opened)), opened.owner("GET", "documents")):
        assert problem(again) == (401, "link_invalid")
        assert again.content == unknown.content
    assert Workspace.objects.get(pk=opened.workspace).erased_at is not None


@pytest.mark.parametrize(
    "body",
    [
        None,
        {},
        {"confirm": ""},
        {"confirm": "ws_other"},
        {"confirm": None},
        {"confirm": True},
        {"confirm": ["ws"]},
        [],
        "ws",
    ],
)
def test_without_the_right_confirmation_nothing_is_erased(opened: Opened, body: Any) -> None:
    assert problem(opened.owner("DELETE", here(opened), body)) == (422, "invalid_request")
    assert opened.owner("GET", "documents").status_code == 200


def test_a_confirmation_says_nothing_else(opened: Opened) -> None:
    answer = opened.owner("DELETE", here(opened), {**confirm(opened), "force": True})
    assert problem(answer) == (422, "invalid_request")
    assert [flaw["path"] for flaw in json.loads(answer.content)["errors"]] == ["force"]
    for raw, status in ((b"{", 400), (b'{"confirm": "a", "confirm": "b"}', 400), (b"x" * 300_000, 413)):
        assert opened.owner("DELETE", here(opened), raw=raw).status_code == status
    assert opened.owner("GET", "documents").status_code == 200


def test_only_an_owner_erases(opened: Opened) -> None:
    assert problem(opened.edit("DELETE", here(opened), confirm(opened))) == (403, "owner_only")
    assert problem(opened.view("DELETE", here(opened), confirm(opened))) == (403, "view_only")
    other = make_workspace()
    assert problem(other.owner("DELETE", here(opened), confirm(opened))) == (404, "not_found")
    assert opened.owner("GET", "documents").status_code == 200


def test_a_browser_erases_with_its_token_and_keeps_its_other_workspaces(opened: Opened, browser: Browser) -> None:
    other = make_workspace()
    for each in (opened, other):
        assert browser.open(each.owner.secret).status_code == 200
    assert problem(browser.send("DELETE", here(opened), confirm(opened), csrf=False)) == (403, "csrf_failed")
    foreign = browser.send("DELETE", here(opened), confirm(opened), origin="https://evil.example")
    assert problem(foreign) == (403, "origin_refused")
    assert browser.send("DELETE", here(opened), confirm(opened)).status_code == 204
    assert browser.send("GET", f"{here(opened)}/documents").status_code == 404
    assert browser.send("GET", f"{here(other)}/documents").status_code == 200


def test_another_browser_that_had_it_open_is_out(opened: Opened, browser: Browser) -> None:
    browser.open(opened.edit.secret)
    opened.owner("DELETE", here(opened), confirm(opened))
    assert problem(browser.send("GET", f"{here(opened)}/documents")) == (401, "link_invalid")
    assert problem(browser.open(opened.edit.secret)) == (401, "link_invalid")


# --- rotation ---------------------------------------------------------------------------------------------------


def test_a_link_is_replaced_by_one_with_its_label_and_role(opened: Opened) -> None:
    answer = opened.owner("POST", f"links/{opened.links['edit']}/rotate")
    made = json.loads(answer.content)
    assert answer.status_code == 201
    assert set(made) == {"id", "secret", "url", "role", "label"}
    assert (made["role"], made["label"]) == ("edit", "edit")
    assert made["id"] != opened.links["edit"]
    assert made["url"] == f"http://testserver/w/#{made['secret']}"
    assert problem(opened.edit("POST", "operations", batch("A"), key="k")) == (401, "link_invalid")
    opened.edit.secret = made["secret"]
    assert opened.edit("POST", "operations", batch("A"), key="k").status_code == 200


def test_what_can_be_rotated_and_by_whom(opened: Opened) -> None:
    assert problem(opened.edit("POST", f"links/{opened.links['view']}/rotate")) == (403, "owner_only")
    assert problem(opened.view("POST", f"links/{opened.links['view']}/rotate")) == (403, "view_only")
    other = make_workspace()
    assert problem(opened.owner("POST", f"links/{other.links['view']}/rotate")) == (404, "not_found")
    assert problem(opened.owner("POST", "links/lnk_none/rotate")) == (404, "not_found")
    assert problem(opened.owner("POST", f"links/{opened.links['view']}/rotate", {"role": "owner"})) == (
        422,
        "invalid_request",
    )
    assert opened.owner("DELETE", f"links/{opened.links['view']}").status_code == 204
    assert problem(opened.owner("POST", f"links/{opened.links['view']}/rotate")) == (404, "not_found")


def test_the_last_owner_link_rotates_itself_and_the_window_stays_open(opened: Opened, browser: Browser) -> None:
    browser.open(opened.owner.secret)
    answer = browser.send("POST", f"{here(opened)}/links/{opened.links['owner']}/rotate", {})
    assert answer.status_code == 201
    secret = json.loads(answer.content)["secret"]
    assert browser.send("GET", f"{here(opened)}/links").status_code == 200
    assert problem(opened.owner("GET", "links")) == (401, "link_invalid")
    opened.owner.secret = secret
    # A program keeps what it has; nothing is opened for it elsewhere.
    assert opened.owner("POST", f"links/{json.loads(answer.content)['id']}/rotate").status_code == 201
    assert problem(opened.owner("GET", "links")) == (401, "link_invalid")
    assert problem(browser.send("GET", f"{here(opened)}/links")) == (401, "link_invalid")


def test_the_connectors_of_a_link_go_over_to_the_new_one(opened: Opened) -> None:
    access = Access(opened.workspace, opened.links["edit"], "edit")
    connector = assistant.create_connector(access=access, provider="scripted").id
    made = assistant.rotate_link(access=opened.access, link=opened.links["edit"])
    assert Connector.objects.get(pk=connector).link == made.id
    fresh = facade.open_link(secret=made.secret)
    assert connector in [each.id for each in assistant.list_connectors(access=fresh)]


def test_a_rotation_that_fails_leaves_the_old_link(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_old: str, _new: str) -> None:
        raise RuntimeError("in the middle")

    monkeypatch.setattr(assistant, "hand_over", fail)
    with pytest.raises(RuntimeError):
        assistant.rotate_link(access=opened.access, link=opened.links["edit"])
    assert opened.edit("GET", "documents").status_code == 200
    assert Link.objects.filter(workspace=opened.workspace).count() == 3


def test_a_rotated_owner_can_do_nothing_with_the_access_it_had(opened: Opened) -> None:
    assistant.rotate_link(access=opened.access, link=opened.links["owner"])
    for attempt in (
        lambda: assistant.rotate_link(access=opened.access, link=opened.links["edit"]),
        lambda: facade.update_settings(access=opened.access, body={"language": "de"}),
    ):
        with pytest.raises(LinkInvalid):
            attempt()
