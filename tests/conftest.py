"""What every test may count on. Fixtures that more than one package's tests share stand here."""

from __future__ import annotations

import os

# The ORM is called from pytest-asyncio's loop only through database_sync_to_async; Django's guard cannot see that the
# fixtures' set-up and tear-down run beside the loop.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
