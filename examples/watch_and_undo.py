"""Makes a workspace, writes into it, watches what happens, and takes it back. Needs httpx and websockets.

python examples/watch_and_undo.py http://127.0.0.1:8000
"""

import json
import sys
import uuid

import httpx
from websockets.sync.client import connect


def read(socket, kind):
    """The next message of this kind."""
    while True:
        message = json.loads(socket.recv(timeout=30))
        if message["type"] == kind:
            return message


def write(api, path, body):
    """A write under a key of its own. Sending it again under the same key would change nothing and answer alike."""
    answer = api.post(path, json=body, headers={"Idempotency-Key": str(uuid.uuid4())})
    if answer.is_error:
        raise SystemExit(f"refused: {answer.json()['code']}: {answer.json()['detail']}")
    return answer.json()


def main(origin):
    made = httpx.post(f"{origin}/api/v1/workspaces", json={"label": "A script"}).raise_for_status().json()
    workspace, bearer = made["workspace"], {"Authorization": f"Bearer {made['link']['secret']}"}
    print("open it in a browser:", made["link"]["url"])
    place = f"/workspaces/{workspace}"
    address = f"{origin.replace('http', 'ws', 1)}/ws{place}/"
    with (
        httpx.Client(base_url=f"{origin}/api/v1{place}", headers=bearer) as api,
        connect(address, additional_headers=bearer, proxy=None) as socket,
    ):
        print("documents:", [document["id"] for document in read(socket, "hello")["documents"]])
        create = {
            "kind": "document.create",
            "document": "new:acme",
            "document_kind": "application",
            "fields": [{"field": "title", "value": "Engineer"}, {"field": "company", "value": "Acme"}],
            "texts": [],
        }
        body = {"reason": "a script's idea", "expected_clocks": {"new:acme": 0}, "operations": [create]}
        done = write(api, "/operations", body)
        print("written:", done["documents"]["new:acme"], "with receipt", done["receipt"]["id"])
        print("seen on the socket:", read(socket, "commit")["event"]["id"] == done["event"])
        undo = f"/receipts/{done['receipt']['id']}/undo"
        undone = write(api, undo, {"expected_clocks": done["clocks"]["after"]})
        print("taken back:", undone["affected_paths"])
        print("seen on the socket:", read(socket, "commit")["event"]["id"] == undone["event"])
        print("applications left:", len(api.get("/documents", params={"kind": "application"}).json()["items"]))


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/") if len(sys.argv) > 1 else "http://127.0.0.1:8000")
