"""The last page of a history of 100,000 events ÷ its first page, read as the API reads it."""

from __future__ import annotations

import argparse
import json
from datetime import timedelta

from bench.product import facade, median_us, migrate, new_application, say

from django.db import connection  # isort: skip
from workspaces.contracts import Access  # isort: skip


def fill(workspace: str, events: int) -> None:
    """Copies of the newest event, further and further back in time: reading is measured, not writing."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT MAX(seq) FROM workspaces_event WHERE workspace_id = %s", [workspace])
        [first] = cursor.fetchone()
        cursor.execute("SELECT * FROM workspaces_event WHERE workspace_id = %s AND seq = %s", [workspace, first])
        names = [column[0] for column in cursor.description]
        row = dict(zip(names, cursor.fetchone(), strict=True))
        marks = ", ".join(["%s"] * len(names))
        at = facade.now()
        rows = []
        for seq in range(first + 1, events + 1):
            row |= {"id": f"evt_{seq:026d}", "seq": seq, "at": at + timedelta(milliseconds=seq)}
            rows.append([row[name] for name in names])
        columns = ", ".join(names)
        cursor.executemany(f"INSERT INTO workspaces_event ({columns}) VALUES ({marks})", rows)
        cursor.execute("UPDATE workspaces_workspace SET seq = %s WHERE id = %s", [events, workspace])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    events, times = (2_000, 20) if parser.parse_args().quick else (100_000, 300)
    migrate()
    made = facade.create_workspace()
    new_application(made)
    fill(made.workspace, events)
    access = Access(workspace=made.workspace, link=made.link.id, role="owner")
    first_page = facade.list_events(access=access, limit=50)
    # The cursor of the last page: walk there once, in the largest steps.
    cursor = facade.list_events(access=access, limit=100)["next_cursor"]
    last = None
    pages = 1
    while cursor is not None:
        last = cursor
        cursor = facade.list_events(access=access, limit=100, cursor=cursor)["next_cursor"]
        pages += 1
    say(f"{pages} pages of 100; the first page of 50 begins at {first_page['items'][0]['seq']}")
    first_us = median_us(lambda _: facade.list_events(access=access, limit=50), times)
    last_us = median_us(lambda _: facade.list_events(access=access, limit=50, cursor=last), times)
    print(json.dumps({"ratio": last_us / first_us, "first_us": first_us, "last_us": last_us, "events": events}))


if __name__ == "__main__":
    main()
