"""What one browser session may open: workspace id → link id, in the session's own row.

No secret is kept: the link is looked up at each request, so revoking it ends the session's right at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.db.models.functions import Now

from workspaces.contracts import Access
from workspaces.errors import LinkInvalid, NotFound
from workspaces.links import check_access, live_links

_KEY = "grants"
_MOST = 50


def grant(session: SessionBase, access: Access) -> None:
    """Add or replace the workspace's grant. The session gets a new key, so a planted one is worth nothing."""
    grants = {ws: link for ws, link in read_grants(session).items() if ws != access.workspace}
    grants[access.workspace] = access.link
    session.cycle_key()
    session[_KEY] = dict(list(grants.items())[-_MOST:])


def drop_grant(session: SessionBase, *, workspace: str) -> None:
    """Forget that this session may open the workspace."""
    grants = read_grants(session)
    if grants.pop(workspace, None) is not None:
        session[_KEY] = grants


def expire_sessions(*, limit: int) -> int:
    """Deletes stored sessions past their time, the oldest first; gives how many."""
    # The database's own time: that is what the sessions' times were set by, whatever clock the product runs on.
    expired = _sessions().filter(expire_date__lt=Now()).order_by("expire_date").values_list("session_key", flat=True)
    deleted: int = _sessions().filter(session_key__in=list(expired[:limit])).delete()[0]
    return deleted


def sweep_grants(*, after: str, limit: int) -> tuple[int, str]:
    """Takes grants whose links are gone or revoked out of the stored sessions, in the order of their keys.

    Gives how many sessions changed, and the key to go on after ("" at the end). A session that is saved at the same
    moment keeps what was saved: such a grant opens nothing, and the next sweep finds it.
    """
    rows = list(_sessions().filter(session_key__gt=after).order_by("session_key")[:limit])
    stores = {row.session_key: row.get_decoded() for row in rows}
    granted = {link for data in stores.values() for link in read_grants(data).values()}
    alive = live_links(granted)
    changed = 0
    for row in rows:
        data = stores[row.session_key]
        kept = {workspace: link for workspace, link in read_grants(data).items() if link in alive}
        if kept != read_grants(data):
            fresh = _store().encode({**data, _KEY: kept})
            same = _sessions().filter(session_key=row.session_key, session_data=row.session_data)
            changed += same.update(session_data=fresh)
    return changed, rows[-1].session_key if len(rows) == limit else ""


def _store() -> Any:
    return import_module(settings.SESSION_ENGINE).SessionStore()


def _sessions() -> Any:
    return _store().get_model_class().objects


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
