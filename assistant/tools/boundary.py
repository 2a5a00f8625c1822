"""The tool boundary: verify → find an earlier delivery → validate → run → bound → audit. The only door to the tools.

Above it: the host gateway, with whatever a host sent. Nothing that a host can send raises here; it is answered with a
refusal, and has no effect beyond reversible operations in the turn's own workspace. Source: contract section 8.
"""

from __future__ import annotations

import dataclasses
import logging
import sys
import traceback
from typing import Any, ClassVar

from workspaces import facade
from workspaces.errors import (
    CapabilityInvalid,
    DomainError,
    IdempotencyMismatch,
    InvalidRequest,
    LinkInvalid,
    NotFound,
    PrivateQuery,
    RateLimited,
    StaleClock,
    ViewOnly,
)

from . import BY_NAME, answers, private_query, results
from .audit import Stopwatch, record_call, request_id
from .authority import Authority, authorise, scope_for_audit
from .base import PublicTool, ReadingTool, Record, Scope, Tool, WritingTool
from .delivery import Answered, Delivery, EnclosedWrite
from .json_values import canonical, check_arguments, is_clean_text

MAX_CALL_CHARACTERS = 200
MAX_CALLS_A_TURN = 2_000
# A little under the limit: the projection counts documents, the envelope, clocks and provenance come on top.
MAX_BODY_BYTES = 28 * 1024

_log = logging.getLogger(__name__)


class InternalError(DomainError):
    """A fault of ours; the host learns no more than that."""

    code: ClassVar[str] = "internal_error"
    status: ClassVar[int] = 500
    title: ClassVar[str] = "The tool could not be run"
    retryable: ClassVar[bool] = True


def call_tool(
    *, capability: object, name: object, arguments: object, call: object, turn: object, host: str
) -> dict[str, Any]:
    """The answer to a host's `tool.call`: a JSON object of at most 32 KiB, `ok` or `refused`. Raises nothing.

    `host` is the id of the host on whose socket the message came; all else is as the host sent it. Blocks.
    """
    try:
        return _call(capability, name, arguments, call, turn, host)
    except Exception as error:
        # Frames only: the message of an exception may quote what somebody wrote.
        frames = [f"{f.filename}:{f.lineno}" for f in traceback.extract_tb(sys.exc_info()[2])[-6:]]
        _log.error("tool call failed: %s at %s", type(error).__name__, " < ".join(reversed(frames)))
        return answers.refused("workspace", InternalError())


def _call(capability: object, name: object, arguments: object, call: object, turn: object, host: str) -> dict[str, Any]:
    watch = Stopwatch.start()
    tool = BY_NAME.get(name) if isinstance(name, str) else None
    source = tool.source if tool else "workspace"
    scope: Scope | None = None
    encoded: bytes | None = None
    try:
        authority, scope = authorise(token=capability, turn=turn, host=host)
        if authority.calls >= MAX_CALLS_A_TURN:
            return answers.refused(source, RateLimited("This turn has made all the calls that a turn may make."))
        if tool is None:
            raise InvalidRequest(f"There is no such tool; there are {', '.join(BY_NAME)}.")
        if not isinstance(call, str) or not is_clean_text(call, maximum=MAX_CALL_CHARACTERS):
            raise InvalidRequest(f"A call id is 1 to {MAX_CALL_CHARACTERS} plain characters.")
        scope = dataclasses.replace(scope, request=_request_id(scope, call))
        checked = check_arguments(arguments)
        encoded = canonical(checked)
        digest = results.digest_of(tool.name, encoded)
        delivery = Delivery(authority, scope, tool, call, checked, encoded, digest, watch)
        if not isinstance(tool, WritingTool):
            # A write looks under the turn's lock, before it does anything; so does every refusal.
            delivery.find_earlier()
    except Answered as earlier:
        return earlier.answer
    except DomainError as error:
        record_call(
            scope=scope or scope_for_audit(turn=turn, host=host),
            tool=tool,
            arguments=encoded,
            outcome=error.code,
            record=Record(),
            watch=watch,
        )
        return answers.bounded_refusal(answers.refused(source, error))
    return _deliver(delivery, authority)


def _deliver(delivery: Delivery, authority: Authority) -> dict[str, Any]:
    tool = delivery.tool
    try:
        if authority.role == "view":
            raise ViewOnly
        delivery.accepted = tool.validate(delivery.arguments)
        delivery.summary = tool.summary(delivery.accepted)
        if isinstance(tool, WritingTool):
            return _write(delivery, tool)
        answer = _read(delivery, tool)
        record = tool.record(answer)
    except Answered as earlier:
        return earlier.answer
    except (CapabilityInvalid, IdempotencyMismatch) as error:
        delivery.audit(outcome=error.code, record=Record())
        return answers.refused(tool.source, error)
    except LinkInvalid:
        # Revoked between our look and the commit's own.
        delivery.audit(outcome=CapabilityInvalid.code, record=Record())
        return answers.refused(tool.source, CapabilityInvalid())
    except DomainError as error:
        answer, record = _refusal(delivery, error), Record()
    return delivery.finish(answer, record)


def _write(delivery: Delivery, tool: WritingTool) -> dict[str, Any]:
    enclosing = EnclosedWrite(delivery, tool)
    result = tool.write(delivery.scope, delivery.accepted, enclosing=enclosing)
    if enclosing.answer is not None:
        return enclosing.answer
    # The commit was there already and its transaction had nothing left to write: say its answer, and end the pair.
    answer = answers.bounded(answers.ok(tool.source, result.as_json()), lists=tool.cuttable)
    return delivery.finish(answer, tool.record(answer))


def _read(delivery: Delivery, tool: Tool) -> dict[str, Any]:
    room = MAX_BODY_BYTES
    if isinstance(tool, PublicTool):
        _refuse_private(delivery, tool)
        delivery.announce()
        return answers.bounded(
            answers.ok(tool.source, tool.read(delivery.accepted, max_bytes=room)), lists=tool.cuttable
        )
    assert isinstance(tool, ReadingTool)
    while True:
        answer = answers.ok(tool.source, tool.read(delivery.scope, delivery.accepted, max_bytes=room))
        if answers.fits(answer) or room < answers.MAX_RESULT_BYTES // 4:
            return tool.after_cut(answers.bounded(answer, lists=tool.cuttable))
        # Asked for less rather than cut here, so that next_cursor goes on where the answer ends.
        room = room * 2 // 3


def _refuse_private(delivery: Delivery, tool: PublicTool) -> None:
    texts, opaque = tool.outgoing(delivery.accepted)
    names = facade.private_words(workspace=delivery.scope.workspace)
    if private_query.is_private(texts, names=names) or any(map(private_query.holds_secret, opaque)):
        raise PrivateQuery("Search with public words only: no names, addresses, numbers or ids of the person's.")


def _refusal(delivery: Delivery, error: DomainError) -> dict[str, Any]:
    fresh = None
    if isinstance(error, StaleClock) and isinstance(delivery.tool, WritingTool):
        fresh = _fresh_projection(delivery, delivery.tool)
    return answers.bounded_refusal(answers.refused(delivery.tool.source, error, fresh=fresh))


def _fresh_projection(delivery: Delivery, tool: WritingTool) -> dict[str, Any] | None:
    """What a stale writer must read again: just the documents it named, as they are now."""
    room = answers.MAX_RESULT_BYTES - 2 * answers.ENVELOPE_BYTES
    while room > answers.ENVELOPE_BYTES:
        try:
            fresh = facade.project_documents(
                workspace=delivery.scope.workspace,
                documents=tool.documents_named(delivery.accepted),
                max_bytes=room,
            )
        except NotFound:
            return None
        if answers.fits({"fresh": fresh, "room": "x" * answers.ENVELOPE_BYTES}):
            return dict(fresh)
        room = room * 2 // 3
    return None


def _request_id(scope: Scope, call: str) -> str:
    return request_id(
        workspace=scope.workspace,
        connector=scope.connector,
        thread=scope.thread,
        turn=scope.turn,
        call=call,
    )
