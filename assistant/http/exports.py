"""A whole workspace as one file: documents, history, receipts and conversations."""

from __future__ import annotations

from typing import IO, Any

from rest_framework.request import Request

from assistant import facade
from workspaces.http.base import WorkspaceView, query_of
from workspaces.http.downloads import FileAnswer, file_answer, file_name
from workspaces.http.schema import TEXT, TIME, closed, describe

from . import examples

Schema = dict[str, Any]
_LIST: Schema = {"type": "array", "items": {"type": "object"}}
_EXPORT: Schema = closed(
    {
        "format": {"type": "string", "const": "careervector.workspace"},
        "version": {"type": "integer", "const": 1},
        "exported_at": TIME,
        "workspace": closed({"id": TEXT, "label": TEXT, "created_at": TIME, "seq": {"type": "integer", "minimum": 0}}),
        "settings": {"type": "object"},
        "links": _LIST,
        "documents": _LIST,
        "history": _LIST,
        "receipts": _LIST,
        "threads": _LIST,
    }
)


class ExportView(WorkspaceView):
    """`…/export`: of one moment, sent piece by piece."""

    needs = {"GET": "owner"}
    limits = {"GET": "write"}

    @describe(
        "Take everything out", operation="export_workspace", answer=_EXPORT, query=("history",),
        detail="One JSON file of one moment: documents (archived and trashed ones too), events, receipts, "
        "conversations, settings, and the links' labels, never their secrets. `import_file` takes it in again; with "
        "`history=false` it holds only what an import reads.",
        answer_example=examples.EXPORT,
    )  # fmt: skip
    def get(self, request: Request, workspace: str) -> FileAnswer:
        history = query_of(request).choice("history", ("true", "false")) != "false"

        def write(file: IO[bytes]) -> None:
            facade.export_workspace(workspace=workspace, into=file, history=history)

        return file_answer(write, media_type="application/json", name=file_name("workspace", "json"))
