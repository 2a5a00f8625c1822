"""Random work and typing by two people, the assistant and the system, with random undos: equal to the plain model."""

from __future__ import annotations

import json
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import event as tell
from hypothesis import strategies as st

from tests.factories import create
from tests.hypothesis_profiles import examples
from tests.live_typing import Browser
from tests.properties.model_parts import Event
from tests.properties.strategies import LINES
from tests.properties.text_model import numbered
from tests.properties.trial import Client, Trial
from tests.replay import assert_sound
from workspaces import facade
from workspaces.models import Event as WorkspaceEvent

pytestmark = pytest.mark.django_db


class TypingTrial(Trial):
    """With people who type. What an undo does about typing that is not sealed: see test_live_sealing."""

    STEPS: ClassVar[list[str]] = [*Trial.STEPS, "type", "type", "type", "seal"]

    def take(self, choice: str) -> None:
        match choice:
            case "type":
                self.type()
            case "seal":
                self.let_rest()
            case _:
                super().take(choice)

    def type(self) -> None:
        """Somebody with the document open types, or takes away what stands there."""
        writer = self.writers[self.data.draw(st.sampled_from(["owner", "other"]))]
        open_ = [d for d in self.clocks() if self.model.documents[d].state != "trashed"]
        document = self.data.draw(st.sampled_from(open_))
        clocks = self.clocks()
        browser = Browser(writer, document)
        chars = self.model.documents[document].texts.setdefault(browser.name, [])
        start = self.data.draw(st.integers(0, len(chars)))
        end = self.data.draw(st.integers(start, min(start + 3, len(chars))))
        typed = self.data.draw(LINES)
        updates = [browser.delete(start, end - start)] if end > start else []
        updates += [browser.insert(start, typed)] if typed else []
        note(f"{writer.actor.actor} types in {document}: {start}-{end} {typed!r}")
        browser.send(*updates)
        chars[start:end] = numbered(typed)
        self.check()
        assert self.clocks() == {**clocks, document: clocks[document] + len(updates)}
        tell("typed")

    def let_rest(self) -> None:
        """Everybody's typing comes to rest."""
        facade.seal_rested(before=facade.now(), limit=100)
        self.note_sealed()
        self.check()

    def note_sealed(self) -> None:
        """Tells the model of typing that has become events meanwhile."""
        known = {event.id for event in self.model.events}
        for row in WorkspaceEvent.objects.filter(workspace_id=self.owner.workspace).order_by("seq"):
            if row.id not in known and "text.merge" in row.operation_kinds:
                touched = set(json.loads(row.affected_paths))
                self.model.events.append(Event(row.id, "", touched, agent=False, turn=None, thread=None))


@settings(
    max_examples=examples(15),
    suppress_health_check=[*settings.default.suppress_health_check, HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_the_documents_always_equal_the_model(db: None, data: st.DataObject) -> None:
    trial = TypingTrial(data)
    trial.check()
    for _ in range(data.draw(st.integers(8, 24))):
        trial.step()
    assert_sound(trial.owner)
    trial.let_rest()
    trial.client.resume()
    assert trial.client.seen() == trial.world()
    fresh = Client(trial.owner.workspace)
    assert fresh.seen() == trial.client.seen()


@settings(
    max_examples=examples(15),
    suppress_health_check=[*settings.default.suppress_health_check, HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_the_same_few_places_over_and_over(db: None, data: st.DataObject) -> None:
    """Texts, cards and items of three documents: most undos meet later work here."""
    texts, items = ("text.append", "text.replace"), ("item.add", "item.move", "item.update", "item.remove")
    kinds = (*texts * 3, *items, "application.move_stage")
    trial = TypingTrial(data, kinds)
    trial.send("owner", [create("a", title="A"), create("b", title="B", texts={"notes": "ab ab"})])
    for _ in range(data.draw(st.integers(8, 24))):
        trial.step()
    assert_sound(trial.owner)
    trial.let_rest()
    trial.client.resume()
    assert trial.client.seen() == trial.world()
