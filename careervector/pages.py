"""The three pages that Django renders: start, open link, workspace. What lives in them is the built front end.

A page holds nothing of any workspace: the same frame is served for every address below `/w/`, whether the workspace
exists or not, and the front end asks the API with the browser's own session. So a page reveals nothing and can change
nothing. Above: `careervector.urls`. Below: `frontend/dist`, whose manifest names the built files.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from workspaces import clock

_MANIFEST = Path(".vite") / "manifest.json"


class FrontEndMissing(Exception):
    """There is no built front end where it is looked for."""


@require_safe
@never_cache
@ensure_csrf_cookie
def start(request: HttpRequest) -> HttpResponse:
    """`/`: what this is, a new workspace, a link to open."""
    return _page(request, "start.html", "src/start.ts")


@require_safe
@never_cache
@ensure_csrf_cookie
def open_link(request: HttpRequest) -> HttpResponse:
    """`/w/`: the secret is in the address's fragment, which never reaches the server."""
    return _page(request, "open.html", "src/open.ts")


@require_safe
@never_cache
@ensure_csrf_cookie
def workspace(request: HttpRequest, workspace: str, rest: str = "") -> HttpResponse:
    """`/w/WORKSPACE/…`: the frame; the front end routes what follows."""
    return _page(request, "workspace.html", "src/workspace.ts", workspace=workspace)


@require_safe
def add_slash(request: HttpRequest, workspace: str) -> HttpResponse:
    return redirect(f"/w/{workspace}/")


def _page(request: HttpRequest, template: str, entry: str, **context: Any) -> HttpResponse:
    try:
        files = built_files(entry)
    except FrontEndMissing:
        text = "The front end is not built. Run `make setup`, then start again."
        return HttpResponse(text, status=503, content_type="text/plain; charset=utf-8")
    now = clock.rfc3339(clock.now())
    return render(request, template, {"script": files[0], "styles": files[1], "server_now": now, **context})


@lru_cache
def built_files(entry: str) -> tuple[str, tuple[str, ...]]:
    """The addresses of an entry's script and style sheets. Raises FrontEndMissing.

    Read once a process: a new build comes with a new start.
    """
    try:
        manifest = json.loads((settings.FRONTEND_DIST / _MANIFEST).read_text(encoding="utf-8"))
    except OSError as error:
        raise FrontEndMissing from error
    styles: dict[str, None] = {}

    def collect(name: str, seen: set[str]) -> None:
        if name in seen:
            return
        seen.add(name)
        styles.update(dict.fromkeys(manifest[name].get("css", ())))
        for imported in manifest[name].get("imports", ()):
            collect(imported, seen)

    collect(entry, set())
    return settings.STATIC_URL + manifest[entry]["file"], tuple(settings.STATIC_URL + style for style in styles)


urlpatterns: list[URLPattern] = [
    path("", start, name="start"),
    path("w/", open_link, name="open"),
    path("w/<slug:workspace>", add_slash),
    path("w/<slug:workspace>/", workspace, name="workspace"),
    path("w/<slug:workspace>/<path:rest>", workspace),
]
