"""The profile as JSON Resume, for its owner. A resume comes in by `exchange.ImportView`, like any file."""

from __future__ import annotations

from rest_framework.request import Request

from workspaces import facade
from workspaces.operations.json_schema import Schema

from . import exchange_examples
from .base import WorkspaceView
from .downloads import FileAnswer, file_name, text_answer
from .schema import describe

# What it holds is said by JSON Resume's own schema.
_RESUME: Schema = {"type": "object", "additionalProperties": True}


class ResumeView(WorkspaceView):
    needs = {"GET": "owner"}
    limits = {"GET": "write"}

    @describe(
        "Take the profile out as JSON Resume", operation="export_resume", answer=_RESUME,
        detail="Version 1, valid by its published schema. What the schema cannot hold, such as an address with "
        "letters outside ASCII, is kept exactly under `meta`; `import_file` gives the same profile again.",
        answer_example=exchange_examples.RESUME,
    )  # fmt: skip
    def get(self, request: Request, workspace: str) -> FileAnswer:
        return text_answer(
            lambda: [facade.profile_resume(workspace=workspace)],
            media_type="application/json",
            name=file_name("resume", "json"),
        )
