"""The API's page: everything of the document, readable without scripts and without anything from elsewhere."""

from __future__ import annotations

import html
import json
import re
import shlex
from itertools import pairwise

import pytest
from django.test import Client

from careervector.api_page import PROGRAM, prose
from workspaces.http.openapi import openapi_document

OPERATIONS = [operation for item in openapi_document()["paths"].values() for operation in item.values()]


@pytest.fixture(scope="module")
def page() -> str:
    return Client().get("/api/").content.decode()


def codes(page: str, operation: str) -> list[str]:
    """The snippets of an operation: curl, Python, perhaps an answer."""
    article = page.split(f'<article id="{operation}"')[1].split("</article>")[0]
    return [html.unescape(code) for code in re.findall(r"<pre><code>(.*?)</code></pre>", article, re.DOTALL)]


def test_it_is_there_for_everybody_and_sets_no_cookie() -> None:
    answer = Client().get("/api/")
    assert (answer.status_code, answer["Content-Type"], dict(answer.cookies)) == (200, "text/html; charset=utf-8", {})
    moved = Client().get("/api")
    assert (moved.status_code, moved["Location"]) == (302, "/api/")
    assert Client().post("/api/").status_code == 405


def test_it_runs_no_script_and_asks_nobody_else(page: str) -> None:
    assert "<script" not in page
    assert re.findall(r'(?:src|action)="([^"]*)"', page) == []
    foreign = [url for url in re.findall(r'<(?:link|a)\b[^>]*\bhref="([^"]*)"', page) if not url.startswith(("/", "#"))]
    assert foreign == []
    assert re.findall(r"url\(|@import", page.split("<style")[1].split("</style>")[0]) == []


def test_its_style_carries_the_policys_nonce() -> None:
    answer = Client().get("/api/")
    [nonce] = re.findall(r'<style nonce="([^"]+)"', answer.content.decode())
    assert f"'nonce-{nonce}'" in answer["Content-Security-Policy"]


def test_every_operation_parameter_and_refusal_is_on_it(page: str) -> None:
    for operation in OPERATIONS:
        article = page.split(f'<article id="{operation["operationId"]}"')[1].split("</article>")[0]
        names = {parameter["name"] for parameter in operation["parameters"]}
        refusals = {
            code
            for response in operation["responses"].values()
            for code in response.get("content", {}).get("application/problem+json", {}).get("examples", {})
        }
        missing = [name for name in sorted(names | refusals) if f"<code>{name}</code>" not in article]
        assert missing == [], operation["operationId"]
        assert html.escape(operation["summary"], quote=True) in article


def test_every_link_on_it_leads_somewhere_and_ids_are_unique(page: str) -> None:
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) - set(ids) == set()


def test_headings_go_down_one_level_at_a_time(page: str) -> None:
    levels = [int(level) for level in re.findall(r"<h([1-6])\b", page)]
    assert levels[0] == 1
    assert [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1] == []


@pytest.mark.parametrize("operation", OPERATIONS, ids=[operation["operationId"] for operation in OPERATIONS])
def test_its_snippets_are_what_they_say(page: str, operation: dict) -> None:
    shell, python = codes(page, operation["operationId"])[:2]
    words = shlex.split(shell)
    assert words[:2] == ["curl", "-X"]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
    assert ("-d" in words) == (body is not None)
    if body is not None:
        assert json.loads(words[words.index("-d") + 1]) == body
    compile(python, operation["operationId"], "exec")


def test_the_whole_program_is_on_it(page: str) -> None:
    assert html.escape("Makes a workspace, writes into it, watches what happens, and takes it back") in page
    assert PROGRAM in page


def test_nothing_of_the_document_becomes_markup() -> None:
    assert prose("a <b> `x<y` **strong** & co") == (
        "<p>a &lt;b&gt; <code>x&lt;y</code> <strong>strong</strong> &amp; co</p>"
    )
