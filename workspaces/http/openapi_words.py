"""What OpenAPI says in words: the parameters, the groups of addresses, and what the whole is about.

Above: `openapi_schema` and the page at `/api/`. Below: the names and limits that the product itself checks. Plain
sentences for people who write scripts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from workspaces.context import SURFACES
from workspaces.documents.schema import KINDS
from workspaces.operations.json_schema import Schema

from .query import MAX_CURSOR, MAX_LIMIT, MAX_SEQ
from .schema import TEXT

TITLE = "CareerVector"
SUMMARY = "Read, change, watch and take back everything in a workspace."
_PARAGRAPHS = (
    "Everything that the pages of CareerVector do goes through this API, and a script may do the same.",
    "**Access.** A link opens one workspace. Send its secret as `Authorization: Bearer cvl_…`. Its role says what it "
    "may do: `view` reads, `edit` also writes, `owner` also manages links, settings and the workspace itself. A "
    "browser may exchange the secret for a session cookie (`open_session`); its writes then carry the value of the "
    "`csrftoken` cookie in `X-CSRFToken`.",
    "**Writing.** Each document has a clock that rises with every change. A write names the clocks that it has seen in "
    "`expected_clocks`; when somebody was faster it is refused as `stale_clock`, and nothing is written. A write also "
    "carries an `Idempotency-Key` of your own making: the same request under the same key is done once, however often "
    "it arrives, and is answered alike each time. What can be taken back comes with a receipt, and `undo_receipt` "
    "takes it back.",
    "**Errors** are `application/problem+json` (RFC 9457). `code` is for programs and stays, `detail` is for people, "
    "`errors` names each flaw by its path. An address that does not take a method answers 405 `method_not_allowed`. A "
    "429 says in `Retry-After` how many seconds to wait.",
    "**Lists** give `items` and `next_cursor`; send it back as `cursor` for what follows, until it is null. Newest "
    "first unless said otherwise.",
    "**Watching.** `/ws/workspaces/{workspace}/` is a WebSocket with the same bearer. It says `hello` with the newest "
    "`seq`, then sends a `commit` message for each change. After a break send "
    '`{"type": "resume", "after": seq}` and get what was missed, in order.',
)
DESCRIPTION = "\n\n".join(_PARAGRAPHS)


class Tag(NamedTuple):
    """A group of addresses; `segments` are the words after the workspace that belong to it."""

    name: str
    description: str
    segments: tuple[str, ...]


TAGS = (
    Tag("Workspaces", "Make a workspace, open it in a browser, set it up, and erase it.",
        ("", "session", "workspaces", "settings")),
    Tag("Links", "The secrets that open a workspace: hand one out, limit it by a role, replace it, revoke it.",
        ("links",)),
    Tag("Documents", "Read the profile, the plan, applications, notes and letters.", ("documents", "context")),
    Tag("Writing", "Change documents: one address, one batch of typed operations, all or nothing.", ("operations",)),
    Tag("History and undo", "What happened, who did it, what it changed, and taking it back.",
        ("events", "receipts", "imports")),
    Tag("Moving data", "Take everything with you, bring it from elsewhere, follow the dates in a calendar.",
        ("export", "import", "calendar.ics")),
    Tag("Jobs", "Search public job advertisements; nothing about the workspace goes out with the search.", ("jobs",)),
    Tag("Conversations", "Ask the assistant, follow its answers, stop it, take a whole answer's changes back.",
        ("threads", "turns")),
    Tag("Connectors", "What runs the assistant: the built-in one, and others that a server offers.", ("connectors",)),
    Tag("Feedback", "Tell the operators of a server something, by your own choice.", ("diagnostics",)),
)  # fmt: skip


def tag_of(path: str) -> str:
    """The group of an address such as `/api/v1/workspaces/{workspace}/links`."""
    words = path.removeprefix("/api/v1/").split("/")
    segment = (words[2] if len(words) > 2 else "") if words[0] == "workspaces" and len(words) > 1 else words[0]
    for tag in TAGS:
        if segment in tag.segments:
            return tag.name
    raise LookupError(f"{path} belongs to no group: add {segment!r} to one of TAGS")


def _parameter(schema: Schema, description: str, example: Any = None) -> dict[str, Any]:
    return {"description": description, "schema": schema, **({} if example is None else {"example": example})}


_ULID = "[0-9A-HJKMNP-TV-Z]{26}"
_DOCUMENT_PATTERN = f"^(profile|plan|(application|note|letter):{_ULID})$"


def _id(prefix: str, what: str) -> dict[str, Any]:
    schema = {"type": "string", "pattern": f"^{prefix}_[A-Za-z0-9_-]{{1,60}}$"}
    return _parameter(schema, what, f"{prefix}_01JZX4N6W5Y8R3T7K2M9P0QABC")


PATH_PARAMETERS = {
    "workspace": _id("ws", "The workspace, as `create_workspace` and the session tell it."),
    "link": _id("lnk", "A link's id (not its secret)."),
    "document": _parameter(
        {"type": "string", "pattern": _DOCUMENT_PATTERN},
        "`profile` or `plan`, which every workspace has, or the id of an application, note or letter.", "profile",
    ),
    "receipt": _id("rcp", "A receipt: what a commit gave, so that it can be taken back."),
    "thread": _id("thr", "A conversation."),
    "turn": _id("trn", "A question with its answer."),
    "connector": _id("con", "A connector."),
    "imported": _id("imp", "An import, as its answer named it."),
}  # fmt: skip

_NUMBER: Schema = {"type": "integer", "minimum": 0, "maximum": MAX_SEQ}
QUERY_PARAMETERS = {
    "limit": _parameter(
        {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": 50}, "How many items a page holds."
    ),
    "cursor": _parameter(
        {**TEXT, "maxLength": MAX_CURSOR}, "The `next_cursor` of the page before; absent for the first page."
    ),
    "after": _parameter(_NUMBER, "Only what has a higher `seq` than this."),
    "before": _parameter(_NUMBER, "Only what has a lower `seq` than this, read backwards. Not together with `after`."),
    "archived": _parameter({"type": "boolean", "default": False}, "Archived documents too."),
    "kind": _parameter({**TEXT, "enum": list(KINDS)}, "Only documents of this kind."),
    "actor_class": _parameter({**TEXT, "enum": ["human", "agent", "system"]}, "Only what these did."),
    "state": _parameter({**TEXT, "enum": ["active", "undone", "expired"]}, "Only receipts in this state."),
    "document": _parameter({**TEXT, "maxLength": 100}, "Only what concerns this document."),
    "thread": _parameter({**TEXT, "maxLength": 100}, "Only what this conversation did."),
    "job": _parameter({**TEXT, "maxLength": 100}, "A role of the job corpus: gives the application that has it."),
    "history": _parameter(
        {"type": "boolean", "default": True}, "With history, receipts and conversations; false leaves them out."
    ),
    "surface": _parameter(
        {**TEXT, "enum": list(SURFACES)},
        "What part of the workspace to look at.",
    ),
}  # fmt: skip
IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": True,
    "description": (
        "A name of your own for this one write, new for each (a UUID does). Sent again with the same body it gives the "
        "first answer with `replayed: true` and writes nothing; with another body it is refused as "
        "`idempotency_mismatch`. A refused write leaves its key free. Kept as long as the receipt it made, at least 24 "
        "hours."
    ),
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    "example": "7b1f6c1e-6f3c-4d58-9a5e-0f5d7c3f2b11",
}
