"""Links: what opens, what does not, and that nothing tells the failures apart."""

from __future__ import annotations

import hashlib
import re
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async

from workspaces import links
from workspaces.clock import now
from workspaces.contracts import Access
from workspaces.errors import (
    CardinalityExceeded,
    DomainError,
    InvalidRequest,
    LastOwnerLink,
    LinkInvalid,
    NotFound,
    OwnerOnly,
    ViewOnly,
    to_problem,
)
from workspaces.ids import new_id
from workspaces.models import Link, Workspace
from workspaces.realtime import hub

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> Access:
    workspace = Workspace.objects.create(id=new_id("ws"), created_at=now())
    made = links._insert(workspace=workspace.id, label="", role="owner")
    return Access(workspace=workspace.id, link=made.id, role="owner")


def as_role(owner: Access, role: str) -> Access:
    made = links.create_link(access=owner, label=role, role=role)
    return Access(workspace=owner.workspace, link=made.id, role=role)


def test_a_new_link_opens_its_workspace_and_its_secret_is_kept_nowhere(owner: Access) -> None:
    made = links.create_link(access=owner, label="Laptop", role="edit")
    assert re.fullmatch(r"cvl_[A-Za-z0-9_-]{43}", made.secret)
    assert links.open_link(secret=made.secret) == Access(workspace=owner.workspace, link=made.id, role="edit")
    row = Link.objects.get(id=made.id)
    assert row.secret_sha256 == hashlib.sha256(made.secret.encode()).hexdigest()
    assert row.last4 == made.secret[-4:]
    assert made.secret[4:-4] not in repr(vars(row))
    assert made.secret not in repr(made)


def test_every_failure_to_open_is_the_same(owner: Access) -> None:
    revoked = links.create_link(access=owner, label="", role="edit")
    links.revoke_link(access=owner, link=revoked.id)
    known = links.create_link(access=owner, label="", role="edit").secret
    attempts = [
        "", "cvl_", "cvl_" + "A" * 43, "cvl_" + "A" * 42, revoked.secret, known + "A", known[:-1], known.upper(),
        " " + known, known + "\n", "x" * 100_000, "\ud800", "\x00", None, 5, [known], {"link": known},
    ]  # fmt: skip
    problems = []
    for attempt in attempts:
        with pytest.raises(LinkInvalid) as refusal:
            links.open_link(secret=attempt)
        problems.append(to_problem(refusal.value))
    assert problems == [problems[0]] * len(attempts)


def test_a_malformed_link_costs_the_same_question_as_an_unknown_one(owner: Access, django_assert_num_queries) -> None:
    for attempt in ("cvl_" + "A" * 43, "nonsense", None):
        with django_assert_num_queries(1), pytest.raises(LinkInvalid):
            links.open_link(secret=attempt)


def test_an_erased_workspace_opens_no_more(owner: Access) -> None:
    secret = links.create_link(access=owner, label="", role="edit").secret
    Workspace.objects.filter(id=owner.workspace).update(erased_at=now())
    with pytest.raises(LinkInvalid):
        links.open_link(secret=secret)
    with pytest.raises(LinkInvalid):
        links.check_access(workspace=owner.workspace, link=owner.link)


def test_the_day_of_the_last_use_is_written_once_a_day(owner: Access, django_assert_num_queries) -> None:
    made = links.create_link(access=owner, label="", role="edit")
    assert Link.objects.get(id=made.id).last_used_on is None
    links.open_link(secret=made.secret)
    assert Link.objects.get(id=made.id).last_used_on == now().date()
    with django_assert_num_queries(1):
        links.open_link(secret=made.secret)
    Link.objects.filter(id=made.id).update(last_used_on=now().date() - timedelta(days=1))
    links.check_access(workspace=owner.workspace, link=made.id)
    assert Link.objects.get(id=made.id).last_used_on == now().date()


def test_a_link_of_another_workspace_is_no_access(owner: Access) -> None:
    other = Workspace.objects.create(id=new_id("ws"), created_at=now())
    with pytest.raises(LinkInvalid):
        links.check_access(workspace=other.id, link=owner.link)
    with pytest.raises(LinkInvalid):
        links.check_link_alive(workspace=other.id, link=owner.link)


def test_check_link_alive_is_one_question(owner: Access, django_assert_num_queries) -> None:
    with django_assert_num_queries(1):
        assert links.check_link_alive(workspace=owner.workspace, link=owner.link) == "owner"


def test_only_owners_make_list_and_revoke(owner: Access) -> None:
    edit, view = as_role(owner, "edit"), as_role(owner, "view")
    expected: list[tuple[Access, type[DomainError], type[DomainError]]] = [
        (edit, OwnerOnly, OwnerOnly),
        (view, ViewOnly, OwnerOnly),
    ]
    for access, for_writing, for_reading in expected:
        with pytest.raises(for_writing):
            links.create_link(access=access, label="", role="view")
        with pytest.raises(for_writing):
            links.revoke_link(access=access, link=owner.link)
        with pytest.raises(for_reading):
            links.list_links(access=access)
    assert Link.objects.filter(workspace_id=owner.workspace, revoked_at=None).count() == 3


@pytest.mark.parametrize(
    ("label", "role", "path", "code"),
    [
        ("x" * 501, "edit", "label", "too_long"),
        ("a\nb", "edit", "label", "one_line"),
        ("a\x00", "edit", "label", "control_character"),
        (5, "edit", "label", "type"),
        ("", "admin", "role", "choice"),
        ("", None, "role", "choice"),
    ],
)
def test_a_bad_label_or_role_makes_no_link(owner: Access, label, role, path, code) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        links.create_link(access=owner, label=label, role=role)
    assert [(f.path, f.code) for f in refusal.value.flaws] == [(path, code)]
    assert Link.objects.filter(workspace_id=owner.workspace).count() == 1


def test_the_list_is_paged_newest_first_and_holds_no_secret(owner: Access) -> None:
    made = [links.create_link(access=owner, label=str(n), role="view") for n in range(4)]
    pages, cursor = [], None
    while True:
        page = links.list_links(access=owner, cursor=cursor, limit=2)
        pages.append([item.id for item in page.items])
        cursor = page.next_cursor
        if cursor is None:
            break
    assert pages == [sorted(ids, reverse=True) for ids in pages]
    assert [item for page in pages for item in page] == sorted([owner.link, *(m.id for m in made)], reverse=True)
    assert all(m.secret[4:-4] not in repr(links.list_links(access=owner)) for m in made)


@pytest.mark.parametrize("cursor", ["", "x", "%%%", "bG5rXw", "é", "A" * 500])
def test_a_cursor_from_elsewhere_is_refused(owner: Access, cursor: str) -> None:
    with pytest.raises(InvalidRequest):
        links.list_links(access=owner, cursor=cursor)


def test_the_last_owner_link_cannot_be_revoked(owner: Access) -> None:
    as_role(owner, "edit")
    with pytest.raises(LastOwnerLink):
        links.revoke_link(access=owner, link=owner.link)
    second = as_role(owner, "owner")
    links.revoke_link(access=second, link=owner.link)
    with pytest.raises(LastOwnerLink):
        links.revoke_link(access=second, link=second.link)
    with pytest.raises(LinkInvalid):
        links.check_link_alive(workspace=owner.workspace, link=owner.link)


def test_a_revoked_owner_can_do_nothing_with_the_access_it_had(owner: Access) -> None:
    second = as_role(owner, "owner")
    links.revoke_link(access=second, link=owner.link)
    with pytest.raises(LinkInvalid):
        links.create_link(access=owner, label="", role="owner")
    with pytest.raises(LinkInvalid):
        links.revoke_link(access=owner, link=second.link)


def test_revoking_twice_is_once_and_another_workspaces_link_is_not_found(owner: Access) -> None:
    edit = as_role(owner, "edit")
    links.revoke_link(access=owner, link=edit.link)
    first = Link.objects.get(id=edit.link).revoked_at
    links.revoke_link(access=owner, link=edit.link)
    assert Link.objects.get(id=edit.link).revoked_at == first
    other = Workspace.objects.create(id=new_id("ws"), created_at=now())
    foreign = links._insert(workspace=other.id, label="", role="edit")
    for unknown in (foreign.id, "lnk_nope"):
        with pytest.raises(NotFound):
            links.revoke_link(access=owner, link=unknown)
    assert Link.objects.get(id=foreign.id).revoked_at is None


def test_there_is_a_most_of_live_links(owner: Access, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "MAX_LIVE_LINKS", 2)
    made = links.create_link(access=owner, label="", role="view")
    with pytest.raises(CardinalityExceeded):
        links.create_link(access=owner, label="", role="view")
    links.revoke_link(access=owner, link=made.id)
    links.create_link(access=owner, label="", role="view")


def test_the_address_keeps_the_secret_in_the_fragment(settings) -> None:
    settings.CAREERVECTOR_PUBLIC_URL = "https://cv.example/"
    assert links.link_url("cvl_x") == "https://cv.example/w/#cvl_x"


@pytest.mark.django_db(transaction=True)
async def test_a_revocation_is_announced_after_the_commit(transactional_db) -> None:
    workspace = await Workspace.objects.acreate(id=new_id("ws"), created_at=now())

    def make() -> tuple[Access, str]:
        made = links._insert(workspace=workspace.id, label="", role="owner")
        access = Access(workspace=workspace.id, link=made.id, role="owner")
        return access, links.create_link(access=access, label="", role="edit").id

    owner, edit = await sync_to_async(make)()
    own, control = await hub.subscribe(links.link_topic(edit)), await hub.subscribe(links.CONTROL_TOPIC)
    await sync_to_async(links.revoke_link)(access=owner, link=edit)
    message = {"type": "link.revoked", "workspace": owner.workspace, "link": edit}
    assert (await anext(own)).message == message
    assert (await anext(control)).message == message
    own.close()
    control.close()
