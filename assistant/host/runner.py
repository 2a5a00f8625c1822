"""The connector host: one socket to the server, a task for each turn, connectors that do the work.

Above it: `cli`. Below it: sessions and connectors. It keeps its turns over a reconnect (with jitter, so that hosts do
not come back all at once), sends what may have been lost again, and ends each turn itself: completed, failed, or
silent after the server's cancel. It logs ids, codes and times; never a word of a question, an answer or a tool.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from assistant.wire import (
    HEARTBEAT_SECONDS,
    LOST_AFTER_SECONDS,
    MAX_FRAME_BYTES,
    PROTOCOL,
    Assignment,
    ConnectorErase,
    ConnectorErased,
    EventRefused,
    Heartbeat,
    Hello,
    Problem,
    ServerMessage,
    ToolResult,
    TurnCancel,
    Welcome,
    WireError,
    encode,
    parse_server_message,
)

from .connectors.base import Connector, ConnectorFailure, TurnCancelled
from .homes import HomeError, Homes
from .session import HostSession

MAX_TURNS: Final = 64
CANCEL_GRACE_SECONDS: Final = 2.0
STOP_SECONDS: Final = 3.0
FIRST_RETRY_SECONDS: Final = 0.2
LAST_RETRY_SECONDS: Final = 5.0
MAX_TURN_SECONDS: Final = 600.0
TOKEN_REFUSED: Final = 4401
GONE_CODES: Final = frozenset({"turn_ended", "not_held", "not_accepted"})

logger = logging.getLogger("assistant.host")


class HostRefused(Exception):
    """The server will not have this host, and trying again would not help. The message is for the operator."""


class HostRunner:
    """Runs until it is cancelled, or `stop` is called, or the server refuses the host for good (`HostRefused`)."""

    def __init__(
        self,
        *,
        url: str,
        token: str,
        connectors: Sequence[Connector],
        name: str | None = None,
        homes: Homes | None = None,
    ) -> None:
        self._url = url
        self._token = token
        self._connectors = {connector.provider: connector for connector in connectors}
        self._name = name or f"host-{secrets.token_hex(6)}"
        self._sessions: dict[str, HostSession] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._homes = homes
        self._erasures: set[asyncio.Task[None]] = set()
        self._erased: list[str] = []
        self._due = asyncio.Event()
        self._stopping = asyncio.Event()
        self.connected = asyncio.Event()

    async def run(self) -> None:
        """Start the connectors, keep the connection, run turns."""
        for connector in self._connectors.values():
            await connector.start()
        serving = asyncio.ensure_future(self._keep_connected())
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                serving.result()
        finally:
            await self._end_all()
            for task in (serving, stopping):
                task.cancel()
            await asyncio.gather(serving, stopping, return_exceptions=True)
            for connector in self._connectors.values():
                with contextlib.suppress(Exception):
                    await connector.stop()

    def stop(self) -> None:
        """End the turns at work, tell the server, leave."""
        self._stopping.set()

    # --- the connection ---

    async def _keep_connected(self) -> None:
        retry = FIRST_RETRY_SECONDS
        while True:
            started = asyncio.get_running_loop().time()
            try:
                async with connect(
                    self._url,
                    additional_headers={"Authorization": f"Bearer {self._token}"},
                    max_size=2 * MAX_FRAME_BYTES,
                    compression=None,
                    open_timeout=10,
                    close_timeout=2,
                    proxy=None,
                ) as socket:
                    await self._serve(socket)
            except InvalidURI as error:
                raise HostRefused("The address of the server is not a WebSocket address.") from error
            except (OSError, TimeoutError, InvalidHandshake, ConnectionClosed, WireError) as error:
                logger.info("connection lost or refused: %s", type(error).__name__)
            finally:
                self.connected.clear()
            if asyncio.get_running_loop().time() - started > LOST_AFTER_SECONDS:
                retry = FIRST_RETRY_SECONDS
            await asyncio.sleep(retry * random.uniform(0.5, 1.5))  # noqa: S311  jitter, not a secret
            retry = min(retry * 2, LAST_RETRY_SECONDS)

    async def _serve(self, socket: ClientConnection) -> None:
        infos = tuple(connector.describe() for connector in self._connectors.values())
        await socket.send(encode(Hello(PROTOCOL, self._name, infos).as_json()))
        welcome = await self._await_welcome(socket)
        for session in self._sessions.values():
            session.start_over()
        self._due.set()
        self.connected.set()
        logger.info("connected as %s", welcome.host_id)
        work = [
            asyncio.ensure_future(self._read(socket, welcome.heartbeat_s)),
            asyncio.ensure_future(self._write(socket)),
            asyncio.ensure_future(self._beat(socket, welcome.heartbeat_s)),
        ]
        try:
            done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except ConnectionClosed as closed:
            self._judge_close(closed)
            raise
        finally:
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)

    async def _await_welcome(self, socket: ClientConnection) -> Welcome:
        problem: Problem | None = None
        try:
            async with asyncio.timeout(10):
                while True:
                    message = parse_server_message(await socket.recv())
                    if isinstance(message, Welcome):
                        if message.protocol != PROTOCOL:
                            raise HostRefused(f"The server speaks host protocol {message.protocol}, not {PROTOCOL}.")
                        return message
                    if isinstance(message, Problem):
                        problem = message
        except ConnectionClosed as closed:
            if problem is not None and problem.problem.get("details", {}).get("class") == "protocol_mismatch":
                raise HostRefused(str(problem.problem.get("detail"))) from closed
            self._judge_close(closed)
            raise

    def _judge_close(self, closed: ConnectionClosed) -> None:
        if closed.rcvd is not None and closed.rcvd.code == TOKEN_REFUSED:
            raise HostRefused("The server does not accept this host token.") from closed

    async def _beat(self, socket: ClientConnection, seconds: float) -> None:
        while True:
            await asyncio.sleep(min(seconds, HEARTBEAT_SECONDS))
            await socket.send(encode(Heartbeat().as_json()))
            self._forget_old()

    async def _write(self, socket: ClientConnection) -> None:
        while True:
            await self._due.wait()
            self._due.clear()
            while self._erased:
                await socket.send(encode(ConnectorErased(self._erased[0]).as_json()))
                del self._erased[0]
            for session in list(self._sessions.values()):
                while (message := session.take_due()) is not None:
                    await socket.send(encode(message.as_json()))

    async def _read(self, socket: ClientConnection, heartbeat: float) -> None:
        while True:
            async with asyncio.timeout(max(LOST_AFTER_SECONDS, 3 * heartbeat)):
                frame = await socket.recv()
            message = parse_server_message(frame)
            if message is not None:
                self._take(message)

    # --- what the server says ---

    def _take(self, message: ServerMessage) -> None:
        match message:
            case Assignment():
                self._assign(message)
            case ToolResult(turn, call, result):
                session = self._sessions.get(turn)
                if session is not None:
                    session.take_result(call, result)
            case TurnCancel(turn):
                self._cancel(turn)
            case ConnectorErase(connector):
                task = asyncio.get_running_loop().create_task(self._erase(connector), name="erase-home")
                self._erasures.add(task)
                task.add_done_callback(self._erasures.discard)
            case EventRefused(turn, _, code):
                if code in GONE_CODES:
                    self._cancel(turn)
                else:
                    logger.warning("an event of %s was refused: %s", turn, code)
            case Problem(problem):
                logger.warning("the server refused a message: %s", problem.get("code"))
            case Welcome() | Heartbeat():
                pass

    def _assign(self, assignment: Assignment) -> None:
        connector = self._connectors.get(assignment.provider)
        busy = sum(session.ended_at is None for session in self._sessions.values())
        if assignment.turn in self._sessions or connector is None or busy >= MAX_TURNS or self._stopping.is_set():
            # Not accepted: within five seconds the server gives it to another host, or says so to the person.
            logger.warning("turn %s not accepted", assignment.turn)
            return
        session = HostSession(assignment, self._due.set)
        self._sessions[assignment.turn] = session
        task = asyncio.get_running_loop().create_task(self._run_turn(connector, session), name=assignment.turn)
        self._tasks[assignment.turn] = task
        task.add_done_callback(lambda _: self._tasks.pop(assignment.turn, None))

    def _cancel(self, turn: str) -> None:
        session = self._sessions.get(turn)
        if session is None:
            return
        if session.ended_at is not None:
            del self._sessions[turn]
            return
        if not session.cancelled.is_set():
            session.cancel()
            task = self._tasks.get(turn)
            if task is not None:
                asyncio.get_running_loop().call_later(CANCEL_GRACE_SECONDS, task.cancel)

    async def _erase(self, connector: str) -> None:
        """End what runs for the connector, remove its home, say so. Failed: the server asks again."""
        running = [s for s in self._sessions.values() if s.assignment.connector == connector]
        for session in running:
            self._cancel(session.assignment.turn)
        tasks = [self._tasks[s.assignment.turn] for s in running if s.assignment.turn in self._tasks]
        if tasks:
            # A connector that still runs would write into the folder that is being removed.
            await asyncio.wait(tasks, timeout=2 * CANCEL_GRACE_SECONDS)
        try:
            if self._homes is not None:
                await asyncio.to_thread(self._homes.erase, connector)
        except (HomeError, OSError) as error:
            logger.error("the home of %s could not be erased: %s", connector, type(error).__name__)
            return
        if connector not in self._erased:
            self._erased.append(connector)
        self._due.set()

    async def _run_turn(self, connector: Connector, session: HostSession) -> None:
        turn = session.assignment.turn
        try:
            async with asyncio.timeout(_seconds_left(session.assignment)):
                outcome = await connector.run_turn(session.assignment, session)
            session.end("turn.completed", {"model": outcome.model if outcome else None})
        except ConnectorFailure as failure:
            session.end("turn.failed", {"class": failure.failure_class, "message": failure.message[:500]})
        except TurnCancelled:
            session.end("turn.cancelled", {})
        except TimeoutError:
            session.end("turn.failed", {"class": "timeout", "message": "The connector took too long."})
        except asyncio.CancelledError:
            # Ours on the server's cancel, or on our stop; neither may end the host.
            if not session.cancelled.is_set():
                session.end("turn.failed", {"class": "connector_crash", "message": "The connector host was stopped."})
        except Exception as error:
            logger.error("connector %s failed in %s: %s", connector.provider, turn, type(error).__name__)
            session.end("turn.failed", {"class": "connector_crash", "message": "The connector stopped unexpectedly."})
        finally:
            session.mark_ended()
            if session.cancelled.is_set():
                self._sessions.pop(turn, None)

    # --- the end of things ---

    def _forget_old(self) -> None:
        """Ended turns whose events went out a while ago over a connection that has lived since."""
        now = asyncio.get_running_loop().time()
        for turn, session in list(self._sessions.items()):
            if session.ended_at is not None and session.all_sent and now - session.ended_at > LOST_AFTER_SECONDS:
                del self._sessions[turn]

    async def _end_all(self) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.connected.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STOP_SECONDS):
                    while not all(session.all_sent for session in self._sessions.values()):
                        await asyncio.sleep(0.02)


def _seconds_left(assignment: Assignment) -> float:
    """By the server's clock on both ends: this machine's may be wrong."""
    try:
        deadline = datetime.fromisoformat(assignment.deadline_at)
        start = datetime.fromisoformat(str(assignment.context["now"]))
        return min(max((deadline - start).total_seconds(), 1.0), MAX_TURN_SECONDS)
    except (KeyError, ValueError, TypeError):
        return MAX_TURN_SECONDS
