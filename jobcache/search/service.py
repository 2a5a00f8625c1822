"""`search`: one page of roles for a question. Above: http. Below: everything else of this package, and the models.

Reads only. Nothing of the question is kept or logged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connections, transaction

from jobcache import clock
from jobcache.ads.freshness import freshness_of
from jobcache.models import Ad, Corpus, Role
from jobcache.search import vocabulary
from jobcache.search.arguments import SearchArguments
from jobcache.search.cursor import Position, read_cursor, write_cursor
from jobcache.search.plan import Decisions, Plan, decide, make_partial, make_plan
from jobcache.search.query import Term, read_query
from jobcache.search.snippet import make_snippet
from jobcache.search.statement import match_expression, page_statement
from jobcache.settings import READER

MAXIMUM_EVIDENCE = 20


def search(arguments: SearchArguments) -> dict[str, Any]:
    """`{"roles", "total", "next_cursor", "corpus_version"}` (contract sections 8 and 10).

    Raises InvalidRequest for a cursor that does not belong to the arguments.
    """
    # One read transaction, so that the page, its total and the version speak of the same corpus.
    with transaction.atomic(using=READER):
        return _search(arguments)


def _search(arguments: SearchArguments) -> dict[str, Any]:
    terms, places = read_query(arguments.query), read_query(arguments.location)
    asked_in_vain = (arguments.query and not terms) or (arguments.location and not places)
    fingerprint = arguments.fingerprint()
    after: Position | None = None
    if arguments.cursor is not None:
        after, decisions = read_cursor(arguments.cursor, fingerprint=fingerprint, terms=len(terms) + len(places))
    else:
        decisions = decide(terms, places, statistics=_Statistics(), as_of=clock.today().toordinal())
    plan = _plan(terms, places, decisions)
    rows: list[tuple[int, int, int, int]] = []
    if not asked_in_vain and not plan.impossible:
        rows = _rows(arguments, plan, after)
        if not rows and after is None and len(plan.terms) > 1:
            decisions = make_partial(decisions)
            plan = _plan(terms, places, decisions)
            rows = _rows(arguments, plan, after)
    page, more = rows[: arguments.limit], rows[arguments.limit :]
    next_cursor = None
    if more:
        last = Position(score=page[-1][1], posted_day=page[-1][2], row=page[-1][0])
        next_cursor = write_cursor(last, decisions, fingerprint=fingerprint)
    return {
        "roles": _roles([row[0] for row in page], plan),
        "total": rows[0][3] if rows else 0,
        "next_cursor": next_cursor,
        "corpus_version": corpus_version(),
    }


def corpus_version() -> str:
    """Changes with each change of the corpus's content."""
    version = Corpus.objects.using(READER).filter(pk=1).values_list("version", flat=True).first()
    return str(version or 0)


def _plan(terms: Sequence[Term], places: Sequence[Term], decisions: Decisions) -> Plan:
    asked = {spelling for term in terms for spelling in term.spellings}
    opposites: tuple[str, ...] = ()
    if asked.intersection(vocabulary.JUNIOR_WORDS):
        opposites = vocabulary.SENIOR_WORDS
    elif asked.intersection(vocabulary.SENIOR_WORDS):
        opposites = vocabulary.JUNIOR_WORDS
    return make_plan(terms, places, decisions, opposites=tuple(word for word in opposites if word not in asked))


def _rows(arguments: SearchArguments, plan: Plan, after: Position | None) -> list[tuple[int, int, int, int]]:
    statement = page_statement(arguments, plan, after=after, most=arguments.limit + 1)
    with connections[READER].cursor() as cursor:
        cursor.execute(statement.sql, statement.parameters)
        return [(row[0], row[1], row[2], row[3]) for row in cursor.fetchall()]


def _roles(ids: Sequence[int], plan: Plan) -> list[dict[str, Any]]:
    roles = Role.objects.using(READER).in_bulk(ids)
    evidence: dict[int, list[dict[str, Any]]] = {}
    for ad in Ad.objects.using(READER).filter(role__in=ids).select_related("source").order_by("-fetched_at", "-id"):
        shown = evidence.setdefault(ad.role_id, [])
        if len(shown) < MAXIMUM_EVIDENCE:
            shown.append(
                {
                    "ad": ad.public_id,
                    "source": ad.source.name,
                    "fetched_at": clock.rfc3339(ad.fetched_at),
                    "content_hash": ad.content_hash,
                }
            )
    wanted = frozenset(
        word
        for term in plan.terms
        if not term.optional
        for phrase in (*term.exact, *term.loose)
        for word in phrase.split()
    )
    return [_shown(roles[one], evidence.get(one, []), wanted, plan.as_of) for one in ids]


def _shown(role: Role, evidence: list[dict[str, Any]], wanted: frozenset[str], as_of: int) -> dict[str, Any]:
    salary = None
    if role.salary_kind:
        salary = {
            "min": role.salary_min,
            "max": role.salary_max,
            "currency": role.salary_currency or None,
            "period": role.salary_period or None,
            "kind": role.salary_kind,
            "raw": role.salary_raw or None,
        }
    return {
        "role": role.public_id,
        "title": role.title,
        "company": role.company or None,
        "location": role.location or None,
        "work_mode": role.work_mode or None,
        "employment_type": role.employment_type or None,
        "salary": salary,
        "posted_on": role.posted_on.isoformat() if role.posted_on else None,
        "valid_through": role.valid_through.isoformat() if role.valid_through else None,
        "url": role.url or None,
        "snippet": make_snippet(role.text, wanted),
        "evidence": evidence,
        "freshness": {
            "state": freshness_of(valid_day=role.valid_day, checked_day=role.checked_day, as_of=as_of),
            "checked_at": clock.rfc3339(role.checked_at),
        },
    }


class _Statistics:
    """Word statistics from the full-text tables."""

    def roles(self) -> int:
        return Role.objects.using(READER).count()

    def roles_with(self, phrases: Sequence[str], *, place_only: bool, most: int) -> int:
        expression = match_expression(phrases)
        if place_only:
            expression = f"place : {expression}"
        with connections[READER].cursor() as cursor:
            cursor.execute(
                "SELECT COUNT(*) FROM (SELECT 1 FROM jobcache_words WHERE jobcache_words MATCH %s LIMIT %s)",
                [expression, most],
            )
            return int(cursor.fetchone()[0])

    def words_from(self, start: str, *, most: int) -> list[str]:
        with connections[READER].cursor() as cursor:
            cursor.execute(
                "SELECT term FROM jobcache_word_counts WHERE term >= %s AND term < %s ORDER BY doc DESC, term LIMIT %s",
                [start, start + "\U0010ffff", most],
            )
            return [row[0] for row in cursor.fetchall()]
