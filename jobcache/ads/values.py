"""One ad as it comes in, whatever its source, with the limits that every ad obeys.

Above: store, corpus, the load commands; later one adapter a board. Below: nothing of the database.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from dataclasses import asdict, dataclass
from datetime import date
from html import unescape
from typing import Any

import nh3

MAXIMUM_LINE = 500
MAXIMUM_TEXT = 50_000
_TAG = re.compile(
    r"</?(?:p|br|div|span|ul|ol|li|b|i|em|strong|a|h[1-6]|table|tr|td|script|style|img|iframe)\b[^<>]*>", re.I
)
_BLOCK_END = re.compile(r"<(?:br|/p|/div|/li|/h[1-6]|/tr)\b[^<>]*>", re.I)


@dataclass(frozen=True, slots=True)
class Salary:
    """As the ad has it, never converted. `kind`: stated in a field, parsed from text, or estimated by the source."""

    minimum: int | None
    maximum: int | None
    currency: str
    period: str
    kind: str
    raw: str


@dataclass(frozen=True, slots=True)
class IncomingAd:
    """One posting at one source. Blank text and None mean that the source does not say it.

    `source_key` is the source's own id, `requisition` the employer's; `provenance` maps our field names to the places
    in the source that they were read from.
    """

    source_key: str
    title: str
    company: str = ""
    location: str = ""
    country: str = ""
    work_mode: str = ""
    employment_type: str = ""
    salary: Salary | None = None
    posted_on: date | None = None
    valid_through: date | None = None
    url: str = ""
    text: str = ""
    requisition: str = ""
    provenance: tuple[tuple[str, str], ...] = ()

    def content_hash(self) -> str:
        """`sha256:` and the digest of everything the ad says, its key and provenance apart."""
        content: dict[str, Any] = asdict(self)
        del content["source_key"], content["provenance"]
        encoded = json.dumps(content, sort_keys=True, ensure_ascii=False, default=str).encode()
        return "sha256:" + hashlib.sha256(encoded).hexdigest()


def plain_line(value: str, *, most: int = MAXIMUM_LINE) -> str:
    """One line of plain text, without markup and control characters, cut at `most` characters."""
    return " ".join(plain_text(value).split())[:most].rstrip()


def plain_text(value: str, *, most: int = MAXIMUM_TEXT) -> str:
    """Plain text with line breaks kept; markup is removed where there is any, "a < b" is left alone."""
    value = value.replace("\r\n", "\n").replace("\r", "\n")
    if _TAG.search(value):
        value = unescape(nh3.clean(_BLOCK_END.sub("\n", value), tags=set(), clean_content_tags={"script", "style"}))
    value = unicodedata.normalize("NFC", value)
    kept = "".join(sign for sign in value if sign in "\n\t" or unicodedata.category(sign) not in {"Cc", "Cs"})
    return kept[:most].strip()
