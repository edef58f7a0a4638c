"""The web server: one process, one event loop, nothing about a request written anywhere."""

import argparse
import os

import uvicorn

from deploy.private import OTHERS


def main() -> None:
    """Serve `deploy.asgi` until a signal comes; what is queued is written first."""
    parser = argparse.ArgumentParser(prog="python -m deploy.web", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    asked = parser.parse_args()
    os.umask(OTHERS)
    uvicorn.run(
        "deploy.asgi:application",
        host=asked.host,
        port=asked.port,
        # Measured: httptools and uvloop halve the CPU of a report; a second process would split the group commit.
        http="httptools",
        loop="uvloop",
        ws="none",
        workers=1,
        lifespan="on",
        # Nobody's address is wanted, from the socket or from a proxy.
        access_log=False,
        proxy_headers=False,
        server_header=False,
        log_level="warning",
        timeout_keep_alive=20,
        timeout_graceful_shutdown=10,
    )


if __name__ == "__main__":
    main()
