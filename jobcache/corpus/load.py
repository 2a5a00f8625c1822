"""Bringing packaged and test ads into the database. Above: the commands. Below: build, ads.store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction

from jobcache import clock
from jobcache.ads.lines import LineAd
from jobcache.ads.store import SeenAd, StoreCounts, get_corpus, remove_source, store_ads
from jobcache.corpus.build import build_corpus

# Test ads are one source whatever file they came from.
TEST_SOURCE = "test-ads"
RENEW_AFTER_DAYS = 21


@transaction.atomic
def load_corpus() -> StoreCounts:
    """Load the packaged ads. Their dates count from the day of the first load, and anew once that is three weeks past,
    so that a demonstration does not grow old; before that a second load only sees the same ads again."""
    corpus = get_corpus()
    now = clock.now()
    age = (now.date() - corpus.synthetic_on).days if corpus.synthetic_on else RENEW_AFTER_DAYS
    if not 0 <= age < RENEW_AFTER_DAYS or corpus.synthetic_on is None:
        corpus.synthetic_on = now.date()
    corpus.synthetic_wanted = True
    corpus.save()
    added = changed = seen_again = 0
    for source, ads in build_corpus(corpus.synthetic_on).items():
        counts = store_ads(source, [SeenAd(one.ad, now - timedelta(days=one.seen_days_ago)) for one in ads])
        added, changed, seen_again = added + counts.added, changed + counts.changed, seen_again + counts.seen_again
    return StoreCounts(added, changed, seen_again)


def load_corpus_once() -> None:
    """Load or renew the packaged ads at a start, unless test ads have taken their place."""
    corpus = get_corpus()
    if not corpus.synthetic_wanted:
        return
    if corpus.synthetic_on is None or (clock.today() - corpus.synthetic_on).days >= 1:
        load_corpus()


@transaction.atomic
def load_test_ads(ads: Sequence[LineAd], *, keep_corpus: bool) -> StoreCounts:
    """Load test ads as one fresh source; the packaged corpus goes unless it is to be kept."""
    corpus = get_corpus()
    if not keep_corpus and corpus.synthetic_wanted:
        for source in build_corpus(clock.today()):
            remove_source(source)
        corpus = get_corpus()
        corpus.synthetic_wanted, corpus.synthetic_on = False, None
        corpus.save(update_fields=["synthetic_wanted", "synthetic_on"])
    now = clock.now()
    return store_ads(TEST_SOURCE, [SeenAd(one.ad, now, public_id=one.public_id) for one in ads])
