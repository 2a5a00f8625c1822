from __future__ import annotations

from tests.assistant.realtime.conftest import calm, desk, desks, server

__all__ = ["calm", "desk", "desks", "server"]
