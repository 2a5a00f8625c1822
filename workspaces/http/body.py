"""Request bodies of the API: JSON only, of limited size however they are sent, read strictly.

Above: every API view. Below: Django's request. Django does not limit a body sent in chunks, and DRF takes one without
Content-Length for empty, so the body is read here once, before anything else looks at it.
"""

from __future__ import annotations

from typing import IO, Any, cast

from django.http import HttpRequest, UnreadablePostError
from django.utils.http import parse_header_parameters
from rest_framework.parsers import BaseParser

from workspaces.errors import Malformed, TooLarge

from . import strict_json

MAX_BODY = 256 * 1024


def settle_body(request: HttpRequest, *, maximum: int = MAX_BODY) -> bytes:
    """Read the whole body and leave it where Django and DRF find it. Raises TooLarge, Malformed (it broke off)."""
    try:
        declared = int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        raise Malformed("Content-Length is not a number.") from None
    if declared > maximum:
        raise TooLarge(f"A request body is at most {maximum:,} bytes.")
    body: bytes | None = getattr(request, "_body", None)
    if body is None:
        try:
            body = request.read(maximum + 1)
        except (UnreadablePostError, OSError):
            raise Malformed("The body broke off.") from None
    if len(body) > maximum:
        raise TooLarge(f"A request body is at most {maximum:,} bytes.")
    request._body = body  # noqa: SLF001  what `request.body` would have set
    request.META["CONTENT_LENGTH"] = str(len(body))
    # Django's CSRF check must not look for a form in it.
    request.content_type = "application/json"
    return body


def require_json(request: HttpRequest) -> None:
    """A body that is not empty must say that it is JSON. Raises Malformed."""
    media_type, parameters = parse_header_parameters(request.META.get("CONTENT_TYPE", ""))
    if media_type.lower() != "application/json":
        raise Malformed("The body must be JSON: send Content-Type: application/json.")
    if parameters.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise Malformed("The body must be UTF-8.")


class StrictJSONParser(BaseParser):
    """DRF's way to `strict_json`; `settle_body` has read and limited the body before."""

    media_type = "application/json"

    def parse(self, stream: IO[Any], media_type: str | None = None, parser_context: Any = None) -> Any:
        return strict_json.loads(cast(bytes, stream.read()))
