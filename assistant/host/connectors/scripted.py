"""The connector that does what a script says: for tests and trials, beside the real ones and held to the same suite.

A script is a list of steps, given in code, in a file (`--script FILE`) or in the question itself: a text that starts
with `script:` and goes on with JSON. Arguments may take values from earlier results: `{"$ref": "0/clocks/profile"}` is
`results[0]["clocks"]["profile"]`. Anything else is answered with one honest sentence.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from assistant.wire import Assignment, ConnectorInfo

from .base import ConnectorFailure, TurnOutcome, TurnSession

VERSION: Final = "1"
PREFIX: Final = "script:"
PLAIN_ANSWER: Final = "This connector only repeats scripts; it cannot answer questions."
MAX_WAIT_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True)
class Say:
    """A delta."""

    text: str
    part: str = "answer"


@dataclass(frozen=True, slots=True)
class Complete:
    """The whole text of a part."""

    text: str
    citations: tuple[str, ...] = ()
    part: str = "answer"


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call; its result is added to the results that later steps may refer to."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    call: str | None = None


@dataclass(frozen=True, slots=True)
class Together:
    """Several calls at once; results in this order."""

    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    text: str


@dataclass(frozen=True, slots=True)
class Limit:
    limit_class: str
    retry_at: str | None = None


@dataclass(frozen=True, slots=True)
class Auth:
    state: str


@dataclass(frozen=True, slots=True)
class Bind:
    provider_thread: str


@dataclass(frozen=True, slots=True)
class Wait:
    """Seconds, or until the turn is cancelled when None."""

    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class WaitFor:
    """Until a test sets the event (scripts in code only)."""

    event: asyncio.Event


@dataclass(frozen=True, slots=True)
class Fail:
    failure_class: str
    message: str


@dataclass(frozen=True, slots=True)
class Crash:
    """An exception that no connector should let out."""


@dataclass(frozen=True, slots=True)
class Model:
    """The name that enters the provenance."""

    name: str


Step = Say | Complete | Call | Together | Progress | Limit | Auth | Bind | Wait | WaitFor | Fail | Crash | Model


class ScriptError(ValueError):
    """A script that cannot be read; the message says which step."""


class ScriptedConnector:
    """`script` answers every turn that brings no script of its own; `results` and `assignments` are kept for tests."""

    provider = "scripted"

    def __init__(self, script: Sequence[Step] | None = None, *, file: Path | None = None) -> None:
        self._script = tuple(script) if script is not None else None
        if file is not None:
            self._script = parse_script(file.read_text(encoding="utf-8"))
        self.assignments: list[Assignment] = []
        self.results: list[dict[str, Any]] = []

    def describe(self) -> ConnectorInfo:
        return ConnectorInfo(self.provider, VERSION, "ready", {"offline": True})

    async def start(self) -> None:
        """Nothing to start."""

    async def stop(self) -> None:
        """Nothing to stop."""

    async def run_turn(self, turn: Assignment, session: TurnSession) -> TurnOutcome | None:
        self.assignments.append(turn)
        try:
            script = self._script_for(turn.text)
        except ScriptError as error:
            raise ConnectorFailure("provider_error", str(error)) from None
        results: list[dict[str, Any]] = []
        model: str | None = None
        for step in script:
            if isinstance(step, Model):
                model = step.name
            else:
                await self._take(step, session, results)
        self.results.extend(results)
        return TurnOutcome(model=model)

    def _script_for(self, text: str) -> tuple[Step, ...]:
        if text.startswith(PREFIX):
            return parse_script(text.removeprefix(PREFIX))
        return self._script if self._script is not None else (Complete(PLAIN_ANSWER),)

    async def _take(self, step: Step, session: TurnSession, results: list[dict[str, Any]]) -> None:
        match step:
            case Say(text, part):
                await session.delta(text, part=part)
            case Complete(text, citations, part):
                await session.complete(text, citations, part=part)
            case Call(name, arguments, call):
                results.append(await session.call_tool(name, resolve(arguments, results), call=call))
            case Together(calls):
                results.extend(
                    await asyncio.gather(
                        *(session.call_tool(c.name, resolve(c.arguments, results), call=c.call) for c in calls)
                    )
                )
            case Progress(text):
                await session.progress(text)
            case Limit(limit_class, retry_at):
                await session.limit(limit_class, retry_at)
            case Auth(state):
                await session.auth(state)
            case Bind(provider_thread):
                await session.bind(provider_thread)
            case Wait(None):
                await session.cancelled.wait()
            case Wait(seconds):
                await asyncio.sleep(min(seconds or 0.0, MAX_WAIT_SECONDS))
            case WaitFor(event):
                await event.wait()
            case Fail(failure_class, message):
                raise ConnectorFailure(failure_class, message)
            case Crash():
                raise RuntimeError("the script says so")


def resolve(value: Any, results: Sequence[Any]) -> Any:
    """The value with each `{"$ref": "N/key/…"}` replaced by what it names. Raises ConnectorFailure."""
    if isinstance(value, Mapping):
        if set(value) == {"$ref"}:
            return _follow(str(value["$ref"]), results)
        return {key: resolve(entry, results) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [resolve(entry, results) for entry in value]
    return value


def _follow(path: str, results: Sequence[Any]) -> Any:
    found: Any = results
    try:
        for key in path.split("/"):
            found = found[int(key)] if isinstance(found, Sequence) and not isinstance(found, str) else found[key]
    except (KeyError, IndexError, ValueError, TypeError):
        raise ConnectorFailure("provider_error", "The script refers to a result that is not there.") from None
    return found


def parse_script(text: str) -> tuple[Step, ...]:
    """The steps of a JSON script: a list of objects with one key each. Raises ScriptError."""
    try:
        steps = json.loads(text)
    except (ValueError, RecursionError):
        raise ScriptError("The script is not readable JSON.") from None
    if not isinstance(steps, list):
        raise ScriptError("A script is a list of steps.")
    return tuple(_parse_step(number, step) for number, step in enumerate(steps))


def _parse_step(number: int, step: Any) -> Step:
    if not isinstance(step, dict) or len(step) != 1:
        raise ScriptError(f"Step {number} is not an object with one key.")
    ((kind, body),) = step.items()
    try:
        match kind, body:
            case "say", str():
                return Say(body)
            case "say", {"text": str(text), "part": str(part)}:
                return Say(text, part)
            case "complete", str():
                return Complete(body)
            case "complete", {"text": str(text)}:
                return Complete(text, tuple(body.get("citations", ())), body.get("part", "answer"))
            case "call", {"name": str(name)}:
                return Call(name, body.get("arguments", {}), body.get("call"))
            case "together", list():
                return Together(tuple(Call(c["name"], c.get("arguments", {}), c.get("call")) for c in body))
            case "progress", str():
                return Progress(body)
            case "limit", {"class": str(limit_class)}:
                return Limit(limit_class, body.get("retry_at"))
            case "auth", str():
                return Auth(body)
            case "bind", str():
                return Bind(body)
            case "wait", "cancel":
                return Wait()
            case "wait", int() | float():
                return Wait(float(body))
            case "fail", {"class": str(failure_class), "message": str(message)}:
                return Fail(failure_class, message)
            case "crash", _:
                return Crash()
            case "model", str():
                return Model(body)
    except (KeyError, TypeError):
        pass
    raise ScriptError(f"Step {number} is not one that this connector knows.")
