"""Takes back the newest change of this thread by its receipt; a change taken back can be redone the same way."""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assistant.host.connectors.builtin.markdown import link, plain
from assistant.host.connectors.builtin.outcome import Answer, Refused

from .base import Intent, Request, pattern

if TYPE_CHECKING:
    from assistant.host.connectors.builtin.desk import Desk

_NO = r"(?:(?:no|nope|oops|oh no|wait|sorry|stop|hm+|argh|ah|ups|whoops|damn|nah|never ?mind|that was wrong|that's wrong|that is wrong|wrong|not what i (?:wanted|meant)|that was a mistake|that (?:was|is|wasn't|isn't) (?:not )?(?:what i (?:wanted|meant|asked for)|correct|intended)|i changed my mind|changed my mind|on second thoughts?|my mistake|mistake|i didn't mean (?:that|to do that)|that's not right|that wasn't right)[,.! -]*)*"
_THAT = r"(?:(?:it|that|this|them|everything|all|the|your|my|last|latest|previous|most recent|just|recent|one|change|changes|action|step|edit|edits|update|thing|move|modification|operation|you|did|made|have|what|of|that you|again|to|done|i|asked|for|from|before|now|right|we|commit|command|request|whole)\b ?)*"
_BACK = r"(?:back(?: |(?=[.!?]*$)))?(?:(?:to )?(?:the way|how|as|like|what|where) (?:it|that|this|things|they|everything) (?:was|were|used to be|looked)(?: before| originally| previously| at first)?|to (?:the )?(?:previous|old|original|former|earlier|last|prior) (?:state|version|value|one|stage|status)|to (?:before|normal|what it was(?: before)?|how it was(?: before)?)|before|again|please)?"

PATTERNS = (
    pattern(rf"{_NO}(?:undo|revert|rewind|roll ?back|roll (?:it|that|this) back|reverse|un-do|ctrl[ +-]?z|backtrack|unmake|undoing|annul|rescind) ?{_THAT}", 3),
    pattern(rf"{_NO}take (?:it|that|this|them|the last (?:one|change)|your (?:last )?change|what you did) back(?: again)?", 3),
    pattern(rf"{_NO}i take (?:it|that|this) back", 3),
    pattern(rf"{_NO}(?:go|step|jump) back(?: (?:one|a) (?:step|change|move))?(?: please)?", 3),
    pattern(rf"{_NO}(?:restore|bring back|give me back|reinstate|recover) (?:what|how|the way|whatever|everything|things|it|that|the)(?: (?:it|that|there|was|were|had|i|we|they|old|previous|state|value|version|before|stood|things|as|how))+(?: before| earlier)?", 3),
    pattern(rf"{_NO}take back {_THAT}", 3),
    pattern(rf"{_NO}(?:put|set|change|turn|bring|move|get|switch|make|restore|reset|return|have) (?:it|that|this|everything|things|them|all)(?: all)? {_BACK}", 3),
    pattern(rf"{_NO}(?:restore|go back to|back to|return to|reset to) (?:the )?(?:previous|old|original|former|earlier|last|prior|how it was|the way it was|what it was|before)(?: (?:state|version|value|one|it was|before))*", 3),
    pattern(rf"{_NO}(?:cancel|scratch|scrap|discard|drop|forget|remove|delete|dismiss|throw away|bin|reject|get rid of) (?:that|it|this|(?:the|your|my|that) (?:last|latest|previous) (?:change|edit|one|step|action|update)|that change|this change|the change|your change)(?: please)?", 2),
    pattern(r"(?:no[,.! ]+)?(?:i (?:didn't|did not) (?:mean|want) (?:that|this|it|you to do that)|that was (?:wrong|a mistake|not what i (?:wanted|meant))|that's (?:wrong|not what i (?:wanted|meant)))(?:[,.! ]+(?:undo|revert|put|take|change|go|roll)\b.*)?", 2),
    pattern(r"(?:redo|re-do)(?: (?:it|that|this|the (?:last )?change|again))*", 3, note="redo"),
    pattern(r"(?:undo|revert) the undo", 3, note="redo"),
    pattern(r"(?:undo|revert|take back|reverse) (?:the |my |your )?(?P<which>[^\n]{2,80}?)", 1, note="which"),
)  # fmt: skip


async def respond(request: Request, desk: Desk) -> Answer:
    receipts = desk.receipts
    note = request.guess.note
    if not receipts:
        return Answer(
            "There is no change of mine in this thread that could be taken back, so nothing was changed. Earlier changes can be undone in History."
        )
    receipt = receipts[0]
    if note == "redo" and not _reason(receipt).lower().startswith("undo"):
        return Answer("There is nothing to redo: my last change in this thread was not an undo.")
    if note == "which":
        words = [
            word
            for word in re.findall(r"[\w+#]{3,}", request.guess.plain("which"))
            if word not in ("the", "that", "last", "change", "change.", "move", "one", "and")
        ]
        fitting = [r for r in receipts if any(word in _reason(r).lower() for word in words)]
        if words and not fitting:
            listed = "\n".join(f"- {plain(_reason(r), 160)}" for r in receipts[:5])
            return Answer(
                f"I found no change of mine in this thread that fits. The newest ones are:\n\n{listed}\n\nSay “undo that” for the first."
            )
        receipt = fitting[0] if fitting else receipt
    documents = _documents(receipt)
    for doc_id in documents:
        await desk.document(doc_id)
    known = [doc_id for doc_id in documents if doc_id in desk.workspace.documents]
    reason = (
        f"Undo: {_reason(receipt)}" if note != "redo" else f"Redo: {re.sub(r'^(?i:undo): ?', '', _reason(receipt))}"
    )
    try:
        await desk.undo(str(receipt["id"]), known, reason)
    except Refused as refusal:
        if refusal.code != "stale_clock":
            return _refused(refusal, receipt)
        # Once more with what is there now; live work elsewhere does not stand in the way of an undo.
        for doc_id in known:
            await desk.document(doc_id)
        try:
            await desk.undo(str(receipt["id"]), known, reason)
        except Refused as second:
            return _refused(second, receipt)
    names = [desk.workspace.documents[doc_id].link for doc_id in known]
    return Answer(
        f"Taken back: {plain(_reason(receipt), 200)}"
        + (f" ({', '.join(names)})" if names else "")
        + ". Say “redo” to have it again.",
        tuple(known),
    )


def _reason(receipt: Mapping[str, Any]) -> str:
    return str(receipt.get("reason") or "the last change")


def _documents(receipt: Mapping[str, Any]) -> list[str]:
    clocks = receipt.get("clocks")
    if isinstance(clocks, Mapping):
        after = clocks.get("after") if isinstance(clocks.get("after"), Mapping) else clocks
        return [str(doc_id) for doc_id in after] if isinstance(after, Mapping) else []
    if isinstance(clocks, list):
        return [str(entry["document"]) for entry in clocks if isinstance(entry, Mapping) and "document" in entry]
    return []


def _refused(refusal: Refused, receipt: Mapping[str, Any]) -> Answer:
    what = plain(_reason(receipt), 200)
    if refusal.code == "undo_conflict":
        details = refusal.result.get("details")
        conflicts = details.get("conflicts") if isinstance(details, Mapping) else None
        paths = [str(c.get("path")) for c in conflicts if isinstance(c, Mapping)] if isinstance(conflicts, list) else []
        documents = tuple(dict.fromkeys(path.partition("/")[0] for path in paths))
        where = ", ".join(
            link(path.partition("/")[2].replace("/", " ") or "the document", path.partition("/")[0])
            for path in paths[:5]
        )
        return Answer(
            f"I could not take back “{what}”: later work touched the same place"
            + (f" ({where})" if where else "")
            + ". Nothing was changed; you can still edit it by hand.",
            documents,
        )
    if refusal.code in ("receipt_spent", "receipt_expired", "not_found"):
        word = {"receipt_spent": "it was taken back already", "receipt_expired": "it is too old"}.get(
            refusal.code, "it is not there any more"
        )
        return Answer(f"I could not take back “{what}”: {word}. Nothing was changed.")
    if refusal.code == "stale_clock":
        return Answer(
            f"Somebody is changing the same document right now, so I did not take back “{what}”. Please try again in a moment."
        )
    raise refusal


INTENT = Intent(
    name="undo_last",
    kind="undo",
    patterns=PATTERNS,
    examples=("Undo that", "revert your last change please", "No, put it back the way it was"),
    suggestion="take back my last change (“undo that”)",
    respond=respond,
)
