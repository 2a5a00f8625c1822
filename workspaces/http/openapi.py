"""GET openapi.json: the API described from the serializers and shapes that it really uses."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.settings import patched_settings
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from .base import ApiView, json_response

_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "PREPROCESSING_HOOKS": ["workspaces.http.openapi.keep_public"],
    "POSTPROCESSING_HOOKS": ["workspaces.http.openapi_components.add_shapes"],
    "DISABLE_ERRORS_AND_WARNINGS": True,
}


def keep_public(endpoints: list[tuple[Any, ...]], **_: Any) -> list[tuple[Any, ...]]:
    """A drf-spectacular pre-processing hook: services among themselves are nobody else's business."""
    return [endpoint for endpoint in endpoints if endpoint[0].startswith("/api/v1/")]


@lru_cache(maxsize=1)
def openapi_document() -> dict[str, Any]:
    """The whole document, made once a process: for the view, the page and the drift check. Leave it as it is."""
    with patched_settings(_SETTINGS):
        document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return document


class OpenApiView(ApiView):
    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        return json_response(openapi_document())
