"""Scripts: what is one, and what is none."""

from __future__ import annotations

import pytest

from assistant.host.connectors.base import ConnectorFailure
from assistant.host.connectors.scripted import (
    Auth,
    Bind,
    Call,
    Complete,
    Crash,
    Fail,
    Limit,
    Model,
    Progress,
    Say,
    ScriptError,
    Together,
    Wait,
    parse_script,
    resolve,
)


def test_every_step_has_a_json_form() -> None:
    text = """[
        {"say": "a"}, {"say": {"text": "b", "part": "p"}},
        {"complete": "c"}, {"complete": {"text": "d", "citations": ["profile"], "part": "p"}},
        {"call": {"name": "x"}}, {"call": {"name": "x", "arguments": {"y": 1}, "call": "c1"}},
        {"together": [{"name": "x"}, {"name": "y"}]},
        {"progress": "e"}, {"limit": {"class": "requests"}}, {"auth": "ready"}, {"bind": "n"},
        {"wait": 0.5}, {"wait": "cancel"}, {"fail": {"class": "timeout", "message": "m"}}, {"crash": true},
        {"model": "m"}
    ]"""
    assert parse_script(text) == (
        Say("a"),
        Say("b", "p"),
        Complete("c"),
        Complete("d", ("profile",), "p"),
        Call("x"),
        Call("x", {"y": 1}, "c1"),
        Together((Call("x"), Call("y"))),
        Progress("e"),
        Limit("requests"),
        Auth("ready"),
        Bind("n"),
        Wait(0.5),
        Wait(),
        Fail("timeout", "m"),
        Crash(),
        Model("m"),
    )


@pytest.mark.parametrize(
    "text",
    ["", "{", "{}", "5", "[5]", "[{}]", '[{"say":"a","wait":1}]', '[{"dance":1}]', '[{"say":5}]', '[{"together":[{}]}]',
     '[{"call":{}}]', '[{"wait":"long"}]', "[" * 100_000],
    ids=lambda text: text[:20],
)  # fmt: skip
def test_what_is_no_script_is_refused(text: str) -> None:
    with pytest.raises(ScriptError):
        parse_script(text)


def test_arguments_take_values_from_earlier_results() -> None:
    results = [{"clocks": {"profile": 7}, "documents": [{"id": "profile"}]}]
    given = {"a": [{"$ref": "0/clocks/profile"}], "b": {"$ref": "0/documents/0/id"}, "c": "plain"}
    assert resolve(given, results) == {"a": [7], "b": "profile", "c": "plain"}


@pytest.mark.parametrize("path", ["1/clocks", "0/nothing", "x", "0/clocks/profile/deeper", ""])
def test_a_reference_to_nothing_fails_the_turn_and_says_why(path: str) -> None:
    with pytest.raises(ConnectorFailure, match="refers to a result that is not there"):
        resolve({"$ref": path}, [{"clocks": {"profile": 7}}])
