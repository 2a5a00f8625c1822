"""Letters, notes and everything else with a text as Markdown. Above: the facade. Pure: knows no database.

A document alone opens with front matter that any YAML reader takes; in a file of many each has a heading.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

# Line ends for YAML though not for JSON, and characters that it does not allow.
_ESCAPES = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF)}


@dataclass(frozen=True, slots=True)
class Page:
    """One document's text. `values` are what the head says of it, without those that it does not have."""

    title: str
    values: Mapping[str, Any]
    text: str


def one_page(page: Page) -> str:
    """The document with its front matter."""
    lines = [f"{name}: {_yaml(value)}" for name, value in {"title": page.title, **page.values}.items()]
    return "\n".join(["---", *lines, "---", "", _closed(page.text)])


def many_pages(pages: Iterable[Page]) -> Iterator[str]:
    """One after the other, with a rule between them."""
    for index, page in enumerate(pages):
        lines = [f"- {name.replace('_', ' ')}: {_inline(str(value))}" for name, value in page.values.items()]
        head = "\n".join([f"# {_inline(page.title)}", "", *lines])
        yield f"{'' if index == 0 else chr(10) + '---' + chr(10) * 2}{head}\n\n{_closed(page.text)}"


def _closed(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _yaml(value: Any) -> str:
    """A JSON string is a YAML one too."""
    return json.dumps(value, ensure_ascii=False).translate(_ESCAPES)


def _inline(text: str) -> str:
    """Text as itself, whatever Markdown or HTML would make of it."""
    escaped = "".join(f"\\{c}" if c in "\\`*_[]<>#!|~&" else c for c in text)
    return " ".join(escaped.split())
