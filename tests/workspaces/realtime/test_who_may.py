"""Who may open the workspace socket: sessions of our own origin, bearers, and nobody else."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings as django_settings
from django.contrib.sessions.backends.db import SessionStore

from workspaces import facade
from workspaces.contracts import Access
from workspaces.http.grants import grant

from .pages import Page, Room

ORIGIN = b"http://testserver"

pytestmark = pytest.mark.django_db(transaction=True)


async def cookie_page(room: Room, origin: bytes | None, *, granted: str | None = None) -> Page:
    def make() -> str:
        session = SessionStore()
        grant(session, Access(workspace=granted or room.id, link=room.access.link, role="owner"))
        session.save()
        assert session.session_key is not None
        return session.session_key

    key = await sync_to_async(make)()
    headers = [(b"cookie", f"a=b; {django_settings.SESSION_COOKIE_NAME}={key}; c".encode())]
    if origin is not None:
        headers.append((b"origin", origin))
    page = await Page(f"/ws/workspaces/{room.id}/", headers).open()
    room.pages.append(page)
    return page


async def test_a_browser_of_our_own_origin_is_greeted(room: Room) -> None:
    page = await cookie_page(room, ORIGIN)
    assert (await page.next())["type"] == "hello"


@pytest.mark.parametrize(
    "origin",
    [None, b"", b"null", b"https://testserver", b"http://testserver:8000", b"http://evil.example",
     b"http://testserver.evil.example", b"http://sub.testserver", b"http://testserver/\xff"],
)  # fmt: skip
async def test_a_cookie_from_another_origin_is_refused(room: Room, origin: bytes | None) -> None:
    page = await cookie_page(room, origin)
    assert await page.code() == 4403


async def test_a_session_that_opened_another_workspace_finds_nothing(room: Room) -> None:
    page = await cookie_page(room, ORIGIN, granted="ws_01ARZ3NDEKTSV4RRFFQ69G5FAV")
    assert await page.code() == 4404


@pytest.mark.parametrize("cookie", [b"", b"sessionid=nope", b"sessionid=", b"\xff\xfe", b"sessionid=" + b"x" * 9000])
async def test_a_browser_without_a_session_is_refused(room: Room, cookie: bytes) -> None:
    page = await Page(f"/ws/workspaces/{room.id}/", [(b"cookie", cookie), (b"origin", ORIGIN)]).open()
    room.pages.append(page)
    assert await page.code() == 4401


@pytest.mark.parametrize("secret", ["nope", "cvl_" + "A" * 43, "x" * 5000])
async def test_an_unknown_bearer_is_refused(room: Room, secret: str) -> None:
    assert await (await room.page(secret)).code() == 4401


async def test_a_bearer_may_come_from_any_origin_but_only_to_its_workspace(room: Room) -> None:
    bearer = (b"authorization", b"Bearer " + room.secret.encode())
    page = await Page(f"/ws/workspaces/{room.id}/", [bearer, (b"origin", b"http://evil.example")]).open()
    room.pages.append(page)
    assert (await page.next())["type"] == "hello"
    other = await sync_to_async(facade.create_workspace)()
    for workspace in (other.workspace, "ws_01ARZ3NDEKTSV4RRFFQ69G5FAV", "nope"):
        assert await (await room.page(workspace=workspace)).code() == 4404


@pytest.mark.parametrize("path", ["/ws/", "/ws/workspaces//", "/ws/workspaces/ws_x", "/ws/nowhere/", "/"])
async def test_any_other_address_is_closed_with_a_code(path: str) -> None:
    page = await Page(path, []).open()
    assert await page.code() == 4404
    await page.leave()
