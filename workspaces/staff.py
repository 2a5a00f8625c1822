"""The base of every view for staff: read-only, and nothing is shown that its view does not name.

Above: the admin modules of this package and of the assistant. Below: Django's admin; no rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

# Django's class is generic for the type checker only.
if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = admin.ModelAdmin


class AuditAdmin(_ModelAdmin):
    """Read-only. `columns` are listed and shown; `details` are shown on a row's own page only (what costs a look of its
    own); `hidden` are never even read from the database."""

    columns: ClassVar[tuple[str, ...]] = ()
    details: ClassVar[tuple[str, ...]] = ()
    hidden: ClassVar[tuple[str, ...]] = ()
    actions = None
    list_per_page = 50
    show_full_result_count = False

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        return self.columns

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return (*self.columns, *self.details)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return (*self.columns, *self.details)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer(*self.hidden)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
