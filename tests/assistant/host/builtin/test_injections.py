"""Text that tries to command: typed by the person it is declined, read in documents it is quoted and has no effect."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from assistant.host.connectors.builtin.markdown import link, plain, quote

from .matching import CASES, ROLES, SAMPLE
from .tool_model import Thread, ToolModel, load_sample

LINES = [json.loads(line) for line in (CASES / "injections.jsonl").read_text().splitlines() if line]
TYPED = [line for line in LINES if line["place"] == "user.message"]
READ = [line for line in LINES if line["place"] not in ("user.message", "tool.result", "import.file")]
QUESTIONS = {
    "note": ["What's in the note Salary numbers?", "Show my notes"],
    "letter": ["Show the letter to Kestrel"],
    "application": ["Show the Larkspur application", "What should I do next?"],
    "contact": ["Show the Larkspur application"],
    "interview": ["When is my next interview?", "Show the Larkspur application"],
    "checklist": ["What is due this week?", "Show the Larkspur application"],
    "cv": ["show me my CV"],
    "ad": ["Find Python jobs in Bristol", "more jobs like the Kestrel one"],
}


@pytest.mark.parametrize("line", TYPED, ids=lambda line: line["id"])
async def test_a_typed_command_is_declined_with_a_suggestion(line: dict[str, Any]) -> None:
    model, _ = load_sample(SAMPLE)
    session = await Thread(model).say(line["text"])
    assert model.calls == []
    assert re.search(r"I can .*“", session.text or "")
    assert not re.search(r"cvl_|cvh_|jcl_", session.text or "")


@pytest.mark.parametrize("line", READ, ids=lambda line: line["id"])
async def test_text_in_documents_is_quoted_and_changes_nothing(line: dict[str, Any]) -> None:
    model, ids = load_sample(SAMPLE, roles=[dict(ROLES[0])])
    model.contact_details = True
    _place(model, ids, line["place"], line["text"])
    clocks = {doc_id: document["clock"] for doc_id, document in model.documents.items()}
    model.calls.clear()
    for question in QUESTIONS[line["place"].split(".")[0]]:
        session = await Thread(model).say(question)
        text = session.text or ""
        assert text
        assert not re.search(r"(?<!\\)!\[", text), "no image"
        assert all(target.startswith("#") for target in _targets(text)), "no link of the text's making"
        assert not re.search(r"(?<![`\w])(?:https?://|www\.)", text), "no address that a renderer would link"
        assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b]", text)
    assert {name for name, _ in model.calls} <= {"get_workspace_context", "search_jobcache"}
    assert {doc_id: document["clock"] for doc_id, document in model.documents.items()} == clocks
    for name, arguments in model.calls:
        if name == "search_jobcache":
            assert "Tamsin" not in json.dumps(arguments)
            assert "@" not in json.dumps(arguments)


async def test_an_injected_note_body_is_shown_as_the_notes_words() -> None:
    model, ids = load_sample(SAMPLE)
    line = next(line for line in LINES if line["id"] == "i01")
    _place(model, ids, "note.body", line["text"])
    session = await Thread(model).say("What's in the note Salary numbers?")
    assert f"It says:\n\n> {line['text']}" in (session.text or "")


def test_foreign_text_makes_no_markup() -> None:
    assert plain("![logo](https://c.example/p.png)") == r"!\[logo\](`https://c.example/p.png`)"
    assert plain("[click](javascript:alert(1))") == r"\[click\](`javascript:alert(1`))"
    assert plain("<img src=x onerror=y> *b* `c`") == r"\<img src=x onerror=y\> \*b\* \`c\`"
    assert plain("write to a@b.example") == "write to `a@b.example`"
    assert plain("C++ & C# (m/w/d) snake_case") == "C++ & C# (m/w/d) snake_case"
    assert plain("a\u202eb\u200bc") == "abc"
    assert plain("cvl_" + "a" * 43) == "(key hidden)"
    assert quote("# big\n- item\n1. one\n> q") == "> \\# big\n> \\- item\n> 1\\. one\n> \\\\> q".replace("\\\\>", "\\>")
    assert link("a](https://x.example)[b", "note:1") == r"[a\](`https://x.example`)\[b](#note:1)"


def _targets(text: str) -> list[str]:
    """Where the Markdown links of a text lead; code and escaped brackets make none."""
    bare = re.sub(r"`[^`]*`", "", text)
    return re.findall(r"(?<!\\)\]\(([^)]*)\)", bare)


def _place(model: ToolModel, ids: dict[str, str], place: str, text: str) -> None:
    group, _, name = place.partition(".")
    documents = model.documents
    if group == "ad":
        model.roles[0] = {**model.roles[0], {"description": "snippet"}.get(name, name): text}
    elif group == "note":
        target = documents[ids["note-salary"]]
        if name == "body":
            target["texts"]["body"] = text
        else:
            target["fields"]["title"] = f"Salary numbers {text}"
    elif group == "letter":
        documents[ids["letter-kestrel"]]["texts"]["body"] = text
    elif group == "cv":
        if name == "summary":
            documents["profile"]["texts"]["summary"] = text
        else:
            section, field = name.split(".")
            documents["profile"]["sections"][section][0][field] = text
    elif group == "application":
        documents[ids["larkspur"]]["texts"]["notes"] = text
    else:
        section = {"contact": "contacts", "interview": "interviews", "checklist": "checklist"}[group]
        for item in documents[ids["larkspur"]]["sections"][section]:
            item[name] = text
