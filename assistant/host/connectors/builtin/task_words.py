"""Reading "buy a suit by Friday" into a title, verbatim, and its due date. Above: tasks and checklist items."""

from __future__ import annotations

import re
from datetime import date

from .changes import one_line
from .dates import edge_date
from .sentence import QUOTED, Sentence
from .times import find_time


def dated(body: Sentence, today: date, when: Sentence | None = None) -> tuple[str, str | None]:
    """A title verbatim and its due date: said apart, or at the end or start of the title itself."""
    words = body
    due = None
    if when is not None:
        found = edge_date(when.folded, today)
        due = found[0].on.isoformat() if found else None
        if found is None and when.folded.strip():
            words = body  # not a date after all: nothing is lost, it only stays unsaid
    if due is None and not (words.folded == QUOTED):
        found = edge_date(words.folded, today)
        if found is not None:
            day, start, end = found
            kept = words.part(0, start) if start > 0 else words.part(end, len(words.folded))
            kept = kept.part(0, len(re.sub(r"(?:[,(]|(?:,? ?(?:by|on|before|until|for|due|in)))\s*$", "", kept.folded)))
            if start > 0 and _timed(words.folded[end:]):
                kept = words
            if kept.folded.strip(" .,!?:-"):
                words, due = kept, day.on.isoformat()
    text = one_line(words.words).strip()
    text = re.sub(r"^(?:to (?=[a-z])|that (?=i )|[,:;-]+\s*)", "", text)
    return re.sub(r"[\s,;:]+$", "", text).rstrip() if not words.folded.endswith("...") else text, due


def _timed(text: str) -> bool:
    return find_time(text) is not None
