"""A workspace with one link a role, and clients that are a browser or a program."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from workspaces import facade
from workspaces.contracts import Access
from workspaces.http import rate_limits

ORIGIN = "http://testserver"


@pytest.fixture(autouse=True)
def calm(settings) -> None:
    """Rate limits have tests of their own."""
    settings.CAREERVECTOR_RATE_LIMITS_ON = False
    rate_limits.forget_local()


@dataclass
class Api:
    """A program with a bearer link (or none)."""

    workspace: str
    secret: str | None

    def __call__(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str | None = None,
        raw: bytes | None = None,
        **headers: str,
    ) -> HttpResponse:
        """`path` below the workspace, or absolute. Header names with underscores."""
        full = path if path.startswith("/") else f"/api/v1/workspaces/{self.workspace}/{path}"
        sent = {"HTTP_" + name.upper(): value for name, value in headers.items()}
        if self.secret is not None:
            sent["HTTP_AUTHORIZATION"] = f"Bearer {self.secret}"
        if key is not None:
            sent["HTTP_IDEMPOTENCY_KEY"] = key
        data = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        content_type = sent.pop("HTTP_CONTENT_TYPE", "application/json")
        return Client().generic(method, full, data, content_type=content_type, **sent)


@dataclass
class Opened:
    workspace: str
    owner: Api
    edit: Api
    view: Api
    access: Access
    links: dict[str, str]


def make_workspace() -> Opened:
    made = facade.create_workspace(label="Career")
    access = Access(workspace=made.workspace, link=made.link.id, role="owner")
    edit = facade.create_link(access=access, label="edit", role="edit")
    view = facade.create_link(access=access, label="view", role="view")
    return Opened(
        workspace=made.workspace,
        owner=Api(made.workspace, made.link.secret),
        edit=Api(made.workspace, edit.secret),
        view=Api(made.workspace, view.secret),
        access=access,
        links={"owner": made.link.id, "edit": edit.id, "view": view.id},
    )


@pytest.fixture
def opened(db) -> Opened:
    return make_workspace()


@pytest.fixture
def stranger(db) -> Opened:
    """Another workspace."""
    return make_workspace()


class Browser:
    """A browser on our own page: cookies, Origin, CSRF enforced."""

    def __init__(self) -> None:
        self.client = Client(enforce_csrf_checks=True)

    def open(self, secret: Any, *, origin: str | None = ORIGIN) -> HttpResponse:
        return self.send("POST", "/api/v1/session", {"link": secret}, origin=origin, csrf=False)

    def send(
        self, method: str, path: str, body: Any = None, *, origin: str | None = ORIGIN, csrf: bool = True, key: str = ""
    ) -> HttpResponse:
        headers = {"HTTP_ORIGIN": origin} if origin else {}
        token = self.client.cookies.get("csrftoken")
        if csrf and token is not None:
            headers["HTTP_X_CSRFTOKEN"] = token.value
        if key:
            headers["HTTP_IDEMPOTENCY_KEY"] = key
        data = b"" if body is None else json.dumps(body).encode()
        return self.client.generic(method, path, data, content_type="application/json", **headers)


@pytest.fixture
def browser(db) -> Browser:
    return Browser()


def problem(answer: HttpResponse) -> tuple[int, str]:
    """Status and code of a refusal, whose whole form is checked on the way."""
    assert answer["Content-Type"] == "application/problem+json", answer.content
    assert answer["Cache-Control"] == "no-store"
    content = json.loads(answer.content)
    assert set(content) == {"type", "title", "status", "code", "detail", "details", "errors"}
    assert content["type"] == f"urn:careervector:problem:{content['code']}"
    assert content["status"] == answer.status_code
    return answer.status_code, content["code"]


def batch(text: str, *, clock: int = 1) -> dict[str, Any]:
    """A batch that sets the profile's name."""
    return {
        "reason": "test",
        "expected_clocks": {"profile": clock},
        "operations": [{"kind": "field.set", "document": "profile", "field": "name", "value": text}],
    }
