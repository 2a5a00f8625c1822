"""Frames to messages: strict JSON, then exactly the fields of the message's type.

Above it: both ends of the host socket. Below it: `messages`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from .messages import (
    CONNECTOR_STATES,
    MAX_FRAME_BYTES,
    PROTOCOL,
    Assignment,
    ConnectorErase,
    ConnectorErased,
    ConnectorInfo,
    ConnectorState,
    EventRefused,
    Heartbeat,
    Hello,
    HostMessage,
    LoginUpdate,
    Problem,
    ProviderEvent,
    ServerMessage,
    ThreadBind,
    ToolCall,
    ToolResult,
    TurnAccept,
    TurnCancel,
    Welcome,
)

MAX_DEPTH: Final = 64
_ID = re.compile(r"[A-Za-z0-9_:.\-]{1,200}")


class WireError(Exception):
    """A message that is not one of the protocol. `code` is `malformed`, `too_large` or `invalid_request`."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(message)


def encode(message: Mapping[str, Any]) -> str:
    """One compact text frame."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def decode(frame: str | bytes) -> dict[str, Any]:
    """The JSON object of a text frame: no duplicate keys, no NaN, no lone surrogates, bounded size and depth."""
    if isinstance(frame, bytes):
        raise WireError("malformed", "frames are text, not binary")
    if len(frame) > MAX_FRAME_BYTES or len(frame.encode("utf-8", "surrogatepass")) > MAX_FRAME_BYTES:
        raise WireError("too_large", f"a frame holds at most {MAX_FRAME_BYTES} bytes")
    try:
        value = json.loads(frame, object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise WireError("malformed", "the frame is not readable JSON") from error
    if not isinstance(value, dict):
        raise WireError("malformed", "a frame is a JSON object")
    _check_text_and_depth(value)
    return value


def parse_host_message(frame: str | bytes) -> HostMessage:
    """What a host sent. Raises `WireError`."""
    body = decode(frame)
    reader = _HOST_READERS.get(str(body.get("type")))
    if reader is None:
        raise WireError("invalid_request", "unknown message type")
    return reader(body)


def parse_server_message(frame: str | bytes) -> ServerMessage | None:
    """What the server sent, or None for a type that this version does not know (login and erasure, for instance)."""
    body = decode(frame)
    reader = _SERVER_READERS.get(str(body.get("type")))
    return None if reader is None else reader(body)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key occurs twice")
    return result


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError("a number is too large to hold")
    return number


def _check_text_and_depth(value: Any) -> None:
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for item in level:
            if isinstance(item, str):
                _check_surrogates(item)
            elif isinstance(item, dict):
                for key in item:
                    _check_surrogates(key)
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
        if not below:
            return
        level = below
    raise WireError("malformed", "the frame is nested too deeply")


def _check_surrogates(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise WireError("malformed", "the frame holds a lone surrogate") from error


def _exact(body: Mapping[str, Any], required: Sequence[str], optional: Sequence[str] = ()) -> None:
    missing = [name for name in required if name not in body]
    if missing:
        raise WireError("invalid_request", f"missing: {', '.join(missing)}")
    unknown = set(body) - {"type", *required, *optional}
    if unknown:
        raise WireError("invalid_request", "unknown fields in the message")


def _text(body: Mapping[str, Any], name: str, limit: int = 200) -> str:
    value = body[name]
    if not isinstance(value, str) or not 0 < len(value) <= limit:
        raise WireError("invalid_request", f"{name}: a text of 1 to {limit} characters")
    return value


def _id(body: Mapping[str, Any], name: str) -> str:
    value = body[name]
    if not isinstance(value, str) or _ID.fullmatch(value) is None:
        raise WireError("invalid_request", f"{name}: an id of 1 to 200 characters (A-Z a-z 0-9 _ : . -)")
    return value


def _object(body: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = body[name]
    if not isinstance(value, dict):
        raise WireError("invalid_request", f"{name}: an object")
    return value


def _integer(body: Mapping[str, Any], name: str) -> int:
    value = body[name]
    if not isinstance(value, int) or isinstance(value, bool):
        raise WireError("invalid_request", f"{name}: an integer")
    return value


def _optional_text(body: Mapping[str, Any], name: str, limit: int = 500) -> str | None:
    return None if body.get(name) is None else _text(body, name, limit)


def _state(body: Mapping[str, Any]) -> ConnectorState:
    value = body["state"]
    if not isinstance(value, str) or value not in CONNECTOR_STATES:
        raise WireError("invalid_request", f"state: one of {', '.join(sorted(CONNECTOR_STATES))}")
    return value  # type: ignore[return-value]


def _read_hello(body: dict[str, Any]) -> Hello:
    # The version goes first: another version may have other fields, and its host should read why it is refused.
    if "protocol" in body and _integer(body, "protocol") != PROTOCOL:
        return Hello(protocol=body["protocol"], host="", connectors=())
    _exact(body, ["protocol", "host", "connectors"])
    connectors = body["connectors"]
    if not isinstance(connectors, list) or len(connectors) > 20:
        raise WireError("invalid_request", "connectors: a list of at most 20")
    return Hello(
        protocol=_integer(body, "protocol"),
        host=_text(body, "host", 100),
        connectors=tuple(_read_connector(item) for item in connectors),
    )


def _read_connector(item: Any) -> ConnectorInfo:
    if not isinstance(item, dict):
        raise WireError("invalid_request", "connectors: a list of objects")
    _exact(item, ["provider", "version", "state"], ["capabilities"])
    capabilities = item.get("capabilities") or {}
    if isinstance(capabilities, list):
        if not all(isinstance(name, str) for name in capabilities):
            raise WireError("invalid_request", "capabilities: names")
        capabilities = dict.fromkeys(capabilities, True)
    if not isinstance(capabilities, dict) or len(encode(capabilities)) > 2_000:
        raise WireError("invalid_request", "capabilities: a small object")
    return ConnectorInfo(
        provider=_id(item, "provider"),
        version=_text(item, "version", 40),
        state=_state(item),
        capabilities=capabilities,
    )


def _read_event(body: dict[str, Any]) -> ProviderEvent:
    _exact(body, ["turn", "id", "kind", "data"])
    return ProviderEvent(
        turn=_id(body, "turn"), id=_id(body, "id"), kind=_text(body, "kind", 60), data=_object(body, "data")
    )


def _read_call(body: dict[str, Any]) -> ToolCall:
    _exact(body, ["turn", "call", "capability", "name", "arguments"])
    return ToolCall(
        turn=_id(body, "turn"),
        call=_id(body, "call"),
        capability=_text(body, "capability", 4_000),
        name=_text(body, "name", 200),
        arguments=body["arguments"],
    )


def _read_accept(body: dict[str, Any]) -> TurnAccept:
    _exact(body, ["turn"])
    return TurnAccept(turn=_id(body, "turn"))


def _read_bind(body: dict[str, Any]) -> ThreadBind:
    _exact(body, ["turn", "provider_thread"])
    return ThreadBind(turn=_id(body, "turn"), provider_thread=_text(body, "provider_thread", 500))


def _read_login(body: dict[str, Any]) -> LoginUpdate:
    _exact(body, ["connector", "state"], ["verification_url", "user_code", "expires_at"])
    return LoginUpdate(
        connector=_id(body, "connector"),
        state=_state(body),
        verification_url=_optional_text(body, "verification_url"),
        user_code=_optional_text(body, "user_code", 60),
        expires_at=_optional_text(body, "expires_at", 40),
    )


def _read_erase(body: dict[str, Any]) -> ConnectorErase:
    return ConnectorErase(connector=_id(body, "connector"))


def _read_erased(body: dict[str, Any]) -> ConnectorErased:
    _exact(body, ["connector"])
    return ConnectorErased(connector=_id(body, "connector"))


def _read_heartbeat(body: dict[str, Any]) -> Heartbeat:
    _exact(body, [])
    return Heartbeat()


def _read_welcome(body: dict[str, Any]) -> Welcome:
    return Welcome(
        protocol=_integer(body, "protocol"),
        host_id=_id(body, "host_id"),
        heartbeat_s=max(1, _integer(body, "heartbeat_s")),
    )


def _read_assignment(body: dict[str, Any]) -> Assignment:
    _exact(
        body,
        "turn thread connector provider attempt capability deadline_at provider_thread tools instructions context "
        "history input".split(),
    )
    return Assignment(
        turn=_id(body, "turn"),
        thread=_id(body, "thread"),
        connector=_id(body, "connector"),
        provider=_id(body, "provider"),
        attempt=_integer(body, "attempt"),
        capability=_text(body, "capability", 4_000),
        deadline_at=_text(body, "deadline_at", 40),
        provider_thread=_optional_text(body, "provider_thread"),
        tools=tuple(body["tools"]),
        instructions=str(body["instructions"]),
        context=_object(body, "context"),
        history=tuple(body["history"]),
        text=str(_object(body, "input").get("text", "")),
    )


def _read_result(body: dict[str, Any]) -> ToolResult:
    _exact(body, ["turn", "call", "result"])
    return ToolResult(turn=_id(body, "turn"), call=_id(body, "call"), result=_object(body, "result"))


def _read_cancel(body: dict[str, Any]) -> TurnCancel:
    return TurnCancel(turn=_id(body, "turn"))


def _read_refused(body: dict[str, Any]) -> EventRefused:
    return EventRefused(turn=_id(body, "turn"), id=_id(body, "id"), code=_text(body, "code"))


def _read_problem(body: dict[str, Any]) -> Problem:
    return Problem(problem=_object(body, "problem"))


_HOST_READERS: Final[dict[str, Callable[[dict[str, Any]], HostMessage]]] = {
    "hello": _read_hello,
    "turn.accept": _read_accept,
    "event": _read_event,
    "tool.call": _read_call,
    "thread.bind": _read_bind,
    "login.update": _read_login,
    "connector.erased": _read_erased,
    "heartbeat": _read_heartbeat,
}
_SERVER_READERS: Final[dict[str, Callable[[dict[str, Any]], ServerMessage]]] = {
    "welcome": _read_welcome,
    "turn.assign": _read_assignment,
    "tool.result": _read_result,
    "turn.cancel": _read_cancel,
    "connector.erase": _read_erase,
    "event.refused": _read_refused,
    "error": _read_problem,
    "heartbeat": _read_heartbeat,
}
