"""The front door: everything that other packages may call. Frozen values and plain JSON shapes go in and out.

Keyword-only and synchronous; async callers use a thread. Refusals are the typed errors of `workspaces.errors`.
"""

from __future__ import annotations

from . import links, sql
from .clock import now, rfc3339
from .commits.live import merge_live
from .commits.live_reading import LiveState, live_updates_after, open_live
from .commits.service import commit
from .commits.typing import RESTS as TYPING_RESTS
from .commits.typing import seal_rested
from .commits.undo import preview_turn_undo, undo_receipt, undo_turn
from .context import SURFACES, get_context, project_documents
from .contracts import NewWorkspace
from .diagnostics import send_diagnostic
from .erasure import erase_workspace, has_unscrubbed, is_erased, rewrite_tables, scrub_erased
from .exchange.applications_csv import applications_csv
from .exchange.calendar_feed import workspace_calendar
from .exchange.import_rows import end_lost as end_lost_imports
from .exchange.import_rows import get_import, list_imports
from .exchange.imports import import_file, preview_import_undo, undo_import
from .exchange.json_stream import write_json
from .exchange.profile_export import profile_resume
from .exchange.text_pages import document_markdown, markdown_of_kind
from .exchange.workspace_export import export_parts
from .ids import can_be_id, new_id
from .links import (
    check_access,
    check_link_alive,
    create_link,
    hold_link,
    hold_workspace,
    list_links,
    open_link,
    revoke_link,
    rotate_link,
)
from .operations.json_schema import (
    describe_documents,
    is_nullable,
    nullable,
    operation_definitions,
    operation_schemas,
    operation_union,
    search_filter_schemas,
)
from .operations.typescript import workspace_types as typescript_types
from .preferences import get_settings, update_settings, workspace_locale
from .queries import (
    get_document,
    get_hello,
    get_receipt,
    list_commits_after,
    list_document_events,
    list_documents,
    list_events,
    list_receipt_changes,
    list_receipts,
    newest_receipts,
    open_documents,
    rows_without_content,
)
from .realtime import hub
from .sample import load_sample
from .upkeep.audit import Head as ChainHead
from .upkeep.audit import verify_chain, verify_chains
from .upkeep.documents import DocumentFlaw, check_documents
from .upkeep.epochs import renew_epochs
from .upkeep.expiry import compact_logs, expire_idempotency_records, expire_receipts, purge_trash
from .upkeep.heads import HeadFileUnusable, read_heads, write_heads
from .upkeep.runs import UpkeepRunInfo, list_upkeep_runs, newest_start, run_upkeep

__all__ = [
    "SURFACES",
    "TYPING_RESTS",
    "ChainHead",
    "DocumentFlaw",
    "HeadFileUnusable",
    "LiveState",
    "UpkeepRunInfo",
    "applications_csv",
    "can_be_id",
    "check_access",
    "check_documents",
    "check_link_alive",
    "commit",
    "compact_logs",
    "create_link",
    "create_workspace",
    "describe_documents",
    "document_markdown",
    "end_lost_imports",
    "erase_workspace",
    "expire_idempotency_records",
    "expire_receipts",
    "export_parts",
    "get_context",
    "get_document",
    "get_hello",
    "get_import",
    "get_receipt",
    "get_settings",
    "has_unscrubbed",
    "hold_link",
    "hold_workspace",
    "hub",
    "import_file",
    "is_erased",
    "is_nullable",
    "list_commits_after",
    "list_document_events",
    "list_documents",
    "list_events",
    "list_imports",
    "list_links",
    "list_receipt_changes",
    "list_receipts",
    "list_upkeep_runs",
    "live_updates_after",
    "markdown_of_kind",
    "merge_live",
    "new_id",
    "newest_receipts",
    "newest_start",
    "now",
    "nullable",
    "open_link",
    "open_live",
    "operation_definitions",
    "operation_schemas",
    "operation_union",
    "preview_import_undo",
    "preview_turn_undo",
    "private_words",
    "profile_resume",
    "project_documents",
    "purge_trash",
    "read_heads",
    "renew_epochs",
    "revoke_link",
    "rewrite_tables",
    "rfc3339",
    "rotate_link",
    "run_upkeep",
    "scrub_erased",
    "seal_rested",
    "search_filter_schemas",
    "send_diagnostic",
    "sql",
    "typescript_types",
    "undo_import",
    "undo_receipt",
    "undo_turn",
    "update_settings",
    "verify_chain",
    "verify_chains",
    "workspace_calendar",
    "workspace_locale",
    "write_heads",
    "write_json",
]


def create_workspace(*, label: str = "", sample: bool = False) -> NewWorkspace:
    """A workspace with its singletons and first owner link; with `sample`, filled. Raises InvalidRequest."""
    made = links.create_workspace(label=label)
    if sample:
        load_sample(workspace=made.workspace)
    return made


def private_words(*, workspace: str) -> frozenset[str]:
    """The profile's name and the contacts' names, case folded: words that must not leave in a public search."""
    rows = rows_without_content(workspace).filter(kind__in=["profile", "application"]).exclude(state="trashed")
    documents = open_documents(workspace, rows.values_list("doc_id", flat=True))
    names = {str(warm.state.fields.get("name", "")) for doc_id, warm in documents.items() if doc_id == "profile"}
    for warm in documents.values():
        names |= {str(item.get("name", "")) for item in warm.state.sections.get("contacts", {}).values()}
    return frozenset(name.casefold().strip() for name in names if name.strip())
