"""Amounts of money in words: "85k", "£40-45k a year", "70000 euros", "85.000 €", "at least 100k".

Reads folded text; answers whole units. An amount without currency has None for it.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from dataclasses import dataclass

CURRENCIES = {
    "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR", "£": "GBP", "gbp": "GBP", "pound": "GBP", "pounds": "GBP", "quid": "GBP",
    "sterling": "GBP", "$": "USD", "usd": "USD", "us$": "USD", "dollar": "USD", "dollars": "USD", "chf": "CHF", "franc": "CHF",
    "francs": "CHF", "swiss francs": "CHF", "sfr": "CHF", "fr.": "CHF", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "kronor": "SEK", "pln": "PLN",
    "zloty": "PLN", "czk": "CZK", "huf": "HUF", "cad": "CAD", "aud": "AUD", "nzd": "NZD", "jpy": "JPY", "yen": "JPY", "inr": "INR", "rupees": "INR",
    "sgd": "SGD", "hkd": "HKD", "ron": "RON", "bgn": "BGN", "zar": "ZAR", "brl": "BRL", "mxn": "MXN", "ils": "ILS", "aed": "AED", "try": "TRY",
}  # fmt: skip
_SIGN = "(?:" + "|".join(sorted(map(re.escape, CURRENCIES), key=lambda c: -len(c))) + ")"
_AMOUNT = r"[0-9]{1,3}(?:[,.' ][0-9]{3}){1,3}|[0-9]{1,9}(?:[.,][0-9]{1,2})?"
_PERIOD = re.compile(
    r"(?:per|a|an|each|/|every) ?(?P<p>hour|hr|h|day|d|week|month|mo|year|yr|annum)\b|\b(?P<a>hourly|daily|monthly|yearly|annually|annual|pa|p\.a\.)(?!\w)"
)
_MONEY = re.compile(
    rf"(?<![\w.,])(?P<s1>{_SIGN})? ?(?P<n1>{_AMOUNT}) ?(?P<k1>k|thousand|grand|m|million)?(?![a-z0-9])(?: ?(?P<s2>{_SIGN})(?![a-z]))?"
    rf"(?: ?(?:-|to|and|up to) ?(?P<s3>{_SIGN})? ?(?P<n2>{_AMOUNT}) ?(?P<k2>k|thousand|grand|m|million)?(?![a-z0-9])(?: ?(?P<s4>{_SIGN})(?![a-z]))?)?"
)


@dataclass(frozen=True, slots=True)
class Money:
    """`least` and `most` are equal for a single amount. `marked`: a currency, a k or a period was said."""

    least: int
    most: int
    currency: str | None
    period: str | None
    marked: bool
    start: int
    end: int


def _amount(text: str, scale: str | None) -> int:
    digits = text.strip()
    grouped = re.fullmatch(r"[0-9]{1,3}(?:[,.' ][0-9]{3})+", digits)
    value = float(re.sub(r"\D", "", digits)) if grouped else float(digits.replace(",", "."))
    return round(value * {"k": 1_000, "t": 1_000, "g": 1_000, "m": 1_000_000}.get((scale or " ")[0], 1))


def find_money(text: str, *, limit: int = 600) -> Money | None:
    """The first amount that is marked as money, else the first number of four digits or more."""
    best: Money | None = None
    for match in _MONEY.finditer(text[:limit]):
        scale = match["k1"] or (match["k2"] if match["n2"] else None)
        least = _amount(match["n1"], scale)
        most = _amount(match["n2"], match["k2"]) if match["n2"] else least
        if match["n2"] and match["k1"] and not match["k2"] and most < least:
            most = _amount(match["n2"], match["k1"])
        sign = match["s1"] or match["s2"] or match["s3"] or match["s4"]
        if sign == "try" and match["s1"]:
            sign = None
        period = _PERIOD.match(text[match.end() :].lstrip())
        said = None
        end = match.end()
        if period:
            said = _period(period["p"] or period["a"])
            end += len(text[match.end() :]) - len(text[match.end() :].lstrip()) + period.end()
        marked = bool(sign or scale or (period and said))
        if max(least, most) > 1_000_000_000 or most < least:
            continue
        money = Money(least, most, CURRENCIES.get(sign or ""), said, marked, match.start(), end)
        if marked:
            return money
        if best is None and least >= 1_000:
            best = money
    return best


def _period(word: str) -> str | None:
    if word.startswith("h"):
        return "hour"
    if word.startswith("d"):
        return "day"
    if word.startswith("m"):
        return "month"
    return None if word.startswith("w") else "year"


def find_currency(text: str) -> str | None:
    """A currency named alone ("in euros", "CHF")."""
    match = re.search(rf"(?<![\w]){_SIGN}(?![\w])", text)
    return CURRENCIES[match.group()] if match else None
