"""JobCache's own settings, all from the environment. Above: everything in this package.

| variable | meaning |
|---|---|
| JOBCACHE_DATA | folder of the database; default `$CAREERVECTOR_DATA/jobcache`, else `.data/jobcache` in the checkout |
| JOBCACHE_CONTROL_TOKEN, JOBCACHE_CORPUS_LIFECYCLE_TOKEN, JOBCACHE_CORPUS_WORKER_TOKEN | the three bearers |
| CAREERVECTOR_TESTING | `1` allows `load_ads` and CAREERVECTOR_NOW |
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def _data_dir() -> Path:
    own = os.environ.get("JOBCACHE_DATA")
    if own:
        return Path(own).resolve()
    shared = os.environ.get("CAREERVECTOR_DATA")
    base = Path(shared) if shared else Path(__file__).resolve().parents[1] / ".data"
    return (base / "jobcache").resolve()


DATA_DIR = _data_dir()
TESTING = os.environ.get("CAREERVECTOR_TESTING") == "1"
READER = "reader"
DEBUG = False
# Nothing is signed with it: JobCache has no sessions and no forms, and its cursors are checked, not trusted.
SECRET_KEY = secrets.token_urlsafe(50)
# No answer depends on the Host header: no absolute address is ever built from it.
ALLOWED_HOSTS = ["*"]

JOBCACHE_CONTROL_TOKEN = os.environ.get("JOBCACHE_CONTROL_TOKEN", "")
JOBCACHE_CORPUS_LIFECYCLE_TOKEN = os.environ.get("JOBCACHE_CORPUS_LIFECYCLE_TOKEN", "")
JOBCACHE_CORPUS_WORKER_TOKEN = os.environ.get("JOBCACHE_CORPUS_WORKER_TOKEN", "")

INSTALLED_APPS = ["jobcache.apps.JobCacheConfig"]
MIDDLEWARE: list[str] = []
ROOT_URLCONF = "jobcache.urls"
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
USE_I18N = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
APPEND_SLASH = False
_PRAGMAS = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"
_FILE = {"ENGINE": "django.db.backends.sqlite3", "NAME": DATA_DIR / "jobcache.sqlite3"}
DATABASES = {
    "default": {**_FILE, "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 30, "init_command": _PRAGMAS}},
    # The same file for searches: they never wait for a writer, and can write nothing.
    READER: {**_FILE, "OPTIONS": {"timeout": 10, "init_command": "PRAGMA query_only=ON;"}},
}
# Django's own loggers would print request paths; what went wrong is said by class name alone (see http.gate).
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "jobcache %(levelname)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {
        "django": {"handlers": [], "level": "CRITICAL", "propagate": False},
        "django.request": {"handlers": [], "level": "CRITICAL", "propagate": False},
        "django.server": {"handlers": [], "level": "CRITICAL", "propagate": False},
        "jobcache": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
    },
}
