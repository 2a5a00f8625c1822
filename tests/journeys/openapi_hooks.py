"""What schemathesis has to know of CareerVector beyond the OpenAPI document: which link opens which workspace, and ids.

Loaded by `st run`, in a process of its own; the environment names the workspace that most requests go to, and what is
in it. Made-up ids are all alike (not found), so a well-formed one is exchanged for one of a thing that is there.
"""

from __future__ import annotations

import atexit
import itertools
import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import schemathesis

MAIN = os.environ["CONTRACT_WORKSPACE"]
SECRETS = {MAIN: os.environ["CONTRACT_LINK"]}
# Of the main workspace, by the parameter that takes them; the newest last.
IDS: dict[str, list[str]] = json.loads(os.environ["CONTRACT_IDS"])
WELL_FORMED = re.compile(r"[a-z]+(_|:)[A-Za-z0-9_-]+")
# Where each parameter's ids come from.
SOURCES = {
    "create_link": ("link", "id"),
    "rotate_link": ("link", "id"),
    "create_thread": ("thread", "id"),
    "start_turn": ("turn", "id"),
    "import_file": ("imported", "import"),
    "create_connector": ("connector", "id"),
}
ENDS = {"delete_thread": "thread", "revoke_link": "link", "rotate_link": "link", "delete_connector": "connector"}
KEY = re.compile(r"[!-~]{1,255}")
keys = itertools.count(1)
# Workspaces in which nothing was written yet.
fresh: set[str] = set()
answers: Counter[str] = Counter()
atexit.register(lambda: Path(os.environ["CONTRACT_ANSWERS"]).write_text(json.dumps(answers)))


@schemathesis.auth(refresh_interval=None)
class Links:
    """The bearer that opens the workspace in the address; for one that nobody made, the main one's."""

    def get(self, case: Any, _context: Any) -> str:
        return SECRETS.get(str(case.path_parameters.get("workspace", MAIN)), SECRETS[MAIN])

    def set(self, case: Any, data: str, _context: Any) -> None:
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


@schemathesis.hook
def before_call(_context: Any, case: Any, _kwargs: dict[str, Any]) -> None:
    """Real ids for made-up ones, and a key of its own for each write that has one."""
    chosen = dict(case.path_parameters or {})
    if chosen.get("workspace") not in SECRETS and WELL_FORMED.fullmatch(str(chosen.get("workspace"))):
        chosen["workspace"] = MAIN
    if chosen.get("workspace") == MAIN:
        for name, value in chosen.items():
            if IDS.get(name) and value not in IDS[name] and WELL_FORMED.fullmatch(str(value)):
                chosen[name] = IDS[name][-1]
    case.path_parameters = chosen
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and KEY.fullmatch(key):
        case.headers["Idempotency-Key"] = f"{key[:200]}-{next(keys)}"
    operation = case.operation.definition.raw["operationId"]
    if operation == "create_thread" and isinstance(case.body, dict):
        if str(case.body.get("connector")).startswith("con_"):
            case.body["connector"] = IDS["connector"][0]
    if operation == "apply_operations" and chosen.get("workspace") in fresh:
        # Its clocks are known, so the document's own example is a batch that can succeed; later ones are made up.
        fresh.remove(chosen["workspace"])
        case.body = case.operation.definition.raw["requestBody"]["content"]["application/json"]["example"]


@schemathesis.hook
def after_call(_context: Any, case: Any, response: Any) -> None:
    operation = case.operation.definition.raw["operationId"]
    answers[f"{operation} {response.status_code}"] += 1
    # Methods that an address does not take are tried as well.
    if response.status_code >= 300 or response.request.method != case.operation.method.upper():
        return
    if operation == "create_workspace":
        made = response.json()
        SECRETS[made["workspace"]] = made["link"]["secret"]
        if not (isinstance(case.body, dict) and case.body.get("sample")):
            fresh.add(made["workspace"])
    elif case.path_parameters.get("workspace") == MAIN:
        _note(operation, case, response)


def _note(operation: str, case: Any, response: Any) -> None:
    ended = ENDS.get(operation)
    if ended:
        IDS[ended] = [one for one in IDS.get(ended, []) if one != case.path_parameters[ended]]
    if operation in SOURCES:
        name, key = SOURCES[operation]
        IDS.setdefault(name, []).append(response.json()[key])
    elif response.content[:1] == b"{" and (receipt := response.json().get("receipt")):
        if isinstance(receipt, dict):
            IDS.setdefault("receipt", []).append(receipt["id"])
