"""The rows of JobCache: ads at their sources, the roles they belong to, and the evidence of when each was seen.

Above: ads.store is the only writer; search reads. Words: jobcache.md of the design, contract section 10.
"""

from __future__ import annotations

from django.db import models


class Corpus(models.Model):
    """One row. `version` rises with each change of content, so that a snapshot can name what it froze."""

    version = models.PositiveBigIntegerField(default=0)
    synthetic_on = models.DateField(null=True, help_text="the day that the packaged ads' dates count from")
    synthetic_wanted = models.BooleanField(default=True, help_text="false once test ads took its place")

    def __str__(self) -> str:
        return f"corpus {self.version}"


class Source(models.Model):
    """Where ads come from: a board, a page's host, the packaged corpus."""

    name = models.CharField(max_length=200, unique=True)

    def __str__(self) -> str:
        return self.name


class Posting(models.Model):
    """The fields that an ad states and that its role shows. Texts are plain text; nothing is converted."""

    title = models.CharField(max_length=500)
    company = models.CharField(max_length=500, blank=True)
    location = models.CharField(max_length=500, blank=True)
    country = models.CharField(max_length=2, blank=True)
    work_mode = models.CharField(max_length=10, blank=True)
    employment_type = models.CharField(max_length=20, blank=True)
    salary_min = models.BigIntegerField(null=True)
    salary_max = models.BigIntegerField(null=True)
    salary_currency = models.CharField(max_length=3, blank=True)
    salary_period = models.CharField(max_length=10, blank=True)
    salary_kind = models.CharField(max_length=10, blank=True, help_text="stated, parsed or estimated; blank: none")
    salary_raw = models.CharField(max_length=500, blank=True)
    posted_on = models.DateField(null=True)
    valid_through = models.DateField(null=True)
    url = models.CharField(max_length=2000, blank=True)
    text = models.TextField(blank=True)

    class Meta:
        abstract = True


class Role(Posting):
    """One job. Shows the fields of its best ad; `posted_day` and `checked_day` are day numbers for ranking."""

    public_id = models.CharField(max_length=40, unique=True)
    group_key = models.CharField(max_length=64, db_index=True)
    checked_at = models.DateTimeField()
    checked_day = models.IntegerField()
    posted_day = models.IntegerField()
    valid_day = models.IntegerField(null=True)
    title_words = models.PositiveIntegerField(default=1)

    class Meta:
        indexes = [models.Index(fields=["-posted_day", "-id"], name="jobcache_role_newest")]

    def __str__(self) -> str:
        return self.public_id


class Ad(Posting):
    """One posting at one source. `source_key` is the source's own id for it, `requisition` the employer's."""

    public_id = models.CharField(max_length=40, unique=True)
    role = models.ForeignKey(Role, on_delete=models.PROTECT, related_name="ads")
    source = models.ForeignKey(Source, on_delete=models.PROTECT, related_name="ads")
    source_key = models.CharField(max_length=500)
    requisition = models.CharField(max_length=200, blank=True)
    content_hash = models.CharField(max_length=80)
    first_seen_at = models.DateTimeField()
    fetched_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["source", "source_key"], name="jobcache_one_ad_a_source_key")]

    def __str__(self) -> str:
        return self.public_id


class Evidence(models.Model):
    """One state of one ad: seen first and last at these times, with this content, its fields taken from there.

    `provenance` maps a field's name to the place in the source that it was read from.
    """

    ad = models.ForeignKey(Ad, on_delete=models.CASCADE, related_name="evidence")
    content_hash = models.CharField(max_length=80)
    first_fetched_at = models.DateTimeField()
    fetched_at = models.DateTimeField()
    provenance = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["ad", "content_hash"], name="jobcache_one_row_a_content")]

    def __str__(self) -> str:
        return f"{self.ad_id} {self.content_hash[:16]}"
