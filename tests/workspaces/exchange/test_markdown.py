"""Letters and notes as Markdown, and one document with front matter that any YAML reader takes."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import Writer, op
from workspaces import facade
from workspaces.exchange.markdown import Page, many_pages, one_page


def front_matter(text: str) -> tuple[dict[str, Any], str]:
    start, head, body = text.split("---\n", 2)
    assert start == ""
    return yaml.safe_load(head), body


def test_a_letter_says_what_it_belongs_to(owner: Writer) -> None:
    app = owner.new(title="Engineer", company="Acme")
    letter = owner.new(
        "letter", title='Dear "you": --- #1', application=app, status="draft", texts={"body": "# Hello\n\n---\n\nBye"}
    )
    document = owner.read(letter)
    head, body = front_matter(facade.document_markdown(access=owner.access, document=letter))
    assert head == {
        "title": 'Dear "you": --- #1', "kind": "letter", "application": "Engineer, Acme", "status": "draft",
        "created_at": document["created_at"], "updated_at": document["updated_at"],
    }  # fmt: skip
    assert body == "\n# Hello\n\n---\n\nBye\n"


def test_every_kind_can_be_read_so(owner: Writer) -> None:
    for document in ("profile", "plan", owner.new(title="A"), owner.new("note"), owner.new("letter")):
        head, body = front_matter(facade.document_markdown(access=owner.access, document=document))
        assert (head["kind"], body) == (document.partition(":")[0], "\n")


def test_all_notes_stand_in_one_file_each_under_its_title(owner: Writer) -> None:
    owner.new("note", title="First *one*", texts={"body": "Body of it."})
    hidden, gone = owner.new("note", title="<script>", pinned=True), owner.new("note", title="Gone")
    owner.commit(op("document.archive", hidden), op("document.trash", gone))
    text = "".join(facade.markdown_of_kind(workspace=owner.workspace, kind="note"))
    first, second = text.split("\n---\n\n")
    assert first.startswith("# First \\*one\\*\n\n- kind: note\n- created at: 20")
    assert first.endswith("\n\nBody of it.\n")
    assert second.startswith("# \\<script\\>\n\n- kind: note\n- pinned: True\n- state: archived\n")
    assert "Gone" not in text


TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00") | st.sampled_from("\u2028\x85\ufffe\n")
)


@given(title=TEXTS, value=TEXTS)
def test_whatever_a_title_holds_the_front_matter_says_just_that(title: str, value: str) -> None:
    head, body = front_matter(one_page(Page(title=title, values={"recipient": value}, text="Text")))
    assert head == {"title": title, "recipient": value}
    assert body == "\nText\n"


@given(title=TEXTS)
def test_whatever_a_title_holds_a_heading_is_one_line(title: str) -> None:
    [page] = many_pages([Page(title=title, values={}, text="Text")])
    assert page.split("\n", 1)[1].strip("\n") == "Text"
