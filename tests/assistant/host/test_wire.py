"""Host protocol messages: everything of the protocol is read as it was built, everything else is refused."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant import wire

HOST_MESSAGES = [
    wire.Hello(1, "host", (wire.ConnectorInfo("builtin", "1", "ready", {"offline": True}),)),
    wire.TurnAccept("trn_1"),
    wire.ProviderEvent("trn_1", "e1", "message.delta", {"part": "a", "text": "ä😀"}),
    wire.ToolCall("trn_1", "c1", "token", "get_workspace_context", {"surface": None}),
    wire.ToolCall("trn_1", "c1", "token", "x", ["not", "an", "object"]),
    wire.ThreadBind("trn_1", "native"),
    wire.Heartbeat(),
]
SERVER_MESSAGES = [
    wire.Welcome(1, "hst_1", 10),
    wire.Assignment(
        turn="trn_1", thread="thr_1", connector="con_1", provider="builtin", attempt=1, capability="token",
        deadline_at="2026-12-01T00:00:00Z", provider_thread=None, tools=({"name": "x"},), instructions="Be kind.",
        context={"surface": None}, history=({"role": "user", "text": "Hi"},), text="Hello?",
    ),
    wire.ToolResult("trn_1", "c1", {"status": "ok"}),
    wire.TurnCancel("trn_1"),
    wire.EventRefused("trn_1", "e1", "turn_ended"),
    wire.Problem({"code": "malformed"}),
    wire.Heartbeat(),
]  # fmt: skip


@pytest.mark.parametrize("message", HOST_MESSAGES, ids=lambda message: type(message).__name__)
def test_what_a_host_builds_the_server_reads(message: Any) -> None:
    assert wire.parse_host_message(wire.encode(message.as_json())) == message


@pytest.mark.parametrize("message", SERVER_MESSAGES, ids=lambda message: type(message).__name__)
def test_what_the_server_builds_a_host_reads(message: Any) -> None:
    assert wire.parse_server_message(wire.encode(message.as_json())) == message


def test_a_host_passes_over_what_a_newer_server_may_say() -> None:
    assert (
        wire.parse_server_message('{"type":"login.start","connector":"con_1","provider":"codex","method":"x"}') is None
    )


@pytest.mark.parametrize("message", HOST_MESSAGES, ids=lambda message: type(message).__name__)
def test_a_missing_or_further_field_is_refused(message: Any) -> None:
    body = message.as_json()
    broken = [{**body, "more": 1}]
    broken += [{name: value for name, value in body.items() if name != left_out} for left_out in body]
    for each in broken:
        with pytest.raises(wire.WireError):
            wire.parse_host_message(json.dumps(each))


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("", "malformed"),
        ("nonsense", "malformed"),
        ("[]", "malformed"),
        ("null", "malformed"),
        ('{"type":"heartbeat","type":"heartbeat"}', "malformed"),
        ('{"type":"heartbeat","x":NaN}', "malformed"),
        ('{"type":"heartbeat","x":-Infinity}', "malformed"),
        ('{"type":"heartbeat","x":1e400}', "malformed"),
        ('{"type":"heartbeat","\\udc00":1}', "malformed"),
        ('{"type":' + "[" * 65 + "]" * 65 + "}", "malformed"),
        (b'{"type":"heartbeat"}', "malformed"),
        ('{"type":"heartbeat","x":"' + "x" * wire.MAX_FRAME_BYTES + '"}', "too_large"),
        ('{"type":"heartbeat","x":"' + "€" * (wire.MAX_FRAME_BYTES // 3) + '"}', "too_large"),
        ("{}", "invalid_request"),
        ('{"type":["hello"]}', "invalid_request"),
        ('{"type":"hello","protocol":true,"host":"x","connectors":[]}', "invalid_request"),
        ('{"type":"hello","protocol":1.0,"host":"x","connectors":[]}', "invalid_request"),
    ],
)
def test_a_frame_that_is_no_message_is_refused(frame: str | bytes, code: str) -> None:
    with pytest.raises(wire.WireError) as refusal:
        wire.parse_host_message(frame)
    assert refusal.value.code == code


def test_a_hello_of_another_version_is_read_so_far_that_it_can_be_answered() -> None:
    hello = wire.parse_host_message('{"type":"hello","protocol":2,"everything":"else is new"}')
    assert hello == wire.Hello(protocol=2, host="", connectors=())


def test_capabilities_may_be_a_list_of_names() -> None:
    body = {**HOST_MESSAGES[0].as_json(), "connectors": [
        {"provider": "builtin", "version": "1", "state": "ready", "capabilities": ["offline", "streaming"]}
    ]}  # fmt: skip
    hello = wire.parse_host_message(json.dumps(body))
    assert isinstance(hello, wire.Hello)
    assert hello.connectors[0].capabilities == {"offline": True, "streaming": True}


def test_a_capability_is_in_no_repr() -> None:
    assert "token" not in repr(SERVER_MESSAGES[1])


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
_types = st.sampled_from(
    ["hello", "turn.accept", "event", "tool.call", "thread.bind", "login.update", "connector.erased", "heartbeat"]
)
_names = st.sampled_from(
    "protocol host connectors turn id kind data call capability name arguments provider_thread connector state".split()
)


@given(kind=_types, fields=st.dictionaries(_names, _json, max_size=6))
def test_whatever_a_host_sends_is_a_message_or_a_refusal(kind: str, fields: dict[str, Any]) -> None:
    frame = json.dumps({**fields, "type": kind})
    # Anything but a refusal of ours would fail here.
    with suppress(wire.WireError):
        assert type(wire.parse_host_message(frame)).__module__ == "assistant.wire.messages"


@given(st.text(max_size=200) | st.binary(max_size=200))
def test_whatever_bytes_arrive_nothing_but_a_refusal_comes_out(frame: str | bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.parse_host_message(frame)
