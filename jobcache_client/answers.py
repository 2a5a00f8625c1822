"""What JobCache may answer, checked field by field: the other side is not trusted with the shape of our data.

Above: client. Below: nothing. Unknown extra members are dropped, so a newer JobCache may say more; a missing member,
a wrong type or a value over its limit is a `ShapeError`. Source: contract sections 8 and 10.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Any, NoReturn, TypedDict, TypeVar

MAXIMUM_ROLES = 25
MAXIMUM_EVIDENCE = 100
_T = TypeVar("_T")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,39}")
_WORK_MODES = ("remote", "hybrid", "onsite")
_EMPLOYMENT_TYPES = ("full", "part", "contract", "temporary", "seasonal", "internship", "apprenticeship")
_PERIODS = ("hour", "day", "month", "year")
_SALARY_KINDS = ("stated", "parsed", "estimated")
_FRESHNESS = ("fresh", "stale", "expired")


class ShapeError(Exception):
    """The answer is not what the contract says. The message names the place, never the value."""


class Salary(TypedDict):
    """As stated in the ad, never converted: amounts in whole units of `currency` for each `period`."""

    min: int | None
    max: int | None
    currency: str | None
    period: str | None
    kind: str
    raw: str | None


class Evidence(TypedDict):
    """Where and when one ad of the role was seen."""

    ad: str
    source: str
    fetched_at: str
    content_hash: str


class Freshness(TypedDict):
    """`state` is fresh, stale or expired as of `checked_at` (RFC 3339)."""

    state: str
    checked_at: str


class Role(TypedDict):
    """One role as `search_jobcache` shows it."""

    role: str
    title: str
    company: str | None
    location: str | None
    work_mode: str | None
    employment_type: str | None
    salary: Salary | None
    posted_on: str | None
    valid_through: str | None
    url: str | None
    snippet: str
    evidence: list[Evidence]
    freshness: Freshness


class SearchPage(TypedDict):
    """One page of a search, best first. `total` counts all roles that match, on whichever page."""

    roles: list[Role]
    total: int
    next_cursor: str | None
    corpus_version: str


def read_json(body: bytes) -> Any:
    """Strict JSON: UTF-8, no duplicate members, no NaN or infinities; raises ShapeError."""
    try:
        return json.loads(body.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ShapeError("the body is not strict JSON") from error


def read_search_page(value: Any) -> SearchPage:
    """The page in `value`, with known members only; raises ShapeError."""
    page = _object(value, "answer")
    roles = page.get("roles")
    if not isinstance(roles, list) or len(roles) > MAXIMUM_ROLES:
        _fail("roles")
    return SearchPage(
        roles=[_role(item, f"roles/{index}") for index, item in enumerate(roles)],
        total=_integer(page, "total", "answer", 0, 2**53),
        next_cursor=_nullable(_text(1, 4000))(page, "next_cursor", "answer"),
        corpus_version=_text(1, 100)(page, "corpus_version", "answer"),
    )


def _role(value: Any, where: str) -> Role:
    item = _object(value, where)
    evidence = item.get("evidence")
    if not isinstance(evidence, list) or not 1 <= len(evidence) <= MAXIMUM_EVIDENCE:
        _fail(f"{where}/evidence")
    salary = item.get("salary", ...)
    if salary is ...:
        _fail(f"{where}/salary")
    freshness = _object(item.get("freshness"), f"{where}/freshness")
    return Role(
        role=_identifier(item, "role", where),
        title=_text(1, 500)(item, "title", where),
        company=_nullable(_text(0, 500))(item, "company", where),
        location=_nullable(_text(0, 500))(item, "location", where),
        work_mode=_nullable(_one_of(_WORK_MODES))(item, "work_mode", where),
        employment_type=_nullable(_one_of(_EMPLOYMENT_TYPES))(item, "employment_type", where),
        salary=None if salary is None else _salary(salary, f"{where}/salary"),
        posted_on=_nullable(_day)(item, "posted_on", where),
        valid_through=_nullable(_day)(item, "valid_through", where),
        url=_nullable(_web_address)(item, "url", where),
        snippet=_text(0, 400)(item, "snippet", where),
        evidence=[_evidence(one, f"{where}/evidence/{index}") for index, one in enumerate(evidence)],
        freshness=Freshness(
            state=_one_of(_FRESHNESS)(freshness, "state", f"{where}/freshness"),
            checked_at=_moment(freshness, "checked_at", f"{where}/freshness"),
        ),
    )


def _salary(value: Any, where: str) -> Salary:
    item = _object(value, where)
    return Salary(
        min=_nullable(_amount)(item, "min", where),
        max=_nullable(_amount)(item, "max", where),
        currency=_nullable(_text(3, 3))(item, "currency", where),
        period=_nullable(_one_of(_PERIODS))(item, "period", where),
        kind=_one_of(_SALARY_KINDS)(item, "kind", where),
        raw=_nullable(_text(0, 500))(item, "raw", where),
    )


def _evidence(value: Any, where: str) -> Evidence:
    item = _object(value, where)
    return Evidence(
        ad=_identifier(item, "ad", where),
        source=_text(1, 200)(item, "source", where),
        fetched_at=_moment(item, "fetched_at", where),
        content_hash=_text(1, 200)(item, "content_hash", where),
    )


def _fail(where: str) -> NoReturn:
    raise ShapeError(f"{where} is not what was agreed")


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        _fail(where)
    return value


_Reader = Callable[[dict[str, Any], str, str], _T]


def _nullable(read: _Reader[_T]) -> _Reader[_T | None]:
    def reader(item: dict[str, Any], name: str, where: str) -> _T | None:
        if name not in item:
            _fail(f"{where}/{name}")
        return None if item[name] is None else read(item, name, where)

    return reader


def _text(least: int, most: int) -> _Reader[str]:
    def reader(item: dict[str, Any], name: str, where: str) -> str:
        value = item.get(name)
        if not isinstance(value, str) or not least <= len(value) <= most:
            _fail(f"{where}/{name}")
        if any((ord(sign) < 32 and sign not in "\n\t") or 0xD800 <= ord(sign) < 0xE000 for sign in value):
            _fail(f"{where}/{name}")
        return value

    return reader


def _one_of(allowed: tuple[str, ...]) -> _Reader[str]:
    def reader(item: dict[str, Any], name: str, where: str) -> str:
        value = item.get(name)
        if not isinstance(value, str) or value not in allowed:
            _fail(f"{where}/{name}")
        return value

    return reader


def _integer(item: dict[str, Any], name: str, where: str, least: int, most: int) -> int:
    value = item.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        _fail(f"{where}/{name}")
    return value


def _amount(item: dict[str, Any], name: str, where: str) -> int:
    return _integer(item, name, where, 0, 1_000_000_000)


def _identifier(item: dict[str, Any], name: str, where: str) -> str:
    value = item.get(name)
    if not isinstance(value, str) or _ID.fullmatch(value) is None:
        _fail(f"{where}/{name}")
    return value


def _web_address(item: dict[str, Any], name: str, where: str) -> str:
    value = _text(1, 2000)(item, name, where)
    if not value.startswith(("https://", "http://")):
        _fail(f"{where}/{name}")
    return value


def _day(item: dict[str, Any], name: str, where: str) -> str:
    value = _text(10, 10)(item, name, where)
    try:
        date.fromisoformat(value)
    except ValueError:
        _fail(f"{where}/{name}")
    return value


def _moment(item: dict[str, Any], name: str, where: str) -> str:
    value = _text(20, 40)(item, name, where)
    try:
        aware = datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        aware = False
    if not aware:
        _fail(f"{where}/{name}")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("duplicate member")
    return members


def _no_constant(_name: str) -> NoReturn:
    raise ValueError("not a JSON number")
