"""Who asks: a bearer link, or a browser session that opened one. Gives the view an `Access` as `request.auth`.

Writes of a browser session need our own Origin and Django's CSRF token. A bearer needs neither, since no foreign page
can make a browser send one. Source: contract section 2.
"""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.request import Request

from workspaces.contracts import Access
from workspaces.errors import CsrfFailed, LinkInvalid, NotFound, OriginRefused
from workspaces.links import open_link

from .grants import open_by_session
from .origin import is_own_origin

_SAFE = ("GET", "HEAD", "OPTIONS")
_BEARER = re.compile(r"bearer +(\S+)", re.IGNORECASE)


class LinkAuthentication(BaseAuthentication):
    """For views whose address names a workspace (`workspace` among the URL's arguments)."""

    def authenticate(self, request: Request) -> tuple[None, Access]:
        workspace = request.parser_context["kwargs"]["workspace"]
        plain = request._request  # noqa: SLF001  DRF has no public name for Django's request
        header = plain.headers.get("Authorization")
        if header is not None:
            return None, open_by_bearer(header, workspace=workspace)
        access = open_by_session(plain.session, workspace=workspace)
        if plain.method not in _SAFE:
            require_own_page(plain)
        return None, access

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def open_by_bearer(header: str, *, workspace: str) -> Access:
    """Raises LinkInvalid, or NotFound for a workspace that the link does not open."""
    match = _BEARER.fullmatch(header.strip())
    access = open_link(secret=match.group(1) if match else "")
    if match is None:
        raise LinkInvalid
    if access.workspace != workspace:
        raise NotFound
    return access


def require_own_page(request: HttpRequest) -> None:
    """Raises OriginRefused for another site's page, CsrfFailed without the right token."""
    origin = request.headers.get("Origin")
    if origin is not None and not is_own_origin(origin):
        raise OriginRefused
    check = CSRFCheck(_no_response)
    check.process_request(request)
    if check.process_view(request, _no_response, (), {}):
        raise CsrfFailed


def _no_response(request: HttpRequest) -> Any:
    raise AssertionError("the CSRF check never calls the view")
