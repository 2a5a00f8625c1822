"""Two processes, one workspace: what one commits or revokes, the other's sockets hear, through a real Valkey."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async

from tests.databases import name_for_other_processes
from workspaces import facade
from workspaces.contracts import Access
from workspaces.realtime import presence

from .pages import Page

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[3]
ELSEWHERE = """
import sys
import django
django.setup()
from workspaces import facade
from workspaces.contracts import Access, Actor, RequestIdentity
workspace, owner, edit = sys.argv[1:]
facade.commit(
    workspace=workspace,
    body={"reason": "", "expected_clocks": {"profile": 1}, "operations": [
        {"kind": "field.set", "document": "profile", "field": "name", "value": "Ada"}]},
    actor=Actor("human", "link:" + owner),
    request=RequestIdentity(scope="link:" + owner, key="k", route="operations", target=workspace, link=owner),
)
facade.revoke_link(access=Access(workspace=workspace, link=owner, role="owner"), link=edit)
"""


async def test_a_commit_and_a_revocation_elsewhere_reach_the_sockets_here(
    transactional_db, shared_valkey: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "SETTLE_S", 0.0)
    made = await sync_to_async(facade.create_workspace)()
    owner = Access(workspace=made.workspace, link=made.link.id, role="owner")
    edit = await sync_to_async(facade.create_link)(access=owner, label="", role="edit")
    path = f"/ws/workspaces/{made.workspace}/"
    theirs = await Page(path, [(b"authorization", b"Bearer " + edit.secret.encode())]).open()
    ours = await Page(path, [(b"authorization", b"Bearer " + made.link.secret.encode())]).open()
    for page in (theirs, ours):
        await page.next("hello")
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "careervector.settings.test",
        "CAREERVECTOR_TEST_DB": name_for_other_processes(),
        "CAREERVECTOR_TEST_VALKEY_URL": shared_valkey,
    }
    command = [sys.executable, "-c", ELSEWHERE, made.workspace, made.link.id, edit.id]
    await asyncio.to_thread(subprocess.run, command, check=True, cwd=ROOT, env=environment, timeout=120)
    assert (await theirs.next("commit"))["seq"] == 1
    assert await theirs.code() == 4401
    assert (await ours.next("commit"))["seq"] == 1
    await theirs.leave()
    await ours.leave()
