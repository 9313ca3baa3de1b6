"""Who a stream is for while it lasts: what a peer sees at each event, whose share it is in, and how fast it comes."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import httpx
import pytest
from builders import agent_key, segment, signed_response, signed_source, signed_statement
from http_client import READERS
from peer_simulator import PeerSimulator
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_A, VERIFIER_B, accept, pieces, settle
from subscribing import SOON, Sent, connected_to, streamed, with_readers
from test_federation import agree, agreement

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.verification_response import Verdict
from graph.federation.agreements import suspended
from graph.federation.request_signature import sign_request
from graph.graphql.subscriptions.place import Place, write_place
from graph.platform import Platform, utc_now
from graph.requests.following import Subscribers
from graph.requests.share import Share

__all__ = ["platform"]

PEER = agent_key(61)
MEMO, NAME = b"The merger is in May.", "urn:doc:test:memo"
VERDICTS = "subscription ($after: String) { verdicts(after: $after) { reason } }"
DEAR = "subscription ($after: String) { verdicts(after: $after) { statement { evidence { citedBy { id } } } } }"
QUERY = "{ statements(first: 1) { nodes { verifications { reason } } } }"


def signed_headers(address: str, query: str | None = None) -> dict[str, str]:
    """Return the headers with which a peer asks for a stream, or opens a WebSocket."""
    params = None if query is None else {"query": query, "variables": json.dumps({})}
    request = httpx.Request("GET", f"{address}/graphql", params=params)
    sign_request(request, b"", PEER, utc_now())
    return {name: value for name, value in request.headers.items() if name.startswith("signature")}


async def next_event(blocks: Any) -> Sent:
    while True:
        block: Sent = await asyncio.wait_for(anext(blocks), SOON)
        if block.event:
            return block


async def memo_and_statement(platform: Platform) -> bytes:
    """Hand in an internal document and a statement that cites it."""
    await settle(platform)
    await accept(platform, signed_source(AUTHOR, source=MEMO, source_id=NAME, boundary=Boundary.INTERNAL))
    await platform.sources.put(sha256_digest(MEMO), pieces(MEMO))
    cited = segment("May", source=MEMO, source_id=NAME)
    del cited["quoteText"]
    statement = signed_statement(AUTHOR, claim="A merger comes.", evidence=[cited])
    await accept(platform, statement)
    return statement


async def test_a_peer_sees_at_each_event_what_is_agreed_by_then(platform: Platform) -> None:
    """Over events and a WebSocket, whose later operations ask who the peer is too. A token beside counts nothing."""
    statement = await memo_and_statement(platform)
    agreed = agreement(
        PeerSimulator(), "https://peer.example", transport_key=PEER.public_key, clearance=Boundary.INTERNAL
    )
    await agree(platform, agreed)
    first, second = (
        signed_response(statement, seed, verdict=Verdict.CHALLENGED, reason="It says May.")
        for seed in (VERIFIER_A, VERIFIER_B)
    )
    async with with_readers(platform) as address:
        platform.settings = replace(platform.settings, public_url=address)
        headers = signed_headers(address, VERDICTS) | {"authorization": "Bearer nobody-was-given-this-token"}
        async with (
            streamed(address, VERDICTS, None, **headers) as blocks,
            connected_to(platform, address, signed_headers(address)) as subscriber,
        ):
            await anext(blocks)
            await subscriber.subscribe("1", VERDICTS)
            assert list(platform.subscribers._counted) == [Share("127.0.0.1", has_token=False)]
            await accept(platform, first)
            assert (await next_event(blocks)).told["reason"] == "It says May."
            assert (await subscriber.event("1"))["reason"] == "It says May."
            await agree(platform, suspended(agreed))
            await accept(platform, second)
            assert (await next_event(blocks)).told["reason"] is None
            assert (await subscriber.event("1"))["reason"] is None
            await subscriber.send("2", {"query": QUERY})
            assert "May" not in str(await subscriber.message("2"))


async def test_a_reader_sees_at_each_event_what_the_file_of_tokens_gives_by_then(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has lost the token reads nothing more, whose class was lowered reads as much as that."""
    monkeypatch.setattr("graph.http.readers.PATIENCE", 0)
    statement = await memo_and_statement(platform)
    first, second = (
        signed_response(statement, seed, verdict=Verdict.CHALLENGED, reason="It says May.")
        for seed in (VERIFIER_A, VERIFIER_B)
    )
    kept, lost = (f"Bearer {READERS[name]}" for name in ("internal", "confidential"))
    async with with_readers(platform) as address:
        tokens = platform.settings.reader_tokens
        assert tokens is not None
        async with (
            streamed(address, VERDICTS, None, authorization=kept) as lowered,
            streamed(address, VERDICTS, None, authorization=lost) as blocks,
            connected_to(platform, address, {"authorization": lost}) as subscriber,
        ):
            await anext(lowered)
            await anext(blocks)
            await subscriber.subscribe("1", VERDICTS)
            await accept(platform, first)
            assert (await next_event(lowered)).told["reason"] == "It says May."
            assert (await next_event(blocks)).told["reason"] == "It says May."
            assert (await subscriber.event("1"))["reason"] == "It says May."
            tokens.write_text(json.dumps({READERS["internal"]: "public"}))
            await accept(platform, second)
            assert (await next_event(lowered)).told["reason"] is None
            assert (await next_event(blocks)).code == "UNAUTHENTICATED"
            assert (await next_event(blocks)).event == "complete"
            assert await subscriber.code("1") == "UNAUTHENTICATED"
            await subscriber.send("2", {"query": QUERY})
            assert await subscriber.code("2") == "UNAUTHENTICATED"


async def test_who_is_behind_is_told_as_fast_as_a_reader_has_turns(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.http.event_stream.KEEP_ALIVE", 0.2)
    await settle(platform)
    statement = signed_statement(AUTHOR)
    start = {"after": write_place(platform.log.origin, Place(platform.log.size))}
    await accept(platform, statement, *(signed_response(statement, seed) for seed in (VERIFIER_A, VERIFIER_B)))
    token = f"Bearer {READERS['confidential']}"
    monkeypatch.setattr("graph.requests.following.ROWS_A_SECOND", 50)  # of which an event of DEAR costs hundreds
    async with with_readers(platform) as address:
        async with streamed(address, DEAR, start) as blocks:
            await next_event(blocks)
            assert (await anext(blocks)).event == ""
            # Others are served meanwhile, and whoever comes again has not been forgotten.
            async with streamed(address, DEAR, start, authorization=token) as other:
                await next_event(other)
        async with streamed(address, DEAR, start) as blocks:
            assert [(await anext(blocks)).event for _ in range(3)] == ["", "", ""]


async def test_turns_are_of_one_reader_and_are_remembered() -> None:
    subscribers, one, other = Subscribers(), Share("one", has_token=True), Share("other", has_token=True)
    with subscribers.one_more(one):
        await asyncio.wait_for(subscribers.take_turn(one, 10**9), SOON)
    with subscribers.one_more(one):
        waiting = asyncio.create_task(subscribers.take_turn(one, 1))
        await asyncio.wait_for(subscribers.take_turn(other, 1), SOON)
        await asyncio.sleep(0)
        assert not waiting.done()
        waiting.cancel()
