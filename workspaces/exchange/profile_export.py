"""The profile of a workspace as JSON Resume, read from its document. Above: the facade. Below: `resume_out`."""

from __future__ import annotations

import json

from workspaces.clock import rfc3339

from .resume_out import resume_json
from .workspace_export import states_in_file_order


def profile_resume(*, workspace: str) -> str:
    """resume.json as text. Read inside `sql.snapshot`."""
    # An erasure may have come between the look at the link and this: then there is nothing to tell.
    found = next(iter(states_in_file_order(workspace=workspace, kinds=["profile"])), None)
    if found is None:
        return "{}\n"
    row, state, _ = found
    resume = resume_json(profile=state, changed_at=rfc3339(row.updated_at))
    return json.dumps(resume, ensure_ascii=False, indent=2) + "\n"
