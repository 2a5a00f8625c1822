"""Bodies that are not JSON, or more than JSON."""

from __future__ import annotations

import pytest

from workspaces.errors import Malformed
from workspaces.http import strict_json

REFUSED = {
    "empty": b"",
    "space": b"  ",
    "word": b"nope",
    "cut": b'{"a": 1',
    "two values": b"{} {}",
    "trailing comma": b'{"a": 1,}',
    "single quotes": b"{'a': 1}",
    "comment": b'{"a": 1} // x',
    "duplicate key": b'{"a": 1, "a": 1}',
    "duplicate key below": b'{"x": [{"a": 1, "b": 2, "a": 3}]}',
    "duplicate key by escape": b'{"a": 1, "\\u0061": 2}',
    "NaN": b'{"a": NaN}',
    "infinity": b"[Infinity]",
    "minus infinity": b"[-Infinity]",
    "infinite by exponent": b"[1e999]",
    "minus infinite by exponent": b"[-1e999]",
    "lone high surrogate": b'["\\ud800"]',
    "lone low surrogate": b'["\\uDC00 x"]',
    "lone surrogate in a key": b'{"\\ud800": 1}',
    "lone surrogate below": b'{"a": {"b": ["\\udfff"]}}',
    "not UTF-8": b'["\xff"]',
    "surrogate as UTF-8": b'["\xed\xa0\x80"]',
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbf{}",
    "raw newline in a string": b'["a\nb"]',
    "too deep": b"[" * 22 + b"]" * 22,
    "far too deep": b"[" * 100_000,
    "far too deep objects": b'{"a":' * 50_000,
    "number of 5,000 digits": b"[" + b"9" * 5000 + b"]",
}


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED)
def test_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        strict_json.loads(data)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b'{"a": [1, 2.5, true, null, "\\u00e9\\ud83d\\ude00"]}', {"a": [1, 2.5, True, None, "é😀"]}),
        ('["é😀"]'.encode(), ["é😀"]),
        (b"[" * 20 + b"1" + b"]" * 20, None),
        (b"[123456789012345678901234567890]", [123456789012345678901234567890]),
        (b"7", 7),
    ],
)
def test_accepted(data: bytes, value: object) -> None:
    found = strict_json.loads(data)
    if value is not None:
        assert found == value


def test_the_message_says_where_but_never_what() -> None:
    with pytest.raises(Malformed) as refusal:
        strict_json.loads(b'{"secret": "hunter2", }')
    assert "hunter2" not in refusal.value.detail
    assert "line 1, column" in refusal.value.detail
