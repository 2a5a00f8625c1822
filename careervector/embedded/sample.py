"""The sample workspace of an embedded start: made once per data folder, with a fresh link for each start.

Which workspace and which link it was is kept in `sample.json` (ids only; the secret is kept nowhere).
"""

from __future__ import annotations

import json
from pathlib import Path

from careervector.embedded.data import DataFolder, write_private
from workspaces import facade
from workspaces.contracts import NewLink
from workspaces.errors import DomainError
from workspaces.links import link_url


def open_sample(data: DataFolder) -> str:
    """The URL that opens the sample workspace. The link of the start before stops working."""
    note = data.root / "sample.json"
    workspace, link = _fresh_link(note) or _new_sample()
    write_private(note, json.dumps({"workspace": workspace, "link": link.id}))
    return link_url(link.secret)


def _new_sample() -> tuple[str, NewLink]:
    made = facade.create_workspace(label="Sample", sample=True)
    return made.workspace, made.link


def _fresh_link(note: Path) -> tuple[str, NewLink] | None:
    """None when there is no sample yet, or it is erased, or its owner has revoked our link (then it is theirs)."""
    try:
        known = json.loads(note.read_text())
        access = facade.check_access(workspace=known["workspace"], link=known["link"])
        fresh = facade.create_link(access=access, label="make run", role="owner")
        facade.revoke_link(access=access, link=access.link)
    except (OSError, ValueError, KeyError, TypeError, DomainError):
        return None
    return access.workspace, fresh
