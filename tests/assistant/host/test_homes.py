"""Homes of connectors: made for their owner only, erased whole, and never anything beside them."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from assistant.host.homes import HomeError, Homes

CONNECTOR = "con_01JZX4P0W1X2Y3Z4A5B6C7D8E9"


def test_a_home_is_made_when_asked_for_and_erased_with_everything_in_it(tmp_path: Path) -> None:
    homes = Homes(tmp_path / "homes")
    home = homes.open(CONNECTOR)
    assert stat.S_IMODE(home.stat().st_mode) == stat.S_IMODE(home.parent.stat().st_mode) == 0o700
    (home / "deep").mkdir()
    (home / "deep" / "auth.json").write_text("secret")
    assert homes.open(CONNECTOR) == home
    homes.erase(CONNECTOR)
    homes.erase(CONNECTOR)
    assert list((tmp_path / "homes").iterdir()) == []


@pytest.mark.parametrize(
    "connector",
    ["", ".", "..", "../keys", "con_../../keys", "con_a/b", "con_", "/etc", "con_a\x00", "con_a\n", "con_ü", "x" * 90,
     "con_" + "A" * 37],
)  # fmt: skip
def test_an_id_that_cannot_be_one_names_no_folder(tmp_path: Path, connector: str) -> None:
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "secret").write_text("kept")
    homes = Homes(tmp_path / "homes")
    homes.open(CONNECTOR)
    for attempt in (homes.open, homes.erase):
        with pytest.raises(HomeError):
            attempt(connector)
    assert (tmp_path / "keys" / "secret").read_text() == "kept"
    assert [path.name for path in (tmp_path / "homes").iterdir()] == [CONNECTOR]


def test_links_are_removed_and_never_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("kept")
    homes = Homes(tmp_path / "homes")
    inside = homes.open(CONNECTOR)
    (inside / "link").symlink_to(outside)
    homes.erase(CONNECTOR)
    (tmp_path / "homes" / CONNECTOR).symlink_to(outside)
    with pytest.raises(HomeError):
        homes.open(CONNECTOR)
    homes.erase(CONNECTOR)
    assert (outside / "file").read_text() == "kept"
    assert not (tmp_path / "homes" / CONNECTOR).is_symlink()
