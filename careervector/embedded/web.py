"""The web process: `python -m careervector.embedded.web --host H --port P --server daphne|uvicorn`.

Both servers are set up to the same rules: no access log (logs hold no addresses of anybody's pages), messages over the
sockets' limit reach the consumer, which closes with the contract's code, and no compression of WebSockets.
"""

from __future__ import annotations

import argparse
import os

from careervector import environment

# Above the contract's 1 MiB, so that the consumer can answer; above this the connection is simply dropped.
_MAX_MESSAGE_BYTES = 4 * 1024 * 1024


def serve_daphne(host: str, port: int) -> None:
    from daphne.endpoints import build_endpoint_description_strings
    from daphne.server import Server

    from careervector.asgi import application

    Server(
        application=application,
        endpoints=build_endpoint_description_strings(host=host, port=port),
        websocket_timeout=-1,
        websocket_max_message_size=_MAX_MESSAGE_BYTES,
        websocket_max_frame_size=_MAX_MESSAGE_BYTES,
        application_close_timeout=2,
        server_name="",
    ).run()


def serve_uvicorn(host: str, port: int) -> None:
    import uvicorn

    proxies = environment.read_list("CAREERVECTOR_TRUSTED_PROXIES")
    uvicorn.run(
        "careervector.asgi:application",
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        lifespan="off",
        server_header=False,
        # Behind a proxy, its word on address and scheme counts, and nobody else's.
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        ws_max_size=_MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
    )


SERVERS = {"daphne": serve_daphne, "uvicorn": serve_uvicorn}


def main() -> None:
    parser = argparse.ArgumentParser(prog="careervector.embedded.web")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--server", choices=sorted(SERVERS), default="daphne")
    chosen = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "careervector.settings.embedded")
    SERVERS[chosen.server](chosen.host, chosen.port)


if __name__ == "__main__":
    main()
