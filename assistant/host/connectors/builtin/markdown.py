"""Putting text that others wrote into Markdown answers: always as plain words, never as markup, images or links.

Everything from documents, job ads and tools passes here before it is shown. Addresses are set as code, so that no renderer
makes a link of them; the only links in an answer are the ones this module makes, to documents and roles by id.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re

from .sentence import clean

_ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]{1,20}:(?://)?[^\s`\]\[]{2,}|www\.[^\s`\]\[]{2,}|[\w.+-]+@[\w-]+\.[\w.-]+)", re.IGNORECASE
)
_SCHEME = re.compile(r"(?:https?|ftp|file|mailto|tel|data|javascript|ws|wss|ssh|blob|vbscript|sms)\b", re.IGNORECASE)
# Anything that could be a key of ours is not repeated, wherever it stood.
_SECRET = re.compile(r"\b(?:cvl|cvh|jcl|cvc)_[A-Za-z0-9_-]{6,}")
_ID = re.compile(r"[A-Za-z0-9_:.-]{1,80}")


def plain(text: object, limit: int = 300) -> str:
    """One line of foreign text, escaped; longer than `limit` is cut with an ellipsis."""
    line = " ".join(clean(str(text)).split())
    if len(line) > limit:
        line = line[: limit - 1].rstrip() + "…"
    return _escaped(line)


def link(label: object, target: str, limit: int = 160) -> str:
    """`[label](#id)` for a document or role id; a label alone where the id is not one."""
    text = plain(label, limit) or "untitled"
    return f"[{text}](#{target})" if _ID.fullmatch(target) else text


def quote(text: object, limit: int = 1_500) -> str:
    """A foreign text of several lines as a block quote; cut at `limit` characters, and said so."""
    whole = clean(str(text)).strip()
    cut = whole[:limit]
    lines = [_escaped(line.rstrip()) for line in cut.split("\n")]
    shown = "\n".join(f"> {_unblocked(line)}".rstrip() for line in lines)
    return shown + ("\n>\n> … (cut here)" if len(whole) > limit else "")


def _unblocked(line: str) -> str:
    """A line that would open a heading, list, rule, table or quote inside the block keeps its words only."""
    line = re.sub(r"^(\s*)([#>=|~]|[-+](?=\s|[-+])|[-+]$)", r"\1\\\2", line.replace("\t", " "))
    line = re.sub(r"^(\s*)(\d{1,9})([.)])(?=\s|$)", r"\1\2\\\3", line)
    return line.lstrip(" ")


def _escaped(line: str) -> str:
    line = _SECRET.sub("(key hidden)", line)
    shown: list[str] = []
    last = 0
    for match in _ADDRESS.finditer(line):
        text = match.group()
        if not ("@" in text or text.lower().startswith("www.") or "://" in text or _SCHEME.match(text)):
            continue
        tail = re.search(r"[.,;:!?)\]}>'\"*_~]+$", text)
        end = match.start() + (tail.start() if tail else len(text))
        if end <= match.start():
            continue
        shown.append(_marked(line[last : match.start()]))
        shown.append(f"`{line[match.start() : end]}`")
        last = end
    shown.append(_marked(line[last:]))
    return "".join(shown)


def _marked(text: str) -> str:
    text = re.sub(r"([\\`*\[\]<>|])", r"\\\1", text)
    text = text.replace("~~", r"\~\~").replace("$$", r"\$\$")
    text = re.sub(r"(?<!\w)_|_(?!\w)", r"\\_", text)
    return re.sub(r"&(?=#?\w{1,32};)", r"\\&", text)
