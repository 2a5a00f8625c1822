"""Reading one sentence about a career into an entry of the profile: a job, a degree, a certificate, a link.

"I worked at Plover Ltd as a tester from 2012 to 2013", "add my MSc in Physics from Leith, 2018-2019". Partial dates stay
partial. Above: `update_profile`.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import calendar
import re
from typing import Any

from .changes import one_line
from .intents.base import Guess, Pattern, pattern

_MONTHS = {name[:3].lower(): number for number, name in enumerate(calendar.month_name) if name}
_WHEN = rf"(?:(?:{'|'.join(_MONTHS)})[a-z]*\.? )?(?:19|20)[0-9]{{2}}(?:-[01][0-9])?|[01]?[0-9]/(?:19|20)[0-9]{{2}}"
_PERIOD = re.compile(
    rf"[\s,(-]*(?:\b(?P<lead>from|since|in|between|starting|during|until|till|to)\s+)?(?P<a>{_WHEN})(?:\s*(?:-|–|—|to|until|till|and)\s*(?P<b>{_WHEN}|now|today|present))?\)?[\s.!]*$",
    re.IGNORECASE,
)
_YEAR = r"(?=.*\b(?:19|20)[0-9]{2})"
_DEGREE = r"(?P<degree>b\.?sc|m\.?sc|b\.?a|m\.?a|ph\.?d|mba|b\.?eng|m\.?eng|llb|llm|bachelor(?:'?s)?(?: degree| of [a-z]+)?|master(?:'?s)?(?: degree| of [a-z]+)?|doctorate|diploma|degree|a-levels?|hnd)"
_NETWORK = r"(?P<network>github|linkedin|linked in|gitlab|mastodon|twitter|stack ?overflow|xing|bluesky|instagram|facebook|medium|behance|dribbble|youtube|kaggle|orcid|codeberg|bitbucket|hugging ?face)"
_GOT = r"(?:i(?:'ve| have)?(?: (?:just|now|also|recently))* (?:got|earned|passed|obtained|received|completed|gained|did|finished|hold|have))"
_ADD = r"(?:add|put|include|list|insert|save|enter|record)"
_CV = r"(?:,? ?(?:to|in|on|into) (?:my |the )?(?:cv|resume|profile|certificates?|certifications?|education|work experience|experience|work history))?"
_ADD_IT = r"(?:[,.]? ?(?:and |please |so )*(?:add|put|save) (?:it|that|this)(?: (?:to|in|on) (?:my |the )?(?:cv|resume|profile|certificates|education))?)?"

PATTERNS: tuple[Pattern, ...] = (
    pattern(rf"{_YEAR}i(?:'ve| have)? (?:(?:also|now|previously|once|used to|been|was|am|have) )*(?:work|worked|working|employed) (?:at|for|with|by) (?:the )?(?P<name>[^\n]{{2,80}}?),? as (?:an? |the |their )?(?P<position>[^\n]{{2,120}}?){_ADD_IT}", 3, note="entry_work"),
    pattern(rf"{_YEAR}i(?:'ve| have)? (?:(?:also|now|previously|once|been|was|am|have) )*(?:work|worked|working|employed|been|was) as (?:an? |the )?(?P<position>[^\n]{{2,80}}?) (?:at|for|with) (?P<name>[^\n]{{2,120}}?){_ADD_IT}", 3, note="entry_work"),
    pattern(rf"{_YEAR}i (?:was|am|have been) (?:an? |the )(?P<position>[^\n]{{2,80}}?) (?:at|for|with) (?P<name>[^\n]{{2,120}}?){_ADD_IT}", 2, note="entry_work"),
    pattern(rf"(?:{_ADD} |{_GOT} |i did )?(?:my |an? |the )(?:new )?{_DEGREE}(?: (?:in|of) (?P<area>[^\n]{{2,100}}?))? (?:from|at|of) (?:the )?(?P<name>[^\n]{{2,140}}?){_CV}{_ADD_IT}", 3, note="entry_education"),
    pattern(rf"i studied (?P<area>[^\n]{{2,80}}?) at (?:the )?(?P<name>[^\n]{{2,140}}?){_CV}{_ADD_IT}", 3, note="entry_education"),
    pattern(rf"{_GOT} (?:my |an? |the )(?:new )?(?P<name>[^\n]{{2,100}}?) (?:certificate|certification|cert|licen[cs]e)(?P<rest>(?: (?:from|by|in|on|with) [^\n]{{2,80}}?)?){_ADD_IT}", 3, note="entry_certificate"),
    pattern(rf"{_ADD} (?:my |an? |the )(?:new )?(?P<name>[^\n:]{{2,100}}?) (?:certificate|certification|cert)(?P<rest>(?: (?:from|by|in) [^\n]{{2,80}}?)?) (?:to|in|on) (?:my |the )?(?:cv|resume|profile|certificates?|certifications?)", 3, note="entry_certificate"),
    pattern(rf"{_GOT} certified (?:as|in|for) (?:an? )?(?P<name>[^\n]{{2,100}}?)(?P<rest>(?: (?:from|by|in|on|with) [^\n]{{2,80}}?)?){_ADD_IT}", 3, note="entry_certificate"),
    pattern(rf"(?:(?:{_ADD}|link|set|change|update) )?(?:my |the |a )?{_NETWORK}(?: (?:profile|account|page|link|url|handle|address))?(?: is|:|,| at| to| -)* ?(?P<url>(?:https?://|www\.)\S+)(?: (?:to|in|on) (?:my |the )?(?:cv|resume|profile|links|profiles))?", 3, note="entry_link"),
    pattern(rf"{_ADD} (?P<url>https?://\S+) (?:as|for) my {_NETWORK}(?: (?:profile|account|page|link))?", 3, note="entry_link"),
)  # fmt: skip


def month(text: str) -> str | None:
    """`2024`, `2024-01` from "2024", "January 2024", "01/2024"; None for "now"."""
    year = re.search(r"(?:19|20)\d\d", text)
    if year is None:
        return None
    numbered = re.search(r"(?:19|20)\d\d-([01]\d)", text) or re.match(r"([01]?\d)/", text)
    named = next((number for name, number in _MONTHS.items() if text.strip().lower().startswith(name)), None)
    number = int(numbered.group(1)) if numbered else named
    return f"{year.group()}-{number:02d}" if number and 1 <= number <= 12 else year.group()


def without_period(text: str) -> tuple[str, str | None, str | None]:
    """The words without the years at their end, the start and the end ("until 2019" has an end only)."""
    found = _PERIOD.search(text)
    if found is None or found.start() == 0:
        return text.strip(), None, None
    start, end = month(found["a"]), month(found["b"] or "")
    if (found["lead"] or "").lower() in ("until", "till", "to"):
        start, end = None, start
    return text[: found.start()].rstrip(" ,(-"), start, end


def entry(guess: Guess) -> tuple[str, dict[str, Any]]:
    """The section and the item of an `entry_…` wording."""
    words = {name: one_line(guess.words(name)).strip(" ,.") for name in guess.slots}
    if guess.note == "entry_link":
        network = {
            "linkedin": "LinkedIn",
            "linked in": "LinkedIn",
            "github": "GitHub",
            "gitlab": "GitLab",
            "youtube": "YouTube",
            "orcid": "ORCID",
        }
        url = words["url"] if words["url"].startswith("http") else f"https://{words['url']}"
        name = words["network"].lower()
        return "profiles", {"network": network.get(name, name.title()), "url": url}
    if guess.note == "entry_certificate":
        rest, start, end = without_period(words.get("rest", ""))
        name, *dates = without_period(words["name"])
        if not start and (alone := _PERIOD.fullmatch(words.get("rest", ""))):
            rest, start = "", month(alone["a"])
        issuer = (
            re.sub(r"(?i)^(?:from|by|with) (?:the )?", "", rest) if re.match(r"(?i)(?:from|by|with) ", rest) else None
        )
        return "certificates", {"name": name, "issuer": issuer, "date": start or end or dates[0]}
    last = (
        "position"
        if guess.note == "entry_work" and guess.slots["position"].offsets[0] > guess.slots["name"].offsets[0]
        else "name"
    )
    words[last], start, end = without_period(words[last])
    if guess.note == "entry_work":
        return "work", {"name": words["name"], "position": words["position"], "start": start, "end": end}
    degree = words.get("degree") or None
    item = {"institution": words["name"], "area": words.get("area") or None, "study_type": degree}
    return "education", {**item, "start": start if end else None, "end": end or start}
