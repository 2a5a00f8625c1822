"""What the browser is held to, on pages, on the API and in the staff's views."""

from __future__ import annotations

import pytest
from django.test import Client


def _policy(answer: object) -> dict[str, str]:
    header: str = answer["Content-Security-Policy"]  # type: ignore[index]
    return dict(([*part.strip().split(" ", 1), ""])[:2] for part in header.split(";"))


def test_the_policy_of_the_product_is_strict(client: Client) -> None:
    assert _policy(client.get("/healthz")) == {
        "default-src": "'none'",
        "script-src": "'strict-dynamic'",
        "style-src": "'self'",
        "style-src-attr": "'unsafe-inline'",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": "'self' ws://testserver",
        "worker-src": "'self'",
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "lit-html",
    }


def test_the_other_headers_close_what_pages_do_not_need(client: Client) -> None:
    answer = client.get("/healthz")
    assert {name: answer[name] for name in ("X-Frame-Options", "X-Content-Type-Options", "Referrer-Policy")} == {
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
    }
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.django_db
def test_the_staff_s_login_runs_django_s_own_scripts_only(client: Client) -> None:
    policy = _policy(client.get("/staff/login/"))
    assert (policy["script-src"], policy["default-src"]) == ("'self'", "'none'")
    assert "require-trusted-types-for" not in policy


@pytest.mark.django_db
def test_the_staff_s_views_want_a_login(client: Client) -> None:
    answer = client.get("/staff/")
    assert (answer.status_code, answer["Location"]) == (302, "/staff/login/?next=/staff/")


def test_static_files_come_whole_with_their_type_and_a_head_without_a_body(client: Client) -> None:
    whole = client.get("/static/admin/css/base.css")
    assert (whole.status_code, whole["Content-Type"]) == (200, 'text/css; charset="utf-8"')
    assert int(whole["Content-Length"]) == len(whole.content) > 1000
    head = client.head("/static/admin/css/base.css")
    assert (head.status_code, head.content, head["Content-Length"]) == (200, b"", whole["Content-Length"])
    assert client.get("/static/../manage.py").status_code == 404
    cached = client.get("/static/admin/css/base.css", headers={"if-none-match": whole["ETag"]})
    assert (cached.status_code, cached.content) == (304, b"")
