"""The secret links that open a workspace: making, opening, checking, listing, revoking.

Above: the facade, which re-exports these. Below: the workspace and link rows (the only write here that is no document
write) and the hub, which tells open sockets of a revocation. A lost message delays nothing: whoever writes or beats
asks `check_link_alive` again. Source: contract section 2.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, cast

from django.conf import settings
from django.db import DatabaseError, transaction

from . import sql
from .clock import now
from .commits import store
from .contracts import Access, LinkInfo, NewLink, NewWorkspace, Role
from .documents.values import MAX_LINE, ValueFlaw, clean_string
from .errors import CardinalityExceeded, Flaw, InvalidRequest, LastOwnerLink, LinkInvalid, NotFound, OwnerOnly, ViewOnly
from .ids import new_id
from .models import Link, Workspace
from .realtime import hub

ROLES: tuple[Role, ...] = ("owner", "edit", "view")
MAX_LIVE_LINKS = 100
CONTROL_TOPIC = "links"
_SECRET = re.compile(r"cvl_[A-Za-z0-9_-]{43}")
_MAX_READ = 512
_NO_DIGEST = "0" * 64


@dataclass(frozen=True, slots=True)
class LinkPage:
    """Newest first."""

    items: tuple[LinkInfo, ...]
    next_cursor: str | None


def link_topic(link: str) -> str:
    """The hub topic on which the sockets of one link hear of its end: `{"type": "link.revoked", …}`."""
    return f"link:{link}"


def link_url(secret: str) -> str:
    """The address that a person opens. The secret sits in the fragment, which no server sees."""
    return f"{getattr(settings, 'CAREERVECTOR_PUBLIC_URL', '').rstrip('/')}/w/#{secret}"


def create_workspace(*, label: str = "") -> NewWorkspace:
    """A workspace with its two singletons and its first owner link, in one transaction. Raises InvalidRequest."""
    name = _clean_label(label)
    workspace = new_id("ws")
    with transaction.atomic():
        store.create_workspace_rows(workspace_id=workspace, label=name)
        link = _insert(workspace=workspace, label="", role="owner")
    return NewWorkspace(workspace=workspace, link=link)


def open_link(*, secret: Any) -> Access:
    """The access behind a secret. Raises LinkInvalid, in about the same time whatever is wrong with it."""
    text = secret[:_MAX_READ] if isinstance(secret, str) else ""
    # The digest is asked for even when the shape is wrong: a refusal must not tell how far the check came.
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    row = Link.objects.filter(secret_sha256=digest, workspace__erased_at=None).first()
    known = hmac.compare_digest(row.secret_sha256 if row else _NO_DIGEST, digest)
    shaped = _SECRET.fullmatch(text) is not None
    if row is None or not known or not shaped or row.revoked_at is not None:
        raise LinkInvalid
    _note_use(row)
    return Access(workspace=row.workspace_id, link=row.id, role=cast(Role, row.role))


def check_access(*, workspace: str, link: str) -> Access:
    """The access of a link that was opened earlier (a browser session's grant). Raises LinkInvalid."""
    row = Link.objects.filter(id=link, workspace_id=workspace, revoked_at=None, workspace__erased_at=None).first()
    if row is None:
        raise LinkInvalid
    _note_use(row)
    return Access(workspace=workspace, link=link, role=cast(Role, row.role))


def check_link_alive(*, workspace: str, link: str) -> Role:
    """The link's role, by one indexed read. Raises LinkInvalid when it is revoked, unknown or another workspace's."""
    row = sql.fetch_one(
        "SELECT role FROM workspaces_link WHERE id = %s AND workspace_id = %s AND revoked_at IS NULL", [link, workspace]
    )
    if row is None:
        raise LinkInvalid
    return cast(Role, row[0])


def hold_link(*, workspace: str, link: str) -> Role:
    """`check_link_alive` for a transaction that writes: a revocation or an erasure waits until it has ended.

    So a write comes wholly before, or is refused. Takes the workspace's lock, shared. Raises LinkInvalid.
    """
    if not hold_workspace(workspace=workspace):
        raise LinkInvalid
    # A statement of its own: what was revoked while this waited for the lock must be seen.
    return check_link_alive(workspace=workspace, link=link)


def hold_workspace(*, workspace: str) -> bool:
    """The same for writes that no link asks for: False for a workspace that is erased or was never there."""
    row = sql.fetch_one(
        "SELECT 1 FROM workspaces_workspace w WHERE w.id = %s"  # noqa: S608
        f" AND w.erased_at IS NULL{sql.for_key_share('w')}",
        [workspace],
    )
    return row is not None


def live_links(links: Collection[str]) -> frozenset[str]:
    """Those of the links that are alive."""
    found = Link.objects.filter(id__in=list(links), revoked_at=None, workspace__erased_at=None)
    return frozenset(found.values_list("id", flat=True)) if links else frozenset()


def require_write(access: Access) -> None:
    """Raises ViewOnly for a link that may only read."""
    if access.role == "view":
        raise ViewOnly


def require_owner(access: Access, *, write: bool) -> None:
    """Raises OwnerOnly, or ViewOnly where a reading link tries to write."""
    if write:
        require_write(access)
    if access.role != "owner":
        raise OwnerOnly


def create_link(*, access: Access, label: str, role: str) -> NewLink:
    """Another link to the same workspace; its secret is in the answer and nowhere else.

    Raises OwnerOnly, ViewOnly, InvalidRequest, CardinalityExceeded, LinkInvalid (the caller's own link is gone).
    """
    require_owner(access, write=True)
    name = _clean_label(label)
    if role not in ROLES:
        raise InvalidRequest(flaws=[Flaw("role", "choice", f"This must be one of {', '.join(ROLES)}.")])
    with transaction.atomic():
        lock_as_owner(access)
        if Link.objects.filter(workspace_id=access.workspace, revoked_at=None).count() >= MAX_LIVE_LINKS:
            raise CardinalityExceeded(f"A workspace has at most {MAX_LIVE_LINKS} links; revoke one first.")
        return _insert(workspace=access.workspace, label=name, role=role)


def list_links(*, access: Access, cursor: str | None = None, limit: int = 50) -> LinkPage:
    """Every link of the workspace, revoked ones too, newest first. Raises OwnerOnly, InvalidRequest."""
    require_owner(access, write=False)
    rows = Link.objects.filter(workspace_id=access.workspace).order_by("-id")
    if cursor is not None:
        rows = rows.filter(id__lt=_read_cursor(cursor))
    page = list(rows[: limit + 1])
    return LinkPage(
        items=tuple(_info(row) for row in page[:limit]),
        next_cursor=_write_cursor(page[limit - 1].id) if len(page) > limit else None,
    )


def revoke_link(*, access: Access, link: str) -> None:
    """Close a link for good: its sockets, browser sessions and capabilities end with it. Twice is once.

    Raises OwnerOnly, ViewOnly, NotFound, LastOwnerLink, LinkInvalid (the caller's own link is gone).
    """
    require_owner(access, write=True)
    with transaction.atomic():
        # The workspace row serialises two owners who would revoke each other.
        lock_as_owner(access)
        row = Link.objects.filter(id=link, workspace_id=access.workspace).first()
        if row is None:
            raise NotFound
        if row.revoked_at is not None:
            return
        owners = Link.objects.filter(workspace_id=access.workspace, role="owner", revoked_at=None)
        if row.role == "owner" and not owners.exclude(id=link).exists():
            raise LastOwnerLink
        Link.objects.filter(id=link).update(revoked_at=now())
        transaction.on_commit(lambda: _announce_revocation(workspace=access.workspace, link=link))


def rotate_link(*, access: Access, link: str, hand_over: Callable[[str, str], None] | None = None) -> NewLink:
    """A new link with the label and role of another, which ends in the same step.

    Everything that hangs on a link ends with the old one; what belonged to it is given to the new one by `hand_over`
    (old id, new id), in the same transaction. A link may rotate itself, also the last owner's.
    Raises OwnerOnly, ViewOnly, NotFound (no such link that is alive), LinkInvalid (the caller's own link is gone).
    """
    require_owner(access, write=True)
    with transaction.atomic():
        lock_as_owner(access)
        row = Link.objects.filter(id=link, workspace_id=access.workspace, revoked_at=None).first()
        if row is None:
            raise NotFound
        made = _insert(workspace=access.workspace, label=row.label, role=cast(Role, row.role))
        if hand_over is not None:
            hand_over(link, made.id)
        Link.objects.filter(id=link).update(revoked_at=now())
        transaction.on_commit(lambda: _announce_revocation(workspace=access.workspace, link=link))
    return made


def _announce_revocation(*, workspace: str, link: str) -> None:
    message = {"type": "link.revoked", "workspace": workspace, "link": link}
    hub.publish(topic=link_topic(link), message=message)
    hub.publish(topic=CONTROL_TOPIC, message=message)


def lock_as_owner(access: Access) -> None:
    """Locks the workspace for a write that only an owner may make. Raises LinkInvalid, OwnerOnly."""
    # Looked at again under the lock: the caller's own link may have been revoked since the request began.
    if not Workspace.objects.select_for_update().filter(id=access.workspace, erased_at=None).exists():
        raise LinkInvalid
    if check_link_alive(workspace=access.workspace, link=access.link) != "owner":
        raise OwnerOnly


def _insert(*, workspace: str, label: str, role: Role) -> NewLink:
    secret = "cvl_" + secrets.token_urlsafe(32)
    row = Link.objects.create(
        id=new_id("lnk"),
        workspace_id=workspace,
        label=label,
        role=role,
        secret_sha256=hashlib.sha256(secret.encode()).hexdigest(),
        last4=secret[-4:],
        created_at=now(),
    )
    return NewLink(id=row.id, secret=secret, role=role, label=label)


def _note_use(row: Link) -> None:
    """The day of the last use, written at most once a day: finds forgotten links, follows nobody."""
    today = now().date()
    if row.last_used_on is None or row.last_used_on < today:
        # Opening must not fail because a note about it could not be written.
        with contextlib.suppress(DatabaseError), transaction.atomic():
            Link.objects.filter(id=row.id).exclude(last_used_on__gt=today - timedelta(days=1)).update(
                last_used_on=today
            )


def _clean_label(label: Any) -> str:
    try:
        return clean_string(label, maximum=MAX_LINE, newlines=False)
    except ValueFlaw as flaw:
        raise InvalidRequest(flaws=[Flaw("label", flaw.code, flaw.message)]) from None


def _info(row: Link) -> LinkInfo:
    return LinkInfo(
        id=row.id,
        label=row.label,
        role=cast(Role, row.role),
        last4=row.last4,
        created_at=row.created_at,
        last_used_on=row.last_used_on.isoformat() if row.last_used_on else None,
        revoked_at=row.revoked_at,
    )


def _write_cursor(link: str) -> str:
    return base64.urlsafe_b64encode(link.encode()).decode().rstrip("=")


def _read_cursor(cursor: str) -> str:
    try:
        link = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        link = ""
    if not re.fullmatch(r"lnk_[0-9A-Z]{26}", link):
        raise InvalidRequest(flaws=[Flaw("cursor", "cursor", "This cursor does not come from this list.")])
    return link
