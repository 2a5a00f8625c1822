"""Watching what an update does to a live document, and carrying its plain content on.

Stands on ydoc; the planner follows other processes with it, and live_update watches clients' updates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from .state import DocumentState
from .ydoc import YDocument, project


@contextmanager
def structure_watched(ydoc: YDocument) -> Iterator[list[str]]:
    """A list that has an entry as soon as anything but the content of a text has changed."""
    hits: list[str] = []
    deep = (ydoc.fields, ydoc.sections, ydoc.meta)
    subscriptions = [root.observe_deep(lambda _: hits.append("structure")) for root in deep]
    texts = ydoc.texts.observe(lambda _: hits.append("texts"))
    try:
        yield hits
    finally:
        for root, subscription in zip(deep, subscriptions, strict=True):
            root.unobserve(subscription)
        ydoc.texts.unobserve(texts)


def follow(ydoc: YDocument, state: DocumentState, updates: Iterable[bytes]) -> DocumentState:
    """Applies updates that another process has committed, and gives the content after `state`.

    Where they were typing only the texts are read: projecting the rest is what costs.
    """
    with structure_watched(ydoc) as hits:
        for update in updates:
            ydoc.apply_update(update)
    if hits:
        return project(ydoc)
    return replace(state, texts={name: str(ydoc.texts[name]) for name in ydoc.kind.texts})
