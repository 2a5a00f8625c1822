"""POST session: a link's secret becomes a grant of this browser session. It travels in the body, not in an address."""

from __future__ import annotations

from typing import Any

from django.middleware.csrf import get_token
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from workspaces import facade
from workspaces.errors import LinkInvalid, OriginRefused
from workspaces.operations.fields import StrictSerializer

from . import examples
from .base import ApiView, json_response, plain
from .fields import StringField
from .grants import grant
from .origin import is_own_origin
from .schema import describe


class SecretField(StringField):
    """Whatever is no link is told like a link that opens nothing, so the form is said but not checked here."""

    json_schema = {"type": "string", "pattern": "^cvl_[A-Za-z0-9_-]{43}$"}


class SessionRequest(StrictSerializer):
    link = SecretField()


class SessionAnswer(serializers.Serializer[Any]):
    workspace = serializers.CharField()
    role = serializers.ChoiceField(("owner", "edit", "view"))


class SessionView(ApiView):
    limits = {"POST": "session"}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        # Before anything else: another site's page must not be able to plant its own workspace here.
        headers = plain(request).headers
        origin = headers.get("Origin")
        from_browser = origin is not None or "Sec-Fetch-Site" in headers or "Sec-Fetch-Mode" in headers
        if from_browser and not is_own_origin(origin or ""):
            raise OriginRefused
        super().initial(request, *args, **kwargs)

    @describe(
        "Open a link in this browser", operation="open_session",
        detail="Exchanges a link's secret for a grant in the browser's session cookie; a session may hold several "
        "workspaces' grants. For pages: a script sends the secret as a bearer with each request instead.",
        request=SessionRequest, answer=SessionAnswer, refuses=(LinkInvalid, OriginRefused),
        example=examples.SESSION, answer_example=examples.OPENED,
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        access = facade.open_link(secret=self.parse(request, SessionRequest)["link"])
        grant(plain(request).session, access)
        get_token(plain(request))  # the page's first write needs the CSRF cookie
        return json_response({"workspace": access.workspace, "role": access.role})
