"""The listening socket and its connections: what is set on them, and from where a client comes."""

import os
import socket
import stat
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from graph.cli.server import bind, listening
from graph.http.client_address import client_network
from graph.settings import Settings, SettingsError


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


@pytest.mark.parametrize(
    ("proxies", "seen"),
    [
        ((), "127.0.0.1"),
        (("10.0.0.0/8",), "127.0.0.1"),
        (("127.0.0.1",), "203.0.113.7"),
        (("127.0.0.0/8",), "203.0.113.7"),
    ],
)
async def test_a_client_is_where_a_trusted_proxy_says_and_nobody_else(
    proxies: tuple[str, ...], seen: str, tmp_path: Path
) -> None:
    settings = Settings(data=tmp_path, trusted_proxies=proxies)
    async with (
        listening(told_network, bind("127.0.0.1", 0), settings=settings) as address,
        httpx.AsyncClient(base_url=address) as client,
    ):
        assert (await client.get("/", headers={"x-forwarded-for": "203.0.113.7"})).text == seen


async def told_network(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the network that a client counts as."""
    await PlainTextResponse(client_network(HTTPConnection(scope)))(scope, receive, send)


def test_a_proxy_is_an_address_or_a_network() -> None:
    stated = {"A2AP_DATA": "data", "A2AP_TRUSTED_PROXIES": "10.0.0.1, fd00::/8"}
    assert Settings.from_environment(stated).trusted_proxies == ("10.0.0.1", "fd00::/8")
    with pytest.raises(SettingsError, match="A2AP_TRUSTED_PROXIES holds 'proxy', and a proxy is an IP address"):
        Settings.from_environment(stated | {"A2AP_TRUSTED_PROXIES": "proxy"})
