"""Production: everything named by the environment, nothing assumed. Refuses to start rather than run unsafely."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured

from careervector import environment

from .base import *  # noqa: F403
from .base import TESTING, address_settings, valkey_settings

if TESTING:
    raise ImproperlyConfigured("CAREERVECTOR_TESTING is for tests; production does not start with it")
if environment.read("DEBUG") not in {"", "0", "false", "False"}:
    raise ImproperlyConfigured("production does not start with DEBUG")

SECRET_KEY = environment.require_key("CAREERVECTOR_SECRET_KEY")
SECRET_KEY_FALLBACKS = environment.read_list("CAREERVECTOR_SECRET_KEY_FALLBACKS")
CAREERVECTOR_CAPABILITY_KEY = environment.require_key("CAREERVECTOR_CAPABILITY_KEY")
CAREERVECTOR_CAPABILITY_KEY_FALLBACKS = environment.read_list("CAREERVECTOR_CAPABILITY_KEY_FALLBACKS")
CAREERVECTOR_AUDIT_KEY = environment.require_key("CAREERVECTOR_AUDIT_KEY").encode()
CAREERVECTOR_AUDIT_KEY_FALLBACKS = environment.read_list("CAREERVECTOR_AUDIT_KEY_FALLBACKS")
if len({SECRET_KEY, CAREERVECTOR_CAPABILITY_KEY, CAREERVECTOR_AUDIT_KEY.decode()}) < 3:
    raise ImproperlyConfigured("the secret, capability and audit keys must differ")

DATABASES = {"default": environment.database(environment.require("DATABASE_URL"))}
globals().update(address_settings(environment.require("CAREERVECTOR_PUBLIC_URL")))
globals().update(valkey_settings(environment.require("VALKEY_URL")))

ALLOWED_HOSTS: list[str] = [*globals()["ALLOWED_HOSTS"], *environment.read_list("CAREERVECTOR_ALLOWED_HOSTS")]
if any("*" in host or host.startswith(".") for host in ALLOWED_HOSTS):
    raise ImproperlyConfigured("production does not start with a wildcard host")
