"""Who else looks at a document, where their caret is: the awareness states of one room, in memory only.

Above: the room. Below: the protocol's entries and the strict JSON reader. What is in a state is for the clients: it is
checked to be a JSON object of modest size, handed on as it came, and never stored or logged.

A client id belongs to the socket that introduced it. Stock providers send every state they hear of back to the server;
such echoes, and whatever a socket says of another's client, count for nothing. A connection that broke is replaced by a
new one with the same id before the server knows: so a fresh socket of the same link may take an id over.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from workspaces.errors import Malformed
from workspaces.http import strict_json

from .yprotocol import Entry, Unreadable

MAX_STATE = 16 * 1024
MAX_OWN = 8
MAX_STATES = 1_024
MAX_TOTAL = 512 * 1024
# A process that is gone says nothing any more; clients renew their states every 15 s.
FORGET_S = 60.0
_MAX_REMEMBERED = 256


@dataclass(slots=True)
class _State:
    clock: int
    text: str
    owner: object
    link: str
    local: bool
    heard_at: float


@dataclass(frozen=True, slots=True)
class Told:
    """An entry on its way to other rooms, with the link whose socket said it."""

    entry: Entry
    link: str


class Awareness:
    """`now` gives seconds. Owners are local sockets, or the names of rooms elsewhere."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._states: dict[int, _State] = {}
        self._owned: dict[object, set[int]] = {}
        self._left: OrderedDict[int, tuple[int, str]] = OrderedDict()
        self._changed: dict[int, Told] = {}
        self._bytes = 0

    def say(self, socket: object, link: str, entries: Iterable[Entry]) -> bool:
        """What a socket here says. True when there is something to tell. Raises Unreadable for its own bad state."""
        for entry in entries:
            if not self._may(socket, link, entry):
                continue
            known = self._states.get(entry.client)
            if entry.text is None:
                if known is not None:
                    self._drop(entry.client, max(known.clock, entry.clock))
            elif known is None or entry.clock >= known.clock:
                _check(entry.text)
                if self._put(entry, socket, link, local=True):
                    self._changed[entry.client] = Told(entry, link)
        return bool(self._changed)

    def leave(self, socket: object) -> bool:
        """The socket is gone. True when there is something to tell."""
        for client in tuple(self._owned.get(socket, ())):
            self._drop(client, self._states[client].clock)
        return bool(self._changed)

    def take_changes(self) -> list[Told]:
        """What sockets here have changed since the last call; of each client the newest."""
        changed, self._changed = list(self._changed.values()), {}
        return changed

    def hear(self, room: str, told: Iterable[Told]) -> list[Entry]:
        """What another room says of its sockets; gives what is new."""
        news = []
        for each in told:
            entry, known = each.entry, self._states.get(each.entry.client)
            if known is not None:
                known.heard_at = self._now() if known.owner == room else known.heard_at
                if known.clock > entry.clock or (known.owner != room and known.link != each.link):
                    continue
                if (known.clock, known.text, known.owner) == (entry.clock, entry.text, room):
                    continue
                if entry.text is None and known.owner != room:
                    continue
            if entry.text is None:
                if known is not None:
                    self._forget(entry.client, entry.clock)
                    news.append(entry)
            elif self._put(entry, room, each.link, local=False):
                self._changed.pop(entry.client, None)
                news.append(entry)
        return news

    def forget_silent(self) -> list[Entry]:
        """Drops what rooms elsewhere have not renewed; gives the removals."""
        late = self._now() - FORGET_S
        silent = [client for client, state in self._states.items() if not state.local and state.heard_at < late]
        removals = [Entry(client, self._states[client].clock, None) for client in silent]
        for removal in removals:
            self._forget(removal.client, removal.clock)
        return removals

    def everything(self) -> list[Entry]:
        return [Entry(client, state.clock, state.text) for client, state in self._states.items()]

    def local(self) -> list[Told]:
        """What sockets here have said, for a room that has just opened elsewhere."""
        return [
            Told(Entry(client, state.clock, state.text), state.link)
            for client, state in self._states.items()
            if state.local
        ]

    def _may(self, socket: object, link: str, entry: Entry) -> bool:
        known, own = self._states.get(entry.client), self._owned.get(socket, ())
        if known is not None:
            if known.owner == socket:
                return True
            return entry.text is not None and not own and known.link == link and entry.clock >= known.clock
        if len(own) >= MAX_OWN or entry.text is None:
            return False
        if entry.client in self._left:
            # Somebody's echo of what has left, unless it is the client itself, back again.
            clock, left_by = self._left[entry.client]
            return left_by == link and (not own or entry.clock > clock)
        return True

    def _put(self, entry: Entry, owner: object, link: str, *, local: bool) -> bool:
        assert entry.text is not None
        known = self._states.get(entry.client)
        size = self._bytes + len(entry.text) - (len(known.text) if known else 0)
        if size > MAX_TOTAL or (known is None and len(self._states) >= MAX_STATES):
            return False
        if known is not None:
            self._disown(entry.client, known.owner)
        self._bytes = size
        self._left.pop(entry.client, None)
        self._states[entry.client] = _State(entry.clock, entry.text, owner, link, local, self._now())
        self._owned.setdefault(owner, set()).add(entry.client)
        return True

    def _drop(self, client: int, clock: int) -> None:
        link = self._states[client].link
        self._forget(client, clock)
        self._changed[client] = Told(Entry(client, clock, None), link)

    def _forget(self, client: int, clock: int) -> None:
        state = self._states.pop(client)
        self._left[client] = (clock, state.link)
        while len(self._left) > _MAX_REMEMBERED:
            self._left.popitem(last=False)
        self._bytes -= len(state.text)
        self._disown(client, state.owner)

    def _disown(self, client: int, owner: object) -> None:
        owned = self._owned[owner]
        owned.discard(client)
        if not owned:
            del self._owned[owner]


def _check(text: str) -> None:
    if len(text) > MAX_STATE or len(text.encode()) > MAX_STATE:
        raise Unreadable
    try:
        state = strict_json.loads(text)
    except Malformed:
        raise Unreadable from None
    if not isinstance(state, dict):
        raise Unreadable
