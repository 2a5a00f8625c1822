"""The whole product, filled with words of one workspace in every place that takes any, and that workspace erased: then
none of them is anywhere in the data folder, in Valkey or in temporary files, and another workspace is as it was."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any

import pycrdt
import pytest
import redis
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.live_workspace import LiveWorkspace, history
from tests.product import Product, wait_for
from tests.traces import files_with, traces_in
from workspaces.documents.schema import KINDS
from workspaces.documents.values import ValueType

MakeProduct = Callable[..., Product]
# Beat looks once a minute, should the first word to the worker be lost.
SCRUB_S = 120.0


class Canaries:
    """Words that nobody else writes: one plain, one that every encoding writes in its own way."""

    def __init__(self) -> None:
        tag = token_hex(5)
        self.plain, self.umlaut = f"quagga{tag}", f"z\u00fcrich-{tag}-\U0001f993"
        self.words = (self.plain, self.umlaut)

    def __call__(self, place: str) -> str:
        return f"{self.plain} {self.umlaut} {place}"


def fill(product: Product, workspace: LiveWorkspace, say: Canaries) -> None:
    fill_documents(workspace, say)
    fill_settings(workspace, say)
    fill_conversations(workspace, say)
    type_live(workspace, say)
    send_what_is_refused(workspace, say)
    put_a_home(product, workspace, say)


def fill_documents(workspace: LiveWorkspace, say: Canaries) -> None:
    """Every field, section and text that takes words of one's own, of every kind of document."""
    for kind in KINDS.values():
        fields = words_for(kind.fields, say)
        texts = [{"text": name, "content": say(name)} for name in kind.texts]
        if kind.singleton:
            document = kind.name
            operations = [{"kind": "field.set", "document": document, **each} for each in fields]
            operations += [{"kind": "text.append", "document": document, **each} for each in texts]
        else:
            create = {"kind": "document.create", "document": "new:it", "document_kind": kind.name, "texts": texts}
            document = commit(workspace, [{**create, "fields": fields}], say("reason"))["documents"]["new:it"]
            operations = []
        for section, of_items in kind.sections.items():
            item = words_for(of_items, say)
            operations.append({"kind": "item.add", "document": document, "section": section, "item": item})
        for start in range(0, len(operations), 15):
            commit(workspace, operations[start : start + 15], say("reason"))
    for number in range(30):  # so that logs are compacted and pages change hands
        set_profile(workspace, "label", say(f"label {number}"))
    done = set_profile(workspace, "city", say("another city"))
    undo = {"expected_clocks": done["clocks"]["after"], "reason": say("undo")}
    workspace.call("POST", f"/receipts/{done['receipt']['id']}/undo", json=undo)


def words_for(fields: Mapping[str, ValueType], say: Canaries) -> list[dict[str, Any]]:
    """A value with the words for each field that takes them."""
    values = {
        "line": lambda name: say(name),
        "multiline": lambda name: say(name),
        "strings": lambda name: [say(name)],
        "url": lambda name: f"https://{say.plain}.example/{name}",
    }
    return [{"field": name, "value": values[kind.name](name)} for name, kind in fields.items() if kind.name in values]


def set_profile(workspace: LiveWorkspace, field: str, value: str) -> dict[str, Any]:
    return commit(workspace, [{"kind": "field.set", "document": "profile", "field": field, "value": value}], "x")


def commit(workspace: LiveWorkspace, operations: list[dict[str, Any]], reason: str) -> dict[str, Any]:
    named = dict.fromkeys(operation["document"] for operation in operations)
    clocks = {
        document: 0 if document.startswith("new:") else workspace.call("GET", f"/documents/{document}")["clock"]
        for document in named
    }
    body = {"reason": reason, "expected_clocks": clocks, "operations": operations}
    made: dict[str, Any] = workspace.call("POST", "/operations", json=body)
    return made


def fill_settings(workspace: LiveWorkspace, say: Canaries) -> None:
    workspace.through_new_link(label=say("label"), role="edit")
    workspace.call("POST", "/diagnostics", json={"text": say("diagnostic"), "consent": True})
    workspace.call("POST", "/jobs/search", json={"query": say("search")})
    export = workspace.call("GET", "/export")
    assert traces_in(json.dumps(export, ensure_ascii=False).encode(), say.words) == list(say.words)
    workspace.call("POST", "/import", json=export)


def fill_conversations(workspace: LiveWorkspace, say: Canaries) -> None:
    [builtin] = [each for each in workspace.call("GET", "/connectors")["items"] if each["provider"] == "builtin"]
    thread = workspace.call("POST", "/threads", json={"connector": builtin["id"], "title": say("thread")})["id"]
    for question in (f"Add a note called {say.plain}", f"Search jobs for {say.plain} engineer", say("what is this?")):
        workspace.answer(thread, question)
    scripted = workspace.scripted_thread()
    workspace.call("POST", f"/threads/{scripted}/turns", json={"text": say("scripted")})


def type_live(workspace: LiveWorkspace, say: Canaries) -> None:
    """By the document's socket, as a page types; left unsealed."""
    doc: pycrdt.Doc[Any] = pycrdt.Doc()
    with open_socket(workspace, "documents/plan/") as socket:
        socket.send(pycrdt.create_sync_message(doc))
        end = time.monotonic() + 20
        while "strategy" not in doc.get("texts", type=pycrdt.Map):
            assert time.monotonic() < end
            data = socket.recv(timeout=20)
            if isinstance(data, bytes) and data[0] == 0:
                reply = pycrdt.handle_sync_message(data[1:], doc)
                if reply is not None:
                    socket.send(reply)
        before = doc.get_state()
        doc.get("texts", type=pycrdt.Map)["strategy"].insert(0, say("typed") + " ")
        socket.send(pycrdt.create_update_message(doc.get_update(before)))
        wait_for(
            lambda: say("typed") in workspace.call("GET", "/documents/plan")["texts"]["strategy"], what="the typing"
        )


def send_what_is_refused(workspace: LiveWorkspace, say: Canaries) -> None:
    """Refusals are told and forgotten: nothing of them may stay in a log."""
    with workspace.client() as client:
        key = {"Idempotency-Key": say.plain}
        refused = [
            client.post(
                "/operations", headers=key, json={"reason": say("bad"), "expected_clocks": {}, "operations": []}
            ),
            client.post("/operations", headers=key, content=say("not JSON").encode()),
            client.post("/diagnostics", json={"text": say("no consent"), "consent": False}),
            client.get(f"/documents/note:{say.plain}"),
            client.get("/documents", params={"kind": say.plain}),
            client.post("/threads", json={"connector": say.plain}),
            client.patch("/settings", json={"language": say.plain}),
        ]
    assert {answer.status_code for answer in refused} <= {400, 404, 422}, [answer.text for answer in refused]


def put_a_home(product: Product, workspace: LiveWorkspace, say: Canaries) -> None:
    """A connector that lives on the product's own host, with what a provider would keep there."""
    connector = workspace.call("POST", "/connectors", json={"provider": "scripted"})["id"]
    with sqlite3.connect(product.data / "db.sqlite3", timeout=30) as database:
        database.execute(
            "UPDATE assistant_connector SET home_host = (SELECT id FROM assistant_host LIMIT 1) WHERE id = ?",
            [connector],
        )
    database.close()
    home = product.data / "homes" / connector / "session"
    home.mkdir(parents=True)
    (home / "auth.json").write_text(json.dumps({"token": say("auth")}))
    (home / f"{say.plain}.log").write_text("x")


def open_socket(workspace: LiveWorkspace, path: str) -> ClientConnection:
    return connect(
        f"ws{workspace.origin.removeprefix('http')}/ws/workspaces/{workspace.id}/{path}",
        additional_headers={"Authorization": f"Bearer {workspace.link}"},
        proxy=None,
        compression=None,
        close_timeout=2,
    )


def close_code(socket: ClientConnection) -> int | None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            socket.recv(timeout=20)
        except ConnectionClosed:
            return socket.close_code
    return None


def kept_in_valkey(product: Product) -> bytes:
    """Every key with its value as the server would write it down, and its lists of commands."""
    with redis.Redis(unix_socket_path=str(product.data / "run" / "valkey.sock")) as client:
        parts = [b"\n".join([key, client.dump(key) or b""]) for key in client.scan_iter(count=1000)]
        parts.append(repr(client.slowlog_get(1000)).encode())
        parts += [repr(client.execute_command("COMMANDLOG", "GET", "-1", kind)).encode()
                  for kind in ("slow", "large-request", "large-reply")]  # fmt: skip
    return b"\n".join(parts)


def look_everywhere(product: Product, temporary: Path, say: Canaries) -> dict[str, list[str]]:
    """Where the words are: files of the data folder and temporary ones, open files without a name, Valkey."""
    found = {f"data/{name}": held for name, held in files_with(product.data, say.words).items()}
    found |= {f"tmp/{name}": held for name, held in files_with(temporary, say.words).items()}
    for name, pid in product.children().items():
        for link in Path(f"/proc/{pid}/fd").iterdir():
            try:
                unnamed = "(deleted)" in os.readlink(link)
                held = traces_in(link.read_bytes(), say.words) if unnamed else []
            except OSError:
                continue
            if held:
                found[f"{name} holds {link.name}"] = held
    if held := traces_in(kept_in_valkey(product), say.words):
        found["valkey"] = held
    return found


def everything_of(workspace: LiveWorkspace) -> Any:
    with workspace.client() as client:
        events = history(client, "/events")
    return events, workspace.call("GET", "/documents?limit=100"), workspace.call("GET", "/links")["items"]


@pytest.mark.parametrize("by_command", [False, True], ids=["over HTTP", "by command"])
def test_no_byte_of_an_erased_workspace_is_anywhere(
    make_product: MakeProduct, tmp_path: Path, by_command: bool
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    product = make_product(TMPDIR=str(temporary)).start(sample=False)
    say = Canaries()
    other = product.new_workspace(sample=True)
    workspace = product.new_workspace()
    fill(product, workspace, say)
    before = everything_of(other)
    found = look_everywhere(product, temporary, say)
    assert {"data/db.sqlite3", "data/db.sqlite3-wal"} & set(found)
    assert [name for name in found if name.startswith("data/homes/")]
    assert [name for name in found if name.startswith("data/logs/")] == []

    with open_socket(workspace, "") as page:
        if by_command:
            said = product.run("erase_workspace", workspace.id, "--yes", "--json")
            assert (said.returncode, json.loads(said.stdout)["erased"]) == (0, True), said.stderr
        else:
            with workspace.client() as client:
                here = str(client.base_url).rstrip("/")
                answer = client.request("DELETE", here, json={"confirm": workspace.id})
                assert (answer.status_code, answer.content) == (204, b"")
        assert close_code(page) == 4410

    end = time.monotonic() + SCRUB_S
    while found := look_everywhere(product, temporary, say):
        assert time.monotonic() < end, f"the words are still there: {found}"
        time.sleep(0.5)
    with workspace.client() as client:
        assert client.get("/documents").status_code == 401
    assert everything_of(other) == before
    # The tombstone is there: what was found before was found by a search that works.
    assert "db.sqlite3" in files_with(product.data, [workspace.id])
    product.stop()
    assert files_with(product.data, say.words) == {}
    assert files_with(temporary, say.words) == {}
