"""A workspace of a running product, over HTTP with one of its links.

`client` is for tests that look at answers, the other methods are for tests that only set a scene: they fail the test
when the product refuses.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, replace
from typing import Any

import httpx

TIMEOUT_S = 30.0
_ANSWER_S = 20.0
_keys = itertools.count(1)


@dataclass(frozen=True, slots=True)
class LiveWorkspace:
    """`link` is the secret, `url` what a person opens."""

    origin: str
    id: str
    link: str
    url: str

    def client(self) -> httpx.Client:
        """One that is not shared between threads."""
        return httpx.Client(
            base_url=f"{self.origin}/api/v1/workspaces/{self.id}",
            headers={"Authorization": f"Bearer {self.link}"},
            timeout=TIMEOUT_S,
            trust_env=False,
        )

    def call(self, method: str, path: str, **options: Any) -> Any:
        """The JSON of an answer that must be a success; None when there is no body."""
        with self.client() as client:
            answer = client.request(method, path, headers={"Idempotency-Key": f"call-{next(_keys)}"}, **options)
        assert answer.status_code < 300, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def through_new_link(self, *, label: str, role: str) -> tuple[str, LiveWorkspace]:
        """Another link's id, and the workspace as that link opens it."""
        made = self.call("POST", "/links", json={"label": label, "role": role})
        return made["id"], replace(self, link=made["secret"], url=made["url"])

    # --- documents ---

    def create_application(self, title: str) -> str:
        """Its id."""
        operation = {
            "kind": "document.create",
            "document": "new:a",
            "document_kind": "application",
            "fields": [{"field": "title", "value": title}],
            "texts": [],
        }
        body = {"reason": "a scene", "expected_clocks": {"new:a": 0}, "operations": [operation]}
        return str(self.call("POST", "/operations", json=body)["documents"]["new:a"])

    def application(self, company: str) -> dict[str, Any]:
        for document in self.call("GET", "/documents?kind=application&limit=100")["items"]:
            if document["fields"].get("company") == company:
                return dict(document)
        raise AssertionError(f"no application of {company}")

    def change(self, company: str, field: str, value: Any) -> None:
        """Set a field of this company's application, whatever its clock."""
        document = self.application(company)
        with self.client() as client:
            key = f"change-{next(_keys)}"
            answer = set_field(
                client, document["id"], document["clock"], value, key=key, field=field, reason=f"Set {field}"
            )
        assert answer.status_code == 200, answer.text

    # --- conversations ---

    def scripted_thread(self) -> str:
        """A conversation whose answers are scripts: for what the built-in assistant answers too quickly to watch."""
        connector = self.call("POST", "/connectors", json={"provider": "scripted"})
        made = self.call("POST", "/threads", json={"connector": connector["id"], "title": "Scripted conversation"})
        return str(made["id"])

    def answer(self, thread: str, text: str) -> None:
        """Ask without a browser and wait for the end of the answer."""
        turn = self.call("POST", f"/threads/{thread}/turns", json={"text": text})["id"]
        end = time.monotonic() + _ANSWER_S
        while self.call("GET", f"/turns/{turn}")["ended_at"] is None:
            assert time.monotonic() < end, f"{turn} did not end"
            time.sleep(0.02)


def set_field(
    client: httpx.Client,
    document: str,
    clock: int,
    value: Any,
    *,
    key: str,
    field: str = "next_step",
    reason: str | None = None,
) -> httpx.Response:
    """A commit of one field, as this clock expects it. The reason is the value unless another is given."""
    operation = {"kind": "field.set", "document": document, "field": field, "value": value}
    return client.post(
        "/operations",
        headers={"Idempotency-Key": key.replace(" ", "-")},
        json={
            "reason": value if reason is None else reason,
            "expected_clocks": {document: clock},
            "operations": [operation],
        },
    )


def history(client: httpx.Client, path: str) -> list[dict[str, Any]]:
    """All events of a list whose pages come newest first; oldest first."""
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    while True:
        page = client.get(path, params={"limit": 100, **({"cursor": cursor} if cursor else {})})
        assert page.status_code == 200, page.text
        found += page.json()["items"]
        cursor = page.json()["next_cursor"]
        if cursor is None:
            return found[::-1]
