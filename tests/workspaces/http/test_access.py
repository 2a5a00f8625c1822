"""Who may do what over HTTP: browsers by cookie, programs by bearer, three roles; and failures all look the same."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from workspaces import facade
from workspaces.clock import now
from workspaces.models import Link

from .conftest import ORIGIN, Api, Browser, Opened, batch, problem

FOREIGN = [
    "http://evil.example", "https://testserver", "http://testserver:8080", "http://testserver.evil.example",
    "http://sub.testserver", "null", "http://testserver@evil.example", "http://evil.example/http://testserver",
    "file://", "testserver", "http://testserver/path", "http://testserver?x", " ", "chrome-extension://abc",
]  # fmt: skip


# --- opening -----------------------------------------------------------------------------------------------------


def test_a_browser_opens_a_link_and_reads_and_writes(opened: Opened, browser: Browser) -> None:
    answer = browser.open(opened.edit.secret)
    assert (answer.status_code, json.loads(answer.content)) == (200, {"workspace": opened.workspace, "role": "edit"})
    cookie = browser.client.cookies["sessionid"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Strict"
    assert opened.edit.secret not in cookie.value
    base = f"/api/v1/workspaces/{opened.workspace}"
    assert browser.send("GET", f"{base}/documents").status_code == 200
    assert browser.send("POST", f"{base}/operations", batch("Ada"), key="k").status_code == 200


def test_the_session_keeps_no_secret(opened: Opened, browser: Browser) -> None:
    browser.open(opened.edit.secret)
    stored = Session.objects.get(session_key=browser.client.cookies["sessionid"].value).get_decoded()
    assert stored == {"grants": {opened.workspace: opened.links["edit"]}}


def test_https_makes_the_cookie_secure_and_host_bound() -> None:
    from careervector.settings.base import address_settings

    made = address_settings("https://cv.example")
    assert made["SESSION_COOKIE_NAME"] == "__Host-sessionid"
    assert made["SESSION_COOKIE_SECURE"] is True


def test_one_session_holds_several_workspaces_and_opening_again_replaces(
    opened: Opened, stranger: Opened, browser: Browser
) -> None:
    for secret in (opened.edit.secret, stranger.view.secret, opened.owner.secret):
        assert browser.open(secret).status_code == 200
    for ws in (opened.workspace, stranger.workspace):
        assert browser.send("GET", f"/api/v1/workspaces/{ws}/documents").status_code == 200
    # The owner's grant took the place of the edit link's.
    assert browser.send("GET", f"/api/v1/workspaces/{opened.workspace}/links").status_code == 200


def test_opening_changes_the_session_key(opened: Opened, browser: Browser) -> None:
    browser.open(opened.edit.secret)
    first = browser.client.cookies["sessionid"].value
    browser.open(opened.edit.secret)
    assert browser.client.cookies["sessionid"].value != first
    assert not Session.objects.filter(session_key=first).exists()


@pytest.mark.parametrize("origin", FOREIGN)
def test_another_origin_cannot_open_a_link_here(opened: Opened, browser: Browser, origin: str) -> None:
    assert problem(browser.open(opened.edit.secret, origin=origin)) == (403, "origin_refused")
    assert "sessionid" not in browser.client.cookies


def test_a_browser_that_hides_its_origin_is_refused_and_a_program_is_not(opened: Opened) -> None:
    body = json.dumps({"link": opened.edit.secret})
    post = Client().post
    hiding = post("/api/v1/session", body, content_type="application/json", headers={"Sec-Fetch-Site": "cross-site"})
    assert problem(hiding) == (403, "origin_refused")
    assert post("/api/v1/session", body, content_type="application/json").status_code == 200


def test_the_default_port_is_the_same_origin(opened: Opened, browser: Browser) -> None:
    assert browser.open(opened.edit.secret, origin="http://testserver:80").status_code == 200


def test_failures_to_open_are_the_same_byte_for_byte(opened: Opened, browser: Browser) -> None:
    revoked = facade.create_link(access=opened.access, label="", role="edit")
    facade.revoke_link(access=opened.access, link=revoked.id)
    secrets = [revoked.secret, "cvl_" + "A" * 43, "cvl_short", "", "x" * 9999, opened.edit.secret + "x", "\x00", "é"]
    by_session = [browser.open(secret) for secret in secrets]
    by_bearer = [
        Api(opened.workspace, secret)("GET", "documents")
        for secret in [revoked.secret, "cvl_" + "A" * 43, "cvl_short", "x"]
    ]
    unknown_workspace = Api("ws_01ARZ3NDEKTSV4RRFFQ69G5FAV", "cvl_" + "A" * 43)("GET", "documents")
    nobody = Client().get(f"/api/v1/workspaces/{opened.workspace}/documents")
    answers = [*by_session, *by_bearer, unknown_workspace, nobody]
    assert {problem(answer) for answer in answers} == {(401, "link_invalid")}
    assert len({answer.content for answer in answers}) == 1
    assert len({tuple(sorted(answer.headers.items())) for answer in by_session}) == 1
    assert "sessionid" not in browser.client.cookies


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic Y3ZsOng=", "bearer", "Bearer a b", "Token cvl_x", "Bearer é"]
)
def test_other_authorization_headers_open_nothing(opened: Opened, header: str) -> None:
    answer = Client().get(f"/api/v1/workspaces/{opened.workspace}/documents", headers={"Authorization": header})
    assert problem(answer) == (401, "link_invalid")
    assert answer["WWW-Authenticate"] == "Bearer"


def test_a_wrong_bearer_is_not_rescued_by_a_cookie(opened: Opened, browser: Browser) -> None:
    browser.open(opened.owner.secret)
    answer = browser.client.get(
        f"/api/v1/workspaces/{opened.workspace}/documents", headers={"Authorization": "Bearer nope"}
    )
    assert problem(answer) == (401, "link_invalid")


# --- CSRF and origins --------------------------------------------------------------------------------------------


def test_a_cookie_write_needs_the_csrf_token_and_a_bearer_one_does_not(opened: Opened, browser: Browser) -> None:
    browser.open(opened.edit.secret)
    where = f"/api/v1/workspaces/{opened.workspace}/operations"
    assert problem(browser.send("POST", where, batch("Ada"), key="k", csrf=False)) == (403, "csrf_failed")
    browser.client.cookies["csrftoken"] = "A" * 32
    wrong = browser.client.generic(
        "POST", where, json.dumps(batch("Ada")), "application/json",
        HTTP_X_CSRFTOKEN="B" * 32, HTTP_IDEMPOTENCY_KEY="k", HTTP_ORIGIN=ORIGIN,
    )  # fmt: skip
    assert problem(wrong) == (403, "csrf_failed")
    assert facade.get_document(access=opened.access, document="profile")["clock"] == 1
    assert opened.edit("POST", "operations", batch("Ada"), key="k").status_code == 200


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_cookie_write_from_another_origin_is_refused(opened: Opened, browser: Browser, origin: str) -> None:
    browser.open(opened.edit.secret)
    where = f"/api/v1/workspaces/{opened.workspace}/operations"
    assert problem(browser.send("POST", where, batch("Ada"), key="k", origin=origin)) == (403, "origin_refused")


def test_a_bearer_may_come_from_anywhere(opened: Opened) -> None:
    answer = opened.edit("POST", "operations", batch("Ada"), key="k", origin="http://evil.example")
    assert answer.status_code == 200


# --- other workspaces --------------------------------------------------------------------------------------------


def test_another_workspace_and_one_that_never_was_are_the_same(
    opened: Opened, stranger: Opened, browser: Browser
) -> None:
    browser.open(opened.owner.secret)
    bodies = set()
    for ws in (stranger.workspace, "ws_01ARZ3NDEKTSV4RRFFQ69G5FAV", "nonsense", "ws_%00"):
        for path in ("documents", "documents/profile", "links", "settings", "context", "receipts/rcp_x", "events"):
            for answer in (
                browser.send("GET", f"/api/v1/workspaces/{ws}/{path}"),
                opened.owner("GET", f"/api/v1/workspaces/{ws}/{path}"),
            ):
                assert problem(answer) == (404, "not_found")
                bodies.add(answer.content)
        answer = opened.owner("POST", f"/api/v1/workspaces/{ws}/operations", batch("x"), key="k")
        assert problem(answer) == (404, "not_found")
        bodies.add(answer.content)
    assert len(bodies) == 1


def test_objects_of_another_workspace_are_not_found(opened: Opened, stranger: Opened) -> None:
    made = json.loads(stranger.owner("POST", "operations", batch("Ada"), key="k").content)
    receipt = made["receipt"]["id"]

    def attempts(receipt: str, link: str) -> list[bytes]:
        answers = [
            opened.owner("GET", f"receipts/{receipt}"),
            opened.owner("GET", f"receipts/{receipt}/changes"),
            opened.owner("POST", f"receipts/{receipt}/undo", {"expected_clocks": {"profile": 2}}, key="u"),
            opened.owner("DELETE", f"links/{link}"),
        ]
        assert {problem(answer) for answer in answers} == {(404, "not_found")}
        return [answer.content for answer in answers]

    assert attempts(receipt, stranger.links["edit"]) == attempts("rcp_01ARZ3NDEKTSV4RRFFQ69G5FAV", "lnk_never")
    assert stranger.owner("GET", f"receipts/{receipt}").status_code == 200


# --- roles -------------------------------------------------------------------------------------------------------

READS = ["documents", "documents/profile", "documents/profile/events", "events", "receipts", "context"]
WRITES = [("POST", "operations", batch("x")), ("POST", "receipts/rcp_x/undo", {"expected_clocks": {}}),
          ("POST", "jobs/search", {"query": "x"})]  # fmt: skip
OWNERS = [("GET", "links", None), ("POST", "links", {"role": "view"}), ("DELETE", "links/x", None),
          ("GET", "settings", None), ("PATCH", "settings", {})]  # fmt: skip


def test_every_role_reads(opened: Opened) -> None:
    for api in (opened.owner, opened.edit, opened.view):
        assert [api("GET", path).status_code for path in READS] == [200] * len(READS)


def test_a_view_link_writes_nothing(opened: Opened) -> None:
    for method, path, body in WRITES:
        assert problem(opened.view(method, path, body, key="k")) == (403, "view_only")
    for method, path, body in OWNERS:
        expected = "owner_only" if method == "GET" else "view_only"
        assert problem(opened.view(method, path, body)) == (403, expected)
    assert facade.get_hello(workspace=opened.workspace)["seq"] == 0


def test_an_edit_link_owns_nothing(opened: Opened) -> None:
    for method, path, body in OWNERS:
        assert problem(opened.edit(method, path, body)) == (403, "owner_only")
    assert opened.edit("POST", "operations", batch("x"), key="k").status_code == 200


# --- links over HTTP ---------------------------------------------------------------------------------------------


def test_a_new_workspace_comes_with_its_owner_link(db) -> None:
    answer = Client().post("/api/v1/workspaces", json.dumps({"label": "Mine"}), content_type="application/json")
    content = json.loads(answer.content)
    assert answer.status_code == 201
    assert set(content) == {"workspace", "link"}
    assert set(content["link"]) == {"id", "secret", "url", "role"}
    assert content["link"]["role"] == "owner"
    assert content["link"]["url"] == f"{ORIGIN}/w/#{content['link']['secret']}"
    api = Api(content["workspace"], content["link"]["secret"])
    documents = json.loads(api("GET", "documents").content)["items"]
    assert sorted((d["id"], d["clock"]) for d in documents) == [("plan", 1), ("profile", 1)]


def test_a_workspace_may_be_made_without_a_word(db) -> None:
    assert Client().generic("POST", "/api/v1/workspaces").status_code == 201


def test_an_owner_makes_lists_and_revokes_links(opened: Opened) -> None:
    made = opened.owner("POST", "links", {"label": "Phone", "role": "edit"})
    content = json.loads(made.content)
    assert made.status_code == 201
    assert set(content) == {"id", "secret", "url", "role", "label"}
    assert (content["label"], content["role"]) == ("Phone", "edit")
    phone = Api(opened.workspace, content["secret"])
    assert phone("GET", "documents").status_code == 200
    listed = opened.owner("GET", "links?limit=1")
    [item] = json.loads(listed.content)["items"]
    assert content["secret"].encode() not in listed.content
    row = Link.objects.get(id=content["id"])
    assert item == {
        "id": content["id"], "label": "Phone", "role": "edit", "last4": content["secret"][-4:],
        "created_at": item["created_at"], "last_used_on": row.last_used_on.isoformat(), "revoked_at": None,
    }  # fmt: skip
    assert item["created_at"].endswith("Z")
    revoked = opened.owner("DELETE", f"links/{content['id']}")
    assert (revoked.status_code, revoked.content) == (204, b"")
    assert problem(phone("GET", "documents")) == (401, "link_invalid")


def test_the_last_owner_link_stays(opened: Opened) -> None:
    assert problem(opened.owner("DELETE", f"links/{opened.links['owner']}")) == (409, "last_owner_link")
    assert opened.owner("GET", "links").status_code == 200


def test_revoking_ends_the_browser_sessions_of_the_link(opened: Opened, stranger: Opened, browser: Browser) -> None:
    browser.open(opened.edit.secret)
    browser.open(stranger.edit.secret)
    opened.owner("DELETE", f"links/{opened.links['edit']}")
    base = f"/api/v1/workspaces/{opened.workspace}"
    assert problem(browser.send("GET", f"{base}/documents")) == (401, "link_invalid")
    assert problem(browser.send("POST", f"{base}/operations", batch("x"), key="k")) == (401, "link_invalid")
    assert browser.send("GET", f"/api/v1/workspaces/{stranger.workspace}/documents").status_code == 200


def test_the_day_of_use_is_all_that_is_kept(opened: Opened) -> None:
    Link.objects.filter(id=opened.links["edit"]).update(last_used_on=now().date() - timedelta(days=3))
    opened.edit("GET", "documents")
    items = json.loads(opened.owner("GET", "links").content)["items"]
    assert {item["id"]: item["last_used_on"] for item in items}[opened.links["edit"]] == now().date().isoformat()
