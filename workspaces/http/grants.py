"""What one browser session may open: workspace id → link id, in the session's own row.

No secret is kept: the link is looked up at each request, so revoking it ends the session's right at once.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.sessions.backends.base import SessionBase

from workspaces.contracts import Access
from workspaces.errors import LinkInvalid, NotFound
from workspaces.links import check_access

_KEY = "grants"
_MOST = 50


def grant(session: SessionBase, access: Access) -> None:
    """Add or replace the workspace's grant. The session gets a new key, so a planted one is worth nothing."""
    grants = {ws: link for ws, link in read_grants(session).items() if ws != access.workspace}
    grants[access.workspace] = access.link
    session.cycle_key()
    session[_KEY] = dict(list(grants.items())[-_MOST:])


def read_grants(session: Mapping[str, object] | SessionBase) -> dict[str, str]:
    stored = session.get(_KEY)
    return dict(stored) if isinstance(stored, dict) else {}


def open_by_session(session: SessionBase, *, workspace: str) -> Access:
    """The session's access to one workspace.

    Raises LinkInvalid for a session that opens nothing at all or whose link is gone, NotFound for a workspace that it
    does not open (the same as for one that never existed).
    """
    grants = read_grants(session)
    if not grants:
        raise LinkInvalid
    if workspace not in grants:
        raise NotFound
    return check_access(workspace=workspace, link=grants[workspace])
