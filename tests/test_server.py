"""The listening socket and its connections: what is set on them, whoever answers."""

import os
import socket
import stat
from contextlib import suppress

import httpx
import pytest
from starlette.responses import PlainTextResponse

from graph.cli.server import bind, listening


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
async def test_neither_end_of_a_kept_connection_waits_to_fill_a_packet(host: str) -> None:
    """Nagle's algorithm holds a second small write back until the first is acknowledged, 40 ms later."""
    async with (
        listening(PlainTextResponse("here"), bind(host, 0)) as address,
        httpx.AsyncClient(base_url=address) as client,
    ):
        assert (await client.get("/")).text == "here"
        assert waits_of_connections(httpx.URL(address).port) == [False, False]


def waits_of_connections(port: int | None) -> list[bool]:
    """Say of each end of the connections to a port that this process has whether it waits to fill a packet."""
    waits = []
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # it was the descriptor of the listing, or is not connected
            if stat.S_ISSOCK(os.stat(f"/proc/self/fd/{name}").st_mode):
                with socket.socket(fileno=os.dup(int(name))) as found:
                    if found.family != socket.AF_UNIX and port in (found.getsockname()[1], found.getpeername()[1]):
                        waits.append(not found.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
    return waits
