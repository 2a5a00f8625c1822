"""The API tried from its own OpenAPI document by schemathesis, against a server: every operation, with links as states.

What a case may be answered is the document's to say; the checks are schemathesis's own. The run is the same each time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.live_workspace import LiveWorkspace
from tests.product import ROOT, Product
from workspaces.http import examples

SECONDS = 300
CONFIG = """
color = false
seed = 20260701
continue-on-failure = true
warnings = false

[cache]
enabled = false

[generation]
deterministic = true
no-shrink = true
database = "none"
max-examples = 4

# What is away, or not switched on here, is said to be so.
[checks.not_a_server_error]
expected-statuses = ["2xx", "4xx", 503]

# What no schema can say (clocks, references, another one's work) may refuse a well-formed request.
[checks.positive_data_acceptance]
expected-statuses = ["2xx", 404, 409, 410, 422, 503]

[phases.examples.extra-data-sources]
responses = false
[phases.coverage.extra-data-sources]
responses = false
[phases.fuzzing.extra-data-sources]
responses = false

# Of the methods that an address does not take, the likeliest and an odd one.
[phases.coverage]
unexpected-methods = ["PUT", "TRACE"]

[phases.stateful]
max-steps = 12
[phases.stateful.generation]
mode = "positive"
max-examples = 20
# A workspace may be erased on the way; then its link opens nothing.
[phases.stateful.checks.positive_data_acceptance]
expected-statuses = ["2xx", 401, 404, 409, 410, 422, 503]
# Only well-formed requests are made there.
[phases.stateful.checks.negative_data_rejection]
enabled = false
[phases.stateful.inference]
algorithms = []

# No link is drawn at random.
[[operations]]
include-operation-id = "open_session"
[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", 401]

# The built-in one stays.
[[operations]]
include-operation-id = "delete_connector"
[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", 403, 404]
"""
# Made-up data cannot succeed with these: they need a secret, a login, the address's own id, or clocks of the moment.
# The other run's links bring some of that.
HARD = {
    "open_session", "start_login", "erase_workspace", "apply_operations", "undo_receipt", "undo_turn",
    "preview_import_undo", "undo_import",
}  # fmt: skip
# Ways through the API along its links, from a new workspace on; each operation must come to a success on its way.
WAYS = {
    "writing and undoing": (
        "create_workspace", "apply_operations", "get_receipt", "list_receipt_changes", "undo_receipt", "list_events",
    ),
    "talking": (
        "create_workspace", "list_connectors", "create_thread", "start_turn", "get_turn", "cancel_turn",
        "list_thread_events", "get_thread", "delete_thread",
    ),
    "handing out links": ("create_workspace", "create_link", "list_links", "revoke_link", "erase_workspace"),
    "reading": ("create_workspace", "list_documents", "get_document", "list_document_events", "get_context"),
}  # fmt: skip


def things_in(workspace: LiveWorkspace) -> dict[str, list[str]]:
    """One of each thing that an address can name, for the hooks."""
    committed = workspace.call("POST", "/operations", json={**examples.BATCH, "expected_clocks": _clocks(workspace)})
    link, _ = workspace.through_new_link(label="Another", role="view")
    connector = workspace.call("GET", "/connectors")["items"][0]["id"]
    thread = workspace.call("POST", "/threads", json={"connector": connector})["id"]
    workspace.answer(thread, "Hello")
    turn = workspace.call("GET", f"/threads/{thread}/events")["items"][0]["turn"]
    file = workspace.call("GET", "/export?history=false")
    imported = workspace.call("POST", "/import", json=file)["import"]
    return {
        "document": [committed["documents"]["new:acme"]],
        "receipt": [committed["receipt"]["id"]],
        "link": [link],
        "connector": [connector],
        "thread": [thread],
        "turn": [turn],
        "imported": [imported],
    }


def _clocks(workspace: LiveWorkspace) -> dict[str, int]:
    return {"new:acme": 0, "profile": workspace.call("GET", "/documents/profile")["clock"]}


def run_schemathesis(running: Product, place: Path, *options: str) -> dict[str, set[int]]:
    """The statuses that each operation was answered with; fails the test with what schemathesis found."""
    workspace = running.new_workspace(sample=True)
    config, answers = place / "schemathesis.toml", place / "answers.json"
    config.write_text(CONFIG)
    environment = {
        "PYTHONPATH": str(ROOT),
        "SCHEMATHESIS_HOOKS": "tests.journeys.openapi_hooks",
        "CONTRACT_WORKSPACE": workspace.id,
        "CONTRACT_LINK": workspace.link,
        "CONTRACT_IDS": json.dumps(things_in(workspace)),
        "CONTRACT_ANSWERS": str(answers),
    }
    ran = subprocess.run(
        [
            str(Path(sys.executable).with_name("st")), "--config-file", str(config), "run",
            f"{running.origin}/api/v1/openapi.json", "--checks", "all", *options,
        ],
        env={**os.environ, **environment}, cwd=place, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-20_000:] + ran.stderr[-2_000:]
    statuses: dict[str, set[int]] = defaultdict(set)
    for told in json.loads(answers.read_text()):
        operation, status = told.split()
        statuses[operation].add(int(status))
    return statuses


def succeeded(statuses: dict[str, set[int]]) -> set[str]:
    return {operation for operation, found in statuses.items() if any(status < 300 for status in found)}


def test_each_operation_is_what_the_document_says(running: Product, tmp_path: Path) -> None:
    statuses = run_schemathesis(running, tmp_path, "--phases", "examples,coverage,fuzzing")
    with running.client() as client:
        document = client.get("/openapi.json").json()
    operations = {entry["operationId"] for item in document["paths"].values() for entry in item.values()}
    assert (set(statuses), operations - succeeded(statuses) - HARD) == (operations, set())


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_links_lead_from_one_operation_to_the_next(running: Product, tmp_path: Path, way: tuple[str, ...]) -> None:
    chosen = [word for operation in way for word in ("--include-operation-id", operation)]
    statuses = run_schemathesis(running, tmp_path, "--phases", "stateful", *chosen)
    assert set(way) - succeeded(statuses) == set(), dict(statuses)
