"""How much Hypothesis tries. CAREERVECTOR_HYPOTHESIS=deep tries more; under CI the examples are the same each time."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_SHARED = {
    "deadline": None,
    "print_blob": True,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}

settings.register_profile("quick", max_examples=40, **_SHARED)
settings.register_profile("ci", max_examples=40, derandomize=True, database=None, **_SHARED)
settings.register_profile("deep", max_examples=1000, **_SHARED)
PROFILE = os.environ.get("CAREERVECTOR_HYPOTHESIS") or ("ci" if os.environ.get("CI") else "quick")
settings.load_profile(PROFILE)


def examples(quick: int) -> int:
    """How many examples a costly test tries: `quick`, or twenty times as many in the deep profile."""
    return quick * 20 if PROFILE == "deep" else quick
