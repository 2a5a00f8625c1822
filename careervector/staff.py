"""The admin site for staff: Django's own, under a policy that its static scripts can live with.

Nobody who owns a workspace ever signs in; these are the operators' accounts (`manage.py createsuperuser`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from csp.constants import SELF
from csp.decorators import csp_replace
from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import method_decorator

# The admin's scripts are plain files without a nonce, and its jQuery writes markup.
_ADMIN_POLICY = {"script-src": [SELF], "require-trusted-types-for": None, "trusted-types": None}

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class StaffSite(AdminSite):
    site_header = site_title = "CareerVector audit"
    index_title = "Read-only views"

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        return cast(View, csp_replace(_ADMIN_POLICY)(super().admin_view(view, cacheable)))

    @method_decorator(csp_replace(_ADMIN_POLICY))
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().login(request, extra_context)


class StaffConfig(AdminConfig):
    default_site = "careervector.staff.StaffSite"
