"""A host that does whatever it likes: several hundred attempts, no effect beyond reversible operations at home.

What is asserted in the end: the other workspace is untouched, row for row; nothing was done to this one but by
operations that an agent may use, each with a receipt; and undoing those receipts brings every document back.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from django.core.signing import Signer

import jobcache_client
from assistant.capabilities import AUDIENCE
from assistant.models import Thread, ThreadEvent, ToolCall, Turn, TurnToolResult
from assistant.tools.answers import MAX_RESULT_BYTES
from workspaces import facade
from workspaces.contracts import Actor, RequestIdentity
from workspaces.models import Document, DocumentUpdate, Event, IdempotencyRecord, Link, Receipt

from .conftest import Stage

KEY = "test-capability-key-0123456789-0123456789"
Attempt = tuple[str, dict[str, Any]]
ALLOWED = {
    "document.create", "document.archive", "document.unarchive", "field.set", "item.add", "item.update", "item.move",
    "text.append", "text.replace", "application.move_stage",
}  # fmt: skip
CODES = {
    "capability_invalid", "invalid_request", "invalid_operation", "operation_not_allowed", "not_found", "stale_clock",
    "clock_set_mismatch", "too_large", "private_query", "idempotency_mismatch", "cardinality_exceeded",
    "undo_conflict", "receipt_spent", "document_trashed", "not_reversible", "malformed",
}  # fmt: skip


@pytest.fixture(autouse=True)
def public_corpus(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Remembers what left for JobCache."""
    sent: list[dict[str, Any]] = []

    def search(arguments: dict[str, Any]) -> dict[str, Any]:
        sent.append(arguments)
        return {"roles": [], "total": 0, "next_cursor": None, "corpus_version": "v1"}

    monkeypatch.setattr(jobcache_client, "search", search)
    return sent


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


def rows(stage: Stage) -> dict[str, list[dict[str, Any]]]:
    """Everything that is kept of a workspace, row for row."""
    in_workspace = (Document, Event, Receipt, IdempotencyRecord, Link)
    kept = {
        model.__name__: list(model.objects.filter(workspace=stage.workspace).order_by("pk").values())
        for model in in_workspace
    }
    updates = DocumentUpdate.objects.filter(document__workspace=stage.workspace)
    kept["DocumentUpdate"] = list(updates.order_by("pk").values())
    kept["Thread"] = list(Thread.objects.filter(workspace=stage.workspace).values())
    kept["Turn"] = list(Turn.objects.filter(workspace=stage.workspace).values())
    kept["ThreadEvent"] = list(ThreadEvent.objects.filter(thread__workspace=stage.workspace).values())
    kept["TurnToolResult"] = list(TurnToolResult.objects.filter(turn=stage.turn).values())
    return kept


def contents(stage: Stage) -> dict[str, Any]:
    """What a person sees of every document, but for clocks and who came last."""
    shown = {}
    for document in Document.objects.filter(workspace=stage.workspace).order_by("doc_id"):
        if document.state != "trashed":
            found = facade.get_document(access=stage.access, document=document.doc_id)
            shown[document.doc_id] = {n: found[n] for n in ("fields", "sections", "texts", "archived")}
    return shown


def test_a_hostile_host_does_nothing_that_cannot_be_taken_back(
    stages: Callable[..., Stage], public_corpus: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    yard = Yard(stages)
    home = yard.home
    foreign_before, before = rows(yard.stranger), contents(home)
    human_events = set(Event.objects.filter(workspace=home.workspace).values_list("id", flat=True))
    kinds: dict[str, int] = {}
    outcomes: dict[str, int] = {}

    def attempt(kind: str, name: Any, arguments: Any, **changes: Any) -> dict[str, Any]:
        kinds[kind] = kinds.get(kind, 0) + 1
        answer = home.call(name, arguments, **changes)
        text = json.dumps(answer, ensure_ascii=False, allow_nan=False)
        assert len(text.encode()) <= MAX_RESULT_BYTES
        for secret in ("Their secret", "Their plan", yard.stranger.link, "Traceback", "SELECT "):
            assert secret not in text
        code = answer.get("code", "ok")
        assert code == "ok" or code in CODES, (kind, name, str(arguments)[:200], code)
        outcomes[code] = outcomes.get(code, 0) + 1
        return answer

    for kind, attempts in (
        ("unknown tools", hostile_tools(yard)),
        ("wrong types", wrong_types(yard)),
        ("foreign ids", foreign_ids(yard)),
        ("forbidden kinds", forbidden_kinds(yard)),
        ("smuggled", smuggled(yard)),
        ("oversize", oversize(yard)),
        ("private searches", leaks(yard)),
    ):
        for name, arguments in attempts:
            attempt(kind, name, arguments)
    for token in forged_capabilities(yard):
        for name, arguments in (
            ("get_workspace_context", {}),
            yard.batch([{"kind": "field.set", "document": yard.card, "field": "title", "value": "Forged"}]),
        ):
            assert attempt("forged capabilities", name, arguments, capability=token)["code"] == "capability_invalid"
    for call in ("", "\x00", "x" * 201, None, 7, [], "\ud800"):
        assert attempt("call ids", "get_workspace_context", {}, call=call)["code"] == "invalid_request"
    for turn in ("", None, 7, yard.stranger.turn, "trn_x", "x" * 5_000, "\x00"):
        assert attempt("turn ids", "get_workspace_context", {}, turn=turn)["code"] == "capability_invalid"
    for host in ("", yard.stranger.host, "hst_x"):
        assert attempt("hosts", "get_workspace_context", {}, host=host)["code"] == "capability_invalid"

    # Replays: one sound write, then its id again and again with something else.
    sound = yard.batch([{"kind": "text.append", "document": yard.card, "text": "notes", "content": "Hello."}])
    first = attempt("replays", *sound, call="replayed")
    assert first["status"] == "ok"
    clock = home.clock(yard.card)
    for content in ("Other.", "Hello. ", "", "x" * 100):
        other = yard.batch([{"kind": "text.append", "document": yard.card, "text": "notes", "content": content}])
        assert attempt("replays", *other, call="replayed")["code"] == "idempotency_mismatch"
    assert attempt("replays", "get_workspace_context", {}, call="replayed")["code"] == "idempotency_mismatch"
    for _ in range(10):
        assert attempt("replays", *sound, call="replayed") == first
    assert home.clock(yard.card) == clock

    # After the end: everything again, with a capability that was good a moment ago.
    token = home.capability()
    home.end()
    state_at_end = rows(home)
    for kind_attempts in (foreign_ids(yard), forbidden_kinds(yard), smuggled(yard), hostile_tools(yard)):
        for name, arguments in kind_attempts:
            assert attempt("after the end", name, arguments, capability=token)["code"] == "capability_invalid"
    assert attempt("after the end", *sound, capability=token, call="replayed")["code"] == "capability_invalid"
    assert rows(home) == state_at_end

    # The stranger's workspace is as it was, row for row.
    assert rows(yard.stranger) == foreign_before
    # Nothing private and nothing but the tool's arguments ever left for JobCache.
    for sent in public_corpus:
        assert set(sent) <= {
            "query", "location", "country", "work_mode", "employment_type", "posted_within_days", "salary_min",
            "currency", "limit", "cursor",
        }  # fmt: skip
        assert "oakvale" not in json.dumps(sent).lower()
        assert home.workspace not in json.dumps(sent)
    # At home: only the agent's own kinds, each commit with a receipt of this thread.
    agent_events = [event for event in Event.objects.filter(workspace=home.workspace) if event.id not in human_events]
    for event in agent_events:
        assert event.actor_class == "agent"
        assert set(json.loads(event.operation_kinds)) <= ALLOWED
        receipt = Receipt.objects.get(pk=event.receipt)
        assert (receipt.thread, receipt.turn) == (home.thread, home.turn)
    # And all of it can be taken back.
    for event in sorted(agent_events, key=lambda event: -event.seq):
        touched = json.loads(event.clocks)["after"]
        facade.undo_receipt(
            workspace=home.workspace,
            receipt=str(event.receipt),
            body={"expected_clocks": {document: home.clock(document) for document in touched}},
            actor=Actor("human", f"link:{home.link}"),
            request=RequestIdentity(
                scope=f"link:{home.link}", key=f"undo-{event.id}", route="undo", target=str(event.receipt),
                link=home.link,
            ),
        )  # fmt: skip
    after = contents(home)
    for document, shown in after.items():
        if document in before:
            assert shown == before[document]
        else:
            assert shown["archived"] is True
    assert before.keys() <= after.keys()
    # Every attempt on the turn while it ran left its audit row, duplicates of one call aside.
    assert ToolCall.objects.filter(turn=home.turn).exclude(outcome="capability_invalid").count() > 500

    total = sum(kinds.values())
    with capsys.disabled():
        told = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
        ended = ", ".join(f"{number} {code}" for code, number in sorted(outcomes.items(), key=lambda item: -item[1]))
        print(f"\nhostile host: {total} attempts ({told}); answered {ended}; {len(agent_events)} reversible commits")
    assert total > 800
