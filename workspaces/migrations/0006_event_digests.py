"""Keeps the digest of each event written before digests had a column: an erasure takes the key that they are made with.

Safe to run again, and beside running processes: it fills what is empty and changes nothing else.
"""

import hmac
import json

from django.db import migrations

BATCH = 500


def fill(apps, schema_editor):
    Event = apps.get_model("workspaces", "Event")
    keys = {}
    last = ""
    while True:
        rows = list(
            Event.objects.filter(pk__gt=last, digest="")
            .exclude(workspace__digest_key="")
            .order_by("pk")
            .only("pk", "workspace_id", "at", "actor_class", "actor", "reason", "origin_event")[:BATCH]
        )
        if not rows:
            return
        last = rows[-1].pk
        missing = {row.workspace_id for row in rows} - keys.keys()
        if missing:
            Workspace = apps.get_model("workspaces", "Workspace")
            keys = dict(
                Workspace.objects.filter(pk__in={row.workspace_id for row in rows}).values_list("pk", "digest_key")
            )
        for row in rows:
            at = row.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
            rest = [at, row.actor_class, row.actor, row.reason, row.origin_event]
            text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            row.digest = hmac.digest(keys[row.workspace_id].encode(), text.encode(), "sha256").hex()
        Event.objects.bulk_update(rows, ["digest"])


class Migration(migrations.Migration):
    dependencies = [
        ("workspaces", "0005_upkeep_interval"),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
