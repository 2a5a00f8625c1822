"""Bringing a file in, following and taking back what it did, and taking parts out as tables, Markdown and a calendar.

The export of everything stands in `assistant.http.exports`, since conversations belong to it.
"""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from workspaces import facade
from workspaces.errors import CardinalityExceeded, StaleClock, TooLarge
from workspaces.operations.json_schema import Schema

from . import examples, exchange_examples, strict_json
from .base import WorkspaceView, access_of, actor_of, identity_of, json_response, plain, query_of
from .body_limit import MAX_IMPORT
from .downloads import FileAnswer, file_name, text_answer
from .operations import CLOCKS, COMMITTED, REASON, UNDO_PREVIEW
from .refusals import UNDO
from .schema import TEXT, TIME, Link, closed, describe, page_of, ref

_BOM = b"\xef\xbb\xbf"
_WITHOUT_BOM = {"path": "", "code": "bom", "message": "The byte order mark at the beginning was left out."}
# What 32 MiB of text become in memory hangs on how many values they hold: far more than any export are refused unread.
MAX_CONTAINERS = 1_000_000
MAX_VALUES = 3_000_000
_COUNT: Schema = {"type": "integer", "minimum": 0}
_COUNTS: Schema = {"type": "object", "additionalProperties": _COUNT}
# `given`: what stood in the file, cut when long, where that tells more.
_LINE = {"path": TEXT, "code": TEXT, "message": TEXT, "given": {"type": ["string", "number", "boolean"]}}
_REPORT: Schema = {"type": "array", "items": closed(_LINE, optional=["given"])}
_IMPORTED = closed({"import": TEXT, "counts": _COUNTS, "report": _REPORT})
_LISTED = {
    "id": TEXT,
    "kind": {"type": "string", "enum": ["workspace", "resume"]},
    "state": {"type": "string", "enum": ["running", "done", "failed"]},
    "done": _COUNT,
    "total": _COUNT,
    "counts": _COUNTS,
    "created_at": TIME,
    "finished_at": {"type": ["string", "null"], "format": "date-time"},
    "undone_by": {"type": ["string", "null"]},
}
_UNDO = closed({"expected_clocks": CLOCKS, "reason": REASON}, optional=("expected_clocks", "reason"))
_ANY_FILE: Schema = {"type": "object", "additionalProperties": True}
_IMPORT = {"workspace": "$request.path.workspace", "imported": "$response.body#/import"}


class ImportView(WorkspaceView):
    max_body = MAX_IMPORT

    @describe(
        "Bring a file in", operation="import_file", keyed="optional", request=_ANY_FILE, answer=_IMPORTED,
        detail="Takes what `export_workspace` gave, or a JSON Resume (version 1) for the profile, up to 32 MiB. The "
        "file is checked as a whole before anything is written. Documents get new ids; history, receipts and "
        "conversations of the file are not taken over. `report` tells what was not taken over as it stood. Progress "
        'goes over the workspace\'s socket as `{"type": "import", "import", "state", "done", "total"}`. Send an '
        "`Idempotency-Key` to be able to repeat the request: the same file is then brought in once.",
        refuses=(CardinalityExceeded, StaleClock), example=exchange_examples.RESUME,
        answer_example=exchange_examples.IMPORTED,
        links=[
            Link("get_import", _IMPORT), Link("preview_import_undo", _IMPORT), Link("undo_import", _IMPORT, {}),
        ],
    )  # fmt: skip
    def post(self, request: Request, workspace: str) -> Response:
        raw = plain(request).body
        marked = raw.startswith(_BOM)
        if raw.count(b"{") + raw.count(b"[") > MAX_CONTAINERS or raw.count(b",") > MAX_VALUES:
            raise TooLarge("The file holds more values than can be read at once.")
        keyed = "Idempotency-Key" in request.headers
        answer = facade.import_file(
            access=access_of(request),
            load=lambda: strict_json.loads(raw[len(_BOM) :] if marked else raw),
            actor=actor_of(request),
            request=identity_of(request, route="import", target=workspace) if keyed else None,
            remarks=[_WITHOUT_BOM] if marked else [],
        )
        return json_response(answer)


class ImportsView(WorkspaceView):
    needs = {"GET": "write"}

    @describe(
        "List imports, newest first", operation="list_imports", answer=page_of(closed(_LISTED)),
        query=("limit", "cursor"), answer_example=examples.page(exchange_examples.LISTED),
    )  # fmt: skip
    def get(self, request: Request, workspace: str) -> Response:
        query = query_of(request)
        page = facade.list_imports(access=access_of(request), cursor=query.cursor(), limit=query.limit())
        return json_response(page)


class OneImportView(WorkspaceView):
    needs = {"GET": "write"}

    @describe(
        "Read one import and its report", operation="get_import", answer=closed({**_LISTED, "report": _REPORT}),
        detail="One that lost its process in the middle is `failed`; what it had done so far can be taken back.",
        answer_example=exchange_examples.ONE,
    )  # fmt: skip
    def get(self, request: Request, workspace: str, imported: str) -> Response:
        return json_response(facade.get_import(access=access_of(request), import_id=imported))


class ImportUndoView(WorkspaceView):
    """All that an import did, newest first, all or nothing; GET previews the conflicts."""

    needs = {"GET": "write", "POST": "write"}
    empty_body = True

    @describe(
        "See what taking an import back would meet", operation="preview_import_undo", answer=UNDO_PREVIEW,
        refuses=UNDO, answer_example=exchange_examples.PREVIEW,
    )  # fmt: skip
    def get(self, request: Request, workspace: str, imported: str) -> Response:
        return json_response(facade.preview_import_undo(workspace=workspace, import_id=imported))

    @describe(
        "Take an import back", operation="undo_import", request=_UNDO, answer=ref("CommitAnswer"), keyed=True,
        detail="One commit that takes back all that the import did and that still stands: what it made is archived, "
        "what it changed in profile and plan is put back. Later work on these refuses it as `undo_conflict`. "
        "`expected_clocks` may be left out; if it is there it must name exactly the documents touched.",
        refuses=UNDO, example={}, answer_example=examples.UNDONE, links=COMMITTED,
    )  # fmt: skip
    def post(self, request: Request, workspace: str, imported: str) -> Response:
        result = facade.undo_import(
            workspace=workspace,
            import_id=imported,
            body=self.body(request),
            actor=actor_of(request),
            request=identity_of(request, route="imports.undo", target=imported),
        )
        return json_response(result.as_json())


class _Download(WorkspaceView):
    """Owners only, and counted: such an answer is a lot of work."""

    needs = {"GET": "owner"}
    limits = {"GET": "write"}


class ApplicationsCsvView(_Download):
    @describe(
        "Take all applications out as a table", operation="export_applications", answer=TEXT, media_type="text/csv",
        detail="One row an application, archived ones too. UTF-8 with a byte order mark; cells that a spreadsheet "
        "program would run as formulas begin with an apostrophe. `stage_history` says when it came to which stage; "
        "what is not known any more says `unknown`.",
        answer_example=exchange_examples.TABLE,
    )  # fmt: skip
    def get(self, request: Request, workspace: str) -> FileAnswer:
        return text_answer(
            lambda: facade.applications_csv(workspace=workspace),
            media_type="text/csv; charset=utf-8; header=present",
            name=file_name("applications", "csv"),
        )


class MarkdownView(_Download):
    """All documents of one kind, said by the address."""

    kind = ""

    def _get(self, workspace: str) -> FileAnswer:
        return text_answer(
            lambda: facade.markdown_of_kind(workspace=workspace, kind=self.kind),
            media_type="text/markdown; charset=utf-8",
            name=file_name(f"{self.kind}s", "md"),
        )


class LettersView(MarkdownView):
    kind = "letter"

    @describe(
        "Take all letters out as Markdown", operation="export_letters", answer=TEXT, media_type="text/markdown",
        detail="One file with a heading for each; archived ones too.", answer_example=exchange_examples.LETTERS,
    )  # fmt: skip
    def get(self, request: Request, workspace: str) -> FileAnswer:
        return self._get(workspace)


class NotesView(MarkdownView):
    kind = "note"

    @describe(
        "Take all notes out as Markdown", operation="export_notes", answer=TEXT, media_type="text/markdown",
        detail="One file with a heading for each; archived ones too.", answer_example=exchange_examples.NOTES,
    )  # fmt: skip
    def get(self, request: Request, workspace: str) -> FileAnswer:
        return self._get(workspace)


class DocumentMarkdownView(WorkspaceView):
    @describe(
        "Read one document's text as Markdown", operation="get_document_markdown", answer=TEXT,
        media_type="text/markdown", detail="With front matter: its title, what it belongs to, and its times.",
        answer_example=exchange_examples.MARKDOWN,
    )  # fmt: skip
    def get(self, request: Request, workspace: str, document: str) -> FileAnswer:
        text = facade.document_markdown(access=access_of(request), document=document)
        return text_answer(
            lambda: [text],
            media_type="text/markdown; charset=utf-8",
            name=file_name(document.replace(":", " "), "md"),
        )


class CalendarView(WorkspaceView):
    """Any link may read it; a calendar program asks again by itself."""

    limits = {"GET": "write"}

    @describe(
        "Read the calendar", operation="get_calendar", answer=TEXT, media_type="text/calendar",
        detail="Deadlines and next steps as days, interviews as times with their zone's rules (RFC 5545), of the "
        "active applications. Uids stay the same when something is edited.",
        answer_example=exchange_examples.CALENDAR,
    )  # fmt: skip
    def get(self, request: Request, workspace: str) -> FileAnswer:
        return text_answer(
            lambda: [facade.workspace_calendar(workspace=workspace).decode()],
            media_type="text/calendar; charset=utf-8",
            name=file_name("calendar", "ics"),
        )
