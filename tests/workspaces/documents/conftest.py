"""Loads the Hypothesis profile of the run."""

from __future__ import annotations

import tests.hypothesis_profiles  # noqa: F401
