"""Settings for pytest: a SQLite file database, fixed keys."""

from __future__ import annotations

from .base import *  # noqa: F403

SECRET_KEY = "test-secret-key-that-is-long-enough-for-every-check-0123456789"
CAREERVECTOR_CAPABILITY_KEY = "test-capability-key-0123456789-0123456789"
CAREERVECTOR_CAPABILITY_KEY_FALLBACKS: list[str] = []
CAREERVECTOR_AUDIT_KEY = b"test-audit-key-0123456789-0123456789"
CAREERVECTOR_PUBLIC_URL = "http://testserver"
CAREERVECTOR_PROVIDERS = ["builtin", "scripted"]
ALLOWED_HOSTS = ["*"]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": BASE_DIR / ".data" / "test.sqlite3",  # noqa: F405
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 30, "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"},
        "TEST": {"NAME": BASE_DIR / ".data" / "test-run.sqlite3"},  # noqa: F405
    }
}
