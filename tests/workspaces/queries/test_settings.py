"""A workspace's settings: defaults, changes, refusals."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import Writer
from workspaces import facade
from workspaces.contracts import Access
from workspaces.errors import InvalidRequest, NotFound

DEFAULTS = {"assistant_sees_contact_details": False, "time_zone": "UTC", "language": "en"}


def test_a_new_workspace_hides_contact_details_and_speaks_english_in_utc(owner: Writer) -> None:
    assert facade.get_settings(access=owner.access) == DEFAULTS
    assert facade.workspace_locale(workspace=owner.workspace) == ("UTC", "en")


def test_only_what_is_named_changes(owner: Writer) -> None:
    changed = facade.update_settings(access=owner.access, body={"time_zone": "Europe/Zurich", "language": "de-CH"})
    assert changed == {**DEFAULTS, "time_zone": "Europe/Zurich", "language": "de-CH"}
    assert facade.update_settings(access=owner.access, body={}) == changed
    assert facade.workspace_locale(workspace=owner.workspace) == ("Europe/Zurich", "de-CH")


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"time_zone": "Mars"}, "time_zone"),
        ({"language": "english!"}, "language"),
        ({"assistant_sees_contact_details": "yes"}, "assistant_sees_contact_details"),
        ({"assistant_sees_contact_details": None}, "assistant_sees_contact_details"),
        ({"theme": "dark"}, "theme"),
        ([], ""),
    ],
)
def test_a_setting_that_cannot_be_so_is_refused(owner: Writer, body: Any, path: str) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        facade.update_settings(access=owner.access, body=body)
    assert [flaw.path for flaw in refusal.value.flaws] == [path]
    assert facade.get_settings(access=owner.access) == DEFAULTS


def test_a_workspace_that_is_not_there_has_no_settings(db: None) -> None:
    with pytest.raises(NotFound):
        facade.get_settings(access=Access("ws_none", "lnk_none", "owner"))
