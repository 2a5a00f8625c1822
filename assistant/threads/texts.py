"""What a person may type into a thread: one line for titles, several for questions.

Same rules as for documents (contract section 3): no control characters but newline and tab, no lone surrogates, NFC.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from workspaces.errors import Flaw, InvalidRequest


def clean_line(value: Any, *, path: str, limit: int) -> str:
    """A trimmed single line of at most `limit` characters; may be empty. Raises InvalidRequest."""
    text = _clean(value, path=path, limit=limit)
    if "\n" in text or "\t" in text:
        raise InvalidRequest(flaws=[Flaw(path, "control_character", "This must be a single line.")])
    return text.strip()


def clean_text(value: Any, *, path: str, limit: int) -> str:
    """A text of 1 to `limit` characters that is not blank. Raises InvalidRequest."""
    text = _clean(value, path=path, limit=limit)
    if not text.strip():
        raise InvalidRequest(flaws=[Flaw(path, "blank", "This must not be blank.")])
    return text


def _clean(value: Any, *, path: str, limit: int) -> str:
    if not isinstance(value, str):
        raise InvalidRequest(flaws=[Flaw(path, "type", "This must be a text.")])
    if len(value) > limit:
        raise InvalidRequest(flaws=[Flaw(path, "max_length", f"This holds at most {limit} characters.")])
    normal = value.replace("\r\n", "\n").replace("\r", "\n")
    for character in normal:
        category = unicodedata.category(character)
        if category == "Cs" or (category == "Cc" and character not in "\n\t"):
            raise InvalidRequest(
                flaws=[Flaw(path, "control_character", "This holds a control character or half a character.")]
            )
    return unicodedata.normalize("NFC", normal)
