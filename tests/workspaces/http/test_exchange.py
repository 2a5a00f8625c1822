"""Taking out and bringing in over HTTP: who may, what is refused, and that a refusal writes nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.http import HttpResponse

from tests.replay import snapshot
from workspaces.models import Import

from .conftest import Opened, batch, problem

MIB = 1024 * 1024
APPLICATION = "application:01JZX4N7A1B2C3D4E5F6G7H8J9"
NOTE = "note:01JZX4N7A1B2C3D4E5F6G7H8J9"


def content(answer: HttpResponse) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def file(*documents: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"format": "careervector.workspace", "version": 1, "documents": list(documents), **more}


def application(**fields: Any) -> dict[str, Any]:
    return {"id": APPLICATION, "kind": "application", "fields": fields}


def rows(opened: Opened) -> Any:
    return snapshot(opened.workspace), list(Import.objects.values())


@pytest.fixture
def brought(opened: Opened) -> str:
    """An import that made one application."""
    answer = opened.edit("POST", "import", file(application(title="Engineer")))
    assert answer.status_code == 200, answer.content
    return str(json.loads(answer.content)["import"])


def test_an_export_is_a_file_for_its_owner(opened: Opened) -> None:
    opened.owner("POST", "operations", batch("Ada"), key="k")
    answer = opened.owner("GET", "export")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    assert answer["Cache-Control"] == "no-store"
    assert answer["Content-Disposition"].startswith('attachment; filename="careervector-workspace-20')
    text = content(answer)
    assert answer["Content-Length"] == str(len(text))
    found = json.loads(text)
    assert list(found) == [
        "format", "version", "exported_at", "workspace", "settings", "links", "documents", "history", "receipts",
        "threads",
    ]  # fmt: skip
    assert [d["id"] for d in found["documents"]] == ["profile", "plan"]
    assert [e["seq"] for e in found["history"]] == [1]
    assert [r["event"] for r in found["receipts"]] == [found["history"][0]["id"]]
    assert sorted(link["label"] for link in found["links"]) == ["", "edit", "view"]
    for api in (opened.owner, opened.edit, opened.view):
        assert api.secret is not None
        assert api.secret.encode() not in text
        assert b"last4" not in text


def test_an_export_without_history_holds_what_an_import_reads(opened: Opened) -> None:
    opened.owner("POST", "operations", batch("Ada"), key="k")
    found = json.loads(content(opened.owner("GET", "export?history=false")))
    assert (found["history"], found["receipts"], found["threads"]) == ([], [], [])
    assert found["documents"][0]["fields"] == {"name": "Ada"}
    assert problem(opened.owner("GET", "export?history=no")) == (422, "invalid_request")


@pytest.mark.parametrize("path", ["export", "export/applications.csv", "export/letters.md", "export/notes.md"])
def test_exports_are_the_owners(opened: Opened, stranger: Opened, path: str) -> None:
    assert problem(opened.edit("GET", path)) == (403, "owner_only")
    assert problem(opened.view("GET", path)) == (403, "owner_only")
    assert problem(stranger.owner("GET", f"/api/v1/workspaces/{opened.workspace}/{path}")) == (404, "not_found")
    assert opened.owner("GET", path).status_code == 200


def test_imports_are_for_those_who_may_write(opened: Opened, stranger: Opened, brought: str) -> None:
    for path, method in [
        ("import", "POST"), ("imports", "GET"), (f"imports/{brought}", "GET"), (f"imports/{brought}/undo", "GET"),
        (f"imports/{brought}/undo", "POST"),
    ]:  # fmt: skip
        before = rows(opened)
        body = file(application(title="X")) if path == "import" else {} if method == "POST" else None
        assert problem(opened.view(method, path, body, key="v")) == (403, "view_only")
        foreign = f"/api/v1/workspaces/{opened.workspace}/{path}"
        assert problem(stranger.owner(method, foreign, body, key="s")) == (404, "not_found")
        assert rows(opened) == before
    assert problem(stranger.owner("GET", f"imports/{brought}")) == (404, "not_found")
    assert problem(stranger.owner("POST", f"imports/{brought}/undo", {}, key="k")) == (404, "not_found")


def test_an_import_is_listed_shown_previewed_and_taken_back(opened: Opened, brought: str) -> None:
    [listed] = json.loads(opened.edit("GET", "imports").content)["items"]
    assert {name: listed[name] for name in ("id", "kind", "state", "done", "total", "counts", "undone_by")} == {
        "id": brought, "kind": "workspace", "state": "done", "done": 1, "total": 1, "counts": {"application": 1},
        "undone_by": None,
    }  # fmt: skip
    assert json.loads(opened.edit("GET", f"imports/{brought}").content) == {**listed, "report": []}
    preview = json.loads(opened.edit("GET", f"imports/{brought}/undo").content)
    assert (preview["possible"], preview["conflicts"], len(preview["receipts"])) == (True, [], 1)
    body = {"expected_clocks": preview["expected_clocks"]}
    first = opened.edit("POST", f"imports/{brought}/undo", body, key="u")
    assert first.status_code == 200, first.content
    again = opened.edit("POST", f"imports/{brought}/undo", body, key="u")
    assert json.loads(again.content) == {**json.loads(first.content), "replayed": True}
    assert problem(opened.edit("POST", f"imports/{brought}/undo", {}, key="other")) == (409, "receipt_spent")
    assert problem(opened.edit("GET", f"imports/{brought}/undo")) == (409, "receipt_spent")
    assert (
        json.loads(opened.edit("GET", f"imports/{brought}").content)["undone_by"] == json.loads(first.content)["event"]
    )
    assert json.loads(opened.view("GET", "documents?kind=application").content)["items"] == []


def test_an_undo_needs_a_key_and_takes_no_body_at_all(opened: Opened, brought: str) -> None:
    assert problem(opened.edit("POST", f"imports/{brought}/undo", {})) == (422, "idempotency_key_required")
    assert problem(opened.edit("POST", f"imports/{brought}/undo", {"all": True}, key="k")) == (422, "invalid_request")
    stale = opened.edit("POST", f"imports/{brought}/undo", {"expected_clocks": {"profile": 1}}, key="k")
    assert problem(stale) == (422, "clock_set_mismatch")
    assert opened.edit("POST", f"imports/{brought}/undo", key="k").status_code == 200


def test_later_work_refuses_the_undo_and_is_named(opened: Opened, brought: str) -> None:
    [made] = json.loads(opened.view("GET", "documents?kind=application").content)["items"]
    operation = {"kind": "field.set", "document": made["id"], "field": "title", "value": "Mine now"}
    body = {"expected_clocks": {made["id"]: 1}, "operations": [operation]}
    event = json.loads(opened.owner("POST", "operations", body, key="k").content)["event"]
    before = rows(opened)
    refused = opened.edit("POST", f"imports/{brought}/undo", {}, key="u")
    assert problem(refused) == (409, "undo_conflict")
    [conflict] = json.loads(refused.content)["details"]["conflicts"]
    assert (conflict["path"], conflict["later_event"]) == (f"{made['id']}/fields/title", event)
    assert rows(opened) == before
    preview = json.loads(opened.edit("GET", f"imports/{brought}/undo").content)
    assert (preview["possible"], preview["conflicts"]) == (False, [conflict])


def test_imports_come_in_pages(opened: Opened) -> None:
    made = [
        json.loads(opened.edit("POST", "import", file(application(title=str(n)))).content)["import"] for n in range(3)
    ]
    first = json.loads(opened.edit("GET", "imports?limit=2").content)
    rest = json.loads(opened.edit("GET", f"imports?limit=2&cursor={first['next_cursor']}").content)
    assert [item["id"] for item in first["items"] + rest["items"]] == made[::-1]
    assert rest["next_cursor"] is None
    assert problem(opened.edit("GET", "imports?cursor=abc")) == (422, "invalid_request")


def deep(levels: int) -> bytes:
    return b'{"format":"careervector.workspace","documents":' + b"[" * levels + b"]" * levels + b"}"


REFUSED = {
    "empty": (b"", 400, "malformed"),
    "not JSON": (b"{", 400, "malformed"),
    "not UTF-8": (b'{"basics":{"name":"\xff"}}', 400, "malformed"),
    "NaN": (b'{"format":"careervector.workspace","version":NaN}', 400, "malformed"),
    "infinity": (b'{"format":"careervector.workspace","version":1e999}', 400, "malformed"),
    "half a character": (b'{"basics":{"name":"\\ud800"}}', 400, "malformed"),
    "a key twice": (b'{"basics":{},"basics":{"name":"x"}}', 400, "malformed"),
    "too deep": (deep(30), 400, "malformed"),
    "far too deep": (deep(200_000), 400, "malformed"),
    "a list": (b"[]", 422, "invalid_request"),
    "null": (b"null", 422, "invalid_request"),
    "text": (b'"careervector.workspace"', 422, "invalid_request"),
    "nothing known": (b"{}", 422, "invalid_request"),
    "something else": (b'{"__proto__":{},"hello":"world"}', 422, "invalid_request"),
    "another format": (json.dumps(file(format="something")).encode(), 422, "invalid_request"),
    "a later version": (json.dumps(file(version=2)).encode(), 422, "invalid_request"),
    "a true version": (json.dumps(file(version=True)).encode(), 422, "invalid_request"),
    "no documents": (b'{"format":"careervector.workspace","version":1}', 422, "invalid_request"),
    "an unknown part": (json.dumps(file(constructor={})).encode(), 422, "invalid_request"),
    "too many lists": (b'{"basics":[' + b"[]," * 1_000_000 + b"[]]}", 413, "too_large"),
    "too many numbers": (b'{"basics":[' + b"1," * 3_000_001 + b"1]}", 413, "too_large"),
    "over the limit": (b'{"basics":{"name":"' + b"x" * 32 * MIB + b'"}}', 413, "too_large"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_file_of_ours_is_refused_and_writes_nothing(opened: Opened, case: str) -> None:
    raw, status, code = REFUSED[case]
    before = rows(opened)
    assert problem(opened.owner("POST", "import", raw=raw, key="k")) == (status, code)
    assert rows(opened) == before
    # A refusal frees its key.
    assert opened.owner("POST", "import", file(), key="k").status_code == 200


FLAWS: dict[str, tuple[dict[str, Any], str, str]] = {
    "no object": (file("x"), "documents/0", "type"),  # type: ignore[arg-type]
    "a hostile id": (file({"id": "../../etc/passwd"}), "documents/0/id", "pattern"),
    "an id of nobody": (file({"id": "__proto__"}), "documents/0/id", "pattern"),
    "an id that is no text": (file({"id": {"a": 1}}), "documents/0/id", "pattern"),
    "a line end after the id": (file({"id": APPLICATION + "\n"}), "documents/0/id", "pattern"),
    "another kind": (file({"id": APPLICATION, "kind": "note"}), "documents/0/kind", "wrong_kind"),
    "an id twice": (file(application(), application()), "documents/1/id", "duplicate"),
    "the profile twice": (file({"id": "profile"}, {"id": "profile"}), "documents/1/id", "duplicate"),
    "an unknown part": (file({"id": APPLICATION, "owner": 1}), "documents/0/owner", "unknown_field"),
    "an unknown state": (file({"id": APPLICATION, "state": "gone"}), "documents/0/state", "choice"),
    "an archived profile": (file({"id": "profile", "archived": True}), "documents/0/state", "choice"),
    "an unknown field": (file(application(__proto__="x")), "documents/0/fields/__proto__", "unknown_field"),
    "a wrong type": (file(application(title=5)), "documents/0/fields/title", "type"),
    "a nested value": (file(application(title={"a": []})), "documents/0/fields/title", "type"),
    "an unknown stage": (file(application(stage="hired")), "documents/0/fields/stage", "choice"),
    "a long line": (file(application(title="x" * 501)), "documents/0/fields/title", "too_long"),
    "a control character": (file(application(title="a\x00b")), "documents/0/fields/title", "control_character"),
    "a script's address": (file(application(url="javascript:alert(1)")), "documents/0/fields/url", "url"),
    "a rank that is no text": (file(application(rank=["a"])), "documents/0/fields/rank", "type"),
    "a reference that is none": (file({"id": NOTE, "fields": {"application": "x"}}), "documents/0/fields/application",
        "reference"),
    "fields that are none": (file({"id": APPLICATION, "fields": []}), "documents/0/fields", "type"),
    "an unknown section": (file({"id": APPLICATION, "sections": {"x": []}}), "documents/0/sections/x",
        "unknown_section"),
    "a section that is none": (file({"id": APPLICATION, "sections": {"contacts": {}}}),
        "documents/0/sections/contacts", "type"),
    "too many items": (file({"id": APPLICATION, "sections": {"contacts": [{}] * 101}}),
        "documents/0/sections/contacts", "too_many"),
    "a flaw in an item": (file({"id": APPLICATION, "sections": {"checklist": [{}, {"done": "yes"}]}}),
        "documents/0/sections/checklist/1/done", "type"),
    "an unknown text": (file({"id": APPLICATION, "texts": {"x": "y"}}), "documents/0/texts/x", "unknown_text"),
    "a text too long": (file({"id": APPLICATION, "texts": {"notes": "x" * 50_001}}), "documents/0/texts/notes",
        "too_long"),
    "a document too large": (
        file({"id": APPLICATION, "sections": {
            "contacts": [{"note": "x" * 5_000}] * 100, "interviews": [{"note": "x" * 5_000}] * 100}}),
        "documents/0", "too_large"),
    "a flaw in the trash": (file({**application(title=5), "state": "trashed"}), "documents/0/fields/title", "type"),
}  # fmt: skip


@pytest.mark.parametrize("case", FLAWS)
def test_a_flaw_anywhere_refuses_the_whole_file_and_is_named(opened: Opened, case: str) -> None:
    body, path, code = FLAWS[case]
    good = {"id": "note:01JZX4N7A1B2C3D4E5F6G7H8J8", "fields": {"title": "Fine"}}
    body = {**body, "documents": [*body["documents"], good]}
    before = rows(opened)
    answer = opened.owner("POST", "import", body)
    assert problem(answer) == (422, "invalid_request")
    assert [(e["path"], e["code"]) for e in json.loads(answer.content)["errors"]] == [(path, code)]
    assert rows(opened) == before


def test_many_flaws_are_counted_and_the_first_fifty_named(opened: Opened) -> None:
    answer = opened.owner("POST", "import", file(*[{"id": str(n)} for n in range(70)]))
    refused = json.loads(answer.content)
    assert (len(refused["errors"]), refused["details"]["flaws"]) == (50, 70)


@pytest.mark.parametrize(("kind", "maximum"), [("application", 500), ("letter", 300)])
def test_what_would_be_too_many_with_what_is_there_is_refused_before_anything_is_written(
    opened: Opened, kind: str, maximum: int
) -> None:
    documents = [{"id": f"{kind}:{n:026}", "kind": kind} for n in range(maximum)]
    operation = {"kind": "document.create", "document": "new:a", "document_kind": kind}
    opened.owner("POST", "operations", {"expected_clocks": {"new:a": 0}, "operations": [operation]}, key="k")
    before = rows(opened)
    answer = opened.owner("POST", "import", file(*documents))
    assert problem(answer) == (422, "cardinality_exceeded")
    assert json.loads(answer.content)["details"] == {"kind": kind, "maximum": maximum, "present": 1, "more": maximum}
    assert rows(opened) == before
    trashed = {"id": f"{kind}:{1:026}", "kind": kind, "state": "trashed"}
    assert opened.owner("POST", "import", file(*documents[2:10], trashed)).status_code == 200


def test_an_import_fetches_nothing_and_links_no_job(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("an import opened a connection")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    body = file(application(title="A", url="https://jobs.example.org/1", role="role_1", rank="a0"))
    answer = json.loads(opened.edit("POST", "import", body).content)
    assert [(line["path"], line["code"]) for line in answer["report"]] == [("documents/0/fields/role", "not_stored")]
    [made] = json.loads(opened.view("GET", "documents?kind=application").content)["items"]
    assert "role" not in made["fields"]
    assert made["fields"]["url"] == "https://jobs.example.org/1"


def test_the_same_key_gives_the_same_answer_and_one_import(opened: Opened) -> None:
    body = file(application(title="A", url="jobs.example.org/1"))
    first = opened.edit("POST", "import", body, key="k")
    again = opened.edit("POST", "import", {**body, "documents": body["documents"]}, key="k")
    assert json.loads(first.content) == json.loads(again.content)
    assert [line["code"] for line in json.loads(first.content)["report"]] == ["url"]
    assert problem(opened.edit("POST", "import", file(application(title="B")), key="k")) == (
        422,
        "idempotency_mismatch",
    )
    assert Import.objects.filter(workspace_id=opened.workspace).count() == 1
    # Another link's key is another key, and without one every request is its own.
    assert opened.owner("POST", "import", body, key="k").status_code == 200
    assert opened.edit("POST", "import", body).status_code == 200
    assert Import.objects.filter(workspace_id=opened.workspace).count() == 3


def test_a_byte_order_mark_is_left_out_and_said(opened: Opened) -> None:
    raw = b"\xef\xbb\xbf" + json.dumps(file(application(title="A"))).encode()
    answer = opened.edit("POST", "import", raw=raw)
    assert [line["code"] for line in json.loads(answer.content)["report"]] == ["bom"]


def test_exports_and_imports_are_counted(opened: Opened, settings: Any) -> None:
    settings.CAREERVECTOR_RATE_LIMITS_ON = True
    settings.CAREERVECTOR_RATE_LIMITS = {**settings.CAREERVECTOR_RATE_LIMITS, "write": 2}
    assert opened.owner("GET", "export/notes.md").status_code == 200
    assert opened.owner("POST", "import", file()).status_code == 200
    for method, path, body in [("GET", "export", None), ("POST", "import", file())]:
        refused = opened.owner(method, path, body)
        assert problem(refused) == (429, "rate_limited")
        assert int(refused["Retry-After"]) >= 1


def test_nothing_of_a_file_reaches_the_log(opened: Opened, capfd: pytest.CaptureFixture[str]) -> None:
    opened.edit("POST", "import", file(application(title="canary-one", url="canary-two.example/x")))
    opened.edit("POST", "import", file(application(title="canary-three", stage="canary-four")))
    opened.owner("GET", "export")
    captured = capfd.readouterr()
    assert "canary" not in captured.out + captured.err


def test_one_documents_text_is_read_as_markdown_by_any_link(opened: Opened, brought: str) -> None:
    [made] = json.loads(opened.view("GET", "documents?kind=application").content)["items"]
    answer = opened.view("GET", f"documents/{made['id']}/markdown")
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    assert content(answer).startswith(b'---\ntitle: "Engineer"\nkind: "application"\n')
    assert problem(opened.view("GET", f"documents/{NOTE}/markdown")) == (404, "not_found")
