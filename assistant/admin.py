"""What staff may see of the assistant: ids, kinds, times, counts, outcomes. No content, no secrets, nothing to change.

Above: Django's admin. Below: the rows. Each view names its columns, so a new one stays hidden until somebody decides
otherwise; columns with content are not even read from the database.
"""

from __future__ import annotations

from datetime import timedelta

from django.contrib import admin

from workspaces import facade
from workspaces.staff import AuditAdmin

from .models import Connector, ConnectorErasure, Host, HostToken, Thread, ToolCall, Turn, TurnAudit
from .wire import LOST_AFTER_SECONDS


@admin.register(Thread)
class ThreadAdmin(AuditAdmin):
    """Its title is content."""

    columns = ("id", "workspace", "connector", "created_by", "created_at", "updated_at", "last_seq")
    hidden = ("title", "provider_thread")
    search_fields = ("=id", "=workspace", "=connector")
    search_help_text = "Thread, workspace or connector id"
    ordering = ("-updated_at", "-id")


@admin.register(Turn)
class TurnAdmin(AuditAdmin):
    """A turn as it stands; its words, its context and its nonce stay hidden. Ended ones are under turn audits too."""

    columns = (
        "id",
        "workspace",
        "thread_id",
        "link",
        "connector",
        "provider",
        "surface",
        "state",
        "failure_class",
        "attempt",
        "claimed_by",
        "created_at",
        "started_at",
        "ended_at",
        "deadline_at",
        "events_taken",
        "duplicate_events",
        "refused_events",
    )
    hidden = ("text", "context", "nonce")
    list_filter = ("state", "provider")
    search_fields = ("=id", "=workspace", "=thread__id", "=link", "=connector", "=claimed_by")
    search_help_text = "Turn, workspace, thread, link, connector or host id"
    ordering = ("-created_at", "-id")


@admin.register(TurnAudit)
class TurnAuditAdmin(AuditAdmin):
    """Ended and refused turns, also of threads that are gone. Filter by outcome `refused` for the refusals."""

    columns = (
        "id",
        "at",
        "workspace",
        "link",
        "thread",
        "turn",
        "connector",
        "provider",
        "connector_version",
        "model",
        "host",
        "surface",
        "attempt",
        "outcome",
        "code",
        "tool_calls",
        "records",
        "ungrounded",
        "citations_left_out",
        "dropped_events",
        "duplicate_events",
        "refused_events",
        "started_ms",
        "first_text_ms",
        "ended_ms",
    )
    list_filter = ("outcome", "provider", "code")
    search_fields = ("=id", "=workspace", "=link", "=thread", "=turn", "=connector", "=host")
    search_help_text = "Turn, workspace, link, thread, connector or host id"
    ordering = ("-at", "-id")


@admin.register(ToolCall)
class ToolCallAdmin(AuditAdmin):
    """Every call of a tool; the refusals are those whose outcome is not `ok`."""

    columns = (
        "id",
        "at",
        "workspace",
        "connector",
        "thread",
        "turn",
        "link",
        "tool",
        "version",
        "outcome",
        "documents",
        "roles",
        "counts",
        "truncated",
        "event",
        "request",
        "argument_digest",
        "duration_ms",
    )
    list_filter = ("tool", "outcome", "truncated")
    search_fields = ("=id", "=workspace", "=thread", "=turn", "=link", "=connector", "=event", "=request")
    search_help_text = "Call, workspace, thread, turn, link, connector, event or request id"
    ordering = ("-at", "-id")


@admin.register(Connector)
class ConnectorAdmin(AuditAdmin):
    """Login data (device codes) stay hidden."""

    columns = ("id", "workspace", "provider", "link", "shared", "home_host", "login_state", "created_at", "deleted_at")
    hidden = ("login",)
    list_filter = ("provider", "shared")
    search_fields = ("=id", "=workspace", "=link", "=home_host")
    search_help_text = "Connector, workspace, link or host id"
    ordering = ("-created_at", "-id")


@admin.register(ConnectorErasure)
class ConnectorErasureAdmin(AuditAdmin):
    """Homes of connectors that are gone, which their hosts have not said to have erased yet."""

    columns = ("connector", "host", "host_is_known", "queued_at")
    search_fields = ("=connector", "=host")
    search_help_text = "Connector or host id"
    ordering = ("queued_at", "connector")
    show_full_result_count = True

    @admin.display(description="host is known", boolean=True)
    def host_is_known(self, erasure: ConnectorErasure) -> bool:
        return Host.objects.filter(pk=erasure.host, token__revoked_at=None).exists()


@admin.register(HostToken)
class HostTokenAdmin(AuditAdmin):
    columns = ("id", "providers", "workspace", "created_at", "revoked_at")
    hidden = ("secret_sha256", "last4")
    search_fields = ("=id", "=workspace")
    search_help_text = "Token or workspace id"
    ordering = ("-created_at", "-id")


@admin.register(Host)
class HostAdmin(AuditAdmin):
    """The name is what the host gives itself; it may name somebody's device, so it stays hidden."""

    columns = ("id", "token_id", "live", "connectors", "connected_at", "last_seen_at", "disconnected_at")
    hidden = ("name", "session")
    search_fields = ("=id", "=token__id")
    search_help_text = "Host or token id"
    ordering = ("-last_seen_at",)

    @admin.display(description="live", boolean=True)
    def live(self, host: Host) -> bool:
        return host.disconnected_at is None and host.last_seen_at > facade.now() - timedelta(seconds=LOST_AFTER_SECONDS)
