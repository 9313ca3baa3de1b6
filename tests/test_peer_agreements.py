"""Agreements with peers: what may be agreed, how much is taken, and what a peer may read here."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from builders import agent_key, envelope_of, segment, signed_registration, signed_source, signed_statement
from http_client import client
from peer_simulator import PeerSimulator
from platform_fixture import platform
from servers import receipts_of
from starlette.requests import HTTPConnection
from test_federation import agree, agreement

from a2ap.boundary import Boundary
from a2ap.log.signed_note import VerifierKey
from a2ap.messages.message import Message
from a2ap.messages.peer_agreement import PeerQuota
from a2ap.signing.keys import SigningKey
from graph.errors import ForbiddenError, RefusedError, UnauthenticatedError
from graph.federation.agreements import agreement_with, checkpoint_message, equivocation_message, suspended
from graph.federation.errors import PeerAnswerError, PeerError
from graph.federation.here import Here
from graph.federation.peer_address import check_address
from graph.federation.peer_client import open_peer
from graph.federation.peer_folder import PeerFolder, folder_of, read_progress
from graph.federation.peer_reader import find_peer
from graph.federation.pull import pull
from graph.federation.pulling import pull_all
from graph.federation.request_signature import sign_request
from graph.kinds.peer import check_peer_url
from graph.platform import Platform, utc_now
from graph.submission.submission import Submission

__all__ = ["client", "platform"]

URL = "https://peer.example"


async def refused(platform: Platform, message: Message) -> Exception:
    (outcome,) = await platform.append([Submission(message)])
    assert isinstance(outcome, Exception)
    return outcome


async def test_an_agreement_is_with_the_log_of_its_key(platform: Platform) -> None:
    peer = PeerSimulator()
    agreed = agreement(peer, URL)
    for changed, path in (
        (replace(agreed, log_key=VerifierKey("urn:agent:a2ap-node:0123456789abcdef", peer.key.public_key)), "logKey"),
        (replace(agreed, origin="urn:agent:other"), None),
    ):
        if path is None:
            with pytest.raises(Exception, match="not the id of a node"):
                changed.message(platform.node, utc_now())
            continue
        error = await refused(platform, changed.message(platform.node, utc_now()))
        assert isinstance(error, RefusedError) and error.path == path


async def test_nobody_is_its_own_peer(platform: Platform) -> None:
    own = replace(agreement(PeerSimulator(), URL), origin=platform.node.origin, log_key=platform.log.verifier_key)
    assert isinstance(await refused(platform, own.message(platform.node, utc_now())), ForbiddenError)


async def test_only_the_node_agrees(platform: Platform) -> None:
    peer = PeerSimulator()
    await platform.submit(peer.node.registration(utc_now(), peer.log_key.text).envelope.received)
    message = agreement(PeerSimulator(51, 52), URL).message(peer.node, utc_now())
    assert isinstance(await refused(platform, message), ForbiddenError)


async def test_an_equivocation_that_shows_nothing_is_refused(platform: Platform) -> None:
    peer = PeerSimulator()
    peer.add(signed_registration(1), signed_registration(2))
    await agree(platform, agreement(peer, URL))
    notes = peer.checkpoint(1), peer.checkpoint(2)
    message = equivocation_message(platform.node, peer.origin, notes, (), utc_now())
    assert "no equivocation" in str(await refused(platform, message))
    unknown = equivocation_message(platform.node, PeerSimulator(51, 52).origin, notes, (), utc_now())
    assert "not known" in str(await refused(platform, unknown))


async def test_a_checkpoint_is_noted_of_a_peer_only(platform: Platform) -> None:
    peer, other = PeerSimulator(), PeerSimulator(51, 52)
    await agree(platform, agreement(peer, URL))
    strange = checkpoint_message(platform.node, other.origin, other.checkpoint(), utc_now())
    assert "no agreement" in str(await refused(platform, strange))
    wrong = checkpoint_message(platform.node, peer.origin, other.checkpoint(), utc_now())
    assert "checkpoint is of" in str(await refused(platform, wrong))


async def test_entries_beyond_the_quota_come_with_the_next_pull(platform: Platform) -> None:
    peer = PeerSimulator()
    peer.add(*(signed_registration(seed) for seed in range(1, 8)))
    async with peer.served() as url:
        await agree(platform, agreement(peer, url, quota=PeerQuota(3, 2**30)))
        reports = [await pull(Here.of(platform), peer.origin) for _ in range(4)]
    assert [report.taken for report in reports] == [3, 3, 1, 0]
    assert [report.stopped is None for report in reports] == [False, False, True, True]


async def test_a_log_of_many_tiles_is_checked_in_parts(platform: Platform) -> None:
    peer = PeerSimulator()
    (entry,) = peer.add(signed_registration(1))
    peer.leaves += [leaf for leaf in peer.leaves] * 700
    async with peer.served() as url:
        await agree(platform, agreement(peer, url, quota=PeerQuota(300, 2**30)))
        reports = [await pull(Here.of(platform), peer.origin) for _ in range(3)]
    assert [report.position for report in reports] == [300, 600, 701]
    assert [report.taken for report in reports] == [1, 0, 0]
    with PeerFolder(platform.settings.data, peer.origin) as folder:
        assert [one.signed_hash for one in folder.entries(299, 301)] == [entry.signed_hash] * 2


async def test_bytes_beyond_the_quota_come_on_another_day(platform: Platform) -> None:
    peer = PeerSimulator()
    peer.add(*(signed_registration(seed) for seed in range(1, 8)))
    now = [datetime(2026, 3, 1, tzinfo=UTC)]
    async with peer.served() as url:
        await agree(platform, agreement(peer, url, quota=PeerQuota(100, 7000)))
        here = Here.of(platform, lambda: now[0])
        first = await pull(here, peer.origin)
        assert first.stopped is not None and 0 < first.taken < 7
        again = await pull(here, peer.origin)
        assert again.taken == 0 and again.stopped is not None
        now[0] += timedelta(days=1)
        second = await pull(here, peer.origin)
    assert first.taken + second.taken == 7


async def test_a_suspended_peer_is_not_asked(platform: Platform) -> None:
    peer = PeerSimulator()
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        await agree(platform, suspended(await agreement_with(platform.store, peer.origin)))
        with pytest.raises(PeerError, match="suspended"):
            await pull(Here.of(platform), peer.origin)
        await pull_all(Here.of(platform))
    assert not peer.requests


@pytest.mark.both_engines
async def test_one_peer_is_pulled_by_one_process_at_a_time(platform: Platform) -> None:
    peer = PeerSimulator()
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        with PeerFolder(platform.settings.data, peer.origin), pytest.raises(PeerError, match="another process"):
            await pull(Here.of(platform), peer.origin)
        await pull_all(Here.of(platform))


async def test_where_the_graph_is_another_the_peer_is_gone_through_again(platform: Platform) -> None:
    peer = PeerSimulator()
    peer.add(signed_registration(1), signed_statement(1))
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))
        await pull(Here.of(platform), peer.origin)
        folder = folder_of(platform.settings.data, peer.origin)
        ahead = read_progress(folder)
        with PeerFolder(platform.settings.data, peer.origin) as kept:
            kept.progress.taken = 99
            kept.keep_progress()
        assert (await pull(Here.of(platform), peer.origin)).taken == 0
    assert read_progress(folder).position == ahead.position


@asynccontextmanager
async def signed_by(client: httpx.AsyncClient, key: SigningKey) -> AsyncIterator[httpx.AsyncClient]:
    """Have a client sign what it sends."""

    async def sign(request: httpx.Request) -> None:
        sign_request(request, await request.aread(), key, utc_now())

    client.event_hooks["request"].append(sign)
    yield client
    client.event_hooks["request"].clear()


async def _secret(platform: Platform) -> str:
    statement = signed_statement(1, evidence=[segment()])
    source = signed_source(1, boundary=Boundary.INTERNAL)
    receipts_of(await platform.submit_many([signed_registration(1), source, statement]))
    return envelope_of(statement).document_hash


async def test_a_peer_reads_what_was_agreed_by_its_signature(platform: Platform, client: httpx.AsyncClient) -> None:
    key, peer = agent_key(61), PeerSimulator()
    platform.settings = replace(platform.settings, public_url="http://a2ap.test")
    name = await _secret(platform)
    agreed = agreement(peer, URL, transport_key=key.public_key, clearance=Boundary.INTERNAL)

    async def given() -> bool:
        response = await client.post("/messages/fetch", json={"hashes": [name]})
        assert response.status_code == 200, response.text
        return response.json()["document"] is not None

    assert not await given()
    async with signed_by(client, key):
        assert not await given()  # nothing is agreed yet
        await agree(platform, agreed)
        assert await given()
        assert (await client.get(f"/messages/{name}")).status_code == 200
        await agree(platform, replace(agreed, clearance=Boundary.PUBLIC))
        assert not await given()
        await agree(platform, suspended(agreed))
        assert not await given()
    await agree(platform, agreed)
    assert not await given()
    async with signed_by(client, agent_key(62)):
        assert not await given()


async def test_a_node_that_does_not_know_its_address_gives_a_signature_nothing(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    # Another node could hand on what was signed for it, under the name that it was signed for.
    key, name = agent_key(61), await _secret(platform)
    await agree(platform, agreement(PeerSimulator(), URL, transport_key=key.public_key, clearance=Boundary.INTERNAL))
    async with signed_by(client, key):
        for address, status in ((None, 403), ("http://a2ap.test", 200)):
            platform.settings = replace(platform.settings, public_url=address)
            assert (await client.get(f"/messages/{name}")).status_code == status


@pytest.mark.parametrize(("own", "status"), [("https://a2ap.example", 200), ("https://other.example", 401)])
async def test_what_a_peer_signed_for_another_node_is_not_taken_from_that_node(
    platform: Platform, own: str, status: int
) -> None:
    key = agent_key(61)
    signed = httpx.Request("GET", "https://a2ap.example/messages/fetch?a=1")
    sign_request(signed, b"", key, utc_now())
    scope = {
        "type": "http", "method": "GET", "scheme": "http", "path": "/messages/fetch", "query_string": b"a=1",
        "server": ("127.0.0.1", 8000), "headers": [(name.lower(), value) for name, value in signed.headers.raw],
    }  # fmt: skip
    found = find_peer(HTTPConnection(scope), platform.store, utc_now, own)
    if status == 200:
        assert (await found).clearance is Boundary.PUBLIC
    else:
        with pytest.raises(UnauthenticatedError):
            await found


@pytest.mark.parametrize(
    ("signed_path", "arrived_path", "status"),
    [
        ("/node/messages/fetch", "/messages/fetch", 200),  # a proxy has taken the path of the public address away
        ("/node/messages/fetch", "/node/messages/fetch", 200),
        ("/messages/fetch", "/messages/fetch", 401),
        ("/nodes/messages/fetch", "/nodes/messages/fetch", 401),
    ],
)
async def test_the_path_of_the_public_address_is_signed_though_a_proxy_takes_it_away(
    platform: Platform, signed_path: str, arrived_path: str, status: int
) -> None:
    signed = httpx.Request("GET", f"https://a2ap.example{signed_path}?a=1")
    sign_request(signed, b"", agent_key(61), utc_now())
    scope = {
        "type": "http", "method": "GET", "scheme": "http", "path": arrived_path, "query_string": b"a=1",
        "server": ("127.0.0.1", 8000), "headers": [(name.lower(), value) for name, value in signed.headers.raw],
    }  # fmt: skip
    found = find_peer(HTTPConnection(scope), platform.store, utc_now, "https://a2ap.example/node")
    if status == 200:
        assert (await found).clearance is Boundary.PUBLIC
    else:
        with pytest.raises(UnauthenticatedError):
            await found


async def test_a_request_signed_wrongly_is_refused(platform: Platform, client: httpx.AsyncClient) -> None:
    key = agent_key(61)
    request = client.build_request("GET", "/messages/sha256:0")
    sign_request(request, b"", key, utc_now() - timedelta(hours=1))
    assert (await client.send(request)).status_code == 401


@pytest.mark.parametrize(
    "url",
    [
        "ftp://peer.example",
        "https://",
        "https://user@peer.example",
        "https://peer.example/?a=1",
        "//peer",
        "http://a:0",
    ],
)
def test_a_peer_is_at_an_http_address(url: str) -> None:
    assert check_peer_url("https://peer.example/a2ap/") == "https://peer.example/a2ap"
    with pytest.raises(Exception, match=r"address|user"):
        check_peer_url(url)


NOWHERE = ["169.254.169.254", "fe80::1%eth0", "0.0.0.0", "224.0.0.1", "::ffff:a9fe:a9fe", "64:ff9b::a9fe:a9fe", "x"]
PRIVATE = ["127.0.0.1", "::1", "10.0.0.1", "192.168.1.1", "100.64.0.1", "fd00::1", "::ffff:127.0.0.1", "2002:7f00:1::"]


@pytest.mark.parametrize("address", NOWHERE + PRIVATE)
def test_a_name_leads_into_no_private_network_unless_it_is_agreed(address: str) -> None:
    check_address("peer.example", "1.1.1.1", private=False)
    with pytest.raises(PeerAnswerError):
        check_address("peer.example", address, private=False)
    if address in PRIVATE:
        check_address("peer.example", address, private=True)
    else:
        with pytest.raises(PeerAnswerError):
            check_address("peer.example", address, private=True)


async def test_nothing_is_sent_before_the_address_of_a_name_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    peer = PeerSimulator()
    peer.add(signed_registration(1))
    loop, asked = asyncio.get_running_loop(), []
    look_up = loop.getaddrinfo

    async def found(host: str, port: int, **options: Any) -> Any:
        if host != "peer.example":
            return await look_up(host, port, **options)
        asked.append(host)
        # The first address does not answer; another look-up would lead elsewhere.
        addresses = ["127.0.0.2", "127.0.0.1"] if len(asked) <= 2 else ["169.254.169.254"]
        return [(2, 1, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(loop, "getaddrinfo", found)
    async with peer.served() as url:
        named = url.replace("127.0.0.1", "peer.example")
        async with open_peer(named, None, utc_now, 2**20) as client:
            with pytest.raises(PeerAnswerError, match="not where a peer is"):
                await client.checkpoint()
        assert not peer.requests
        async with open_peer(named, None, utc_now, 2**20, private=True) as client:
            assert await client.checkpoint() == await client.checkpoint() == peer.checkpoint()
    assert [request.headers["host"] for request in peer.requests] == [named.removeprefix("http://")] * 2
    assert asked == ["peer.example"] * 2
