"""What holds in every placement. `embedded`, `cluster` and `test` add keys, the database and the addresses.

Stands above `careervector.environment`; packages read the `CAREERVECTOR_*` names through `django.conf.settings` only.
`jobcache_client`, which knows no Django, reads the `JOBCACHE_*` ones from the environment.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from csp.constants import NONCE, NONE, SELF, STRICT_DYNAMIC

from careervector import environment
from careervector.logging import logging_config

BASE_DIR = Path(__file__).resolve().parents[2]
DATA_DIR = Path(environment.read("CAREERVECTOR_DATA", str(BASE_DIR / ".data"))).resolve()
TESTING = environment.is_testing()
DEBUG = False

INSTALLED_APPS = [
    "daphne",
    "careervector.staff.StaffConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "csp",
    "workspaces",
    "assistant",
    "careervector",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "careervector.static_files.StaticFilesMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "careervector.urls"
ASGI_APPLICATION = "careervector.asgi.application"
APPEND_SLASH = False
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"

# Static files: the web process serves the built front end itself, found once at its start. Names carry hashes.
STATIC_URL = "/static/"
FRONTEND_DIST = BASE_DIR / "frontend" / "dist"
STATICFILES_DIRS = [FRONTEND_DIST] if FRONTEND_DIST.is_dir() else []
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False

# The API. Authentication, throttling and the strict parser are chosen by the views of each package.
REST_FRAMEWORK: dict[str, Any] = {
    "EXCEPTION_HANDLER": "careervector.problems.handle",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
    "COERCE_DECIMAL_TO_STRING": False,
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "CareerVector",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": r"/api/v1",
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024

# What the browser is held to. Pages mark their scripts and styles with the request's nonce.
CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [NONCE, STRICT_DYNAMIC],
        "style-src": [SELF, NONCE],
        "style-src-attr": ["'unsafe-inline'"],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "worker-src": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "require-trusted-types-for": ["'script'"],
        "trusted-types": ["lit-html"],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Strict"
SESSION_COOKIE_AGE = 30 * 24 * 3600
CSRF_COOKIE_SAMESITE = "Strict"


# Said by each placement through the two functions below.
CAREERVECTOR_PUBLIC_URL = ""
VALKEY_URL = ""
CELERY_BROKER_URL = ""


def address_settings(public_url: str) -> dict[str, Any]:
    """What follows from where people reach this product: hosts, cookies, the sockets' origin, HTTPS rules."""
    origin = environment.origin(public_url)
    https = origin.startswith("https://")
    host = origin.split("://", 1)[1]
    directives = dict(CONTENT_SECURITY_POLICY["DIRECTIVES"])
    directives["connect-src"] = [SELF, f"{'wss' if https else 'ws'}://{host}"]
    prefix = "__Host-" if https else ""
    return {
        "CAREERVECTOR_PUBLIC_URL": origin,
        "ALLOWED_HOSTS": [host.rsplit(":", 1)[0] if not host.endswith("]") else host],
        "CONTENT_SECURITY_POLICY": {"DIRECTIVES": directives},
        "CSRF_TRUSTED_ORIGINS": [origin],
        "SESSION_COOKIE_NAME": f"{prefix}sessionid",
        "SESSION_COOKIE_SECURE": https,
        "CSRF_COOKIE_NAME": f"{prefix}csrftoken",
        "CSRF_COOKIE_SECURE": https,
        "SECURE_HSTS_SECONDS": 365 * 24 * 3600 if https else 0,
    }


def valkey_settings(url: str) -> dict[str, Any]:
    """Everything that meets in Valkey: the hub, rate limits, Celery. Without one, each process is an island."""
    return {"VALKEY_URL": url, "CELERY_BROKER_URL": environment.broker_url(url)}


# Deferred work. Results are never read; a task that dies with its worker runs again.
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A request that hands work over must not wait for a broker that does not answer.
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 3}
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_TIMEZONE = "UTC"

LOGGING_CONFIG = None
logging_config()

# The product's own settings.
CAREERVECTOR_RECEIPT_DAYS = int(environment.read("CAREERVECTOR_RECEIPT_DAYS", "30"))
CAREERVECTOR_PROVIDERS = environment.read_list("CAREERVECTOR_PROVIDERS", "builtin")
# Per client address and per link, a minute; `live_*` a second (contract section 2).
CAREERVECTOR_RATE_LIMITS: dict[str, int] = {
    "session": 20,
    "workspace": 20,
    "write": 120,
    "turn": 20,
    "diagnostic": 5,
    "live_updates": 60,
    "live_bytes": 256 * 1024,
}
CAREERVECTOR_RATE_LIMITS_ON = not (TESTING and environment.read("CAREERVECTOR_RATE_LIMITS") == "off")
