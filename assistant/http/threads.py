"""Threads, their events and their turns."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from assistant import facade
from workspaces.errors import Flaw, InvalidRequest
from workspaces.http.base import WorkspaceView, access_of, json_response, query_of
from workspaces.http.schema import describe

from . import shapes
from .bodies import NewThread, NewTurn

RECENT_TURNS = 50


class ThreadsView(WorkspaceView):
    """`…/threads`"""

    needs = {"GET": "write", "POST": "write"}

    @describe(
        "List threads, newest activity first",
        answer=shapes.THREADS,
        errors=(401, 403, 404, 422),
        query=("limit", "cursor"),
    )
    def get(self, request: Request, workspace: str) -> Response:
        query = query_of(request)
        page = facade.list_threads(access=access_of(request), cursor=query.cursor(), limit=query.limit())
        return json_response({"items": [item.as_json() for item in page.items], "next_cursor": page.next_cursor})

    @describe(
        "Make a thread", request=NewThread, answer=shapes.THREAD, status=201, errors=(400, 401, 403, 404, 413, 422)
    )
    def post(self, request: Request, workspace: str) -> Response:
        body = self.parse(request, NewThread)
        thread = facade.create_thread(
            access=access_of(request), connector=body["connector"], title=body.get("title") or ""
        )
        return json_response(thread.as_json(), status=201)


class ThreadView(WorkspaceView):
    """`…/threads/{thr}`"""

    needs = {"GET": "write", "DELETE": "write"}

    @describe("Read one thread", answer=shapes.ONE_THREAD, errors=(401, 403, 404))
    def get(self, request: Request, workspace: str, thread: str) -> Response:
        info = facade.get_thread(access=access_of(request), thread=thread)
        recent = facade.get_recent_start(thread=thread, turns=RECENT_TURNS)
        return json_response({**info.as_json(), "recent_after": recent})

    @describe("Delete a thread with its turns and events", status=204, errors=(401, 403, 404))
    def delete(self, request: Request, workspace: str, thread: str) -> Response:
        facade.delete_thread(access=access_of(request), thread=thread)
        return Response(status=204)


class ThreadEventsView(WorkspaceView):
    """`…/threads/{thr}/events?after=|before=`: oldest first; `next_cursor` is the next `after` (or `before`)."""

    needs = {"GET": "write"}

    @describe(
        "Read a thread's events, oldest first",
        answer=shapes.EVENTS,
        errors=(401, 403, 404, 422),
        query=("after", "before", "limit", "cursor"),
    )
    def get(self, request: Request, workspace: str, thread: str) -> Response:
        query = query_of(request)
        limit, cursor, before = query.limit(), query.number("cursor"), query.number("before")
        after = query.number("after") if cursor is None or before is not None else cursor
        if before is not None and after is not None:
            raise InvalidRequest(flaws=[Flaw("before", "invalid", "Give after or before, not both.")])
        if before is not None and cursor is not None:
            before = cursor
        events = facade.list_thread_events(
            access=access_of(request), thread=thread, after=after, before=before, limit=limit + 1
        )
        more = len(events) > limit
        if before is not None:
            shown = events[1:] if more else events
            following = str(shown[0]["seq"]) if more else None
        else:
            shown = events[:limit]
            following = str(shown[-1]["seq"]) if more else None
        return json_response({"items": shown, "next_cursor": following})


class TurnsView(WorkspaceView):
    """`…/threads/{thr}/turns`"""

    needs = {"POST": "write"}
    limits = {"POST": "turn"}

    @describe(
        "Ask a question",
        request=NewTurn,
        answer=shapes.TURN,
        status=202,
        errors=(400, 401, 403, 404, 409, 413, 422),
    )
    def post(self, request: Request, workspace: str, thread: str) -> Response:
        body = self.parse(request, NewTurn)
        turn = facade.start_turn(
            access=access_of(request),
            thread=thread,
            text=body["text"],
            surface=body.get("surface"),
            document=body.get("document"),
            turn=body.get("id"),
        )
        return json_response(turn.as_json(), status=202)
