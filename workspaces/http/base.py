"""What all API views share: body limits, who asks, roles, rate limits, headers. A view then parses, calls, renders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from workspaces.contracts import Access, Actor, RequestIdentity
from workspaces.errors import Flaw, IdempotencyKeyRequired, InvalidRequest, Malformed, NotFound
from workspaces.ids import can_be_id
from workspaces.links import require_owner, require_write

from .authentication import LinkAuthentication
from .body import MAX_BODY, StrictJSONParser, require_json, settle_body
from .openapi_schema import ApiSchema
from .query import Query
from .rate_limits import check_rate

Need = Literal["read", "write", "owner"]
_WRITES = ("POST", "PUT", "PATCH", "DELETE")
_MAX_KEY = 255


class OneRenderer(BaseContentNegotiation):
    """The API speaks JSON whatever Accept says: an error must be readable too."""

    def select_parser(self, request: Request, parsers: Any) -> BaseParser:
        return parsers[0]  # type: ignore[no-any-return]  # `settle_body` has checked the content type

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type


class ApiView(APIView):
    """A view without a workspace in its address. Errors are raised; `careervector.problems` renders them."""

    authentication_classes: Sequence[type[BaseAuthentication]] = ()
    permission_classes = ()
    parser_classes = (StrictJSONParser,)
    renderer_classes = (JSONRenderer,)
    content_negotiation_class = OneRenderer
    metadata_class = None
    schema = ApiSchema()
    empty_body: ClassVar[bool] = False
    max_body: ClassVar[int] = MAX_BODY
    limits: ClassVar[Mapping[str, str]] = {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        body = settle_body(plain(request), maximum=self.max_body)
        super().initial(request, *args, **kwargs)
        # An id that no id can look like names nothing; databases disagree about some of these characters.
        if not all(map(can_be_id, kwargs.values())):
            raise NotFound
        limit = self.limits.get(request.method or "")
        if limit:
            check_rate(limit, client=client_of(request), link=getattr(request.auth, "link", None))
        # Who asks, and whether the address takes the method, is told before anything about the body.
        if (request.method or "").lower() in self.http_method_names and hasattr(self, (request.method or "").lower()):
            self._check_body(request, body)

    def _check_body(self, request: Request, body: bytes) -> None:
        if body:
            require_json(plain(request))
        elif request.method in ("POST", "PUT", "PATCH") and not self.empty_body:
            raise Malformed("The body is empty; it must be a JSON object.")

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        answer["Cache-Control"] = "no-store"
        answer["X-Content-Type-Options"] = "nosniff"
        return answer

    def body(self, request: Request) -> dict[str, Any]:
        """The body as an object, unchecked. Raises Malformed, InvalidRequest."""
        data = request.data
        if not isinstance(data, dict):
            raise InvalidRequest("The body must be a JSON object.", flaws=[Flaw("", "type", "This must be an object.")])
        return data

    def parse(self, request: Request, serializer: type[Serializer[Any]]) -> dict[str, Any]:
        """The body checked by a strict serializer. Raises Malformed, ValidationError."""
        checked = serializer(data=self.body(request))
        checked.is_valid(raise_exception=True)
        return dict(checked.validated_data)


class WorkspaceView(ApiView):
    """A view below `workspaces/{workspace}/`. `needs` says which role each method asks for.

    Undeclared methods ask for reading when they read and for writing when they write; owners may do everything.
    """

    authentication_classes = (LinkAuthentication,)
    needs: ClassVar[Mapping[str, Need]] = {}
    limits: ClassVar[Mapping[str, str]] = {method: "write" for method in _WRITES}

    def check_permissions(self, request: Request) -> None:
        access = access_of(request)
        writes = request.method in _WRITES
        need = self.needs.get(request.method or "", "write" if writes else "read")
        if need == "owner":
            require_owner(access, write=writes)
        elif need == "write":
            require_write(access)


def access_of(request: Request) -> Access:
    """The access that authentication found."""
    access = request.auth
    assert isinstance(access, Access)
    return access


def actor_of(request: Request) -> Actor:
    """The person behind a link; workspaces know no other."""
    return Actor(actor_class="human", actor=f"link:{access_of(request).link}")


def identity_of(request: Request, *, route: str, target: str) -> RequestIdentity:
    """The identity of a write. Raises IdempotencyKeyRequired, InvalidRequest (a key that cannot be one)."""
    access = access_of(request)
    return RequestIdentity(
        scope=f"link:{access.link}", key=idempotency_key(request), route=route, target=target, link=access.link
    )


def idempotency_key(request: Request) -> str:
    """The header: 1 to 255 visible ASCII characters."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        raise IdempotencyKeyRequired
    if not 1 <= len(key) <= _MAX_KEY or not all("!" <= c <= "~" for c in key):
        raise IdempotencyKeyRequired(f"Idempotency-Key must be 1 to {_MAX_KEY} visible ASCII characters.")
    return key


def client_of(request: Request) -> str:
    """The client's address as the server saw it (a proxy's header only where the server was told to trust one)."""
    return str(request.META.get("REMOTE_ADDR", ""))


def query_of(request: Request) -> Query:
    return Query(request.query_params)


def plain(request: Request) -> HttpRequest:
    """Django's request below DRF's."""
    return request._request  # noqa: SLF001  DRF has no public name for it


def json_response(data: Any, status: int = 200) -> Response:
    return Response(data, status=status)
