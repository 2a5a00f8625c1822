"""The web process of the restart tests: the whole ASGI application on a given port, under the test settings.

Run as `python -m tests.assistant.realtime.server_process PORT`; CAREERVECTOR_TEST_DB names the database.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "careervector.settings.test"
    import uvicorn

    uvicorn.run(
        "careervector.asgi:application",
        host="127.0.0.1",
        port=int(sys.argv[1]),
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
    )


if __name__ == "__main__":
    main()
