"""GraphQL over server-sent events: what an EventSource and curl get, and what holds at this door as at the others."""

import asyncio
import json
import socket
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from hashlib import sha256
from typing import Any

import httpx
import pytest
from builders import segment, signed_response, signed_source, signed_statement
from full_places import HERE, full
from http_client import READERS
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_A, accept, pieces, settle
from subscribing import SOON, Sent, connected_to, streamed, with_readers

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.verification_response import Verdict
from graph.cli.server import bind
from graph.graphql.subscriptions.place import Place, write_place
from graph.http.session import opening_cookie
from graph.platform import Platform
from graph.requests.query_budget import OPERATIONS

__all__ = ["platform"]

STATEMENT = signed_statement(AUTHOR)
LOG = "subscription ($after: String) { logGrowth(after: $after, first: 1) { size entries { logIndex } } }"
VERDICTS = "subscription ($after: String) { verdicts(after: $after) { id reason withheld logIndex } }"
WIDE = f"subscription ($after: String) {{ logGrowth(after: $after, first: 200) {{ entries {{ {'entry ' * 10} }} }} }}"


async def test_an_event_source_goes_on_by_itself(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks for the same address again, and names the last id that it saw, of an event or of none."""
    monkeypatch.setattr("graph.http.event_stream.KEEP_ALIVE", 0.2)
    await settle(platform)
    start = platform.log.size
    async with with_readers(platform) as address:
        async with streamed(address, LOG) as blocks:
            first = await anext(blocks)
            assert (first.event, first.data) == ("", "") and first.id
        await accept(platform, STATEMENT, signed_response(STATEMENT, VERIFIER_A))
        # The address says where it began once; what was seen last counts.
        begun = {"after": write_place(platform.log.origin, Place(0))}
        async with streamed(address, LOG, begun, last_event_id=first.id) as blocks:
            told = [await next_event(blocks) for _ in range(platform.log.size - start)]
            quiet = await anext(blocks)
            assert (quiet.event, quiet.id) == ("", told[-1].id)
        async with streamed(address, LOG, begun, last_event_id=told[0].id) as blocks:
            again = await next_event(blocks)
        assert again == told[1]
        assert [one.told["size"] for one in told] == list(range(start + 1, platform.log.size + 1))
        assert [one.id for one in told] == [one.result["extensions"]["cursor"] for one in told]
        async with streamed(address, LOG, last_event_id="nonsense") as blocks:
            refused = await next_event(blocks)
            assert refused.code == "INVALID_INPUT" and "Last-Event-ID" in refused.result["errors"][0]["message"]
            assert (await anext(blocks)).event == "complete"
    assert platform.subscribers.count == 0


async def next_event(blocks: Any) -> Sent:
    while True:
        block: Sent = await asyncio.wait_for(anext(blocks), SOON)
        if block.event:
            return block


async def test_any_operation_is_answered_with_next_and_complete(platform: Platform) -> None:
    """Also one that is refused: the status of a stream says nothing. A mutation by GET is not run."""
    deep = (
        "{ log { size } "
        + "statements(first: 200) { nodes { evidence { citedBy { evidence { citedBy { id } } } } } } }"
    )
    async with with_readers(platform) as address:
        for method in ("GET", "POST"):
            async with streamed(address, "{ log { size } }", method=method) as blocks:
                assert [one async for one in blocks] == [
                    Sent(
                        "next", data=json.dumps({"data": {"log": {"size": platform.log.size}}}, separators=(",", ":"))
                    ),
                    Sent("complete"),
                ]
            for query, code in (("{ nothing }", "INVALID_QUERY"), ("{", "INVALID_QUERY"), (deep, "TOO_LARGE")):
                async with streamed(address, query, method=method) as blocks:
                    refused, complete = [one async for one in blocks]
                assert refused.code == code and "data" not in refused.result
                assert complete.event == "complete"
        size = platform.log.size
        mutation = "mutation ($d: String!) { registerSource(document: $d) { __typename } }"
        async with streamed(address, mutation, {"d": signed_source(AUTHOR).decode()}) as blocks:
            refused = await next_event(blocks)
        assert refused.code == "METHOD_NOT_ALLOWED" and platform.log.size == size

        async with httpx.AsyncClient(
            base_url=address, trust_env=False, headers={"accept": "text/event-stream"}
        ) as client:
            asked = {"query": LOG}
            assert (
                await client.get("/graphql", params=asked, headers={"origin": "https://elsewhere.example"})
            ).status_code == 403
            for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)):
                answer = await client.get(
                    "/graphql", params={"query": "{ log { size } }"}, headers={"sec-fetch-site": site}
                )
                assert answer.status_code == status
            assert (await client.post("/graphql", data=asked)).status_code == 415
            assert (await client.post("/graphql", json=[asked])).status_code == 400
            assert (await client.post("/graphql", json={"query": 1})).status_code == 400
            plain = await client.post("/graphql", json=asked, headers={"accept": "application/json"})
            assert plain.json()["errors"][0]["extensions"]["code"] == "NOT_STREAMED"
            token = {"authorization": "Bearer nobody-was-given-this-token"}
            assert (await client.get("/graphql", params=asked, headers=token)).status_code == 401


async def test_a_question_without_a_place_is_refused_once_and_another_is_answered_once(platform: Platform) -> None:
    question = "{ statements(first: 1) { nodes { id } } }"
    async with with_readers(platform) as address:
        async with AsyncExitStack() as stack:
            for _ in range(OPERATIONS.of_share - 1):
                await stack.enter_async_context(platform.operations.place(HERE, 1))
            async with streamed(address, question) as blocks:
                answer, complete = [one async for one in blocks]
        assert "errors" not in answer.result and complete.event == "complete"
        async with full(platform.operations, OPERATIONS), streamed(address, question) as blocks:
            refused, complete = [one async for one in blocks]
        assert (refused.code, complete.event) == ("TOO_MANY", "complete")


async def test_what_holds_of_operations_holds_at_every_door(platform: Platform) -> None:
    """Cost, places and operations by their hash, over events and WebSocket alike."""
    cost = "subscription { logGrowth(first: 200) { entries { entry } } }"
    query = "subscription { verdicts { id } }"
    hashed = {"persistedQuery": {"version": 1, "sha256Hash": sha256(query.encode()).hexdigest()}}
    platform.settings = replace(platform.settings, graphql_max_cost=150)
    platform.subscribers._most_of_reader = 1
    async with with_readers(platform) as address, connected_to(platform, address) as subscriber:
        async with streamed(address, cost) as blocks:
            assert (await next_event(blocks)).code == "TOO_LARGE"
        await subscriber.send("1", {"query": cost})
        assert await subscriber.code("1") == "TOO_LARGE"

        await subscriber.send("2", {"extensions": hashed})
        assert await subscriber.code("2") == "PERSISTED_QUERY_NOT_FOUND"
        for number, wrong in enumerate(({}, {"query": 7}, {"query": query, "variables": []}, [])):
            await subscriber.send(f"3{number}", wrong)
            assert await subscriber.code(f"3{number}") == "INVALID_REQUEST"
        await settle(platform)
        await accept(platform, STATEMENT)
        async with streamed(address, query, method="POST") as blocks:
            await anext(blocks)
            await subscriber.send("4", {"query": query})
            assert await subscriber.code("4") == "TOO_MANY"
        while platform.subscribers.count:
            await asyncio.sleep(0.02)
        await subscriber.subscribe("5", query)
        await subscriber.send("5 again", {"query": query, "extensions": hashed})
        assert await subscriber.code("5 again") == "TOO_MANY"
        await accept(platform, signed_response(STATEMENT, VERIFIER_A))
        assert await subscriber.event("5")
        await subscriber.send("6", {"query": "{ log { size } }", "extensions": {"cost": True}})
        assert (await subscriber.message("6"))["payload"]["extensions"]["cost"]["bound"] == 150


async def test_events_show_a_reader_what_it_may_see(platform: Platform) -> None:
    await settle(platform)
    memo, name = b"The merger is in May.", "urn:doc:test:memo"
    await accept(platform, signed_source(AUTHOR, source=memo, source_id=name, boundary=Boundary.CONFIDENTIAL))
    await platform.sources.put(sha256_digest(memo), pieces(memo))
    cited = segment("May", source=memo, source_id=name)
    del cited["quoteText"]
    statement = signed_statement(AUTHOR, claim="A merger comes.", evidence=[cited])
    challenge = signed_response(statement, VERIFIER_A, verdict=Verdict.CHALLENGED, reason="It says May.")
    await accept(platform, statement)
    start = {"after": write_place(platform.log.origin, Place(platform.log.size))}
    await accept(platform, challenge)
    token = f"Bearer {READERS['confidential']}"
    async with with_readers(platform) as address:
        async with streamed(address, VERDICTS, start) as blocks, streamed(address, WIDE, start) as log:
            event = await next_event(blocks)
            assert event.told["reason"] is None and "confidential" in event.told["withheld"]
            assert "May" not in event.data and "May" not in (await next_event(log)).data
        session = opening_cookie(READERS["confidential"], is_encrypted=False).partition(";")[0]
        for shown in ({"authorization": token}, {"cookie": session}):
            async with streamed(address, VERDICTS, start, **shown) as blocks:
                assert (await next_event(blocks)).told["reason"] == "It says May."


async def test_who_does_not_read_is_given_up(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over events and over a WebSocket, whose places are free then, with nothing held in the meantime."""
    monkeypatch.setattr("graph.http.event_stream.SEND_PATIENCE", 0.5)
    monkeypatch.setattr("graph.http.web_sockets.SEND_PATIENCE", 0.5)
    monkeypatch.setattr("served.bind", bind_small)
    await settle(platform)
    await accept(platform, *(signed_statement(AUTHOR, claim=f"Fact {number}.") for number in range(40)))
    pages = " ".join(f"e{number}: entries {{ entry signedHash documentHash key agent id }}" for number in range(10))
    start = write_place(platform.log.origin, Place(0))
    wide = f'subscription {{ logGrowth(after: "{start}", first: 20) {{ {pages} }} }}'
    async with with_readers(platform) as address:
        deaf = [deaf_stream(address, wide), await deaf_socket(address, wide)]
        while platform.subscribers.count < 2:
            await asyncio.sleep(0.02)
        async with asyncio.timeout(SOON):
            while platform.subscribers.count or platform.connections.count:
                await asyncio.sleep(0.05)
        for one in deaf:
            one.close()


def bind_small(host: str, port: int) -> socket.socket:
    """Bind a socket whose connections have small buffers to send from."""
    opened = bind(host, port)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    return opened


def deaf_stream(address: str, query: str) -> socket.socket:
    """Ask for events and read none."""
    body = json.dumps({"query": query}).encode()
    head = (
        "POST /graphql HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\ncontent-type: application/json\r\n"
    )
    opened = small_socket(address)
    opened.sendall(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
    return opened


async def deaf_socket(address: str, query: str) -> socket.socket:
    """Open a WebSocket by hand, subscribe, and read nothing behind the acknowledgement."""
    opened = small_socket(address)
    opened.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(
        opened,
        b"GET /graphql HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
        b"sec-websocket-version: 13\r\n"
        b"sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n",
    )
    await hear(opened, b"\r\n\r\n")
    await loop.sock_sendall(opened, frame({"type": "connection_init"}))
    await hear(opened, b"connection_ack")
    await loop.sock_sendall(opened, frame({"type": "subscribe", "id": "1", "payload": {"query": query}}))
    return opened


async def hear(opened: socket.socket, expected: bytes) -> None:
    """Read until these bytes have come."""
    heard = b""
    while expected not in heard:
        received = await asyncio.get_running_loop().sock_recv(opened, 1024)
        assert received, f"closed after {heard!r}"
        heard += received


def small_socket(address: str) -> socket.socket:
    """Connect with a small buffer to receive into."""
    opened = socket.socket()
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    opened.connect(("127.0.0.1", int(address.rpartition(":")[2])))
    return opened


def frame(message: dict[str, Any]) -> bytes:
    """Return a text frame of a client, whose mask is zero."""
    data = json.dumps(message).encode()
    return b"\x81\xfe" + len(data).to_bytes(2, "big") + bytes(4) + data


async def test_a_server_that_stops_ends_its_streams_and_says_that_they_are_not_complete(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has to be cut off after the patience of the server, and clients know that there is more to come."""
    monkeypatch.setattr("graph.cli.server._PATIENCE", 3600)
    blocks: list[Sent] = []
    async with asyncio.timeout(SOON):
        async with with_readers(platform) as address:
            following = asyncio.create_task(collect(address, blocks))
            while not blocks:
                await asyncio.sleep(0.02)
        await following
    assert [block.event for block in blocks] == [""]
    assert platform.subscribers.count == 0


async def collect(address: str, blocks: list[Sent]) -> None:
    async with streamed(address, LOG) as coming:
        async for block in coming:
            blocks.append(block)


async def test_a_connection_that_does_nothing_or_nothing_sensible_is_closed(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.http.web_sockets.IDLE_PATIENCE", 0.4)
    platform.connections._most_of_reader = 2
    async with with_readers(platform) as address:
        for message in ("[]", '{"type": 1}', '{"type": "subscribe", "id": ["x"]}', '{"type": NaN}', '{"id": "1"}', "{"):
            async with connected_to(platform, address) as subscriber:
                await subscriber.connection.send(message)
                await asyncio.wait_for(subscriber.connection.wait_closed(), SOON)
                assert subscriber.connection.close_code == 4400, message
        async with connected_to(platform, address) as busy, connected_to(platform, address) as idle:
            await busy.subscribe("1", LOG)
            with pytest.raises(Exception, match="429"):
                async with connected_to(platform, address):
                    pass
            await asyncio.wait_for(idle.connection.wait_closed(), SOON)
            assert idle.connection.close_code == 1000
            await settle(platform)
            assert await busy.event("1")
    with suppress(TimeoutError):
        async with asyncio.timeout(SOON):
            while platform.connections.count:
                await asyncio.sleep(0.02)
    assert platform.connections.count == 0
