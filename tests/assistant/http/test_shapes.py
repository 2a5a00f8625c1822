"""The answers are what the OpenAPI document says they are."""

from __future__ import annotations

import json

import jsonschema
import pytest

from assistant.http import shapes
from tests.assistant.threads.room import Room
from tests.workspaces.http.conftest import Api
from workspaces.http.operations import UNDO_PREVIEW


@pytest.mark.parametrize(
    ("path", "schema"),
    [
        ("threads", shapes.THREADS),
        ("threads/THREAD", shapes.ONE_THREAD),
        ("threads/THREAD/events", shapes.EVENTS),
        ("turns/TURN", shapes.TURN),
        ("turns/TURN/undo", UNDO_PREVIEW),
        ("connectors", shapes.CONNECTORS),
    ],
)
@pytest.mark.parametrize("finished", [False, True])
def test_an_answer_has_the_shape_that_is_published(room: Room, api: Api, path: str, schema, finished: bool) -> None:
    turn = room.begin(surface="board", document="profile").turn
    if finished:
        room.complete(turn)
    answer = api("GET", path.replace("THREAD", room.thread).replace("TURN", turn))
    assert answer.status_code == 200
    jsonschema.validate(json.loads(answer.content), schema)
