"""What staff may see: ids, kinds, times, counts. Never what anybody wrote, never a secret, and nothing can be changed.

Above: Django's admin. Below: the rows of the write path. Each view names its columns, so a new one stays hidden until
somebody decides otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from .clock import now
from .commits import json_text
from .models import Event, IdempotencyRecord, Link, Receipt, Workspace

REDACTED = "[redacted]"


# Django's class is generic for the type checker only.
if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = admin.ModelAdmin


class AuditAdmin(_ModelAdmin):
    """Read-only. `columns` are listed and shown; `hidden` are never even read from the database."""

    columns: ClassVar[tuple[str, ...]] = ()
    hidden: ClassVar[tuple[str, ...]] = ()
    actions = None
    list_per_page = 50
    show_full_result_count = False

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        return self.columns

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return self.columns

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return self.columns

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer(*self.hidden)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Workspace)
class WorkspaceAdmin(AuditAdmin):
    """Its label is content, its keys are secrets."""

    columns = ("id", "created_at", "seq", "chain_head", "erased_at", "live_links")
    hidden = ("label", "digest_key")
    search_fields = ("=id",)
    search_help_text = "Workspace id"
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
