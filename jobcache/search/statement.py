"""The one SQL statement of a search on SQLite FTS5. Above: service. Below: plan, arguments, and when a role is stale.

Scores are integers made of the role and the plan alone, never of statistics of the corpus, so a role's place among
the others does not move when ads are added: that is what makes keyset cursors stable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from jobcache.ads.freshness import STALE_AFTER_DAYS
from jobcache.search.arguments import SearchArguments
from jobcache.search.cursor import Position
from jobcache.search.plan import Plan, PlannedTerm

_COLUMNS = "{company place attributes}"
# Points of a match: (column group, exact, loose). A title says what a job is; a body only mentions things.
_POINTS = (("title", 12, 7), (_COLUMNS, 6, 4), ("body", 2, 1))
_ADJACENT_POINTS = 6
_OPPOSITE_POINTS = -8


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL with its parameters in order."""

    sql: str
    parameters: list[Any]


def page_statement(arguments: SearchArguments, plan: Plan, *, after: Position | None, most: int) -> Statement:
    """Rows (row id, score, posted_day, total), best first: one page of at most `most` rows after a position.

    `total` counts all matching roles; a page that would be empty has no row to say it in.
    """
    scored, parameters = _scored(arguments, plan)
    condition = ""
    if after is not None:
        condition = "WHERE (score, posted_day, id) < (%s, %s, %s)"
        parameters.extend([after.score, after.posted_day, after.row])
    sql = f"""
        WITH scored AS MATERIALIZED ({scored})
        SELECT id, score, posted_day, (SELECT COUNT(*) FROM scored) FROM scored {condition}
        ORDER BY score DESC, posted_day DESC, id DESC LIMIT %s
    """  # noqa: S608 - only column names and operators of this file; all values are parameters
    return Statement(sql, [*parameters, most])


def match_expression(phrases: Sequence[str]) -> str:
    """An FTS5 expression for any of the phrases."""
    quoted = " OR ".join('"' + phrase.replace('"', '""') + '"' for phrase in phrases)
    return f"({quoted})"


def _scored(arguments: SearchArguments, plan: Plan) -> tuple[str, list[Any]]:
    # In the order in which they stand in the text: the score comes before the join.
    parameters: list[Any] = [plan.as_of, plan.as_of - STALE_AFTER_DAYS, plan.as_of]
    joins = ""
    relevance = "100"
    arms = list(_arms(plan))
    if arms:
        selects: list[str] = []
        for term, weight, title_points, other_points, expression in arms:
            selects.append(
                "SELECT rowid AS role, %s AS term, %s AS weight, %s AS title_points, %s AS other_points"
                " FROM jobcache_words WHERE jobcache_words MATCH %s"
            )
            parameters.extend([term, weight, title_points, other_points, expression])
        joins = f"""
            JOIN (
                SELECT role, SUM(weight) AS covered, SUM(title_points) AS title_points,
                       SUM(other_points) AS other_points
                FROM (
                    SELECT role, term, MAX(weight) AS weight, SUM(title_points) AS title_points,
                           SUM(other_points) AS other_points
                    FROM ({" UNION ALL ".join(selects)}) GROUP BY role, term
                ) GROUP BY role
            ) AS found ON found.role = jobcache_role.id
        """  # noqa: S608 - see page_statement
        relevance = "MAX(1, found.title_points * (100 + 60 / title_words) + found.other_points * 100)"
    sql = f"""
        SELECT id, posted_day,
               {relevance} * (CASE WHEN valid_day < %s THEN 300 WHEN checked_day < %s THEN 850 ELSE 1000 END)
               * (1000 - 3 * MIN(MAX(%s - posted_day, 0), 120)) / 1000 AS score
        FROM jobcache_role {joins}
    """  # noqa: S608 - see page_statement
    conditions = list(_conditions(arguments, plan))
    if conditions:
        sql += " WHERE " + " AND ".join(condition for condition, _ in conditions)
        parameters.extend(value for _, values in conditions for value in values)
    return sql, parameters


def _arms(plan: Plan) -> Iterator[tuple[int, int, int, int, str]]:
    """(term, its weight, points for the title, other points, FTS5 expression) for each thing that counts."""
    for position, term in enumerate(plan.terms):
        weight = 0 if term.optional else term.weight
        for column, exact, loose in _POINTS:
            for phrases, points in ((term.exact, exact), (term.loose, loose)):
                if phrases:
                    value = points * term.weight
                    title = (value, 0) if column == "title" else (0, value)
                    yield position, weight, *title, f"{column} : {match_expression(phrases)}"
    for first, second in zip(plan.terms, plan.terms[1:], strict=False):
        pairs = [f"{one} {other}" for one in first.exact for other in second.exact]
        yield -1, 0, _ADJACENT_POINTS, 0, f"title : {match_expression(pairs)}"
    if plan.terms and plan.seniority:
        yield -1, 0, _OPPOSITE_POINTS, 0, f"title : {match_expression(plan.seniority)}"


def _conditions(arguments: SearchArguments, plan: Plan) -> Iterator[tuple[str, list[Any]]]:
    needed = [term for term in plan.terms if not term.optional]
    if plan.partial:
        # More than half of what the words together say, so that common words alone are not enough.
        yield "found.covered * 2 >= %s", [sum(term.weight for term in needed)]
    required = [_any_phrase(term) for term in needed] if not plan.partial else []
    required.extend(f"(place : {_any_phrase(term)})" for term in plan.places if not term.optional)
    if required:
        expression = " AND ".join(required)
        yield "id IN (SELECT rowid FROM jobcache_words WHERE jobcache_words MATCH %s)", [expression]
    elif plan.partial:
        yield "found.covered > %s", [0]
    for column, value in (
        ("country", arguments.country),
        ("work_mode", arguments.work_mode),
        ("employment_type", arguments.employment_type),
        ("salary_currency", arguments.currency),
    ):
        if value is not None:
            yield f"{column} = %s", [value]
    if arguments.posted_within_days is not None:
        yield "posted_on IS NOT NULL AND posted_day >= %s", [plan.as_of - arguments.posted_within_days]
    if arguments.salary_min is not None:
        yield "salary_period = 'year' AND COALESCE(salary_max, salary_min) >= %s", [arguments.salary_min]


def _any_phrase(term: PlannedTerm) -> str:
    return match_expression([*term.exact, *term.loose])
