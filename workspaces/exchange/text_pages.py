"""Documents as pages of Markdown, read from the database. Above: the facade. Below: `markdown`, `workspace_export`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from workspaces.clock import rfc3339
from workspaces.contracts import Access
from workspaces.documents.schema import KINDS
from workspaces.documents.state import DocumentState
from workspaces.errors import NotFound
from workspaces.models import Document
from workspaces.queries import open_documents

from .markdown import Page, many_pages, one_page
from .workspace_export import states_in_file_order

# What the head of a page says of its document, beside the title and the times.
_HEADS = {
    "profile": ("label",),
    "plan": (),
    "application": ("company", "location", "stage", "deadline", "url"),
    "note": ("application", "pinned"),
    "letter": ("application", "recipient", "language", "status"),
}


def document_markdown(*, access: Access, document: str) -> str:
    """One document's text with its front matter. Raises NotFound."""
    row = Document.objects.filter(workspace_id=access.workspace, doc_id=document).first()
    warm = open_documents(access.workspace, [document]).get(document)
    if row is None or warm is None:  # the second also when it was erased or purged between the two looks
        raise NotFound
    state = warm.state
    named = [state.fields["application"]] if "application" in state.fields else []
    labels = {doc_id: _label(other.state) for doc_id, other in open_documents(access.workspace, named).items()}
    return one_page(_page(row, state, labels))


def markdown_of_kind(*, workspace: str, kind: str) -> Iterable[str]:
    """All active and archived documents of a kind, one after the other. Read inside `sql.snapshot`."""
    labels = {
        row.doc_id: _label(state)
        for row, state, _ in states_in_file_order(workspace=workspace, kinds=["application"], trashed=True)
    }
    return many_pages(_pages(workspace, kind, labels))


def _pages(workspace: str, kind: str, labels: Mapping[str, str]) -> Iterator[Page]:
    for row, state, _ in states_in_file_order(workspace=workspace, kinds=[kind]):
        yield _page(row, state, labels)


def _page(row: Document, state: DocumentState, labels: Mapping[str, str]) -> Page:
    fields = state.fields
    values: dict[str, Any] = {"kind": row.kind}
    for name in _HEADS[row.kind]:
        value = labels.get(fields.get(name, "")) if name == "application" else fields.get(name)
        if value not in (None, "", False):
            values[name] = value
    if state.state != "active":
        values["state"] = state.state
    values |= {"created_at": rfc3339(row.created_at), "updated_at": rfc3339(row.updated_at)}
    title = str(fields.get("title") or fields.get("name") or "").strip()
    text = "\n\n".join(state.texts[name] for name in KINDS[row.kind].texts if state.texts.get(name))
    return Page(title=title or f"Untitled {row.kind}", values=values, text=text)


def _label(state: DocumentState) -> str:
    parts = [str(state.fields[name]) for name in ("title", "company") if state.fields.get(name)]
    return ", ".join(parts) or "Untitled application"
