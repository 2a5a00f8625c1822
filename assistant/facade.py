"""The assistant's front door: everything that HTTP, sockets, tasks and commands may call.

Each function is keyword-only, synchronous, takes an `Access` where a person asks, gives frozen values and raises the
typed errors of `workspaces.errors`.
"""

from __future__ import annotations

from typing import Any

from workspaces import facade as workspaces
from workspaces.contracts import Access, NewLink
from workspaces.errors import NotFound

from .connector_erasures import acknowledge_erasure as acknowledge_erasure
from .connector_erasures import announce_erasures as announce_erasures
from .connector_erasures import list_erasures as list_erasures
from .connectors import create_connector as create_connector
from .connectors import delete_connector as delete_connector
from .connectors import hand_over
from .connectors import list_connectors as list_connectors
from .connectors import start_login as start_login
from .erasure import erase_workspace as erase_workspace
from .exporting import export_workspace as export_workspace
from .threads import store
from .threads.claims import accept_turn as accept_turn
from .threads.claims import bind_thread as bind_thread
from .threads.claims import claim_turn as claim_turn
from .threads.claims import confirm_turn as confirm_turn
from .threads.claims import list_claimable as list_claimable
from .threads.conversations import create_thread as create_thread
from .threads.conversations import delete_thread as delete_thread
from .threads.conversations import get_recent_start as get_recent_start
from .threads.conversations import get_thread as get_thread
from .threads.conversations import list_threads as list_threads
from .threads.ending import cancel_turn as cancel_turn
from .threads.hosts import connect_host as connect_host
from .threads.hosts import create_host_token as create_host_token
from .threads.hosts import disconnect_host as disconnect_host
from .threads.hosts import is_host_token as is_host_token
from .threads.hosts import list_ended as list_ended
from .threads.hosts import list_held_turns as list_held_turns
from .threads.hosts import note_alive as note_alive
from .threads.hosts import open_host_token as open_host_token
from .threads.hosts import revoke_host_token as revoke_host_token
from .threads.starting import get_turn_info as get_turn_info
from .threads.starting import has_turn as has_turn
from .threads.starting import start_turn as start_turn
from .threads.sweeping import announce_waiting as announce_waiting
from .threads.sweeping import expire_capabilities as expire_capabilities
from .threads.sweeping import sweep_turns as sweep_turns
from .threads.turn_events import take_events as take_events


def rotate_link(*, access: Access, link: str) -> NewLink:
    """A new link in the place of another, which ends; its connectors go over to the new one.

    Raises OwnerOnly, ViewOnly, NotFound, LinkInvalid.
    """
    return workspaces.rotate_link(access=access, link=link, hand_over=hand_over)


def list_thread_events(
    *, access: Access, thread: str, after: int | None = None, before: int | None = None, limit: int = 50
) -> list[dict[str, Any]]:
    """A thread's events, oldest first: those above `after` (0: from the start), or the newest below `before`.

    Raises ViewOnly, NotFound.
    """
    get_thread(access=access, thread=thread)
    if before is not None:
        return store.list_events_before(thread=thread, before=before, limit=limit)
    return store.list_events(thread=thread, after=after or 0, limit=limit)


def replay_events(*, workspace: str, thread: str, after: int, limit: int) -> list[dict[str, Any]]:
    """`list_thread_events` for a socket that was let in already. Raises NotFound once the thread is gone."""
    from .models import Thread

    if not Thread.objects.filter(pk=thread, workspace=workspace).exists():
        raise NotFound
    return store.list_events(thread=thread, after=after, limit=limit)
