"""GET openapi.json: the API described from the serializers and shapes that it really uses."""

from __future__ import annotations

from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.settings import patched_settings
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from .base import ApiView, json_response

_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "POSTPROCESSING_HOOKS": ["workspaces.http.schema.add_shapes"],
    "DISABLE_ERRORS_AND_WARNINGS": True,
}


def openapi_document() -> dict[str, Any]:
    """The whole document, for the view and for the drift check."""
    with patched_settings(_SETTINGS):
        document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return document


class OpenApiView(ApiView):
    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        return json_response(openapi_document())
