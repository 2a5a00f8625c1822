"""What a turn has read of the workspace: documents as plain values, with the names by which people call them.

Filled by `desk` from tool results only. Everything in it is data: nothing here is ever classified.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .markdown import link
from .names import Named

KINDS = ("application", "note", "letter", "plan", "profile")
_LANGUAGES = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian", "nl": "dutch",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Document:
    """One document as the tools projected it. `cut` names texts that are longer than what is here."""

    id: str
    kind: str
    clock: int
    state: str
    fields: Mapping[str, Any]
    sections: Mapping[str, Sequence[Mapping[str, Any]]]
    texts: Mapping[str, str]
    cut: tuple[str, ...] = ()

    def get(self, name: str) -> Any:
        return self.fields.get(name)

    def text(self, name: str) -> str:
        value = self.texts.get(name)
        return value if isinstance(value, str) else ""

    def items(self, section: str) -> list[Mapping[str, Any]]:
        found = self.sections.get(section)
        return [item for item in found if isinstance(item, Mapping)] if isinstance(found, (list, tuple)) else []

    @property
    def name(self) -> str:
        """What an answer calls it: `Company – Title` for an application."""
        if self.kind == "application":
            parts = [str(part) for part in (self.get("company"), self.get("title")) if part]
            return " – ".join(parts) or "Untitled application"
        if self.kind in ("plan", "profile"):
            return {"plan": "your plan", "profile": "your profile"}[self.kind]
        return str(self.get("title") or f"Untitled {self.kind}")

    @property
    def link(self) -> str:
        return link(self.name, self.id)


@dataclass(slots=True)
class Workspace:
    """Documents read so far in this turn, archived ones apart."""

    documents: dict[str, Document] = field(default_factory=dict)
    complete: set[str] = field(default_factory=set)
    # Documents that were read alone, so with all their sections and texts.
    whole: set[str] = field(default_factory=set)
    truncated: bool = False

    def take(self, result: Mapping[str, Any]) -> list[Document]:
        """Adds the documents of a context result or of a refusal's fresh projection."""
        clocks = result.get("clocks")
        taken = []
        for entry in _list(result.get("documents")):
            document = _document(entry, clocks if isinstance(clocks, Mapping) else {})
            if document is not None:
                document = _merged(self.documents.get(document.id), document)
                self.documents[document.id] = document
                taken.append(document)
        return taken

    def of_kind(self, *kinds: str) -> list[Document]:
        return [d for d in self.documents.values() if d.kind in kinds and d.state == "active"]

    @property
    def applications(self) -> list[Document]:
        return self.of_kind("application")

    @property
    def plan(self) -> Document | None:
        return self.documents.get("plan")

    @property
    def profile(self) -> Document | None:
        return self.documents.get("profile")

    def owner(self, document: Document) -> Document | None:
        """The application that a note or letter belongs to."""
        reference = document.get("application")
        return self.documents.get(reference) if isinstance(reference, str) else None

    def named(self, documents: Iterable[Document]) -> tuple[Named, ...]:
        """The names of documents, for `names.find`."""
        return tuple(self._named(document) for document in documents)

    def _named(self, document: Document) -> Named:
        title = str(document.get("title") or "")
        if document.kind == "application":
            extra = " ".join(str(document.get(name) or "") for name in ("location", "stage", "tier", "work_mode"))
            return Named(document.id, title=title, company=str(document.get("company") or ""), extra=extra)
        owner = self.owner(document)
        language = _LANGUAGES.get(str(document.get("language") or "")[:2].lower(), "")
        extra = f"{document.get('recipient') or ''} {document.get('status') or ''} {language}"
        if owner is not None:
            return Named(
                document.id,
                title=title,
                company=str(owner.get("company") or ""),
                extra=f"{extra} {owner.get('title') or ''}",
            )
        return Named(document.id, title=title, extra=extra)


def _merged(known: Document | None, fresh: Document) -> Document:
    """Surfaces show documents in different depth: what was read of the same state before stays."""
    if known is None or known.clock != fresh.clock:
        return fresh
    return replace(
        fresh,
        sections={**known.sections, **fresh.sections},
        texts={**known.texts, **fresh.texts},
        cut=tuple(dict.fromkeys((*known.cut, *fresh.cut))),
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _document(entry: Any, clocks: Mapping[str, Any]) -> Document | None:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("id"), str):
        return None
    doc_id = entry["id"]
    clock = clocks.get(doc_id, entry.get("clock"))
    if not isinstance(clock, int):
        return None
    sections = entry.get("sections")
    return Document(
        id=doc_id,
        kind=str(entry.get("kind") or doc_id.partition(":")[0]),
        clock=clock,
        state=str(entry.get("state") or "active"),
        fields=entry["fields"] if isinstance(entry.get("fields"), Mapping) else {},
        sections=sections if isinstance(sections, Mapping) else {},
        texts=entry["texts"] if isinstance(entry.get("texts"), Mapping) else {},
        cut=tuple(str(path) for path in _list(entry.get("cut"))),
    )
