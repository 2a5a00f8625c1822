"""Commits per second of one writer against what one would write first: get the row, look at the clock, save it.

Both on the same SQLite file settings (WAL, synchronous=FULL, immediate transactions), in alternating rounds. The loop
keeps what a commit must keep: an idempotency row, the row with its clock, the update and an event.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable

from bench.product import facade, migrate, new_application, say

from django.db import connection, models, transaction  # isort: skip


class PlainDocument(models.Model):
    clock = models.IntegerField()
    state = models.BinaryField()

    class Meta:
        app_label = "bench"


class PlainUpdate(models.Model):
    document = models.ForeignKey(PlainDocument, on_delete=models.CASCADE)
    clock = models.IntegerField()
    data = models.BinaryField()

    class Meta:
        app_label = "bench"


class PlainEvent(models.Model):
    document = models.ForeignKey(PlainDocument, on_delete=models.CASCADE)
    kind = models.CharField(max_length=40)
    at = models.DateTimeField()

    class Meta:
        app_label = "bench"


class PlainRequest(models.Model):
    key = models.CharField(max_length=100, unique=True)
    answer = models.TextField()

    class Meta:
        app_label = "bench"


def orm_loop(document: int, key: str) -> None:
    """One write the plain way."""
    with transaction.atomic():
        if PlainRequest.objects.filter(key=key).exists():
            return
        row = PlainDocument.objects.get(pk=document)
        row.clock += 1
        row.save()
        PlainUpdate.objects.create(document=row, clock=row.clock, data=os.urandom(60))
        PlainEvent.objects.create(document=row, kind="field.set", at=facade.now())
        PlainRequest.objects.create(key=key, answer=json.dumps({"clock": row.clock}))


def _rate(work: Callable[[int], object], times: int) -> float:
    started = time.perf_counter()
    for index in range(times):
        work(index)
    return times / (time.perf_counter() - started)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    rounds, times = (2, 50) if parser.parse_args().quick else (6, 500)
    migrate()
    with connection.schema_editor() as editor:
        for model in (PlainDocument, PlainUpdate, PlainEvent, PlainRequest):
            editor.create_model(model)
    plain = PlainDocument.objects.create(clock=1, state=os.urandom(10_000))
    writer = new_application(facade.create_workspace(), notes="word " * 2000)
    orm, ours = [], []
    for turn in range(rounds):
        orm.append(_rate(lambda index, turn=turn: orm_loop(plain.pk, f"{turn}-{index}"), times))
        ours.append(_rate(lambda index, turn=turn: writer.set_field("next_step", f"call {turn} {index}"), times))
        say(f"round {turn + 1} of {rounds}: {ours[-1]:.0f} commits/s, {orm[-1]:.0f} loops/s")
    orm_per_s, commits_per_s = max(orm), max(ours)
    print(json.dumps({"ratio": commits_per_s / orm_per_s, "commits_per_s": commits_per_s, "orm_per_s": orm_per_s}))


if __name__ == "__main__":
    main()
