"""The only writer of ads, roles, evidence and the search index. Above: the load commands, later ingest.

Each call is one transaction. Roles group ads of different sources that have the same company, title and place; two
ads of one source are never merged, because there they are two requisitions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction
from django.db.models import F

from jobcache.ads.values import IncomingAd
from jobcache.models import Ad, Corpus, Evidence, Role, Source
from jobcache.search.index import index_entry
from jobcache.search.text import fold, normalise, words

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_SHOWN_FIELDS = (
    "title company location country work_mode employment_type salary_min salary_max salary_currency salary_period"
    " salary_kind salary_raw posted_on valid_through url text"
).split()


@dataclass(frozen=True, slots=True)
class StoreCounts:
    """What a call did: ads that are new, that say something else than before, and that were only seen again."""

    added: int
    changed: int
    seen_again: int


@dataclass(frozen=True, slots=True)
class SeenAd:
    """An ad and when it was fetched; `public_id` when the caller has a fixed one for it."""

    ad: IncomingAd
    fetched_at: datetime
    public_id: str | None = None


@transaction.atomic
def store_ads(source_name: str, seen: Iterable[SeenAd]) -> StoreCounts:
    """Write what a source shows now. Ads that it shows no more are left as they are."""
    corpus = get_corpus()
    source, _ = Source.objects.get_or_create(name=source_name)
    counts = {"added": 0, "changed": 0, "seen_again": 0}
    touched: set[int] = set()
    for one in seen:
        outcome, role = _store_ad(source, one)
        counts[outcome] += 1
        touched.add(role)
    for role in sorted(touched):
        refresh_role(role)
    if counts["added"] or counts["changed"]:
        Corpus.objects.filter(pk=corpus.pk).update(version=F("version") + 1)
    return StoreCounts(**counts)


@transaction.atomic
def remove_source(source_name: str) -> int:
    """Take a source and what only it showed out of the corpus; returns how many ads that were."""
    ads = Ad.objects.filter(source__name=source_name)
    roles = set(ads.values_list("role_id", flat=True))
    removed = ads.count()
    ads.delete()
    Source.objects.filter(name=source_name).delete()
    for role in sorted(roles):
        refresh_role(role)
    if removed:
        Corpus.objects.filter(pk=get_corpus().pk).update(version=F("version") + 1)
    return removed


def get_corpus() -> Corpus:
    """The one corpus row, made at first need."""
    return Corpus.objects.get_or_create(pk=1)[0]


def refresh_role(row: int) -> None:
    """Let the role show its best ad (the one checked last) and index it anew; a role without ads goes."""
    role = Role.objects.get(pk=row)
    best = Ad.objects.filter(role=role).order_by("-fetched_at", "-id").first()
    with connection.cursor() as cursor:
        if best is None:
            cursor.execute("DELETE FROM jobcache_words WHERE rowid = %s", [row])
            role.delete()
            return
        _set_days(role, best)
        if all(getattr(role, name) == getattr(best, name) for name in _SHOWN_FIELDS):
            # Only seen again: its words stand in the index already.
            role.save(update_fields=["checked_at", "checked_day", "posted_day", "valid_day"])
            return
        for name in _SHOWN_FIELDS:
            setattr(role, name, getattr(best, name))
        entry = index_entry(
            title=role.title, company=role.company, location=role.location, country=role.country,
            work_mode=role.work_mode, employment_type=role.employment_type, text=role.text,
        )  # fmt: skip
        role.title_words = entry.title_words
        role.save()
        cursor.execute("DELETE FROM jobcache_words WHERE rowid = %s", [row])
        cursor.execute(
            "INSERT INTO jobcache_words (rowid, title, company, place, attributes, body)"
            " VALUES (%s, %s, %s, %s, %s, %s)",
            [row, entry.title, entry.company, entry.place, entry.attributes, entry.body],
        )


def _set_days(role: Role, ad: Ad) -> None:
    role.checked_at = ad.fetched_at
    role.checked_day = ad.fetched_at.date().toordinal()
    role.posted_day = (ad.posted_on or ad.first_seen_at.date()).toordinal()
    role.valid_day = ad.valid_through.toordinal() if ad.valid_through else None


def _store_ad(source: Source, seen: SeenAd) -> tuple[str, int]:
    incoming, content_hash = seen.ad, seen.ad.content_hash()
    ad = Ad.objects.filter(source=source, source_key=incoming.source_key).first()
    outcome = "seen_again"
    if ad is None:
        ad = Ad(source=source, source_key=incoming.source_key, first_seen_at=seen.fetched_at)
        ad.public_id = seen.public_id or _derived_id("ad", source.name, incoming.source_key)
        ad.role = _role_for(source, incoming, seen.fetched_at)
        outcome = "added"
    elif ad.content_hash != content_hash:
        outcome = "changed"
    ad.content_hash = content_hash
    ad.fetched_at = seen.fetched_at
    _fill(ad, incoming)
    ad.save()
    Evidence.objects.update_or_create(
        ad=ad,
        content_hash=content_hash,
        defaults={"fetched_at": seen.fetched_at, "provenance": dict(incoming.provenance)},
        create_defaults={
            "first_fetched_at": seen.fetched_at,
            "fetched_at": seen.fetched_at,
            "provenance": dict(incoming.provenance),
        },
    )
    return outcome, ad.role_id


def _fill(ad: Ad, incoming: IncomingAd) -> None:
    for name in (
        "title",
        "company",
        "location",
        "country",
        "work_mode",
        "employment_type",
        "url",
        "text",
        "requisition",
    ):
        setattr(ad, name, getattr(incoming, name))
    ad.posted_on, ad.valid_through = incoming.posted_on, incoming.valid_through
    salary = incoming.salary
    ad.salary_min = salary.minimum if salary else None
    ad.salary_max = salary.maximum if salary else None
    ad.salary_currency = salary.currency if salary else ""
    ad.salary_period = salary.period if salary else ""
    ad.salary_kind = salary.kind if salary else ""
    ad.salary_raw = salary.raw if salary else ""


def _role_for(source: Source, incoming: IncomingAd, at: datetime) -> Role:
    key = _group_key(incoming)
    same = list(Role.objects.filter(group_key=key).order_by("id"))
    for role in same:
        others = Ad.objects.filter(role=role)
        requisitions = set(others.exclude(requisition="").values_list("requisition", flat=True))
        differs = bool(incoming.requisition) and bool(requisitions) and incoming.requisition not in requisitions
        if not others.filter(source=source).exists() and not differs:
            return role
    day = at.date().toordinal()
    # Its fields are still blank: refresh_role fills them and puts it into the index.
    return Role.objects.create(
        public_id=_derived_id("rol", key, source.name, incoming.source_key), group_key=key,
        checked_at=at, checked_day=day, posted_day=day,
    )  # fmt: skip


def _group_key(incoming: IncomingAd) -> str:
    def spoken(text: str) -> str:
        return " ".join(fold("".join(word.parts) or word.names[0]) for word in words(normalise(text), question=True))

    parts = [spoken(incoming.company), spoken(incoming.title), spoken(incoming.location), incoming.country]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _derived_id(prefix: str, *parts: str) -> str:
    number = int.from_bytes(hashlib.sha256("\x00".join(parts).encode()).digest()[:16], "big")
    digits = []
    for _ in range(26):
        digits.append(_ALPHABET[number & 31])
        number >>= 5
    return f"{prefix}_{''.join(reversed(digits))}"
