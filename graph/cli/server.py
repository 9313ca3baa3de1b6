"""An HTTP server in this process, and stopping it and everything under it in order.

A signal cancels the one task that holds everything open, so that each part is closed by the code that opened it: first
the server, then the platform, then the embedded engine if no other process uses it.
"""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from graph.cli.errors import CommandError
from graph.cli.stop_signals import STOPPING, StopSignals
from graph.http.bounded_connections import Bounds, bounded
from graph.http.known_names import KnownNames, Names
from graph.open_files import BESIDE, allow_open_files
from graph.settings import Settings

logger = logging.getLogger(__name__)

_PATIENCE = 5  # seconds in which requests may come to their end
_POLL = 0.01  # seconds


class _Server(uvicorn.Server):
    """A server that leaves the signals to the command."""

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Capture none."""
        yield


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that holds an address, 0 standing for any free port. Raises CommandError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio switches off Nagle's algorithm only for sockets that name their protocol, and so do accepted ones.
    opened = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((host, port))
        # Until it listens, another process can bind the same address, and only one of them would find out, late.
        opened.listen()
    except (OSError, OverflowError) as error:
        opened.close()
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CommandError(f"{host}:{port} cannot be listened on: {reason}") from error
    return opened


def address_of(listening: socket.socket) -> str:
    """Return the URL of a server on a bound socket, as a client on this machine opens it."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1" if host == "0.0.0.0" else "::1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@asynccontextmanager
async def listening(
    app: ASGIApp,
    opened: socket.socket,
    before_end: Callable[[], None] = lambda: None,
    settings: Settings | None = None,
) -> AsyncIterator[str]:
    """Serve an application on a bound socket, under the names and within the bounds of the settings.

    Yields its address once it answers; without settings, it is known by addresses and `localhost` alone. `before_end`
    is called when the server is told to stop, to end streams that would never end by themselves.
    """
    server = _Server(
        uvicorn.Config(
            KnownNames(app, Names.of(settings) if settings is not None else Names()),
            http=bounded(_bounds(settings)),
            log_config=None,
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=_PATIENCE,
            # Without proxies that are named, the headers in which a proxy names its client are those of a client.
            proxy_headers=bool(settings and settings.trusted_proxies),
            forwarded_allow_ips=list(settings.trusted_proxies) if settings is not None else [],
        )
    )
    serving = asyncio.create_task(server.serve(sockets=[opened]))
    try:
        while not server.started and not serving.done():
            await asyncio.sleep(_POLL)
        if serving.done():
            await serving
            raise CommandError("the server did not start")
        yield address_of(opened)
    finally:
        before_end()
        server.should_exit = True
        await asyncio.wait([serving])


def _bounds(settings: Settings | None) -> Bounds:
    """Return the bounds of the settings, with no more connections than open files allow."""
    stated = Bounds.of(settings) if settings is not None else Bounds()
    possible = max(1, allow_open_files(stated.connections + BESIDE) - BESIDE)
    if possible < stated.connections:
        logger.warning("%s connections can be open at once, because of the limit of open files (ulimit -n)", possible)
    return replace(stated, connections=min(stated.connections, possible))


async def until_stopped(work: Coroutine[Any, Any, None], signals: StopSignals) -> bool:
    """Do some work until it ends, or SIGINT or SIGTERM comes or has come; return whether a signal did.

    The work is cancelled by the first signal; further ones change nothing, since stopping is bounded in time.
    """
    task = asyncio.create_task(work)
    stopped = False

    def stop() -> None:
        nonlocal stopped
        if not stopped:
            stopped = True
            task.cancel()

    loop = asyncio.get_running_loop()
    for number in STOPPING:
        loop.add_signal_handler(number, stop)
    if signals.came:
        stop()
    try:
        await task
    except asyncio.CancelledError:
        if not stopped:
            raise
    return stopped
