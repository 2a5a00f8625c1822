"""What the settings refuse and what follows from the environment. Each case is a fresh process, as in life."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

KEYS = {
    "CAREERVECTOR_SECRET_KEY": "kJ3-a0qXw8ZrT5yLm2Nv7Bc4Df6Gh9Jk1Pp",
    "CAREERVECTOR_CAPABILITY_KEY": "Qw3-e0rTy8UiO5pAs2Df7Gh4Jk6Lz9Xc1Vb",
    "CAREERVECTOR_AUDIT_KEY": "Mn3-b0vCx8ZaS5dFg2Hj7Kl4Qw6Er9Ty1Ui",
}
CLUSTER = {
    **KEYS,
    "DATABASE_URL": "postgres://cv@db.internal/cv",
    "VALKEY_URL": "redis://valkey.internal:6379/0",
    "CAREERVECTOR_PUBLIC_URL": "https://careervector.example",
}


def _settings(module: str, names: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    code = (
        "import json, sys, importlib\n"
        f"settings = importlib.import_module('careervector.settings.{module}')\n"
        "print(json.dumps({name: getattr(settings, name, None) for name in sys.argv[1:]}, default=str))"
    )
    base = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-c", code, *names], env={**base, **env}, capture_output=True, text=True, check=False
    )


def _read(module: str, names: list[str], env: dict[str, str]) -> dict[str, object]:
    done = _settings(module, names, env)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"DEBUG": "1"}, "production does not start with DEBUG"),
        ({"CAREERVECTOR_TESTING": "1"}, "CAREERVECTOR_TESTING is for tests"),
        ({"CAREERVECTOR_SECRET_KEY": ""}, "CAREERVECTOR_SECRET_KEY is not set"),
        ({"CAREERVECTOR_SECRET_KEY": "django-insecure-aB3dE5fG7hJ9kL1mN3pQ5rS7"}, "is a default or too short"),
        ({"CAREERVECTOR_CAPABILITY_KEY": "short"}, "CAREERVECTOR_CAPABILITY_KEY is a default or too short"),
        ({"CAREERVECTOR_AUDIT_KEY": "a" * 64}, "CAREERVECTOR_AUDIT_KEY is a default or too short"),
        ({"CAREERVECTOR_CAPABILITY_KEY": KEYS["CAREERVECTOR_SECRET_KEY"]}, "keys must differ"),
        ({"CAREERVECTOR_ALLOWED_HOSTS": "*"}, "production does not start with a wildcard host"),
        ({"CAREERVECTOR_ALLOWED_HOSTS": ".careervector.example"}, "production does not start with a wildcard host"),
        ({"CAREERVECTOR_PUBLIC_URL": ""}, "CAREERVECTOR_PUBLIC_URL is not set"),
        ({"CAREERVECTOR_PUBLIC_URL": "careervector.example"}, "must be an http or https URL"),
        ({"DATABASE_URL": ""}, "DATABASE_URL is not set"),
        ({"VALKEY_URL": ""}, "VALKEY_URL is not set"),
    ],
)
def test_production_refuses_to_start(change: dict[str, str], message: str) -> None:
    done = _settings("cluster", [], {**CLUSTER, **change})
    assert done.returncode != 0
    assert message in done.stderr.splitlines()[-1]


def test_production_on_https_has_host_bound_secure_cookies_and_exact_hosts() -> None:
    names = (
        "CAREERVECTOR_PUBLIC_URL ALLOWED_HOSTS SESSION_COOKIE_NAME SESSION_COOKIE_SECURE SESSION_COOKIE_HTTPONLY "
        "SESSION_COOKIE_SAMESITE CSRF_COOKIE_NAME CSRF_COOKIE_SECURE CSRF_TRUSTED_ORIGINS SECURE_HSTS_SECONDS DEBUG"
    ).split()
    assert _read("cluster", names, {**CLUSTER, "CAREERVECTOR_PUBLIC_URL": "https://careervector.example:443/x"}) == {
        "CAREERVECTOR_PUBLIC_URL": "https://careervector.example",
        "ALLOWED_HOSTS": ["careervector.example"],
        "SESSION_COOKIE_NAME": "__Host-sessionid",
        "SESSION_COOKIE_SECURE": True,
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Strict",
        "CSRF_COOKIE_NAME": "__Host-csrftoken",
        "CSRF_COOKIE_SECURE": True,
        "CSRF_TRUSTED_ORIGINS": ["https://careervector.example"],
        "SECURE_HSTS_SECONDS": 31536000,
        "DEBUG": False,
    }


def test_embedded_settings_make_their_keys_and_keep_them(tmp_path: Path) -> None:
    names = "SECRET_KEY CAREERVECTOR_CAPABILITY_KEY CAREERVECTOR_AUDIT_KEY".split()
    first = _read("embedded", names, {"CAREERVECTOR_DATA": str(tmp_path)})
    assert first == _read("embedded", names, {"CAREERVECTOR_DATA": str(tmp_path)})
    assert len(set(first.values())) == 3
    assert sorted(path.name for path in (tmp_path / "keys").iterdir()) == ["audit", "capability", "secret"]


def test_the_environment_goes_before_what_the_folder_holds(tmp_path: Path) -> None:
    env = {
        "CAREERVECTOR_DATA": str(tmp_path),
        "CAREERVECTOR_SECRET_KEY": " of-my-own ",
        "CAREERVECTOR_SECRET_KEY_FALLBACKS": "older, oldest",
        "DATABASE_URL": f"sqlite:///{tmp_path}/other.sqlite3",
        "VALKEY_URL": "unix:///run/valkey.sock",
    }
    names = "SECRET_KEY SECRET_KEY_FALLBACKS VALKEY_URL CELERY_BROKER_URL".split()
    assert _read("embedded", names, env) == {
        "SECRET_KEY": "of-my-own",
        "SECRET_KEY_FALLBACKS": ["older", "oldest"],
        "VALKEY_URL": "unix:///run/valkey.sock",
        "CELERY_BROKER_URL": "redis+socket:///run/valkey.sock",
    }


def test_an_embedded_start_answers_this_machine_under_any_public_name(tmp_path: Path) -> None:
    env = {"CAREERVECTOR_DATA": str(tmp_path), "CAREERVECTOR_PUBLIC_URL": "https://cv.example"}
    assert _read("embedded", ["ALLOWED_HOSTS", "SESSION_COOKIE_NAME"], env) == {
        "ALLOWED_HOSTS": ["cv.example", "127.0.0.1", "localhost", "[::1]"],
        "SESSION_COOKIE_NAME": "__Host-sessionid",
    }


def test_sqlite_waits_instead_of_failing_and_keeps_acknowledged_commits(tmp_path: Path) -> None:
    databases = _read("embedded", ["DATABASES"], {"CAREERVECTOR_DATA": str(tmp_path)})["DATABASES"]
    assert isinstance(databases, dict)
    assert databases["default"]["OPTIONS"] == {
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA secure_delete=OFF;"
        ),
    }


def test_postgresql_reads_committed_and_lends_connections(tmp_path: Path) -> None:
    url = "postgresql://who:pass@db.internal:6432/career?sslmode=verify-full"
    env = {"CAREERVECTOR_DATA": str(tmp_path), "DATABASE_URL": url, "CAREERVECTOR_DATABASE_CONNECTIONS": "7"}
    databases = _read("embedded", ["DATABASES"], env)["DATABASES"]
    assert isinstance(databases, dict)
    assert databases["default"]["OPTIONS"] == {
        "connect_timeout": 5,
        "application_name": "careervector",
        "prepare_threshold": 2,
        "sslmode": "verify-full",
        "isolation_level": 2,
        "pool": {"min_size": 1, "max_size": 7, "timeout": 10, "max_idle": 300},
    }
    assert (databases["default"]["CONN_MAX_AGE"], databases["default"]["CONN_HEALTH_CHECKS"]) == (0, True)


@pytest.mark.parametrize(("testing", "expected"), [("1", False), ("", True)])
def test_rate_limits_are_switched_off_in_tests_only(tmp_path: Path, testing: str, expected: bool) -> None:
    env = {"CAREERVECTOR_DATA": str(tmp_path), "CAREERVECTOR_TESTING": testing, "CAREERVECTOR_RATE_LIMITS": "off"}
    assert _read("embedded", ["CAREERVECTOR_RATE_LIMITS_ON"], env) == {"CAREERVECTOR_RATE_LIMITS_ON": expected}
