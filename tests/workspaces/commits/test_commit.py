"""One commit from the request to the rows."""
from __future__ import annotations

import pytest

from workspaces import facade
from workspaces.contracts import Access

pytestmark = pytest.mark.django_db


def test_the_sample_loads_and_reads_back():
    made = facade.create_workspace(label="x", sample=True)
    access = Access(made.workspace, made.link.id, "owner")
    page = facade.list_documents(access=access, kind="application")
    assert len(page["items"]) == 12
    ctx = facade.get_context(workspace=made.workspace, surface=None, document=None, job=None, cursor=None)
    print(len(str(ctx)), ctx["truncated"], ctx["omitted"], len(ctx["documents"]))
    print(facade.list_events(access=access)["items"][0])
