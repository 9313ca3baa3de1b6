"""Bounds of connections over raw sockets: clients that stop, send what is no HTTP, or are too many."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import httpx
import pytest
from builders import SOURCE, signed_registration, signed_source
from platform_fixture import platform
from scenario import AUTHOR, settle
from served import served
from subscribing import connected_to, streamed

from a2ap.canonical import sha256_digest
from graph.http.bounded_connections import LEAST_PROGRESS
from graph.platform import Platform

__all__ = ["platform"]

PATIENCE = 0.6  # seconds that a client has in these tests
OTHER_ID = "urn:uuid:00000000-0000-4000-8000-00000000beef"
SOON = 10.0  # seconds in which an answer must have come
GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /statements HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/ld+json\r\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as it came: its status, its problem, and whether the connection ended after it without a reset."""

    status: int
    problem: dict[str, Any]


@asynccontextmanager
async def bounded(platform: Platform, **changes: Any) -> AsyncIterator[int]:
    """Serve the platform with little patience; yield its port."""
    platform.settings = replace(platform.settings, **{"client_patience": PATIENCE} | changes)
    async with served(platform) as address:
        yield int(address.rpartition(":")[2])


@asynccontextmanager
async def opened(
    port: int, source: str = "127.0.0.1"
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    try:
        yield reader, writer
    finally:
        writer.close()


async def read_answer(reader: asyncio.StreamReader) -> Answer:
    """Read to the end of the connection, which says that nothing of the answer was lost."""
    head, _, body = (await asyncio.wait_for(reader.read(), SOON)).partition(b"\r\n\r\n")
    assert b"\r\nconnection: close" in head.lower()
    return Answer(int(head.split()[1]), json.loads(body))


async def told(port: int, *pieces: bytes) -> Answer:
    """Send pieces on one connection, and read what it is answered."""
    async with opened(port) as (reader, writer):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        return await read_answer(reader)


async def test_who_opens_connections_and_says_nothing_keeps_none(platform: Platform) -> None:
    async with bounded(platform) as port:
        connections = [await asyncio.open_connection("127.0.0.1", port) for _ in range(200)]
        ends = await asyncio.wait_for(asyncio.gather(*(end_of(reader) for reader, _ in connections)), SOON)
        assert ends == [b""] * 200
        for _, writer in connections:
            writer.close()
        assert (await told_of_health(port)).status_code == 200


async def end_of(reader: asyncio.StreamReader) -> bytes:
    """Return what comes until the connection ends, in good order or not."""
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


async def told_of_health(port: int) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False) as client:
        return await client.get(f"http://127.0.0.1:{port}/healthz")


async def test_a_head_that_comes_byte_by_byte_is_not_waited_for(platform: Platform) -> None:
    async def drip(writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(b"x")
            await asyncio.sleep(PATIENCE / 10)

    async with bounded(platform) as port, opened(port) as (reader, writer):
        writer.write(GET + b"X-Long: ")
        dripping = asyncio.create_task(drip(writer))
        answer = await read_answer(reader)
        dripping.cancel()
    assert answer.status == 408 and answer.problem["code"] == "REQUEST_TIMEOUT"


async def test_a_body_that_stops_is_not_waited_for(platform: Platform) -> None:
    async with bounded(platform) as port:
        answer = await told(port, POST + b"Content-Length: 1000\r\n\r\n", b"{")
        assert answer.status == 408 and answer.problem["code"] == "REQUEST_TIMEOUT"
        answer = await told(port, POST + b"Transfer-Encoding: chunked\r\n\r\n", b"3e8\r\n{")
        assert answer.status == 408


async def test_an_upload_may_take_as_long_as_it_goes_on(platform: Platform) -> None:
    """It takes four times the patience, and comes as slowly as it may."""
    await settle(platform)
    content = SOURCE
    digest = "sha256:" + hashlib.sha256(content).hexdigest()
    request = f"PUT /sources/{digest} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"

    async with bounded(platform) as port, opened(port) as (reader, writer):
        padding = b"x" * (4 * LEAST_PROGRESS)
        writer.write(request.encode() + b"Transfer-Encoding: chunked\r\n\r\n")
        for _ in range(8):
            # A chunk extension is nothing of the body, and is progress.
            writer.write(b"1;" + padding[:LEAST_PROGRESS] + b"\r\n" + content[:1] + b"\r\n")
            content = content[1:]
            await asyncio.sleep(PATIENCE / 2)
        writer.write(f"{len(content):x}\r\n".encode() + content + b"\r\n0\r\n\r\n")
        head = await asyncio.wait_for(reader.read(), SOON)
    assert head.split()[1] in (b"200", b"201"), head


async def test_streams_without_news_go_on(platform: Platform) -> None:
    await settle(platform)
    query = "subscription { logGrowth { size } }"
    async with bounded(platform) as port, connected_to(platform, f"http://127.0.0.1:{port}") as subscriber:
        await subscriber.subscribe("1", query)
        async with streamed(f"http://127.0.0.1:{port}", query) as events:
            following = asyncio.ensure_future(anext(aiter(events)))
            await asyncio.sleep(4 * PATIENCE)
            await platform.submit(signed_registration(77))
            assert (await subscriber.event("1"))["size"] == platform.log.size
            await asyncio.wait_for(following, SOON)


async def test_who_does_not_read_the_answer_is_not_waited_for(platform: Platform) -> None:

    await settle(platform)
    content = b"a line of a long source\n" * 400_000
    await platform.submit(signed_source(AUTHOR, source=content, source_id=OTHER_ID))

    async def pieces() -> AsyncIterator[bytes]:
        yield content

    await platform.sources.put(sha256_digest(content), pieces())
    async with bounded(platform) as port, opened(port) as (reader, writer):
        reader._transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(f"GET /sources/{sha256_digest(content)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        await asyncio.sleep(3 * PATIENCE)
        reader._transport.resume_reading()  # type: ignore[attr-defined]
        assert len(await end_of(reader)) < len(content)


@pytest.mark.parametrize(
    ("pieces", "status", "code"),
    [
        ((GET + b"X-Long: " + b"x" * 2**20 + b"\r\n\r\n",), 431, "TOO_LARGE"),
        ((b"GET /" + b"x" * 2**20 + b" HTTP/1.1\r\n\r\n",), 431, "TOO_LARGE"),
        ((POST + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",), 400, "INVALID_INPUT"),
        ((POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1" * 21 + b"\r\n"), 400, "INVALID_INPUT"),
        ((POST + b"Transfer-Encoding: chunked\r\n\r\n", b"-1\r\n"), 400, "INVALID_INPUT"),
        ((POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1" * 2**18), 400, "INVALID_INPUT"),
        ((POST + b"Content-Length: -1\r\n\r\n",), 400, "INVALID_INPUT"),
        ((POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n",), 400, "INVALID_INPUT"),
        ((b"GET / HTTP/1.1\r\n\r\n",), 400, "INVALID_INPUT"),
        ((b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",), 400, "INVALID_INPUT"),
        ((b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",), 400, "INVALID_INPUT"),
    ],
)
async def test_what_is_no_http_is_answered(
    platform: Platform, pieces: tuple[bytes, ...], status: int, code: str
) -> None:
    async with bounded(platform, client_patience=60.0) as port:
        answer = await told(port, *pieces)
        assert (answer.status, answer.problem["status"], answer.problem["code"]) == (status, status, code)
        assert (await told_of_health(port)).status_code == 200


async def test_a_body_that_is_too_long_is_answered_though_it_goes_on(platform: Platform) -> None:
    async with bounded(platform) as port:
        request = POST + b"Connection: keep-alive\r\nContent-Length: 99999999999\r\n\r\n"
        async with opened(port) as (reader, writer):
            writer.write(request)
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), SOON)
            assert head.split()[1] == b"413"
            # The rest is thrown away for a while, and not for ever.
            with pytest.raises(OSError):
                for _ in range(1000):
                    writer.write(b" " * 65_536)
                    await asyncio.wait_for(writer.drain(), SOON)
                    await asyncio.sleep(PATIENCE / 50)


async def test_connections_are_bounded_of_each_address_and_in_all(platform: Platform) -> None:
    async with bounded(platform, client_patience=60.0, max_connections=12, max_connections_of_address=8) as port:
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(8)]
        await asyncio.sleep(0.1)
        async with opened(port) as (reader, writer):
            writer.write(GET + b"\r\n")
            answer = await read_answer(reader)
            assert (answer.status, answer.problem["code"]) == (429, "TOO_MANY")
        # Others are served meanwhile, until there are too many of them too.
        for _ in range(4):
            held.append(await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.2", 0)))
            held[-1][1].write(GET + b"\r\n")
            assert (await asyncio.wait_for(held[-1][0].readuntil(b"\r\n"), SOON)).split()[1] == b"200"
        async with opened(port, "127.0.0.3") as (reader, writer):
            writer.write(GET + b"\r\n")
            answer = await read_answer(reader)
            assert (answer.status, answer.problem["code"]) == (503, "UNAVAILABLE")
            assert answer.problem["retryAfter"] == 1
        for _, writer in held:
            writer.close()
        await asyncio.sleep(0.2)
        assert (await told_of_health(port)).status_code == 200


async def test_web_sockets_count_as_connections(platform: Platform) -> None:
    async with bounded(platform, max_connections_of_address=2) as port:
        address = f"http://127.0.0.1:{port}"
        async with connected_to(platform, address), connected_to(platform, address), opened(port) as (reader, writer):
            writer.write(GET + b"\r\n")
            assert (await read_answer(reader)).status == 429
        await asyncio.sleep(0.2)
        assert (await told_of_health(port)).status_code == 200
