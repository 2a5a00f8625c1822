"""From the hand-written inputs to ads: the same inputs and day always give the same ads.

Above: load. Below: the TOML files of this folder. All employers, people and addresses are invented; hosts end in
`.example`. For each employer and kind of work there are openings at two or three levels; what a digest of their names
decides (place, mode, pay, age) varies, but never between two runs.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from jobcache.ads.values import IncomingAd, Salary

_FOLDER = Path(__file__).parent
_BOARDS = ("boards.hirestone.example", "talent.fernpost.example", "stellen.blattwerk.example", "jobs.kiteworks.example")
_SECOND_BOARD = "jobs.sammelkorb.example"
_MONTHLY = {"ES", "AT", "IT", "PT"}
_LEVEL_FACTOR = {"junior": 0.78, "": 1.0, "senior": 1.22, "lead": 1.38, "intern": 0.45}
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class SyntheticAd:
    """An ad and how many days ago its board was last seen to show it."""

    ad: IncomingAd
    seen_days_ago: int


def build_corpus(day: date) -> dict[str, list[SyntheticAd]]:
    """Source → its ads, with dates that count back from `day`."""
    sources: dict[str, list[SyntheticAd]] = {name: [] for name in (*_BOARDS, _SECOND_BOARD)}
    for number, company in enumerate(_load("companies.toml")["company"]):
        for opening in _openings(company):
            synthetic = _ad(company, opening, day)
            sources[_BOARDS[number % len(_BOARDS)]].append(synthetic)
            if opening.chance.below(12) == 0:
                sources[_SECOND_BOARD].append(_second_posting(synthetic))
    return sources


@dataclass(frozen=True, slots=True)
class _Chance:
    """Decisions that depend on a name alone; each question asked draws the next bytes."""

    seed: str

    def below(self, count: int, about: str = "") -> int:
        digest = hashlib.sha256(f"{self.seed}|{about}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % count

    def one_of(self, choices: Sequence[_T], about: str) -> _T:
        return choices[self.below(len(choices), about)]

    def some_of(self, choices: Sequence[str], count: int, about: str) -> list[str]:
        ranked = sorted(choices, key=lambda choice: hashlib.sha256(f"{self.seed}|{about}|{choice}".encode()).digest())
        return [choice for choice in choices if choice in ranked[:count]]


@dataclass(frozen=True, slots=True)
class _Opening:
    key: str
    language: str
    level: str
    family: dict[str, Any]
    city: str
    country: str
    chance: _Chance


def _openings(company: dict[str, Any]) -> Iterator[_Opening]:
    for position, key in enumerate(company["families"]):
        chance = _Chance(f"{company['name']}|{key}")
        languages = [language for language in company["languages"] if _family(key, language)]
        levelled = _family(key, languages[0]).get("levels", True)
        levels = ["", chance.one_of(["senior", "junior", "senior", "lead"], "level")] if levelled else [""]
        if levelled and chance.below(5, "intern") == 0:
            levels.append("intern")
        for turn, level in enumerate(levels):
            opening = _Chance(f"{company['name']}|{key}|{level}")
            language = languages[(position + turn) % len(languages)]
            city, country = company["cities"][(position + turn) % len(company["cities"])].split("|")
            yield _Opening(key, language, level, _family(key, language), city, country, opening)


def _ad(company: dict[str, Any], opening: _Opening, day: date) -> SyntheticAd:
    chance, family = opening.chance, opening.family
    phrases = _load("phrases.toml")[opening.language]
    plain_title = chance.one_of(family["titles"], "title")
    title = phrases["levels"][opening.level].format(title=plain_title) if opening.level else plain_title
    employment = _employment(opening)
    mode = _work_mode(opening)
    salary = _salary(opening, employment)
    age = chance.below(58, "age") + chance.below(40, "more age") // 10
    expired = chance.below(40, "expired") == 0
    posted = day - timedelta(days=age + (30 if expired else 0))
    valid = posted + timedelta(days=25 if expired else 60 + age) if expired or chance.below(3, "valid") == 0 else None
    key = hashlib.sha256(f"{company['name']}|{opening.key}|{opening.level}".encode()).hexdigest()[:10]
    ad = IncomingAd(
        source_key=key,
        title=title,
        company=company["name"],
        location=opening.city,
        country=opening.country,
        work_mode=mode,
        employment_type=employment,
        salary=salary,
        posted_on=posted,
        valid_through=valid,
        url=f"https://careers.{company['host']}/jobs/{key}",
        text=_text(company, opening, phrases, mode, salary),
        requisition=f"R-{int(key[:6], 16) % 9000 + 1000}",
        provenance=tuple(
            (name, f"job/{name}") for name in ("title", "company", "location", "posted_on", "url", "text")
        ),
    )
    stale = chance.below(16, "stale") == 0 and not expired
    return SyntheticAd(ad, seen_days_ago=min(age, 22 + chance.below(8, "seen")) if stale else chance.below(3, "seen"))


def _second_posting(first: SyntheticAd) -> SyntheticAd:
    """The same job at a second board, which says less about it."""
    ad = first.ad
    short = IncomingAd(
        source_key=f"k{ad.source_key}", title=ad.title, company=ad.company, location=ad.location, country=ad.country,
        work_mode=ad.work_mode, employment_type=ad.employment_type, posted_on=ad.posted_on,
        url=f"https://{_SECOND_BOARD}/ads/k{ad.source_key}", text=ad.text.split("\n", 1)[0],
        provenance=(("title", "item/title"), ("text", "item/summary")),
    )  # fmt: skip
    return SyntheticAd(short, seen_days_ago=first.seen_days_ago + 1)


def _employment(opening: _Opening) -> str:
    if opening.level == "intern":
        return "internship"
    if opening.key.startswith("apprentice"):
        return "apprenticeship"
    if opening.key == "farm":
        return opening.chance.one_of(["seasonal", "full"], "employment")
    if opening.key in {"nurse", "physio", "receptionist", "cook", "sales", "driver", "caretaker", "teacher"}:
        return opening.chance.one_of(["full", "part", "part", "full", "temporary"], "employment")
    return opening.chance.one_of(["full"] * 8 + ["part", "contract"], "employment")


_HANDS_ON = {
    "nurse", "physio", "receptionist", "cook", "driver", "caretaker", "teacher", "warehouse", "electrician", "farm",
    "lab", "electronics", "apprentice-technician", "apprentice-office", "mechanical", "sales",
}  # fmt: skip


def _work_mode(opening: _Opening) -> str:
    if opening.city.startswith("Remote"):
        return "remote"
    if opening.key in _HANDS_ON:
        return "onsite"
    return opening.chance.one_of(["hybrid", "hybrid", "onsite", "remote", "hybrid"], "mode")


def _salary(opening: _Opening, employment: str) -> Salary | None:
    chance = opening.chance
    currency = _currency(opening)
    if currency is None or chance.below(4, "pay told") == 0:
        return None
    low, high = opening.family["pay"][currency]
    factor = _LEVEL_FACTOR[opening.level] * (0.96 + chance.below(9, "pay") / 100)
    step = 100_000 if currency in {"JPY", "INR"} else 1000
    low, high = (round(amount * factor / step) * step for amount in (low, high))
    if employment == "contract" and step == 1000:
        return _rounded(low, high, 220, 10, currency, "day")
    if employment in {"part", "temporary"} and step == 1000:
        return _rounded(low, high, 1900, 1, currency, "hour")
    if opening.country in _MONTHLY and chance.below(2, "monthly") == 0:
        return _rounded(low, high, 14, 50, currency, "month")
    kind = chance.one_of(["stated", "stated", "parsed", "estimated"], "pay kind")
    if kind == "parsed" and step == 1000 and low < high:
        return Salary(low, high, currency, "year", "parsed", f"{currency} {low // 1000}–{high // 1000}k")
    return Salary(low, high, currency, "year", kind, f"{currency} {low:,} – {high:,} per year")


def _rounded(low: int, high: int, share: int, step: int, currency: str, period: str) -> Salary:
    small, large = (max(step, round(amount / share / step) * step) for amount in (low, high))
    return Salary(small, large, currency, period, "stated", f"{currency} {small:,} – {large:,} per {period}")


def _currency(opening: _Opening) -> str | None:
    usual = {"CH": "CHF", "GB": "GBP", "US": "USD", "CA": "CAD", "IN": "INR", "NO": "NOK", "PL": "PLN", "JP": "JPY"}
    wanted = usual.get(opening.country, "EUR")
    return wanted if wanted in opening.family["pay"] else None


def _text(company: dict[str, Any], opening: _Opening, phrases: dict[str, Any], mode: str, salary: Salary | None) -> str:
    chance, family = opening.chance, opening.family
    about = company["about"].get(opening.language) or company["about"][company["languages"][0]]
    comma, stop = ("、", "。") if opening.language == "ja" else ("; ", ".")
    tasks = chance.some_of(family["tasks"], 4, "tasks")
    skills = chance.some_of(family["skills"], 4, "skills")
    lines = [
        f"{about} {chance.one_of(family['intro'], 'intro')}",
        phrases["tasks"] + comma.join(tasks) + stop,
        phrases["skills"] + comma.join(skills) + stop,
        " ".join([phrases["modes"][mode], *chance.some_of(phrases["offers"], 2, "offers")]),
    ]
    # Where the pay was read from the text or stated there, the text says it; an estimate is the board's own.
    if salary is not None and salary.kind != "estimated":
        lines.append(phrases["salary"].format(raw=salary.raw))
    return "\n".join(lines)


@cache
def _load(name: str) -> dict[str, Any]:
    return tomllib.loads((_FOLDER / name).read_text(encoding="utf-8"))


@cache
def _family(key: str, language: str) -> dict[str, Any]:
    """The kind of work in that language, or an empty one."""
    own = f"families_{language}.toml"
    families = _load(own) if (_FOLDER / own).exists() else {}
    found: dict[str, Any] = families.get(key) or _load("families_more.toml").get(f"{key}@{language}") or {}
    return found
