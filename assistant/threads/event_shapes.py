"""The events that a host may send, read strictly: kind, fields, types, sizes. Nothing here touches a row.

Above it: `turn_events`. Source: contract section 9 (event kinds).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from assistant.wire import AUTH_STATES, HOST_FAILURES, MAX_CITATIONS, MAX_EVENT_TEXT, ProviderEvent

from .ending import MAX_MESSAGE, Cancelled, Completed, Ending, Failed

MAX_PROGRESS: Final = 300
_PART = re.compile(r"[A-Za-z0-9_.\-]{1,40}")
_CLASS = re.compile(r"[a-z0-9_.\-]{1,40}")


class EventFlaw(Exception):
    """`code` is what the host is told: `unknown_kind`, `invalid_request` or `too_large`."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(code)


@dataclass(frozen=True, slots=True)
class Line:
    """An event as it will be written. `characters` counts against the turn's room."""

    kind: str
    data: dict[str, Any]
    characters: int = 0


def read_event(event: ProviderEvent) -> Line | Ending:
    """What an event means. Raises EventFlaw."""
    reader = _READERS.get(event.kind)
    if reader is None:
        raise EventFlaw("unknown_kind")
    return reader(event.data)


def _delta(data: Mapping[str, Any]) -> Line:
    _exact(data, "part", "text")
    text = _text(data["text"], MAX_EVENT_TEXT)
    return Line("message.delta", {"part": _part(data["part"]), "text": text}, len(text))


def _message(data: Mapping[str, Any]) -> Line:
    _exact(data, "part", "text", "citations")
    text = _text(data["text"], MAX_EVENT_TEXT)
    cited = data["citations"]
    if not isinstance(cited, list) or len(cited) > MAX_CITATIONS or not all(isinstance(each, str) for each in cited):
        raise EventFlaw("invalid_request")
    return Line("message.completed", {"part": _part(data["part"]), "text": text, "citations": cited}, len(text))


def _progress(data: Mapping[str, Any]) -> Line:
    _exact(data, "text")
    text = _text(data["text"], MAX_PROGRESS)
    return Line("progress", {"text": text}, len(text))


def _limit(data: Mapping[str, Any]) -> Line:
    _exact(data, "class", "retry_at")
    limit_class, retry_at = data["class"], data["retry_at"]
    if not isinstance(limit_class, str) or _CLASS.fullmatch(limit_class) is None or not _is_moment(retry_at):
        raise EventFlaw("invalid_request")
    return Line("limit", {"class": limit_class, "retry_at": retry_at})


def _auth(data: Mapping[str, Any]) -> Line:
    _exact(data, "state")
    if not isinstance(data["state"], str) or data["state"] not in AUTH_STATES:
        raise EventFlaw("invalid_request")
    return Line("auth", {"state": data["state"]})


def _completed(data: Mapping[str, Any]) -> Ending:
    # Tools and counts are the server's own knowledge; all that it takes from the host is the model's name.
    given = data.get("provenance", data)
    model = given.get("model") if isinstance(given, Mapping) else None
    if model is None:
        return Completed()
    name = _text(model, 100)
    return Completed(model=name)


def _failed(data: Mapping[str, Any]) -> Ending:
    _exact(data, "class", "message")
    if not isinstance(data["class"], str) or data["class"] not in HOST_FAILURES:
        raise EventFlaw("invalid_request")
    return Failed(data["class"], _text(data["message"], MAX_MESSAGE))


def _cancelled(_data: Mapping[str, Any]) -> Ending:
    return Cancelled()


_READERS: Final[dict[str, Callable[[Mapping[str, Any]], Line | Ending]]] = {
    "message.delta": _delta,
    "message.completed": _message,
    "progress": _progress,
    "limit": _limit,
    "auth": _auth,
    "turn.completed": _completed,
    "turn.failed": _failed,
    "turn.cancelled": _cancelled,
}


def _exact(data: Mapping[str, Any], *names: str) -> None:
    if set(data) != set(names):
        raise EventFlaw("invalid_request")


def _part(value: Any) -> str:
    if not isinstance(value, str) or _PART.fullmatch(value) is None:
        raise EventFlaw("invalid_request")
    return value


def _text(value: Any, limit: int) -> str:
    if not isinstance(value, str) or "\x00" in value:
        raise EventFlaw("invalid_request")
    if len(value) > limit:
        raise EventFlaw("too_large")
    return value


def _is_moment(value: Any) -> bool:
    if value is None:
        return True
    try:
        return isinstance(value, str) and len(value) <= 40 and datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False
