"""Web and mail addresses as people write them in a resume, made into ones that the profile takes.

Above: `resume_values`. Below: the check of URL values.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote

from workspaces.documents.values import ValueFlaw, ValueType, check_value

_URL = ValueType("url")
_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*):")
# A host with a dot (or localhost, or a bracketed address), perhaps a port, then the end or what follows a host.
_HOST_FIRST = re.compile(
    r"^(?:[^\s/?#:@\[\]<>\"'(),;&\\]+\.[^\s/?#:@\[\]<>\"'(),;&\\.]{2,}|localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:]+\])"
    r"\.?(?::\d{1,5})?(?=[/?#]|$)"
)
_MAIL = re.compile(r"^[^\s@/:<>()]+@[^\s@/:<>()]+\.[^\s@/:<>().]{2,}$")
_FILE_NAME = re.compile(r"^[^/?#]+\.(?:jpe?g|png|gif|webp|svg|bmp|pdf|docx?|html?)$", re.IGNORECASE)
_SPACE = re.compile(r"\s")


class Address(NamedTuple):
    """`url` None: left out. `code` None: taken over as it stood."""

    url: str | None
    code: str | None = None
    message: str = ""


def read_url(text: str) -> Address:
    """The address in `text`, which is trimmed and holds no control characters."""
    if _is_url(text):
        return Address(text)
    scheme = _SCHEME.match(text)
    if scheme is not None and not _HOST_FIRST.match(text):
        if scheme[1].lower() not in ("http", "https", "mailto"):
            return Address(None, "url_scheme", "Only http, https and mailto addresses are kept; this one was left out.")
        return _escaped(text)
    if text.startswith("//") and _HOST_FIRST.match(text[2:]):
        return _completed(f"https:{text}")
    if _HOST_FIRST.match(text) and not _FILE_NAME.match(text):
        return _completed(f"https://{text}")
    if _MAIL.match(text):
        mail = f"mailto:{text}"
        return Address(mail, "url", "A mail address: mailto: was put in front.") if _is_url(mail) else _NO_ADDRESS
    return _NO_ADDRESS


_NO_ADDRESS = Address(None, "url", "This is not a web or mail address; it was left out.")


def _completed(url: str) -> Address:
    found = _escaped(url)
    return found if found.url is None else Address(found.url, "url", "https:// was put in front.")


def _escaped(url: str) -> Address:
    """White space inside is percent-encoded; what is then still no address is left out."""
    escaped = _SPACE.sub(lambda found: quote(found[0]), url)
    return Address(escaped, "url", "White space in the address was encoded.") if _is_url(escaped) else _NO_ADDRESS


def _is_url(text: str) -> bool:
    try:
        check_value(text, _URL)
    except ValueFlaw:
        return False
    return True
