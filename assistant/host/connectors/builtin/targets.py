"""From the words of a slot to the one document that they mean; two that fit are asked about, never guessed.

Above it stand the plans. "It" is the document of the clause before, else the one that is open, else the one last spoken of.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Sequence

from .intents.base import Request
from .markdown import plain
from .names import NOTHING, Found, companies, find
from .outcome import AskBack, CannotDo
from .sentence import Sentence
from .workspace import Document

MAX_CANDIDATES = 10
_PRONOUN = re.compile(
    r"(?:it|its|the|my|our|a|an|this|that|them|they|him|here|there|same|the same|both|"
    r"(?:the|this|that|my|our)(?: (?:same|current|open))? (?:application|job|role|position|one|note|letter|card|company|opportunity|offer|entry|document|page|task|item|to-?do)s?)"
)
_KIND_WORDS = re.compile(
    r"(?<!\w)(?:the |my |our )?(?:(?:german|english|french|draft|final|finished|first|second|other|old|latest|new) )*(?:cover(?:ing)? letters?|motivation letters?|letters?|anschreiben|notes?|memos?)(?!\w)",
    re.IGNORECASE,
)


def is_pronoun(mention: Sentence | None) -> bool:
    return mention is None or not mention or _PRONOUN.fullmatch(mention.folded.strip(" .,!?")) is not None


def application(request: Request, mention: Sentence | None) -> Document:
    """The one active application that the words mean. Raises AskBack or CannotDo."""
    if is_pronoun(mention):
        return current(request, "application")
    assert mention is not None
    found = find(mention.words, request.workspace.named(request.workspace.applications))
    if not found and "," in mention.words:
        found = find(mention.words.split(",")[0], request.workspace.named(request.workspace.applications))
    return settle(request, found, mention.words, "application")


def applications(request: Request, mention: Sentence | None) -> list[Document]:
    """One application, or several named together ("Larkspur and Kestrel")."""
    if mention is not None and not is_pronoun(mention):
        parts = list(re.finditer(r"\s*(?:,\s*and\s+|,\s*|\s+and\s+|\s*&\s*|\s+plus\s+)", mention.folded))
        if parts:
            whole = find(mention.words, request.workspace.named(request.workspace.applications))
            if not (whole and whole.sure):
                edges = [0, *(e for m in parts for e in m.span()), len(mention.folded)]
                pieces = [mention.part(edges[i], edges[i + 1]) for i in range(0, len(edges), 2)]
                return list({d.id: d for d in (application(request, piece) for piece in pieces if piece)}.values())
    return [application(request, mention)]


def mentioned(request: Request, text: str, *, several: bool = False) -> Document | None:
    """The application whose company a sentence mentions; None where it mentions none or several different ones.

    Raises AskBack where one company has several applications and nothing tells them apart.
    """
    groups = companies(text, request.workspace.named(request.workspace.applications))
    if len(groups) != 1:
        return None
    return settle(request, groups[0], text, "application")


def known_company(request: Request, text: str) -> Found:
    """Applications of a company named exactly or nearly so; nothing where the name is new."""
    return find(text, request.workspace.named(request.workspace.applications))


def written(request: Request, mention: Sentence | None, kinds: Sequence[str]) -> Document:
    """The one note or letter that the words mean."""
    kind = kinds[0] if len(kinds) == 1 else "document"
    if is_pronoun(mention):
        return current(request, *kinds)
    assert mention is not None
    found = look_for_written(request, mention, kinds)
    return settle(request, found, mention.words, kind)


def look_for_written(request: Request, mention: Sentence, kinds: Sequence[str]) -> Found:
    """Notes and letters by title, by their application or by recipient."""
    documents = request.workspace.of_kind(*kinds)
    named = request.workspace.named(documents)
    found = find(mention.words, named)
    if found and found.sure:
        return found
    name = _KIND_WORDS.sub(" ", mention.words).strip()
    if not name:
        return Found(tuple(d.id for d in documents))
    return find(name, named) or found or NOTHING


def current(request: Request, *kinds: str) -> Document:
    """What "it" means here. Raises AskBack where nothing is open or was spoken of."""
    context = request.guess.context
    if context is not None and request.previous is None and kinds[0] == "application":
        named = mentioned(request, context.words[:600])
        if named is not None:
            return named
    for doc_id in (request.previous, request.here, *request.spoken_of):
        document = request.workspace.documents.get(doc_id or "")
        if document is None or document.state != "active":
            continue
        if document.kind in kinds:
            return document
        owner = request.workspace.owner(document)
        if owner is not None and owner.kind in kinds:
            return owner
    word = {"application": "application", "note": "note", "letter": "letter"}.get(kinds[0], "document")
    raise AskBack(f"Which {word} do you mean? Please name it, for instance by its company.")


def settle(request: Request, found: Found, words: str, kind: str) -> Document:
    """One document of what was found, with an earlier answer to our question in mind."""
    documents = [request.workspace.documents[i] for i in found.ids if i in request.workspace.documents]
    picked = [document for document in documents if document.id in request.chosen]
    if len(picked) == 1:
        return picked[0]
    if not documents:
        raise CannotDo(_missing(request, words, kind))
    if len(documents) == 1 and found.sure:
        return documents[0]
    raise AskBack(question(documents, kind), tuple(document.id for document in documents[:MAX_CANDIDATES]))


def question(documents: Sequence[Document], kind: str) -> str:
    """The question back that names every document that fits (ten at most)."""
    if len(documents) == 1:
        return f"Did you mean {documents[0].link}? I have not changed anything yet."
    shown = [document.link for document in documents[:MAX_CANDIDATES]]
    if len(documents) == 2:
        return f"Which one do you mean: {shown[0]} or {shown[1]}? I have not changed anything yet."
    more = "\n- … and more; a longer name would help." if len(documents) > MAX_CANDIDATES else ""
    return (
        f"Which {kind} do you mean? Several fit, and I have not changed anything yet.\n"
        + "".join(f"\n- {line}" for line in shown)
        + more
    )


def _missing(request: Request, words: str, kind: str) -> str:
    nouns = {"application": "application", "note": "note", "letter": "letter"}
    text = f"I found no {nouns.get(kind, 'document')} that fits “{plain(words, 80)}”, so nothing was changed."
    if request.workspace.truncated:
        text += " I could not read the whole workspace, so it may still be there."
    return text + (
        " You can ask me to “show all my applications”, or to add it: “add an application: TITLE at COMPANY”."
        if kind == "application"
        else " You can ask me to “show my notes”."
        if kind == "note"
        else ""
    )
