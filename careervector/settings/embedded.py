"""One person's machine: SQLite and keys in the data folder, Valkey on a private socket. What `manage.py up` runs.

Anything that the environment names goes first, so the same folder may be served with another database or Valkey.
"""

from __future__ import annotations

from careervector.embedded.data import DataFolder

from .base import *  # noqa: F403
from .base import DATA_DIR, address_settings, environment, valkey_settings

_data = DataFolder(DATA_DIR)

SECRET_KEY = environment.read("CAREERVECTOR_SECRET_KEY") or _data.key("secret")
SECRET_KEY_FALLBACKS = environment.read_list("CAREERVECTOR_SECRET_KEY_FALLBACKS")
CAREERVECTOR_CAPABILITY_KEY = environment.read("CAREERVECTOR_CAPABILITY_KEY") or _data.key("capability")
CAREERVECTOR_CAPABILITY_KEY_FALLBACKS = environment.read_list("CAREERVECTOR_CAPABILITY_KEY_FALLBACKS")
CAREERVECTOR_AUDIT_KEY = (environment.read("CAREERVECTOR_AUDIT_KEY") or _data.key("audit")).encode()

JOBCACHE_URL = environment.read("JOBCACHE_URL", "http://127.0.0.1:8001")
JOBCACHE_CONTROL_TOKEN = environment.read("JOBCACHE_CONTROL_TOKEN") or _data.key("jobcache-control")
JOBCACHE_CORPUS_WORKER_TOKEN = environment.read("JOBCACHE_CORPUS_WORKER_TOKEN") or _data.key("jobcache-worker")

DATABASES = {"default": environment.database(environment.read("DATABASE_URL", f"sqlite:///{_data.database}"))}

globals().update(address_settings(environment.read("CAREERVECTOR_PUBLIC_URL", "http://127.0.0.1:8000")))
globals().update(valkey_settings(environment.read("VALKEY_URL")))
