"""What staff may see: ids, kinds, times, counts; of words only those that were written to them. Nothing can be changed.

Above: Django's admin. Below: the rows of the write path. Each view names its columns, so a new one stays hidden until
somebody decides otherwise.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils import formats
from django.utils.timesince import timesince
from django.utils.timezone import localtime

from .clock import now
from .commits import json_text
from .errors import NotFound
from .models import (
    CorpusParticipant,
    Diagnostic,
    Document,
    Event,
    IdempotencyRecord,
    Link,
    Receipt,
    TypingSession,
    UpkeepRun,
    Workspace,
)
from .staff import AuditAdmin
from .upkeep.audit import verify_chain
from .upkeep.runs import info_of

REDACTED = "[redacted]"
# How many events a page may take the time to check.
MOST_CHECKED = 20_000


@admin.register(Workspace)
class WorkspaceAdmin(AuditAdmin):
    """Its label is content, its keys are secrets."""

    columns = ("id", "created_at", "seq", "chain_head", "erased_at", "scrubbed_at")
    details = ("live_links", "documents", "in_trash", "receipts", "unsealed_typing")
    change_form_template = "admin/workspace_with_check.html"
    hidden = ("label", "digest_key")
    search_fields = ("=id",)
    search_help_text = "Workspace id"
    list_filter = (("erased_at", admin.EmptyFieldListFilter), ("scrubbed_at", admin.EmptyFieldListFilter))
    ordering = ("-created_at",)

    @admin.display(description="live links")
    def live_links(self, workspace: Workspace) -> int:
        return Link.objects.filter(workspace=workspace, revoked_at=None).count()

    @admin.display(description="documents, without the trash")
    def documents(self, workspace: Workspace) -> int:
        return Document.objects.filter(workspace=workspace).exclude(state="trashed").count()

    @admin.display(description="documents in the trash")
    def in_trash(self, workspace: Workspace) -> int:
        return Document.objects.filter(workspace=workspace, state="trashed").count()

    @admin.display(description="receipts")
    def receipts(self, workspace: Workspace) -> int:
        return Receipt.objects.filter(workspace=workspace).count()

    @admin.display(description="typing sessions not sealed yet")
    def unsealed_typing(self, workspace: Workspace) -> int:
        return TypingSession.objects.filter(workspace=workspace).count()

    def get_urls(self) -> list[URLPattern]:
        check = path(
            "<path:object_id>/check-audit/",
            self.admin_site.admin_view(self.check_audit),
            name="workspaces_workspace_check_audit",
        )
        return [check, *super().get_urls()]

    def check_audit(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Walks the workspace's audit chain now, `MOST_CHECKED` events at most, and says how far it holds."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        try:
            verdict = verify_chain(workspace=object_id, limit=MOST_CHECKED)
        except NotFound:
            raise Http404 from None
        at = f"{formats.date_format(localtime(now()), 'DATETIME_FORMAT')} UTC"
        if verdict.broken is not None:
            broken = verdict.broken
            say = f"The audit chain is broken at seq {broken.seq} (event {broken.event or 'none'}): {broken.says}."
            messages.error(request, say)
        elif verdict.complete:
            messages.success(request, f"The audit chain is verified to its end at seq {verdict.seq}, at {at}.")
        else:
            more = f"The audit chain is verified to seq {verdict.seq} of {verdict.of}, at {at}: manage.py verify_audit"
            messages.warning(request, f"{more} --workspace {object_id} goes to its end.")
        return HttpResponseRedirect(reverse("admin:workspaces_workspace_change", args=[object_id]))


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
    details = ("digest",)
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


@admin.register(UpkeepRun)
class UpkeepRunAdmin(AuditAdmin):
    """How the regular tasks fare. An overdue one has not ended well for three times its interval."""

    columns = (
        "task",
        "on_time",
        "due",
        "began",
        "ended_well",
        "runs",
        "failures",
        "handled",
        "last_handled",
        "last_error",
    )
    search_fields = ("task",)
    search_help_text = "Task"
    ordering = ("task",)
    show_full_result_count = True

    @admin.display(description="on time", boolean=True)
    def on_time(self, run: UpkeepRun) -> bool | None:
        """Empty for a task without fixed times; no is overdue."""
        return not info_of(run).is_overdue(now()) if run.every_s else None

    @admin.display(description="due")
    def due(self, run: UpkeepRun) -> str:
        if not run.every_s:
            return "when somebody runs it"
        at = now()
        often = f"{run.every_s} seconds"
        return f"every {often if run.every_s < 60 else timesince(at - timedelta(seconds=run.every_s), at)}"

    @admin.display(description="began", ordering="started_at")
    def began(self, run: UpkeepRun) -> str:
        return _ago(run.started_at)

    @admin.display(description="ended well", ordering="finished_at")
    def ended_well(self, run: UpkeepRun) -> str:
        return "never yet" if run.finished_at is None else _ago(run.finished_at)


def _ago(at: datetime) -> str:
    return "just now" if now() - at < timedelta(minutes=1) else f"{timesince(at, now())} ago"
