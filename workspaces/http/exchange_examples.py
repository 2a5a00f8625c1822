"""The examples of the OpenAPI document for what comes in and goes out whole; tests hold each to its schema."""

from __future__ import annotations

from typing import Any

from .examples import APPLICATION, AT, RECEIPT

IMPORT = "imp_01JZX4P8A1B2C3D4E5F6G7H8J9"
RESUME: dict[str, Any] = {
    "basics": {"name": "Ada Example", "label": "Engineer", "summary": "Builds quiet things."},
    "work": [{"name": "Acme", "position": "Engineer", "startDate": "2021-05"}],
}
IMPORTED: dict[str, Any] = {
    "import": IMPORT,
    "counts": {"work": 1},
    "report": [
        {
            "path": "basics/url",
            "code": "url",
            "message": "https:// was put in front.",
            "given": "ada.example",
        }
    ],
}
LISTED: dict[str, Any] = {
    "id": IMPORT,
    "kind": "resume",
    "state": "done",
    "done": 4,
    "total": 4,
    "counts": {"work": 1},
    "created_at": AT,
    "finished_at": AT,
    "undone_by": None,
}
ONE = {**LISTED, "report": IMPORTED["report"]}
PREVIEW = {"receipts": [RECEIPT], "conflicts": [], "expected_clocks": {"profile": 3}, "possible": True}
TABLE = f"id,title,company,…\r\n{APPLICATION},Engineer,Acme,…\r\n"
LETTERS = f"# Engineer at Acme\n\n- kind: letter\n- created at: {AT}\n\nDear Ms Example,\n"
NOTES = f"# First call\n\n- kind: note\n- created at: {AT}\n\nThey are three.\n"
MARKDOWN = f'---\ntitle: "First call"\nkind: "note"\ncreated_at: "{AT}"\n---\n\nThey are three.\n'
CALENDAR = "BEGIN:VCALENDAR\r\nPRODID:-//CareerVector//CareerVector//EN\r\nVERSION:2.0\r\n…END:VCALENDAR\r\n"
