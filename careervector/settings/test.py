"""Settings for pytest: a database of the run's own, fixed keys, no Valkey unless a test names one.

CAREERVECTOR_TEST_DB: a file (several runs beside each other each take their own) or a `postgres://` URL.
"""

from __future__ import annotations

from careervector import environment

from .base import *  # noqa: F403
from .base import BASE_DIR, address_settings, valkey_settings

SECRET_KEY = "test-secret-key-that-is-long-enough-for-every-check-0123456789"  # noqa: S105
CAREERVECTOR_CAPABILITY_KEY = "test-capability-key-0123456789-0123456789"
CAREERVECTOR_CAPABILITY_KEY_FALLBACKS: list[str] = []
CAREERVECTOR_AUDIT_KEY = b"test-audit-key-0123456789-0123456789"
CAREERVECTOR_AUDIT_KEY_FALLBACKS: list[str] = []
CAREERVECTOR_PROVIDERS = ["builtin", "scripted"]

globals().update(address_settings("http://testserver"))
globals().update(valkey_settings(environment.read("CAREERVECTOR_TEST_VALKEY_URL")))
ALLOWED_HOSTS = ["*"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

_place = environment.read("CAREERVECTOR_TEST_DB", str(BASE_DIR / ".data" / "test-run.sqlite3"))
_url = _place if "://" in _place else f"sqlite:///{_place}"
# No pool: tests make threads that end without giving their connection back (see tests/databases.py).
DATABASES = {"default": dict(environment.database(_url, synchronous="OFF", pooled=False))}
if "://" not in _place:
    # A file, not memory: threads and the live server need to meet in it.
    (BASE_DIR / ".data").mkdir(exist_ok=True)
    DATABASES["default"]["TEST"] = {"NAME": _place}
