"""Public sources that a peer's statements cite are fetched from that peer: checked, bounded, and gone on with."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from builders import (
    SOURCE,
    SOURCE_ID,
    segment,
    signed_registration,
    signed_source,
    signed_statement,
    source_redaction_message,
)
from graph_contents import nodes_with_label
from peer_simulator import PeerSimulator
from platform_fixture import platform
from scenario import pieces
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from test_federation import agree, agreement

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from graph.errors import NotFoundError
from graph.federation.agreements import agreement_with, suspended
from graph.federation.here import FetchBounds, Here
from graph.federation.peer_folder import folder_of
from graph.federation.pull import PullReport, pull
from graph.federation.pulling import pull_all
from graph.platform import Platform, utc_now

__all__ = ["platform"]

NAME = sha256_digest(SOURCE)
BOUNDS = FetchBounds(source_bytes=2**20, pull_bytes=2**20, seconds=5.0)


def citing(peer: PeerSimulator, folder: Path, *, boundary: Boundary = Boundary.PUBLIC) -> PeerSimulator:
    """Let a peer have a source, its registration, and a statement that cites it."""
    folder.joinpath("source").write_bytes(SOURCE)
    peer.sources[NAME] = folder / "source"
    evidence = [segment(document_hash=NAME)]
    peer.add(signed_registration(1), signed_source(1, boundary=boundary), signed_statement(1, evidence=evidence))
    return peer


def later(minutes: float) -> Callable[[], datetime]:
    return lambda: utc_now() + timedelta(minutes=minutes)


@asynccontextmanager
async def agreed(platform: Platform, peer: PeerSimulator) -> AsyncIterator[Callable[..., "asyncio.Future[PullReport]"]]:
    """Serve a peer with which something is agreed; yield what pulls it, with other bounds and at another time."""
    async with peer.served() as url:
        await agree(platform, agreement(peer, url))

        def again(
            bounds: FetchBounds | None = BOUNDS, clock: Callable[[], datetime] = utc_now
        ) -> "asyncio.Future[PullReport]":
            here = replace(Here.of(platform, clock), fetch_bounds=bounds)
            return asyncio.ensure_future(pull(here, peer.origin))

        yield again


async def checks(platform: Platform) -> list[str]:
    return [node["machine_check"] for node in await nodes_with_label(platform.store, "Statement")]


async def test_a_statement_of_a_peer_passes_once_its_source_is_fetched(platform: Platform, tmp_path: Path) -> None:
    peer = citing(PeerSimulator(), tmp_path)
    async with agreed(platform, peer) as again:
        report = await again(None)
        assert (report.taken, report.sources.fetched, await checks(platform)) == (3, 0, ["INCONCLUSIVE"])
        assert not peer.source_requests
        report = await again()
        assert (report.sources.fetched, report.sources.problems, await checks(platform)) == (1, {}, ["PASS"])
        assert await platform.content.get(NAME) == SOURCE
        assert (await again()).sources.fetched == 0
    assert len(peer.source_requests) == 1
    (document,) = [one for one in await nodes_with_label(platform.store, "Document") if one.get("registered")]
    assert (document["boundary"], document["doc_id"], document.get("retain_until")) == ("public", SOURCE_ID, None)


def other_bytes(_: Request) -> Response:
    return Response(SOURCE + b"!")


def endless_bytes(_: Request) -> Response:
    async def zeros() -> AsyncIterator[bytes]:
        while True:
            yield bytes(2**16)
            await asyncio.sleep(0)

    return StreamingResponse(zeros())


def slow_bytes(_: Request) -> Response:
    async def trickle() -> AsyncIterator[bytes]:
        for byte in SOURCE:
            yield bytes([byte])
            await asyncio.sleep(0.05)

    return StreamingResponse(trickle())


def elsewhere(request: Request) -> Response:
    return RedirectResponse(str(request.url).replace("/sources/", "/elsewhere/"))


LIES: dict[Callable[[Request], Response], tuple[str, int]] = {
    other_bytes: ("gives other bytes than those of sha256:", 1),
    endless_bytes: ("has more than the 1048576 bytes", 0),
    slow_bytes: ("is not answered to the end: TimeoutError", 1),
    elsewhere: ("is answered 307", 1),
}


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
async def test_what_a_peer_gives_instead_of_a_source_changes_nothing(
    platform: Platform, tmp_path: Path, lie: Callable[[Request], Response]
) -> None:
    peer = citing(PeerSimulator(), tmp_path)
    peer.answer_source = lie
    why, failed = LIES[lie]
    async with agreed(platform, peer) as again:
        report = await again(replace(BOUNDS, seconds=0.5, pull_bytes=2**22))
        assert (report.taken, report.sources.fetched, report.sources.failed) == (3, 0, failed)
        (problem,) = report.sources.problems.values()
        assert why in problem
        assert await checks(platform) == ["INCONCLUSIVE"]
        assert not await platform.content.has(NAME)
        assert not (await agreement_with(platform.store, peer.origin)).suspended
        # It is asked for again, and not at once.
        assert (await again()).sources.waiting == 1
        assert len(peer.source_requests) == 1
        peer.answer_source = None
        report = await again(clock=later(11))
    assert (report.sources.fetched, report.sources.waiting, await checks(platform)) == (1, 0, ["PASS"])


@pytest.mark.parametrize("status", [403, 404, 410])
async def test_a_source_that_a_peer_does_not_give_is_skipped(platform: Platform, tmp_path: Path, status: int) -> None:
    peer = citing(PeerSimulator(), tmp_path)
    peer.answer_source = lambda _: Response(status_code=status)
    async with agreed(platform, peer) as again:
        report = await again()
    waiting = 0 if status == 410 else 1
    assert (report.sources.skipped, report.sources.failed, report.sources.waiting) == (1, 0, waiting)


async def test_a_source_that_broke_off_goes_on_where_it_stopped(platform: Platform, tmp_path: Path) -> None:
    peer = citing(PeerSimulator(), tmp_path)
    half = len(SOURCE) // 2

    def break_off(_: Request) -> Response:
        async def part() -> AsyncIterator[bytes]:
            yield SOURCE[:half]
            await asyncio.sleep(0.2)  # so that it arrives
            raise ConnectionResetError

        return StreamingResponse(part(), headers={"content-length": str(len(SOURCE))})

    async with agreed(platform, peer) as again:
        peer.answer_source = break_off
        assert (await again()).sources.failed == 1
        part = folder_of(platform.settings.data, peer.origin) / "sources" / NAME.removeprefix("sha256:")
        assert part.stat().st_size == half and part.stat().st_mode & 0o777 == 0o600
        peer.answer_source = None
        assert (await again(clock=later(11))).sources.fetched == 1
        assert peer.source_requests[-1].headers["range"] == f"bytes={half}-"
        assert not part.exists()
    assert await checks(platform) == ["PASS"]


async def test_what_one_pull_may_not_fetch_comes_with_the_next(platform: Platform, tmp_path: Path) -> None:
    peer = citing(PeerSimulator(), tmp_path)
    async with agreed(platform, peer) as again:
        report = await again(replace(BOUNDS, pull_bytes=1))
        assert report.sources.stopped and not report.sources.problems
        report = await again(replace(BOUNDS, sources=0))
        assert report.sources.stopped == "0 sources are asked for in one pull"
        report = await again(replace(BOUNDS, source_bytes=len(SOURCE) - 1))
        assert report.sources.skipped == 1
        assert (await again(clock=later(11))).sources.fetched == 1
    assert await checks(platform) == ["PASS"]


async def test_what_is_closed_or_erased_here_is_not_fetched(platform: Platform, tmp_path: Path) -> None:
    other = b"WEBVTT\n\nAnother source."
    peer = citing(PeerSimulator(), tmp_path)
    cited = segment("Another", source=other, source_id="urn:doc:test:other", document_hash=sha256_digest(other))
    peer.add(signed_source(1, source=other, source_id="urn:doc:test:other"))
    peer.add(signed_statement(1, claim="Of another.", evidence=[cited]))
    await platform.submit(signed_registration(9))
    await platform.submit(signed_source(9, boundary=Boundary.INTERNAL))
    await platform.submit(signed_source(9, source=other, source_id="urn:doc:test:other"))
    redaction = source_redaction_message(sha256_digest(other), redacting_agent=platform.node.agent_id)
    async with agreed(platform, peer) as again:
        assert (await again(None)).taken == 5
        await platform.sources.put(sha256_digest(other), pieces(other))
        await platform.submit(platform.node.sign(redaction).envelope.received)
        assert (await again()).position == 5
    assert not peer.source_requests
    assert not await platform.content.has(NAME)
    assert not await platform.content.has(sha256_digest(other))


async def test_a_source_that_the_peer_registered_as_closed_is_not_fetched(platform: Platform, tmp_path: Path) -> None:
    peer = citing(PeerSimulator(), tmp_path, boundary=Boundary.INTERNAL)
    async with agreed(platform, peer) as again:
        await again()
    assert not peer.source_requests


async def test_nothing_is_asked_of_a_peer_but_sources_that_its_statements_cite_under_an_agreement(
    platform: Platform, tmp_path: Path
) -> None:
    sources = {f"urn:doc:test:{number}": f"WEBVTT\n\nSource {number}.".encode() for number in range(3)}
    of_ours, of_another, _ = [
        [segment("Source", source=content, source_id=name, document_hash=sha256_digest(content))]
        for name, content in sources.items()
    ]
    peer, other = citing(PeerSimulator(), tmp_path), PeerSimulator(51, 52)
    peer.add(*(signed_source(1, source=content, source_id=name) for name, content in sources.items()))
    other.add(signed_registration(2), signed_statement(2, evidence=of_another))
    await platform.submit(signed_registration(9))
    await platform.submit(signed_statement(9, evidence=of_ours))
    peer.answer_source = lambda _: Response(status_code=404)

    async def pulled_at(minutes: float) -> None:
        await pull_all(replace(Here.of(platform, later(minutes)), fetch_bounds=BOUNDS))

    def asked() -> list[str]:
        return [one.url.path.removeprefix("/sources/") for one in peer.source_requests]

    async with peer.served() as url, other.served() as other_url:
        await agree(platform, agreement(other, other_url))
        await pulled_at(0)
        with pytest.raises(NotFoundError):
            await pull(Here.of(platform), peer.origin)
        agreed = agreement(peer, url)
        await agree(platform, suspended(agreed))
        await pulled_at(0)
        assert (peer.requests, asked()) == ([], [])
        await agree(platform, agreed)
        await pulled_at(0)
        assert asked() == [NAME]
        # It is due again, and so is what came meanwhile, when the agreement is suspended.
        peer.add(signed_statement(1, claim="Of another.", evidence=of_ours))
        await agree(platform, suspended(agreed))
        before = len(peer.requests)
        await pulled_at(11)
        assert (len(peer.requests), asked()) == (before, [NAME])
        await agree(platform, agreed)
        await pulled_at(11)
    assert asked() == [NAME, NAME, of_ours[0]["documentHash"]]
    assert not other.source_requests
