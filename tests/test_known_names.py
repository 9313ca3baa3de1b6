"""Names of a node: another `Host` is misdirected, and a page of another origin neither reads nor writes."""

import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from builders import signed_registration
from http_client import OPERATOR
from platform_fixture import platform
from scenario import AUTHOR
from served import served
from starlette.datastructures import Headers
from subscribing import connected_to
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from graph.errors import ForbiddenError, MisdirectedError
from graph.http.known_names import Authority, Names
from graph.platform import Platform
from graph.settings import Settings

__all__ = ["platform"]

PAGE = "https://elsewhere.example"
LOG = {"query": "{ log { size } }"}


@asynccontextmanager
async def known(platform: Platform) -> AsyncIterator[httpx.AsyncClient]:
    """Serve the platform as node.example, and as graph.internal:8443."""
    platform.settings = replace(
        platform.settings,
        public_url="https://node.example/a2ap",
        names=("graph.internal:8443",),
        operator_token=OPERATOR,
    )
    async with served(platform) as address, httpx.AsyncClient(base_url=address, trust_env=False) as client:
        yield client


async def test_what_is_meant_for_another_host_is_answered_by_nobody(platform: Platform) -> None:
    """A page whose own name was made to lead here reads nothing, and writes nothing with a token that it was given."""
    operator = {"authorization": f"Bearer {OPERATOR}"}
    async with known(platform) as client:
        port = client.base_url.port
        for host in ("rebound.example", f"rebound.example:{port}", "localhost.rebound.example", "0.0.0.0", "10.0.0.1"):
            stated = {"host": host, "origin": f"http://{host}"}
            size = platform.log.size
            for answer in (
                await client.get("/healthz", headers=stated),
                await client.get("/export", headers=stated | operator),
                await client.get("/graphql", headers=stated | {"accept": "text/html"}),
                await client.post("/graphql", json=LOG, headers=stated | operator),
                await client.get("/graphql", params=LOG, headers=stated | {"accept": "text/event-stream"}),
                await client.options("/graphql", headers=stated | {"access-control-request-method": "POST"}),
                await client.post("/agents", content=signed_registration(AUTHOR), headers=stated | operator),
            ):
                assert answer.status_code == 421
                assert answer.json()["code"] == "MISDIRECTED" and host in answer.json()["detail"]
            assert platform.log.size == size


async def test_the_node_answers_to_each_of_its_names(platform: Platform) -> None:
    async with known(platform) as client:
        port = client.base_url.port
        for host in ("localhost", f"127.0.0.1:{port}", "[::1]", "LOCALHOST.", "node.example", "Graph.Internal"):
            assert (await client.get("/readyz", headers={"host": host})).status_code == 200
        for host, origin in (
            (f"localhost:{port}", f"http://localhost:{port}"),
            ("node.example", "https://node.example"),
            ("127.0.0.1:8000", "https://node.example"),  # a proxy that states the address that it was given
            ("127.0.0.1:8000", "https://graph.internal:8443"),
        ):
            answer = await client.post("/graphql", json=LOG, headers={"host": host, "origin": origin})
            assert answer.status_code == 200, answer.text


@pytest.mark.parametrize(
    "stated",
    [
        {"origin": PAGE},
        {"origin": "null"},
        {"origin": "http://localhost:1"},
        {"origin": "https://graph.internal"},
        {"origin": "http://node.example:8080"},
        {"origin": "https://node.example.elsewhere.example"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script"},
        {"sec-fetch-site": "same-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"},
        {"origin": "http://node.example", "sec-fetch-site": "cross-site"},  # of the same name, over another scheme
    ],
)
async def test_a_page_of_another_origin_neither_reads_nor_writes(platform: Platform, stated: dict[str, str]) -> None:
    async with known(platform) as client:
        size = platform.log.size
        for answer in (
            await client.get("/healthz", headers=stated),
            await client.get("/export", headers=stated),
            await client.post("/graphql", json=LOG, headers=stated),
            await client.get("/graphql", params=LOG, headers=stated | {"accept": "text/event-stream"}),
            await client.options("/graphql", headers=stated | {"access-control-request-method": "POST"}),
            await client.post("/agents", content=signed_registration(AUTHOR), headers=stated),
        ):
            assert answer.status_code == 403 and answer.json()["code"] == "FORBIDDEN"
            assert not [name for name in answer.headers if name.startswith("access-control-")]
        assert platform.log.size == size


async def test_a_link_of_another_page_is_followed_and_sends_nothing(platform: Platform) -> None:
    followed = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    async with known(platform) as client:
        assert (await client.get("/graphql", headers=followed | {"accept": "text/html"})).status_code == 200
        assert (await client.post("/graphql", json=LOG, headers=followed)).status_code == 403


async def test_a_web_socket_is_asked_for_its_host_and_its_page(platform: Platform) -> None:
    async with known(platform) as client:
        address = str(client.base_url)
        ours = address.replace("http://", "")
        for origin, host, status in (
            (PAGE, None, 403),
            ("null", None, 403),
            ("http://rebound.example", "rebound.example", 421),
            (None, "rebound.example", 421),
        ):
            with pytest.raises(InvalidStatus) as refused:
                await open_socket(address, origin, host)
            assert refused.value.response.status_code == status
        for origin in (None, f"http://{ours}", "https://node.example"):
            await open_socket(address, origin, None)
        async with connected_to(platform, address) as subscriber:
            await subscriber.subscribe("1", "{ log { size } }")
            assert (await subscriber.event("1"))["size"] == platform.log.size


async def open_socket(address: str, origin: str | None, host: str | None) -> None:
    """Open a WebSocket as a page of an origin does, which believes that it speaks with a host."""
    opened = socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])))
    async with connect(
        f"ws://{host or opened.getpeername()[0]}:{opened.getpeername()[1]}/graphql",
        origin=Origin(origin) if origin is not None else None,
        subprotocols=[Subprotocol("graphql-transport-ws")],
        sock=opened,
        proxy=None,
    ):
        pass


@pytest.mark.parametrize(
    ("host", "server", "is_known"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("10.1.2.3:80", "127.0.0.1", False),
        ("10.1.2.3:80", "10.1.2.3", True),
        ("203.0.113.9", "10.1.2.3", True),  # an address that was translated on the way
        ("[2001:db8::1]:8000", "2001:db8::1", True),
        ("localhost", "10.1.2.3", True),
        ("node", "10.1.2.3", False),
        ("127.0.0.1.rebound.example", "127.0.0.1", False),
        ("localhost:80:80", "127.0.0.1", False),
        ("localhost/", "127.0.0.1", False),
        ("user@localhost", "127.0.0.1", False),
        ("", "127.0.0.1", False),
        (None, "127.0.0.1", True),
    ],
)
def test_addresses_lead_nowhere_else_and_names_have_to_be_stated(host: str | None, server: str, is_known: bool) -> None:
    try:
        Names().check_host(host, server)
    except MisdirectedError:
        assert not is_known
    else:
        assert is_known


def test_the_host_that_it_listens_on_is_a_name_of_the_node() -> None:
    names = Names.of(Settings(data=Path(), host="Node.Internal", names=("other", "third:8443")))
    assert names.authorities == (
        Authority("node.internal", None),
        Authority("other", None),
        Authority("third", 8443),
    )
    names.check_host("node.internal:8000", "10.0.0.1")


@pytest.mark.parametrize(
    ("stated", "is_own"),
    [
        ({}, True),
        ({"host": "a:80", "origin": "http://a"}, True),
        ({"host": "a", "origin": "https://a:443"}, True),
        ({"host": "a:8000", "origin": "http://a"}, False),
        ({"host": "a", "origin": "ftp://a"}, False),
        ({"host": "a", "origin": "a"}, False),
        ({"origin": "http://a"}, False),
        ({"sec-fetch-site": "none"}, True),
        ({"sec-fetch-site": "same-site"}, False),
    ],
)
def test_an_origin_is_the_host_that_is_asked(stated: Mapping[str, str], is_own: bool) -> None:
    try:
        Names().check_origin(Headers(stated), "GET")
    except ForbiddenError:
        assert not is_own
    else:
        assert is_own
