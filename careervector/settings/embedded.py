"""One person's machine: SQLite and keys in the data folder, Valkey on a private socket. What `manage.py up` runs.

Anything that the environment names goes first, so the same folder may be served with another database or Valkey.
"""

from __future__ import annotations

from careervector import environment
from careervector.embedded.data import DataFolder

from .base import *  # noqa: F403
from .base import DATA_DIR, address_settings, valkey_settings

_data = DataFolder(DATA_DIR)
_data.prepare()
_served = _data.announced()

SECRET_KEY = environment.read("CAREERVECTOR_SECRET_KEY") or _data.key("secret")
SECRET_KEY_FALLBACKS = environment.read_list("CAREERVECTOR_SECRET_KEY_FALLBACKS")
CAREERVECTOR_CAPABILITY_KEY = environment.read("CAREERVECTOR_CAPABILITY_KEY") or _data.key("capability")
CAREERVECTOR_CAPABILITY_KEY_FALLBACKS = environment.read_list("CAREERVECTOR_CAPABILITY_KEY_FALLBACKS")
CAREERVECTOR_AUDIT_KEY = (environment.read("CAREERVECTOR_AUDIT_KEY") or _data.key("audit")).encode()
CAREERVECTOR_AUDIT_KEY_FALLBACKS = environment.read_list("CAREERVECTOR_AUDIT_KEY_FALLBACKS")

DATABASES = {"default": environment.database(environment.read("DATABASE_URL", f"sqlite:///{_data.database}"))}

globals().update(
    address_settings(environment.read("CAREERVECTOR_PUBLIC_URL", _served.get("public_url", "http://127.0.0.1:8000")))
)
globals().update(valkey_settings(environment.read("VALKEY_URL", _served.get("valkey_url", ""))))
# `up` and the person's own checks ask this machine, whatever name the public knows it by.
ALLOWED_HOSTS = [*globals()["ALLOWED_HOSTS"], "127.0.0.1", "localhost", "[::1]"]
