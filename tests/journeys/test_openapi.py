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
max-examples = 5

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

[phases.stateful]
max-steps = 12
[phases.stateful.generation]
mode = "positive"
max-examples = 25
# A workspace may be erased on the way; then its link opens nothing.
[phases.stateful.checks.positive_data_acceptance]
expected-statuses = ["2xx", 401, 404, 409, 410, 422]
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
BY_LINKS = {
    "create_workspace", "apply_operations", "undo_receipt", "get_receipt", "list_receipt_changes", "create_link",
    "revoke_link", "create_thread", "erase_workspace",
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


@pytest.mark.parametrize(
    "phases", ["examples,coverage,fuzzing", "stateful"], ids=["each operation by itself", "one after the other"]
)
def test_the_api_is_what_its_document_says(running: Product, tmp_path: Path, phases: str) -> None:
    workspace = running.new_workspace(sample=True)
    config, answers = tmp_path / "schemathesis.toml", tmp_path / "answers.json"
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
            f"{running.origin}/api/v1/openapi.json", "--checks", "all", "--phases", phases,
        ],
        env={**os.environ, **environment}, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-20_000:] + ran.stderr[-2_000:]
    statuses = defaultdict(set)
    for told in json.loads(answers.read_text()):
        operation, status = told.split()
        statuses[operation].add(int(status))
    done = {operation for operation, found in statuses.items() if any(status < 300 for status in found)}
    if phases == "stateful":
        # From a new workspace on to its end.
        assert done >= BY_LINKS
    else:
        document = running.client().get("/openapi.json").json()
        operations = {entry["operationId"] for item in document["paths"].values() for entry in item.values()}
        assert (set(statuses), operations - done - HARD) == (operations, set())
