"""From a sentence to the arguments of a job search: filters are taken out one by one, the rest are the words to look for.

The words go out as they were typed ("C++" stays "C++"). Above: `search_jobs`. Sees the person's sentence and nothing else.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

from .dates import find_date
from .money import find_currency, find_money
from .places import COUNTRIES, find_city, find_country
from .sentence import Sentence
from .vocabulary import EMPLOYMENT_WORDS, MODE_WORDS, NUMBER, find_word, read_number

MAX_QUERY = 200
_SPAN = r"(?:days?|weeks?|fortnights?|months?|hours?|years?)"
_POSTED = re.compile(
    rf"(?:(?:that (?:were|have been|are) )?(?:posted|published|advertised|listed|added|opened|put up|appeared|came out|from|since|in|within|during|over|for)(?: (?:in|within|during|over|from|since|on|not (?:older|more) than))* )?"
    rf"(?:(?:the )?(?:last|past|previous)(?: (?P<n>{NUMBER}|few))? ?(?P<u>{_SPAN})|(?P<w>this week|this month|today|yesterday|since yesterday|last week|since last week|last month|since monday|recently)"
    rf"|(?:less than|not older than|no older than|newer than|younger than|at most|up to|max(?:imum)?) (?P<n2>{NUMBER}) (?P<u2>{_SPAN})(?: old| ago)?|(?:within|in) (?P<n3>{NUMBER}) (?P<u3>{_SPAN}))(?!\w)"
)
_SINCE = re.compile(
    r"(?<!\w)(?:(?:that (?:were|have been|are) )?(?:posted|published|advertised|listed|added|new|from) )?(?:since|after) (?=(?:last |the )?[a-z0-9])"
)
_PAYING = re.compile(
    r"(?<![\w+#])(?:(?:that|which|and|who|with|where)(?: (?:i|it|they))? ?)?(?:(?:paying|pays?|paid|salary(?: of)?|salaries|earn(?:ing)?s?|pay|for|with|from|starting at|a|the|is|minimum|min\.?|at least|above|over|more than|upwards of|of|not less than|no less than|at|around|about|>=|>|or more|wage|annual|yearly|up from|making|make|makes) ?)*$"
)
_AFTER_PAY = re.compile(
    r"^ ?(?:\+|or more|and (?:up|more|above)|plus|minimum|upwards|salary|at least|or higher)*(?: (?:a|per) (?:year|month|annum))?"
)
_IN = re.compile(
    r"(?<![\w-])(?:based in|located in|somewhere in|anywhere in|within|in and around|in or near|in|near|around|close to|at|from)(?: the)?(?: (?:city|area|region|greater|country) (?:of )?)? (?P<place>[a-z][a-z .'-]{1,60}?(?:, [a-z][a-z .'-]{1,40}?)?)(?P<end>$|[?!.;:]|,| (?:with|paying|pay|posted|that|which|for|from|since|at|over|above|and|or|please|published|within|working|as|where|remote|hybrid|part|full|in|area|region|salary|earning|starting|using|on)\b)"
)
_TOP = re.compile(
    r"\b(?:top|first|show(?: me)?|list|the|give me|find(?: me)?|up to|only) (?P<n>[0-9]{1,2}|two|three|four|five|six|seven|eight|nine|ten|twenty)\b(?! (?:days?|weeks?|months?|years?|hours?))"
)
_STOP = frozenset(
    """a an the any some new more other all of for me us my i we you is are am be there do does did have has had got get find search look looking seek show list give
    want need would like please job jobs role roles position positions opening openings vacancy vacancies work gig gigs opportunity opportunities posting postings ad ads
    offer offers employment out up at in on with and or that which who what whose where this these those near around available open currently now today hiring
    recruiting seeking recent recently latest newest fresh good great nice interesting suitable as to from by posted published advertised paying pay salary about around
    market can could will work's it its'  something anything stuff people company companies employer employers someone anyone listings type kind fully area region based located
    career browse suggest recommend matching relevant let's see only just few still such very really one ones""".split()
)
# Beside a kind of employment these are no search of their own ("summer internship").
_SAYS_LITTLE = frozenset({"summer", "winter", "student", "paid", "graduate", "entry-level", "junior", "senior"})
_KEEP_INSIDE = frozenset({"and", "of", "in", "on", "at", "to", "for", "a", "the"})


def read_search(folded: str, words: Sentence, today: date | None = None) -> dict[str, Any]:
    """Arguments of `search_jobcache` (without those that were not said). `folded` is the text of `words`; "since Friday" needs `today`."""
    text = list(folded)
    arguments: dict[str, Any] = {}

    def hide(start: int, end: int) -> None:
        text[start:end] = "\x00" * (end - start)

    def shown() -> str:
        return "".join(text)

    if today is None or not _since(shown(), today, arguments, hide):
        _posted(shown(), arguments, hide)
    top = _TOP.search(shown())
    if top:
        arguments["limit"] = max(1, min(25, read_number(top["n"]) or 10))
        hide(*top.span("n"))
    _money(shown(), arguments, hide)
    for name, vocabulary in (("employment_type", EMPLOYMENT_WORDS), ("work_mode", MODE_WORDS)):
        found = find_word(vocabulary, shown())
        if found:
            arguments[name] = found[0]
            hide(found[1], found[2])
    _place(shown(), arguments, hide, words)
    arguments["query"] = _query(shown(), words)
    if arguments["query"].lower() in _SAYS_LITTLE:
        arguments["query"] = f"{arguments['query']} {fallback_query(folded, {})}".strip()
    return {name: content for name, content in arguments.items() if content is not None}


def _since(text: str, today: date, arguments: dict[str, Any], hide: Any) -> bool:
    """ "Since last Monday", "posted after 20 November": the days back to then."""
    lead = _SINCE.search(text)
    found = find_date(text[lead.end() :], today) if lead else None
    if lead is None or found is None or found.start > 0:
        return False
    on = found.on
    while on >= today and (on - today).days < 400:
        on -= timedelta(days=7 if (on - today).days <= 7 else 365)
    arguments["posted_within_days"] = max(1, min(180, (today - on).days))
    hide(lead.start(), lead.end() + found.end)
    return True


def _posted(text: str, arguments: dict[str, Any], hide: Any) -> None:
    found = _POSTED.search(text)
    if not found:
        return
    word = found["w"]
    if word:
        days = {
            "this week": 7,
            "last week": 7,
            "since last week": 7,
            "since monday": 7,
            "this month": 31,
            "last month": 31,
            "today": 1,
            "yesterday": 2,
            "since yesterday": 2,
            "recently": 14,
        }[word]
    else:
        number = found["n"] or found["n2"] or found["n3"] or "one"
        count = 3 if number == "few" else read_number(number) or 1
        unit = (found["u"] or found["u2"] or found["u3"])[0]
        days = max(1, count // 24) if unit == "h" else count * {"d": 1, "w": 7, "f": 14, "m": 30, "y": 365}[unit]
    arguments["posted_within_days"] = max(1, min(180, days))
    hide(*found.span())


def _money(text: str, arguments: dict[str, Any], hide: Any) -> None:
    money = find_money(text)
    if money is None or money.least < 10:
        return
    before = _PAYING.search(text[: money.start])
    start = before.start() if before else money.start
    if not money.marked and start >= money.start:
        return  # a bare number that is not said to be pay
    arguments["salary_min"] = money.least
    after = _AFTER_PAY.match(text[money.end :])
    end = money.end + (after.end() if after else 0)
    arguments["currency"] = money.currency or find_currency(text[end:])
    hide(start, end)


def _place(text: str, arguments: dict[str, Any], hide: Any, words: Sentence) -> None:
    for found in _IN.finditer(text):
        start, end = found.span("place")
        country = find_country(text[start:end] if text[start:end] != "us" else "the us")
        name = found["place"].strip()
        if not country and not find_city(name) and found.group().startswith(("at ", "from ")):
            continue
        first = name.split(",")[0]
        if first in _NOT_PLACES or first.split(" ")[-1] in _NOT_PLACES or name.split(" ")[0] in _STOP - {"the"}:
            continue
        if country:
            arguments["country"] = country[0]
            rest = (name[: country[1]] + name[country[2] :]).strip(" ,.") if len(name) > country[2] - country[1] else ""
            if name.removeprefix("the ") in COUNTRIES:
                rest = ""
            if rest:
                arguments["location"] = (
                    words.original(start, start + max(1, country[1])).strip(" ,.") if country[1] > 0 else rest
                )
        else:
            arguments["location"] = words.original(start, end).strip(" ,.")
        hide(found.start(), end)
        break
    else:
        city = find_city(text)
        if city and "location" not in arguments:
            arguments["location"] = words.original(*city)
            hide(*city)
        country = find_country(text)
        if country and "country" not in arguments:
            arguments["country"] = country[0]
            hide(country[1], country[2])
    # "in Berlin, Germany": the second half.
    country = find_country("".join(c for c in text)) if "country" not in arguments and "location" in arguments else None
    if country:
        arguments["country"] = country[0]
        hide(country[1], country[2])


_NOT_PLACES = frozenset(
    """tech technology finance marketing sales healthcare health education software design data engineering it hr research retail
    logistics consulting general particular robotics banking media science security hospitality construction law accounting person
    development learning intelligence medicine nursing cyber cybersecurity ai web project service services sector arts architecture physics
    chemistry biology pharma statistics analytics testing management administration translation journalism biotech crypto ecommerce
    office cloud devops fintech gaming advertising insurance manufacturing energy""".split()
)


def _query(text: str, words: Sentence) -> str:
    """What is left, verbatim, without the words that only ask."""
    kept: list[str] = []
    for match in re.finditer(r"[^\s\x00]+", text):
        token = match.group()
        bare = token.strip(".,;:!?()\"'")
        if not bare:
            continue
        raw = (
            words.original(*match.span()).strip(".,;:!?()\"'“”‘’ ")
            if not token.startswith(".net")
            else words.original(*match.span())
        )
        kept.append(raw if bare not in _STOP and bare.removesuffix("'s") not in _STOP else f"\x01{raw}")
    while kept and kept[0].startswith("\x01"):
        kept.pop(0)
    while kept and kept[-1].startswith("\x01"):
        kept.pop()
    # Small words stay between two that count ("head of marketing").
    chosen = [
        word.lstrip("\x01")
        for word in kept
        if not word.startswith("\x01") or word[1:].lower() in _KEEP_INSIDE - {"a", "the", "for"}
    ]
    return " ".join(chosen)[:MAX_QUERY].strip()


def fallback_query(text: str, arguments: dict[str, Any]) -> str:
    """Words for a search that has filters only ("any internships?", "remote jobs in Leeds")."""
    for vocabulary in (EMPLOYMENT_WORDS, MODE_WORDS):
        found = find_word(vocabulary, text)
        if found:
            return text[found[1] : found[2]]
    place = arguments.get("location")
    if place:
        return str(place)
    code = arguments.get("country")
    return next((name.title() for name, value in COUNTRIES.items() if value == code), "")


def public_title(title: str) -> str:
    """The title of an application as search words: no bracketed additions, nothing that looks like an address or a number."""
    words = re.sub(r"\([^)]*\)|\[[^\]]*\]", " ", title)
    words = re.sub(r"\S*(?:@|://|www\.)\S*|\S*\d{5,}\S*", " ", words)
    words = re.sub(r"[^\w\s+#./&-]", " ", words)
    return " ".join(words.split()[:8])[:MAX_QUERY].strip()
