"""The one Django application of this project."""

from __future__ import annotations

from django.apps import AppConfig


class JobCacheConfig(AppConfig):
    name = "jobcache"
    label = "jobcache"
    verbose_name = "JobCache"
