"""The web process of the restart tests: the product's own, under the test settings.

Run as `python -m tests.assistant.realtime.server_process PORT daphne|uvicorn`; CAREERVECTOR_TEST_DB names the database.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "careervector.settings.test"
    import django

    django.setup()
    from careervector.embedded.web import SERVERS

    SERVERS[sys.argv[2]]("127.0.0.1", int(sys.argv[1]))


if __name__ == "__main__":
    main()
