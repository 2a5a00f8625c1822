"""How to call an operation of the API from a shell and from Python, made from its description.

`$LINK`, `$WORKSPACE` and the like stand for what only the reader has. Above: `api_page`.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from pprint import pformat
from typing import Any

_PARAMETER = re.compile(r"\{(\w+)\}")


def curl(origin: str, method: str, address: str, operation: Mapping[str, Any], body: Any) -> str:
    path = _PARAMETER.sub(lambda found: "$" + found[1].upper(), address)
    lines = [f'curl -X {method} "{origin}{path}"']
    lines += [f'-H "{name}: {value}"' for name, value in _headers(operation, key="$(uuidgen)", link="$LINK")]
    if body is not None:
        lines += [
            "-H 'Content-Type: application/json'",
            "-d " + shlex.quote(json.dumps(body, indent=2, ensure_ascii=False)),
        ]
    return " \\\n  ".join(lines)


def python(origin: str, method: str, address: str, operation: Mapping[str, Any], body: Any) -> str:
    headers = dict(_headers(operation, key="{uuid.uuid4()}", link="{LINK}"))
    imports = "import uuid\n\nimport httpx\n" if "Idempotency-Key" in headers else "import httpx\n"
    path = _PARAMETER.sub(lambda found: "{" + found[1].upper() + "}", address)
    call = f"httpx.{method}(" if body is None or method != "delete" else 'httpx.request("DELETE", '
    lines = [f'    {"f" if "{" in path else ""}"{origin}{path}",']
    if headers:
        inner = ", ".join(f'"{name}": f"{value}"' for name, value in headers.items())
        lines.append(f"    headers={{{inner}}},")
    if body is not None:
        lines.append(f"    json={_indented(pformat(body, width=88, sort_dicts=False))},")
    called = "answer = " + call + "\n" + "\n".join(lines) + "\n)\nanswer.raise_for_status()"
    return f"{imports}\n{called}"


def _headers(operation: Mapping[str, Any], *, key: str, link: str) -> Iterator[tuple[str, str]]:
    if operation["security"]:
        yield "Authorization", f"Bearer {link}"
    if any(parameter["name"] == "Idempotency-Key" for parameter in operation["parameters"]):
        yield "Idempotency-Key", key


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")
