"""HTML from rich-text editors, made into Markdown (long texts) or plain words (single lines).

Above: `resume_values`. Below: nh3, which reads HTML as browsers do and leaves a small, well-formed rest. Text that only
looks a little like HTML ("5 < 7", "<canvas> in words", "AT&T") is no HTML. Nothing here makes markup safe for a page:
pages escape what they show.
"""

from __future__ import annotations

import html
import re
from html.entities import html5
from html.parser import HTMLParser

import nh3

_DROPPED = {"script", "style", "title", "noscript", "template", "iframe", "object", "svg", "math", "head", "textarea",
            "select", "button", "canvas", "audio", "video"}  # fmt: skip
_HEADINGS = {f"h{n}": n for n in range(1, 7)}
_BLOCKS = {"p", "div", "section", "article", "header", "footer", "main", "aside", "address", "figure", "figcaption",
           "dl", "dt", "dd", "table", "tr", "center", "blockquote", "pre", "form", *_HEADINGS}  # fmt: skip
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "del": "~~", "s": "~~", "strike": "~~"}
_KEPT = {*_BLOCKS, *_MARKS, "ul", "ol", "li", "br", "hr", "a", "code", "td", "th", "img"}
_KNOWN = {*_KEPT, *_DROPPED, "span", "u", "small", "big", "font", "sub", "sup", "mark", "label", "body", "html",
          "tbody", "thead", "tfoot", "tt", "kbd", "samp", "var", "cite", "q", "abbr", "ins", "wbr", "meta", "link",
          "input", "embed", "nav", "picture", "source", "time", "details", "summary"}  # fmt: skip

# A tag as far as it tells what it is: closing or not, its name, and whether it ends there or goes on with an attribute.
_TAG = re.compile(
    r"<(?:(/?)([A-Za-z][A-Za-z0-9]{0,10})(?:(\s*/?>)|(?:\s+|/)[A-Za-z_:@-]+\s*=)|!(?:--|[dD][oO]|\[[cC][dD]))"
)
_ALONE = {"br", "hr", "wbr", "p", "li", "ul", "ol", "tr", "td", *_HEADINGS}
_ANY_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)[^<>]*>")
_VOID = {"br", "hr", "img", "wbr", "input", "meta", "link", "source", "embed"}
# Deeper nesting is a trick, and costs a parser the square of it.
_MAX_DEPTH = 200
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|([A-Za-z][A-Za-z0-9]{1,31}));")
_BAD_TARGET = re.compile(r"\b(?:href|src)\s*=\s*[\"']?\s*(?:javascript|data|vbscript|file)\s*:", re.IGNORECASE)
# Twice encoded text is common; more than that is not.
_PASSES = 3
_SPACES = re.compile(r"[ \t\n\r\f\xa0]+")


def is_html(text: str) -> bool:
    """Whether a text is markup rather than words."""
    if "<" in text and any(_is_markup(found) for found in _TAG.finditer(text)):
        return True
    return "&" in text and any(not found[1] or f"{found[1]};" in html5 for found in _ENTITY.finditer(text))


def _is_markup(tag: re.Match[str]) -> bool:
    """A closing tag, a tag with attributes, or one that stands alone: a single `<canvas>` is somebody's words."""
    closing, name, end = tag.groups()
    if name is None:
        return True
    name = name.lower()
    return name in _KNOWN and (end is not None if closing else end is None or name in _ALONE)


def has_unsafe_target(text: str) -> bool:
    """Whether the markup links to something that is no web or mail address."""
    return _BAD_TARGET.search(text) is not None


def to_markdown(text: str) -> str:
    """The words with their paragraphs, lists, emphasis and links."""
    return _converted(text, plain=False)


def to_plain(text: str) -> str:
    """The words in one line."""
    return _SPACES.sub(" ", _converted(text, plain=True)).strip()


def _converted(text: str, *, plain: bool) -> str:
    for _ in range(_PASSES):
        if not is_html(text):
            break
        text = _convert_once(text, plain=plain)
    return text


def _convert_once(text: str, *, plain: bool) -> str:
    if "<" not in text:
        return html.unescape(text).replace("\xa0", " ")
    if not re.search(r"<(?:br|p|div|li|tr|h[1-6]|pre)\b", text, re.IGNORECASE):
        # No blocks: the line breaks of the source are meant.
        text = re.sub(r"\r\n?|\n", "<br>", text)
    if _depth(text) > _MAX_DEPTH:
        return html.unescape(_ANY_TAG.sub(" ", text)).replace("\xa0", " ")
    cleaned = nh3.clean(
        text, tags=_KEPT, clean_content_tags=_DROPPED, attributes={"a": {"href"}, "img": {"alt"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"}, link_rel=None, strip_comments=True,
    )  # fmt: skip
    writer = _Writer(plain=plain)
    writer.feed(cleaned)
    writer.close()
    return writer.text()


def _depth(text: str) -> int:
    """How deep the tags are nested, at most: elements that end by themselves count as open."""
    depth = deepest = 0
    for found in _ANY_TAG.finditer(text):
        if found[2].lower() not in _VOID:
            depth = max(depth - 1, 0) if found[1] else depth + 1
            deepest = max(deepest, depth)
    return deepest


class _Writer(HTMLParser):
    """Writes Markdown from well-formed HTML. `_done` holds whole lines; `_line` is the one being written.

    Emphasis is written when its first word comes and ends with the line, so that no mark stands alone.
    """

    def __init__(self, *, plain: bool) -> None:
        super().__init__(convert_charrefs=True)
        self._plain = plain
        self._done: list[str] = []
        self._line = ""
        self._lists: list[int | None] = []
        self._quotes = 0
        self._pre = 0
        self._links: list[tuple[str, str]] = []
        self._marks: list[str] = []
        self._written = 0
        self._marker = ""
        self._gap = False

    def text(self) -> str:
        self._end_line()
        return re.sub(r"\n{3,}", "\n\n", "\n".join(self._done)).strip("\n ")

    # --- lines ---------------------------------------------------------------------------------------------------

    def _end_line(self) -> None:
        for mark in reversed(self._marks[: self._written]):
            self._close_mark(mark)
        self._written = 0
        line = self._line.strip() if not self._pre else self._line.rstrip()
        self._line = ""
        if not line:
            return
        if self._gap and self._done:
            self._done.append("")
        self._gap = False
        # Deep nesting is a trick, no list.
        indent = "" if self._plain else "  " * min(max(len(self._lists) - 1, 0), 6)
        lead = "> " * min(self._quotes, 3) if not self._plain else ""
        hanging = "  " if self._lists and not self._marker and not self._plain else ""
        self._done.append(f"{lead}{indent}{self._marker or hanging}{line}")
        self._marker = ""

    def _paragraph(self) -> None:
        self._end_line()
        if not self._lists:
            self._gap = True

    # --- what the parser calls -----------------------------------------------------------------------------------

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "br":
            self._end_line()
        elif tag in ("ul", "ol"):
            self._end_line()
            self._gap = self._gap or not self._lists
            start = values.get("start") or "1"
            self._lists.append(int(start) if tag == "ol" and start.isascii() and start.isdigit() and len(start) < 7
                               else 1 if tag == "ol" else None)  # fmt: skip
        elif tag == "li":
            self._end_line()
            self._marker = "" if self._plain else self._next_marker()
        elif tag in _BLOCKS:
            self._open_block(tag)
        elif tag == "a":
            self._write_marks()
            self._links.append((values.get("href") or "", self._line))
        elif tag == "img":
            self.handle_data((values.get("alt") or "").strip())
        elif tag in ("td", "th"):
            if self._line.strip():
                self._line = f"{self._line.rstrip()} | "
        elif tag == "hr":
            self._paragraph()
        elif tag == "code" or tag in _MARKS:
            self._marks.append("" if self._plain or self._pre else _MARKS.get(tag, "`"))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("ul", "ol"):
            self._end_line()
            if self._lists:
                self._lists.pop()
            self._gap = self._gap or not self._lists
        elif tag == "li":
            self._end_line()
            self._marker = ""
        elif tag in _BLOCKS:
            self._close_block(tag)
        elif tag == "a" and self._links:
            self._close_link()
        elif (tag == "code" or tag in _MARKS) and self._marks:
            if self._written == len(self._marks):
                self._close_mark(self._marks[-1])
                self._written -= 1
            self._marks.pop()

    def handle_data(self, data: str) -> None:
        if self._pre:
            *whole, rest = data.split("\n")
            for line in whole:
                self._line += line
                self._end_line()
            self._line += rest
            return
        words = _SPACES.sub(" ", data)
        if words == " " and (not self._line or self._line.endswith(" ")):
            return
        if words.startswith(" ") and self._line and not self._line.endswith(" "):
            self._line += " "
        words = words.lstrip(" ")
        if words:
            self._write_marks()
            self._line += words

    # --- pieces --------------------------------------------------------------------------------------------------

    def _next_marker(self) -> str:
        if not self._lists or self._lists[-1] is None:
            return "- " if self._lists else ""
        number = self._lists[-1]
        self._lists[-1] = number + 1
        return f"{number}. "

    def _open_block(self, tag: str) -> None:
        if tag in ("tr", "dt", "dd"):
            self._end_line()
        else:
            self._paragraph()
        if tag == "blockquote":
            self._quotes += 1
        elif tag == "pre":
            self._pre += 1
        elif tag in _HEADINGS and not self._plain:
            self._marker = f"{'#' * _HEADINGS[tag]} "

    def _close_block(self, tag: str) -> None:
        if tag in ("tr", "dt", "dd"):
            self._end_line()
        else:
            self._paragraph()
        if tag == "blockquote":
            self._quotes = max(self._quotes - 1, 0)
        elif tag == "pre":
            self._pre = max(self._pre - 1, 0)
        elif tag in _HEADINGS:
            self._marker = ""

    def _close_link(self) -> None:
        target, before = self._links.pop()
        words = self._line[len(before) :].strip() if self._line.startswith(before) else ""
        if not target or self._plain or not words:
            return
        # A target with brackets or spaces would end the Markdown link early.
        target = re.sub(r"[\s()<>]", lambda found: f"%{ord(found[0]):02X}", target)
        space = " " if before.endswith(" ") or not before else ""
        shown = words if words == target else f"[{words}]({target})"
        self._line = f"{before.rstrip(' ')}{space if before else ''}{shown}" if before else shown

    def _write_marks(self) -> None:
        for mark in self._marks[self._written :]:
            self._line += mark
        self._written = len(self._marks)

    def _close_mark(self, mark: str) -> None:
        # A mark right after a space would not end the emphasis.
        words = self._line.rstrip(" ")
        self._line = f"{words}{mark}{' ' if words != self._line else ''}"
