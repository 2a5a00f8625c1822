"""Threads, their events and their turns."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from assistant import facade
from workspaces.errors import (
    CardinalityExceeded,
    Flaw,
    IdempotencyMismatch,
    InvalidRequest,
    TurnRunning,
)
from workspaces.http.base import WorkspaceView, access_of, json_response, query_of
from workspaces.http.examples import page
from workspaces.http.schema import Link, describe

from . import examples, shapes
from .bodies import NewThread, NewTurn

RECENT_TURNS = 50
_THREAD = {"workspace": "$request.path.workspace", "thread": "$response.body#/id"}
_TURN = {"workspace": "$request.path.workspace", "turn": "$response.body#/id"}
_OF_TURN = {"workspace": "$request.path.workspace", "thread": "$response.body#/thread"}


class ThreadsView(WorkspaceView):
    """`…/threads`"""

    needs = {"GET": "write", "POST": "write"}

    @describe(
        "List conversations",
        operation="list_threads",
        detail="Those with the newest activity first.",
        answer=shapes.THREADS,
        query=("limit", "cursor"),
        answer_example=page(examples.THREAD),
    )
    def get(self, request: Request, workspace: str) -> Response:
        query = query_of(request)
        page = facade.list_threads(access=access_of(request), cursor=query.cursor(), limit=query.limit())
        return json_response({"items": [item.as_json() for item in page.items], "next_cursor": page.next_cursor})

    @describe(
        "Begin a conversation", operation="create_thread", request=NewThread, answer=shapes.THREAD, status=201,
        detail="With one of the workspace's connectors. Without a title, the first question gives it one.",
        refuses=(CardinalityExceeded,), example=examples.NEW_THREAD, answer_example=examples.THREAD,
        links=[Link(name, _THREAD) for name in ("get_thread", "list_thread_events", "start_turn", "delete_thread")],
    )  # fmt: skip
    def post(self, request: Request, workspace: str) -> Response:
        body = self.parse(request, NewThread)
        thread = facade.create_thread(
            access=access_of(request), connector=body["connector"], title=body.get("title") or ""
        )
        return json_response(thread.as_json(), status=201)


class ThreadView(WorkspaceView):
    """`…/threads/{thr}`"""

    needs = {"GET": "write", "DELETE": "write"}

    @describe(
        "Read one conversation", operation="get_thread", answer=shapes.ONE_THREAD, answer_example=examples.ONE_THREAD,
        detail="`recent_after` is the `seq` after which its newest turns begin: read the events from there.",
        links=[Link("list_thread_events", _THREAD)],
    )  # fmt: skip
    def get(self, request: Request, workspace: str, thread: str) -> Response:
        info = facade.get_thread(access=access_of(request), thread=thread)
        recent = facade.get_recent_start(thread=thread, turns=RECENT_TURNS)
        return json_response({**info.as_json(), "recent_after": recent})

    @describe(
        "Delete a conversation", operation="delete_thread", status=204,
        detail="With its turns and events. What it changed stays, and its receipts too.",
    )  # fmt: skip
    def delete(self, request: Request, workspace: str, thread: str) -> Response:
        facade.delete_thread(access=access_of(request), thread=thread)
        return Response(status=204)


class ThreadEventsView(WorkspaceView):
    """`…/threads/{thr}/events?after=|before=`: oldest first; `next_cursor` is the next `after` (or `before`)."""

    needs = {"GET": "write"}

    @describe(
        "Read a conversation's events",
        operation="list_thread_events",
        detail="Oldest first. Numbers have no gaps, so a reader goes on after the last `seq` that it has. "
        "`next_cursor` is the next `after` (or `before`).",
        answer=shapes.EVENTS,
        query=("after", "before", "limit", "cursor"),
        answer_example=page(examples.EVENT),
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
        operation="start_turn",
        detail="The answer arrives as events of the conversation. With an `id` of your own (`trn_…`) a question that "
        "is sent twice is asked once.",
        request=NewTurn,
        answer=shapes.TURN,
        status=202,
        refuses=(IdempotencyMismatch, TurnRunning),
        example=examples.QUESTION,
        answer_example=examples.TURN,
        links=[
            *(Link(name, _TURN) for name in ("get_turn", "cancel_turn", "preview_turn_undo")),
            Link("list_thread_events", _OF_TURN),
        ],
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
