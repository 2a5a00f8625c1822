"""What a hostile host may try, as (tool, arguments) and as capabilities. `test_hostile_host` tries all of it."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from django.core.signing import Signer

from assistant.capabilities import AUDIENCE
from workspaces import facade

from .conftest import Stage

KEY = "test-capability-key-0123456789-0123456789"
Attempt = tuple[str, dict[str, Any]]


class Yard:
    """The host's own stage, a stranger's workspace beside it, and what it may try to get hold of."""

    def __init__(self, stages: Callable[..., Stage]) -> None:
        self.home, self.stranger = stages(), stages()
        self.card = self.home.application(title="Engineer", company="Acme")
        self.note = self._note(self.home)
        self.trashed = self.home.application(title="Gone")
        self.home.by_hand([{"kind": "document.trash", "document": self.trashed}], {self.trashed: 1})
        self.human_receipt = self._receipt_of(self.home)
        self.foreign_card = self.stranger.application(title="Their secret", next_step="Their plan")
        self.foreign_receipt = self._receipt_of(self.stranger)
        self.home.by_hand(
            [{"kind": "field.set", "document": "profile", "field": "name", "value": "Tamsin Oakvale"}], {"profile": 1}
        )

    def _note(self, stage: Stage) -> str:
        answer = stage.by_hand(
            [
                {
                    "kind": "document.create",
                    "document": "new:n",
                    "document_kind": "note",
                    "fields": [{"field": "title", "value": "Ideas"}],
                    "texts": [{"text": "body", "content": "One idea."}],
                }
            ],
            {"new:n": 0},
        )
        return str(answer["documents"]["new:n"])

    def _receipt_of(self, stage: Stage) -> str:
        return str(facade.list_receipts(access=stage.access)["items"][0]["id"])

    def batch(self, operations: Any, clocks: Any = None, **more: Any) -> Attempt:
        if clocks is None:
            clocks = [{"document": self.card, "clock": self.home.clock(self.card)}]
        return "apply_workspace_operations", {
            "reason": "x",
            "expected_clocks": clocks,
            "operations": operations,
            **more,
        }


def hostile_tools(yard: Yard) -> Iterator[Attempt]:
    names = [
        "run_shell", "exec", "read_file", "write_file", "http_get", "fetch", "sql", "list_workspaces", "open_link",
        "create_link", "revoke_link", "get_settings", "update_settings", "export_workspace", "erase_workspace",
        "undo_turn", "commit", "import_job", "send_email", "submit_application", "call_tool", "__import__",
        "get_workspace_context ", "Get_Workspace_Context", "get_workspace_context\x00", "search_jobcache;", "", "..",
        "🎯", "x" * 10_000,
    ]  # fmt: skip
    yield from ((name, {}) for name in names)
    yield from ((name, {"command": "env", "workspace": yard.stranger.workspace}) for name in names[:6])


def wrong_types(yard: Yard) -> Iterator[Attempt]:
    junk: list[Any] = [
        7, -1, 1.5, True, [], [[]], {}, {"a": 1}, "", "x" * 600, "\x00", "\ud800", "a\u202eb", 10**30, float("nan"),
        float("inf"), [None], {"$ref": "#"}, "' OR 1=1 --", "../../etc/passwd", "{{7*7}}", "<script>", b"bytes",
    ]  # fmt: skip
    sound: list[Attempt] = [
        ("get_workspace_context", {"surface": None, "document": None, "job": None, "cursor": None}),
        ("search_jobcache", {"query": "python", "location": None, "country": None, "work_mode": None,
                             "employment_type": None, "posted_within_days": None, "salary_min": None,
                             "currency": None, "limit": None, "cursor": None}),
        yard.batch([{"kind": "field.set", "document": yard.card, "field": "title", "value": "x"}]),
        ("undo_workspace_receipt", {"receipt": yard.human_receipt, "reason": None,
                                    "expected_clocks": [{"document": yard.card, "clock": 1}]}),
    ]  # fmt: skip
    for name, arguments in sound:
        yield from ((name, value) for value in (None, [], "x", 7, [arguments], json.dumps(arguments)))
        for argument, value in product(arguments, junk):
            yield name, {**arguments, argument: value}
        for extra in (
            "workspace",
            "capability",
            "request_id",
            "event",
            "link",
            "force",
            "actor",
            "thread",
            "__proto__",
        ):
            yield name, {**arguments, extra: yard.stranger.workspace}


def foreign_ids(yard: Yard) -> Iterator[Attempt]:
    strangers = [
        yard.foreign_card, yard.foreign_receipt, yard.stranger.workspace, yard.stranger.thread, yard.stranger.turn,
        yard.stranger.link, yard.stranger.connector, yard.trashed, "application:01M8QZZZZZZZZZZZZZZZZZZZZZ",
        f"{yard.stranger.workspace}/{yard.foreign_card}", "*", "%", "_", "new:a", "profile/../plan",
    ]  # fmt: skip
    for identifier in strangers:
        yield "get_workspace_context", {"document": identifier}
        yield "get_workspace_context", {"job": identifier}
        yield "get_workspace_context", {"cursor": identifier}
        yield (
            "undo_workspace_receipt",
            {"receipt": identifier, "expected_clocks": [{"document": yard.card, "clock": 1}]},
        )
        for clock in (0, 1, 2):
            yield yard.batch(
                [{"kind": "field.set", "document": identifier, "field": "title", "value": "taken"}],
                [{"document": identifier, "clock": clock}],
            )
        yield yard.batch([{"kind": "field.set", "document": yard.note, "field": "application", "value": identifier}],
                         [{"document": yard.note, "clock": 1}])  # fmt: skip
        yield yard.batch(
            [
                {
                    "kind": "application.move_stage",
                    "document": yard.card,
                    "stage": "offer",
                    "position": {"after": identifier},
                }
            ]
        )
    yield (
        "undo_workspace_receipt",
        {"receipt": yard.human_receipt, "expected_clocks": [{"document": yard.card, "clock": 1}]},
    )
    yield (
        "undo_workspace_receipt",
        {"receipt": yard.foreign_receipt, "expected_clocks": [{"document": yard.foreign_card, "clock": 1}]},
    )


def forbidden_kinds(yard: Yard) -> Iterator[Attempt]:
    for document in (yard.card, yard.note, yard.trashed, "profile", yard.foreign_card):
        clocks = [{"document": document, "clock": 1}]
        for kind in (
            "document.trash", "document.restore", "document.delete", "document.purge", "item.remove", "item.withdraw",
            "item.restore", "text.merge", "text.restore", "text.delete", "application.attach_role",
            "application.submit", "link.create", "workspace.erase", "batch", "", "FIELD.SET", "field.set ", "\x00",
        ):  # fmt: skip
            yield yard.batch(
                [{"kind": kind, "document": document, "section": "contacts", "item": "itm_x", "text": "notes"}], clocks
            )
            yield yard.batch([{"kind": kind, "document": document}], clocks)
    yield yard.batch([{"kind": "text.merge", "document": yard.note, "text": "body", "update": "AAA="}])
    yield yard.batch([{"kind": "application.attach_role", "document": yard.card, "role": "rol_1"}])
    for field in ("role", "rank", "state", "id", "clock", "__class__", "nonsense"):
        yield yard.batch([{"kind": "field.set", "document": yard.card, "field": field, "value": "x"}])
    for stage in ("won", "Interviewing", "", None, 3):
        yield yard.batch([{"kind": "application.move_stage", "document": yard.card, "stage": stage, "position": None}])


def smuggled(yard: Yard) -> Iterator[Attempt]:
    sound = {"kind": "field.set", "document": yard.card, "field": "title", "value": "Smuggled"}
    yield yard.batch([{"kind": "batch", "document": yard.card, "operations": [sound]}])
    yield yard.batch([[sound]])
    yield yard.batch([{"operations": [sound]}])
    yield yard.batch([{**sound, "operations": [sound]}])
    yield yard.batch({"0": sound})
    yield yard.batch([sound, "x"])
    for extra in ("force", "id", "operation_id", "actor", "actor_class", "workspace", "clock", "inverse", "at", "link"):
        yield yard.batch([{**sound, extra: True}])
        yield yard.batch([{**sound, extra: "op_01M8QAZRHR9KP0PTGM7WWR2HPT"}])
        yield yard.batch([sound], **{extra: True})
    for clocks in (
        [], {}, {yard.card: 1}, [{"document": yard.card}], [{"clock": 1}], [{"document": yard.card, "clock": "1"}],
        [{"document": yard.card, "clock": -1}], [{"document": yard.card, "clock": 1.0}],
        [{"document": yard.card, "clock": 1, "force": True}], [{"document": yard.card, "clock": 99}],
        [{"document": yard.card, "clock": 1}] * 2, [{"document": yard.card, "clock": 1}] * 21,
        [{"document": yard.card, "clock": 1}, {"document": yard.foreign_card, "clock": 1}],
        [{"document": yard.note, "clock": 1}],
    ):  # fmt: skip
        yield yard.batch([sound], clocks)
    for url in ("javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "vbscript:x", "//x", "ftp://x"):
        yield yard.batch([{"kind": "field.set", "document": yard.card, "field": "url", "value": url}])
    yield yard.batch([{"kind": "document.create", "document": yard.foreign_card, "document_kind": "application",
                       "fields": [], "texts": []}], [{"document": yard.foreign_card, "clock": 0}])  # fmt: skip
    for kind in ("profile", "plan", "workspace", "link", ""):
        yield yard.batch(
            [{"kind": "document.create", "document": "new:x", "document_kind": kind, "fields": [], "texts": []}],
            [{"document": "new:x", "clock": 0}],
        )


def oversize(yard: Yard) -> Iterator[Attempt]:
    sound = {"kind": "text.append", "document": yard.card, "text": "notes", "content": "x"}
    deep: Any = "x"
    for _ in range(5_000):
        deep = [deep]
    circle: list[Any] = []
    circle.append(circle)
    for value in (deep, circle, {"a": deep}):
        yield "get_workspace_context", {"surface": value}
        yield yard.batch([{**sound, "content": value}])
        yield yard.batch(value)
        yield "search_jobcache", {"query": value}
    yield yard.batch([sound] * 21)
    yield yard.batch([sound] * 10_000)
    yield yard.batch([{**sound, "content": "x" * 60_000}])
    yield yard.batch([{**sound, "content": "x" * 300_000}])
    yield yard.batch([{**sound, "content": "🎯" * 100_000}])
    yield yard.batch([sound], reason="r" * 301)
    yield yard.batch([sound], reason="")
    yield yard.batch([{"kind": "field.set", "document": yard.card, "field": "title", "value": "x" * 501}])
    yield yard.batch([{"kind": "field.set", "document": yard.card, "field": "salary_min", "value": 10**12}])
    yield yard.batch([{"kind": "field.set", "document": yard.card, "field": "title", "value": {"a": {"b": 1}}}])
    yield "search_jobcache", {"query": "q" * 201}
    yield "search_jobcache", {"query": "python", "limit": 26}
    yield "get_workspace_context", {f"k{number}": None for number in range(50_000)}


def leaks(yard: Yard) -> Iterator[Attempt]:
    for private in (
        "Tamsin Oakvale", "t a m s i n", "OAKVALE", yard.card, yard.home.workspace, yard.home.thread,
        "cvl_" + "a1" * 22, "x@example.com", "+41 44 668 18 00",
    ):  # fmt: skip
        yield "search_jobcache", {"query": private}
        yield "search_jobcache", {"query": "python", "location": private}
    yield "search_jobcache", {"query": "python", "cursor": "tamsin@oakvale.example"}


def forged_capabilities(yard: Yard) -> Iterator[object]:
    home, stranger = yard.home, yard.stranger
    now = facade.now().timestamp()
    body = {
        "version": 1, "workspace": home.workspace, "connector": home.connector, "thread": home.thread,
        "turn": home.turn, "audience": AUDIENCE, "link": home.link, "nonce": home.nonce, "iat": now - 1,
        "exp": now + 60,
    }  # fmt: skip

    def sign(changed: dict[str, Any], *, key: str = KEY, audience: str = AUDIENCE) -> str:
        signer = Signer(key=key, salt=f"careervector.capability.v1:{audience}", algorithm="sha256")
        return signer.sign(urlsafe_b64encode(json.dumps(changed).encode()).decode().rstrip("="))

    yield from ("", "x", ":", None, 7, [], {}, body, json.dumps(body), home.link, stranger.link, "cvl_" + "a" * 43)
    yield sign(body, key="wrong-key-0123456789-0123456789-01234567")
    yield sign(body, key="")
    yield sign(body, audience="careervector.host")
    yield sign({**body, "audience": "careervector.host"}, audience="careervector.host")
    yield sign({**body, "iat": now + 60, "exp": now + 120})
    yield sign({**body, "iat": now - 700, "exp": now - 100})
    yield sign({**body, "exp": now + 6_000})
    yield sign({**body, "nonce": "nonce-0"})
    yield sign({**body, "nonce": ""})
    for name in ("workspace", "connector", "thread", "turn", "link"):
        yield sign({**body, name: getattr(stranger, name)})
        yield sign({**body, name: "*"})
        yield sign({key: value for key, value in body.items() if key != name})
    for name in ("account", "principal", "user", "member"):
        yield sign({**body, name: "acc_1"})
        yield sign({"version": 1, name: "acc_1", "audience": AUDIENCE, "iat": now - 1, "exp": now + 60})
    good = home.capability()
    for index in range(0, len(good), 3):
        yield good[:index] + ("A" if good[index] != "A" else "B") + good[index + 1 :]
    yield good + "x"
    yield good[:-1]
    # The stranger's own, sound capability: for its turn, from this host.
    yield stranger.capability()
