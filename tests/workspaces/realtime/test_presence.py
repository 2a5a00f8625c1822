"""Who is here: the open sockets of each link."""

from __future__ import annotations

import pytest

from .pages import Room

pytestmark = pytest.mark.django_db(transaction=True)


async def test_presence_counts_the_sockets_of_each_link(room: Room) -> None:
    edit = await room.link("edit")
    first = await room.page()
    owner = {"link": room.access.link, "role": "owner", "sockets": 1}
    assert await first.next("presence") == {"type": "presence", "here": [owner]}
    second = await room.page(edit.secret)
    both = sorted([owner, {"link": edit.id, "role": "edit", "sockets": 1}], key=lambda e: e["link"])
    assert (await first.next("presence"))["here"] == both
    assert (await second.next("presence"))["here"] == both
    room.pages.remove(second)
    await second.leave()
    assert (await first.next("presence"))["here"] == [owner]
