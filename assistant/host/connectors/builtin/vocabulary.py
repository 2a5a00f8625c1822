"""The words people use for the product's fixed values: stages, tiers, work modes, fields, kinds of interview.

Patterns take the alternatives (`STAGE`, `TIER`, …), plans take the readers (`read_stage`, …). Longest alternatives first.
"""

# Patterns and sentences read best on one line.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Mapping

STAGES = (
    "saved", "preparing", "applied", "screening", "interviewing", "offer", "accepted", "rejected", "withdrawn",
)  # fmt: skip
OPEN_STAGES = STAGES[:6]

STAGE_WORDS: Mapping[str, tuple[str, ...]] = {
    "saved": ("saved", "save", "wishlist", "wish list", "bookmarked", "backlog", "shortlist", "shortlisted", "to apply", "interesting"),
    "preparing": ("preparing", "preparation", "prep", "prepare", "drafting", "in preparation", "preparing application"),
    "applied": ("applied", "application sent", "submitted", "sent", "sent off", "awaiting reply", "waiting"),
    "screening": (
        "screening", "screen", "phone screen", "phone screening", "screening call", "recruiter call", "recruiter screen", "hr call",
        "initial call", "intro call",
    ),
    "interviewing": ("interviewing", "interview", "interviews", "in interviews", "interview process", "interviewed", "interview phase"),
    "offer": ("offer", "offered", "offers", "job offer", "offer received"),
    "accepted": ("accepted", "accept", "hired", "signed", "won", "offer accepted", "job accepted"),
    "rejected": ("rejected", "rejection", "rejections", "reject", "declined", "turned down", "denied", "refused", "lost", "a no", "unsuccessful"),
    "withdrawn": ("withdrawn", "withdraw", "withdrew", "pulled out", "dropped", "cancelled", "canceled", "abandoned", "dropped out", "gave up"),
}  # fmt: skip
TIER_WORDS: Mapping[str, tuple[str, ...]] = {
    "dream": ("dream", "dreams", "dream job", "top choice", "favourite", "favorite", "first choice", "top pick"),
    "target": ("target", "targets", "realistic", "medium", "mid tier", "good fit"),
    "safe": ("safe", "safety", "backup", "back-up", "back up", "fallback", "fall-back", "safe choice", "plan b", "safe bet"),
}  # fmt: skip
MODE_WORDS: Mapping[str, tuple[str, ...]] = {
    "remote": ("remote", "remotely", "fully remote", "100% remote", "home office", "work from home", "from home", "wfh", "telework", "home-based"),
    "hybrid": ("hybrid", "partly remote", "part remote", "partially remote", "mixed"),
    "onsite": ("onsite", "on-site", "on site", "in office", "in-office", "in the office", "office based", "office-based", "in person", "at the office"),
}  # fmt: skip
EMPLOYMENT_WORDS: Mapping[str, tuple[str, ...]] = {
    "full": ("full-time", "full time", "fulltime", "permanent"),
    "part": ("part-time", "part time", "parttime", "half-time", "half time"),
    "contract": ("contract", "contracts", "contractor", "contractors", "freelancer", "freelance", "freelancing", "contracting", "fixed-term", "fixed term"),
    "temporary": ("temporary", "temp", "interim"),
    "seasonal": ("seasonal",),
    "internship": ("internship", "internships", "intern", "interns", "trainee", "traineeship", "traineeships", "placement", "placements", "working student"),
    "apprenticeship": ("apprenticeship", "apprenticeships", "apprentice", "apprentices"),
}  # fmt: skip
INTERVIEW_WORDS: Mapping[str, tuple[str, ...]] = {
    "phone": ("phone", "telephone", "by phone", "phone screen", "phone call", "on the phone", "call", "tel"),
    "video": ("video", "video call", "zoom", "teams", "google meet", "skype", "webex", "online", "meet", "videocall", "virtual", "jitsi"),
    "onsite": ("onsite", "on-site", "on site", "in person", "in-person", "at their office", "in their office", "in the office", "face to face", "face-to-face"),
    "technical": ("technical", "tech", "coding", "pair programming", "whiteboard", "live coding", "system design", "take-home review"),
    "panel": ("panel", "panel interview", "board"),
}  # fmt: skip
# What a sentence calls a field of an application, and the field's name.
FIELD_WORDS: Mapping[str, tuple[str, ...]] = {
    "deadline": ("deadline", "application deadline", "due date", "closing date", "dead line", "final date", "cut-off date", "cutoff"),
    "next_step_on": ("next step date", "date of the next step", "next step's date", "follow-up date", "follow up date", "next action date"),
    "next_step": ("next step", "next steps", "next action", "following step", "next move", "next thing to do"),
    "applied_on": ("applied on", "application date", "date applied", "applied date", "applied-on date", "date of application"),
    "location": ("location", "place", "city", "town", "office location"),
    "url": ("url", "link", "job link", "web address", "posting link", "ad link", "job ad", "posting", "website", "web page"),
    "salary": ("salary", "pay", "salary range", "pay range", "compensation", "wage", "salary band", "package"),
    "salary_min": ("minimum salary", "salary minimum", "min salary", "salary min", "lowest salary", "salary floor"),
    "salary_max": ("maximum salary", "salary maximum", "max salary", "salary max", "top salary", "highest salary"),
    "salary_currency": ("currency", "salary currency"),
    "salary_period": ("salary period", "pay period"),
    "work_mode": ("work mode", "working mode", "mode of work", "workmode", "work model", "mode", "work arrangement"),
    "tier": ("tier", "priority", "rating", "preference"),
    "stage": ("stage", "status", "column", "phase", "state"),
    "title": ("title", "job title", "role title", "position title", "role name", "name", "job name"),
    "company": ("company", "company name", "employer", "organisation", "organization"),
    "source": ("source", "origin", "where i found it"),
    "recipient": ("recipient", "addressee"),
    "language": ("language",),
}  # fmt: skip
LETTER_STATUS = {
    "final": ("final", "finished", "finalised", "finalized", "ready", "complete"),
    "draft": ("draft", "a draft", "unfinished"),
}
NUMBER_WORDS = {
    name: number
    for number, name in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen twenty".split()
    )
} | {"a": 1, "an": 1, "a couple of": 2, "couple of": 2, "a few": 3, "thirty": 30, "half a dozen": 6, "a dozen": 12}


def alternatives(words: Mapping[str, tuple[str, ...]], *only: str) -> str:
    """A non-capturing group of all the words, or of those of some values."""
    chosen = {word for value, names in words.items() if not only or value in only for word in names}
    return "(?:" + "|".join(re.escape(word) for word in sorted(chosen, key=lambda w: (-len(w), w))) + ")"


def reader(words: Mapping[str, tuple[str, ...]]) -> Mapping[str, str]:
    return {word: value for value, names in words.items() for word in (value, *names)}


_STAGE, _TIER, _MODE, _FIELD = reader(STAGE_WORDS), reader(TIER_WORDS), reader(MODE_WORDS), reader(FIELD_WORDS)
STAGE = alternatives(STAGE_WORDS)
TIER = alternatives(TIER_WORDS)
MODE = alternatives(MODE_WORDS)
FIELD = alternatives(FIELD_WORDS, *(name for name in FIELD_WORDS if name != "stage"))
EMPLOYMENT = alternatives(EMPLOYMENT_WORDS)
NUMBER = "(?:[0-9]{1,4}|" + "|".join(sorted(map(re.escape, NUMBER_WORDS), key=lambda w: -len(w))) + ")"
APP_NOUN = (
    r"(?:job application|application|applications|job offer|job posting|job ad|job opening|job|jobs|role|position|one|opportunity|card|opening|"
    r"vacancy|posting|gig|entry|listing)"
)


def _squeezed(text: str) -> str:
    return re.sub(r"^(?:the|my|a|an|our|their|its|as|to|in|into)\s+", "", text.strip(" .!?,'\"")).strip()


def read_stage(text: str) -> str | None:
    word = _squeezed(
        re.sub(r"\b(?:stage|column|phase|list|pile|status|round|state|section|step|board)$", "", text.strip(" .!?"))
    )
    return _STAGE.get(word)


def read_tier(text: str) -> str | None:
    if _squeezed(text) in _TIER:
        return _TIER[_squeezed(text)]
    word = re.sub(
        r"\b(?:tier|jobs?|compan(?:y|ies)|applications?|choice|roles?|employers?|list|priority|options?|one)$",
        "",
        text.strip(" .!?"),
    )
    return _TIER.get(_squeezed(word))


def read_mode(text: str) -> str | None:
    return _MODE.get(_squeezed(text))


def read_field(text: str) -> str | None:
    return _FIELD.get(_squeezed(text))


def read_number(text: str) -> int | None:
    word = text.strip(" .!?")
    if word.isascii() and word.isdigit():
        return int(word)
    return NUMBER_WORDS.get(word)


def find_word(words: Mapping[str, tuple[str, ...]], text: str) -> tuple[str, int, int] | None:
    """The first value named in the text with where it stands; at one place the longest word wins."""
    match = re.search(rf"(?<![\w-]){alternatives(words)}(?![\w-])", text)
    return None if match is None else (reader(words)[match.group()], match.start(), match.end())
