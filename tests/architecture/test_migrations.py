"""Migrations run while the version before still serves: expand, backfill, contract (docs/deployment.md).

A migration that takes something away has `contract` in its name: it is released one version after the code has stopped
using what goes.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState

APPS = ("workspaces", "assistant")
RENAMES = (migrations.RenameField, migrations.RenameModel, migrations.AlterModelTable)
TAKES_AWAY = (migrations.RemoveField, migrations.DeleteModel)
BACKFILLS = (migrations.RunPython, migrations.RunSQL)


def flaws(migration: migrations.Migration, before: ProjectState) -> list[str]:
    """What would break the version before, or the way back to it. `before` is the schema that the migration finds."""
    contracts = "contract" in migration.name
    own = {operation.name_lower for operation in migration.operations if isinstance(operation, migrations.CreateModel)}
    found = []
    if len(migration.operations) > 1 and any(isinstance(operation, BACKFILLS) for operation in migration.operations):
        found.append("a backfill stands alone: its locks must not hold up a change of the schema")
    for operation in migration.operations:
        found += _flaws(operation, own, before, migration.app_label, contracts=contracts)
    return found


def _flaws(operation: Operation, own: set[str], before: ProjectState, app: str, *, contracts: bool) -> list[str]:
    if isinstance(operation, RENAMES):
        return ["a rename: the version before knows the old name; add, copy, and take the old one away later"]
    if isinstance(operation, TAKES_AWAY) and not contracts:
        return ["takes something away that the version before may still use; its name must say contract"]
    if isinstance(operation, BACKFILLS):
        return [] if operation.reversible else ["a backfill that cannot be taken back"]
    model = getattr(operation, "model_name_lower", "")
    if model in own:
        return []
    if isinstance(operation, migrations.AddField):
        return [] if _may_be_left_out(operation.field) else ["a new column that an old INSERT cannot leave out"]
    if isinstance(operation, migrations.AlterField):
        earlier = before.models[app, model].fields[operation.name]
        return [] if contracts or _is_wider(operation.field, earlier) else ["a column that takes less than before"]
    if isinstance(operation, migrations.AddConstraint) and not contracts:
        return ["a constraint that the version before does not know; its name must say contract"]
    return []


def _may_be_left_out(field: Any) -> bool:
    return field.null or field.many_to_many or field.db_default is not models.NOT_PROVIDED


def _is_wider(field: Any, earlier: Any) -> bool:
    same = type(field) is type(earlier)
    nullable = field.null or not earlier.null
    length = (field.max_length or 0) >= (earlier.max_length or 0)
    return same and nullable and length and (_may_be_left_out(field) or not _may_be_left_out(earlier))


def _all_migrations() -> list[Any]:
    loader = MigrationLoader(None, ignore_no_migrations=True)
    return [
        pytest.param(migration, loader.project_state([key], at_end=False), id=".".join(key))
        for key, migration in sorted(loader.disk_migrations.items())
        if key[0] in APPS and not migration.initial
    ]


@pytest.mark.parametrize(("migration", "before"), _all_migrations())
def test_a_migration_keeps_the_version_before_running(migration: migrations.Migration, before: ProjectState) -> None:
    assert flaws(migration, before) == []


BEFORE = ProjectState(models={("workspaces", "note"): ModelState("workspaces", "Note", [
    ("id", models.BigAutoField(primary_key=True)), ("title", models.CharField(max_length=80, null=True)),
])})  # fmt: skip


def _keep(apps: Any, schema_editor: Any) -> None:
    """A backfill."""


def _char(**options: Any) -> models.CharField[Any, Any]:
    return models.CharField(**options)


@pytest.mark.parametrize(
    ("name", "operations", "count"),
    [
        ("0009_next", [migrations.AddField("note", "more", _char(max_length=9, db_default=""))], 0),
        ("0009_next", [migrations.AddField("note", "more", _char(max_length=9, null=True))], 0),
        ("0009_next", [migrations.AddField("note", "more", _char(max_length=9, default=""))], 1),
        ("0009_next", [migrations.RenameField("note", "title", "name")], 1),
        ("0009_next_contract", [migrations.RenameModel("Note", "Memo")], 1),
        ("0009_next", [migrations.RemoveField("note", "title")], 1),
        ("0009_next_contract", [migrations.RemoveField("note", "title")], 0),
        ("0009_next", [migrations.AlterField("note", "title", _char(max_length=99, null=True))], 0),
        ("0009_next", [migrations.AlterField("note", "title", _char(max_length=9, null=True))], 1),
        ("0009_next", [migrations.AlterField("note", "title", _char(max_length=80))], 1),
        ("0009_next_contract", [migrations.AlterField("note", "title", _char(max_length=80))], 0),
        ("0009_next", [migrations.AlterField("note", "title", models.TextField(null=True))], 1),
        ("0009_next", [migrations.RunPython(_keep, migrations.RunPython.noop)], 0),
        ("0009_next", [migrations.RunPython(_keep)], 1),
        (
            "0009_next",
            [
                migrations.AddField("note", "more", _char(max_length=9, null=True)),
                migrations.RunPython(_keep, migrations.RunPython.noop),
            ],
            1,
        ),
        (
            "0009_next",
            [migrations.AddConstraint("note", models.UniqueConstraint(fields=["title"], name="one_title"))],
            1,
        ),
    ],
)
def test_the_rules_find_what_they_are_for(name: str, operations: list[Operation], count: int) -> None:
    migration = migrations.Migration(name, "workspaces")
    migration.operations = operations
    assert len(flaws(migration, BEFORE)) == count
