"""What staff may see: ids, kinds, times, counts; of words only those that were written to them. Nothing can be changed.

Above: Django's admin. Below: the rows of the write path. Each view names its columns, so a new one stays hidden until
somebody decides otherwise.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from .clock import now
from .commits import json_text
from .models import CorpusParticipant, Diagnostic, Event, IdempotencyRecord, Link, Receipt, Workspace
from .staff import AuditAdmin

REDACTED = "[redacted]"


@admin.register(Workspace)
class WorkspaceAdmin(AuditAdmin):
    """Its label is content, its keys are secrets."""

    columns = ("id", "created_at", "seq", "chain_head", "erased_at", "scrubbed_at", "live_links")
    hidden = ("label", "digest_key")
    search_fields = ("=id",)
    search_help_text = "Workspace id"
    list_filter = (("erased_at", admin.EmptyFieldListFilter), ("scrubbed_at", admin.EmptyFieldListFilter))
    ordering = ("-created_at",)

    @admin.display(description="live links")
    def live_links(self, workspace: Workspace) -> int:
        return Link.objects.filter(workspace=workspace, revoked_at=None).count()


@admin.register(Link)
class LinkAdmin(AuditAdmin):
    columns = ("id", "workspace_id", "role", "created_at", "last_used_on", "revoked_at")
    hidden = ("label", "secret_sha256", "last4")
    search_fields = ("=id", "=workspace__id")
    search_help_text = "Link or workspace id"
    list_filter = ("role",)
    ordering = ("-id",)


@admin.register(Event)
class EventAdmin(AuditAdmin):
    columns = (
        "id", "workspace_id", "seq", "at", "actor_class", "actor", "reason_kept", "origin_event", "kinds", "paths",
        "clocks", "receipt", "undone_by", "chain_mac",
    )  # fmt: skip
    list_display_links = ("id",)
    hidden = ("reason",)
    search_fields = ("=id", "=workspace__id", "=receipt", "=origin_event", "=actor")
    search_help_text = "Event, workspace, receipt or thread event id, or actor"
    list_filter = ("actor_class",)
    ordering = ("-at", "-seq")

    @admin.display(description="reason")
    def reason_kept(self, event: Event) -> str:
        return REDACTED

    @admin.display(description="operation kinds")
    def kinds(self, event: Event) -> str:
        return ", ".join(json_text.decode(event.operation_kinds))

    @admin.display(description="affected paths")
    def paths(self, event: Event) -> str:
        return ", ".join(json_text.decode(event.affected_paths))


@admin.register(Receipt)
class ReceiptAdmin(AuditAdmin):
    columns = (
        "id", "workspace_id", "event", "state", "actor_class", "actor", "reason_kept", "thread", "turn", "kinds",
        "paths", "created_at", "expires_at", "undone_by",
    )  # fmt: skip
    hidden = ("reason", "inverse", "changes")
    search_fields = ("=id", "=workspace__id", "=event", "=thread", "=turn")
    search_help_text = "Receipt, workspace, event, thread or turn id"
    list_filter = ("actor_class",)
    ordering = ("-created_at", "-seq")

    @admin.display(description="reason")
    def reason_kept(self, receipt: Receipt) -> str:
        return REDACTED

    @admin.display
    def state(self, receipt: Receipt) -> str:
        if receipt.undone_by is not None:
            return "undone"
        return "expired" if receipt.expires_at <= now() else "active"

    @admin.display(description="operation kinds")
    def kinds(self, receipt: Receipt) -> str:
        return ", ".join(json_text.decode(receipt.operation_kinds))

    @admin.display(description="affected paths")
    def paths(self, receipt: Receipt) -> str:
        return ", ".join(json_text.decode(receipt.affected_paths))


@admin.register(IdempotencyRecord)
class IdempotencyRecordAdmin(AuditAdmin):
    """A key is the client's own text, so it can be looked for but is not shown; nor is the recorded answer."""

    columns = ("id", "workspace_id", "scope", "fingerprint", "created_at", "expires_at")
    hidden = ("key", "response")
    search_fields = ("=workspace__id", "=scope", "=key", "=fingerprint")
    search_help_text = "Workspace id, scope, exact key or fingerprint"
    ordering = ("-created_at", "-id")

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        record = super().get_object(request, object_id, from_field)
        if record is not None:
            record.key = REDACTED  # the page's heading is the row's own name, which holds the key
        return record


@admin.register(Diagnostic)
class DiagnosticAdmin(AuditAdmin):
    """The one thing that staff may read: it was written for them, and sent with consent. They may delete it too."""

    columns = ("id", "workspace_id", "created_at", "sent_with_consent")
    search_fields = ("=id", "=workspace__id")
    search_help_text = "Diagnostic or workspace id"
    ordering = ("-created_at", "-id")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return (*self.columns, "text")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return (*self.columns, "text")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return bool(request.user.has_perm("workspaces.delete_diagnostic"))

    @admin.display(description="sent with consent", boolean=True)
    def sent_with_consent(self, diagnostic: Diagnostic) -> bool:
        # Without consent none is ever kept.
        return True


@admin.register(CorpusParticipant)
class CorpusParticipantAdmin(AuditAdmin):
    """The erasure outbox towards JobCache: those with `queued_at` wait for it. The token stays hidden."""

    columns = ("id", "created_at", "queued_at", "lease_expires_at")
    hidden = ("token", "lease")
    list_filter = (("queued_at", admin.EmptyFieldListFilter),)
    ordering = ("-queued_at", "-id")
    show_full_result_count = True
