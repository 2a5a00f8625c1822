"""What no file may do, read from the syntax trees. import-linter keeps the package floors; this keeps the rest."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("careervector", "workspaces", "assistant", "jobcache", "jobcache_client")
LONGEST_FILE = 400
# The only places that create, change or delete rows of the canonical documents.
WRITES_OF_DOCUMENTS = ("INSERT INTO WORKSPACES", "UPDATE WORKSPACES", "DELETE FROM WORKSPACES")
DOCUMENT_WRITERS = {
    "workspaces/commits/store.py",
    "workspaces/commits/erasing.py",
    "workspaces/commits/housekeeping.py",
}
DOCUMENT_ROWS = {"Document", "DocumentUpdate", "Event", "EventDocument", "Receipt", "IdempotencyRecord"}
WRITES = {
    "create", "acreate", "bulk_create", "update", "aupdate", "bulk_update", "delete", "adelete", "save", "asave",
    "get_or_create", "update_or_create",
}  # fmt: skip
WEB = ("rest_framework", "celery", "channels", "drf_spectacular")
NO_WEB = (
    "workspaces/facade.py", "workspaces/commits/", "assistant/facade.py", "assistant/tools/", "assistant/threads/",
)  # fmt: skip


@cache
def _tracked() -> tuple[Path, ...]:
    """What is in the repository or about to be: tracked files and new ones that are not ignored."""
    listed = subprocess.run(
        # A build may run as somebody else than the owner of the checkout.
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return tuple(path for name in listed.split("\0") if name and (path := ROOT / name).is_file())


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def _source(package: str) -> tuple[tuple[str, ast.Module], ...]:
    files = sorted((ROOT / package).rglob("*.py"))
    return tuple((_name(path), ast.parse(path.read_text(), _name(path))) for path in files)


def _nodes(*packages: str) -> Iterator[tuple[str, ast.AST]]:
    for package in packages:
        for name, tree in _source(package):
            if "/migrations/" not in name:
                for node in ast.walk(tree):
                    yield name, node


def _imports(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        return [node.module]
    return []


def _roots(node: ast.AST) -> set[str]:
    """Every plain name that an expression is built on."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def test_models_are_imported_by_name_never_fetched_from_the_registry() -> None:
    found = [
        f"{name}:{node.lineno}"
        for name, node in _nodes(*PACKAGES)
        if isinstance(node, ast.Attribute) and node.attr in {"get_model", "get_models"}
    ]
    assert found == []


def test_document_rows_are_written_in_the_store_alone() -> None:
    found = [
        f"{name}:{node.lineno}"
        for name, node in _nodes("careervector", "workspaces", "assistant")
        if name not in DOCUMENT_WRITERS
        and isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in WRITES
        and _roots(node.func.value) & DOCUMENT_ROWS
    ]
    assert found == []


def test_no_statement_of_sql_that_writes_documents_stands_outside_the_store() -> None:
    found = [
        f"{name}:{node.lineno}"
        for name, node in _nodes("careervector", "workspaces", "assistant")
        if name not in DOCUMENT_WRITERS
        and isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.lstrip().upper().startswith(WRITES_OF_DOCUMENTS)
    ]
    assert found == []


def test_the_cores_know_no_web_framework_and_no_queue() -> None:
    found = [
        f"{name}:{node.lineno} imports {module}"
        for name, node in _nodes("workspaces", "assistant")
        if name.startswith(NO_WEB)
        for module in _imports(node)
        if module.split(".")[0] in WEB
    ]
    assert found == []


def test_documents_operations_contracts_and_errors_know_no_orm() -> None:
    found = [
        f"{name}:{node.lineno} imports {module}"
        for name, node in _nodes("workspaces")
        if name.startswith(
            ("workspaces/documents/", "workspaces/operations/", "workspaces/contracts", "workspaces/errors")
        )
        for module in _imports(node)
        if module.startswith(("django.db", "django.apps"))
    ]
    assert found == []


def test_no_signal_receivers_decide_what_follows_a_commit() -> None:
    found = [
        f"{name}:{node.lineno}"
        for name, node in _nodes("workspaces", "assistant")
        for module in _imports(node)
        if module in {"django.db.models.signals", "django.dispatch"}
    ]
    assert found == []


def test_only_the_clock_reads_the_system_time() -> None:
    found = [
        f"{name}:{node.lineno}"
        for name, node in _nodes("workspaces", "assistant")
        if name not in {"workspaces/clock.py"}
        and not name.startswith("assistant/host/")
        and isinstance(node, ast.Attribute)
        and (
            (node.attr in {"now", "utcnow", "today"} and _roots(node.value) & {"datetime", "date", "timezone"})
            or (node.attr == "time" and isinstance(node.value, ast.Name) and node.value.id == "time")
        )
    ]
    assert found == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_opens_by_saying_what_it_is(package: str) -> None:
    silent = [name for name, tree in _source(package) if tree.body and not ast.get_docstring(tree)]
    assert [name for name in silent if "/migrations/" not in name] == []


def test_no_file_is_longer_than_can_be_read_at_once() -> None:
    long = [
        (_name(path), lines)
        for path in _tracked()
        if path.suffix in {".py", ".ts", ".css", ".html"}
        and not {"migrations", "generated", "node_modules"} & set(path.parts)
        and (lines := len(path.read_text().splitlines())) > LONGEST_FILE
    ]
    assert long == []


def test_no_file_has_a_name_that_says_nothing() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
    assert [_name(path) for path in _tracked() if path.stem in vague] == []


def test_no_tracked_file_names_a_registry_or_a_folder_of_this_machine() -> None:
    # Put together here so that this file does not find itself.
    registries = [
        "py" + "pi.org",
        "files.python" + "hosted",
        "registry.npm" + "js",
        "registry." + "yarnpkg",
        "deb." + "debian.org",
    ]
    # Whole names of what stands beside this checkout: its parent alone may be called `/workspaces`, as addresses are.
    beside = [str(path) for path in ROOT.parent.iterdir()] if ROOT.parent != Path("/") else []
    folders = [*beside, "/root/" + ".", "/home/" + "runner"]
    found = []
    for path in _tracked():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        found += [f"{_name(path)} names {word}" for word in [*registries, *folders] if word in text]
    assert found == []


def test_locks_pin_with_hashes_and_hold_no_address() -> None:
    for lock in sorted((ROOT / "requirements").glob("*.txt")):
        lines = lock.read_text().splitlines()
        assert not [line for line in lines if "index-url" in line or "://" in line], lock.name
        pins = [line for line in lines if line[:1].isalnum()]
        assert pins
        assert not [line for line in pins if "==" not in line or not line.endswith("\\")], lock.name
    npm = [path for path in _tracked() if path.name == "package-lock.json"]
    assert ROOT / "frontend" / "package-lock.json" in npm
    assert [_name(path) for path in npm if '"resolved": "http' in path.read_text()] == []
