"""How long a source may be kept: the dates are read, shown, and kept to by the clock that is given."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from builders import QUOTE, SOURCE, signed_endorsement, signed_registration, signed_source, signed_statement
from graph_contents import nodes_with_label, whole_graph
from http_client import ask, client
from peer_simulator import PeerSimulator
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import AUTHOR, OPERATOR_A, STRANGER, accept, hash_of, pieces, settle
from test_federation import pulled

from a2ap.canonical import sha256_digest
from graph.errors import TargetError
from graph.log.entry import Outcome
from graph.platform import Platform
from graph.services import retention_job as keeping_module
from graph.services.retention_job import apply_retention, keeping
from graph.submission.submission import Submission

__all__ = ["client", "platform"]

DUE = datetime(2026, 1, 1, tzinfo=UTC)
SOURCE_HASH = sha256_digest(SOURCE)
DOCUMENT = """query { documents(filter: {name: "%s"}) { nodes {
  licence rightsHolder retainUntil held withheld redactions { reason redactedBy { id } }
} } }"""


async def an_owner(platform: Platform) -> None:
    """Settle, with an author for whom the operator answers."""
    await settle(platform)
    await accept(platform, signed_endorsement(signed_registration(AUTHOR), OPERATOR_A))


async def a_source_with_a_date(platform: Platform, due: datetime = DUE) -> bytes:
    """Have a statement on a source that may be kept until a date; return the statement."""
    await an_owner(platform)
    statement = signed_statement(AUTHOR)
    await accept(
        platform, statement, signed_source(AUTHOR, licence="CC-BY-4.0", rights_holder="City clerk", retain_until=due)
    )
    return statement


async def test_licence_rights_holder_and_date_are_shown(platform: Platform, client: httpx.AsyncClient) -> None:
    other = b"Another document."
    await an_owner(platform)
    registration = signed_source(
        AUTHOR,
        source=other,
        source_id="urn:doc:test:other",
        licence="https://creativecommons.org/licenses/by/4.0/",
        rights_holder="City clerk",
        retain_until=DUE,
    )
    await accept(platform, registration)

    (document,) = (await ask(client, DOCUMENT % sha256_digest(other)))["documents"]["nodes"]
    assert document["licence"] == "https://creativecommons.org/licenses/by/4.0/"
    assert document["rightsHolder"] == "City clerk"
    assert document["retainUntil"] == "2026-01-01T00:00:00Z"
    script = (await client.get("/export", params={"format": "cypher"})).text
    assert "rights_holder" in script and "retain_until" in script
    turtle = (await client.get("/export", params={"format": "turtle"})).text
    assert "a2ap:retainUntil" in turtle and "schema:license" in turtle


async def test_nothing_is_erased_before_its_date(platform: Platform) -> None:
    await a_source_with_a_date(platform)

    assert await apply_retention(platform, DUE - timedelta(microseconds=1)) == []
    assert await platform.content.has(SOURCE_HASH)


async def test_a_source_is_erased_when_its_date_has_come(platform: Platform, client: httpx.AsyncClient) -> None:
    statement = await a_source_with_a_date(platform)

    (receipt,) = await apply_retention(platform, DUE)

    assert receipt.entry.type == "Redaction" and receipt.entry.agent == platform.node.agent_id
    assert not await platform.content.has(SOURCE_HASH)
    (document,) = (await ask(client, DOCUMENT % SOURCE_HASH))["documents"]["nodes"]
    (redaction,) = document["redactions"]
    assert redaction["reason"] == "retention: it could be kept until 2026-01-01T00:00:00Z"
    assert redaction["redactedBy"] == {"id": platform.node.agent_id}
    assert not document["held"] and receipt.entry.id in document["withheld"]
    (row,) = await platform.store.read("citations_of", hashes=[hash_of(statement)])
    assert row["quote_text"] is None and row["text"] == ""


async def test_a_source_is_erased_once(platform: Platform) -> None:
    await a_source_with_a_date(platform)

    assert len(await apply_retention(platform, DUE)) == 1
    assert await apply_retention(platform, DUE + timedelta(days=1)) == []


async def test_one_redaction_that_is_refused_keeps_no_other_back(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    await an_owner(platform)
    sources = [f"Document {number}.".encode() for number in range(3)]
    dated = [
        signed_source(AUTHOR, source=source, source_id=f"urn:doc:test:{number}", retain_until=DUE)
        for number, source in enumerate(sources)
    ]
    await accept(platform, *dated)
    for source in sources:
        await platform.sources.put(sha256_digest(source), pieces(source))
    monkeypatch.setattr(keeping_module, "_PAGE", 1)
    append, refused = platform.append, min(map(sha256_digest, sources))

    async def some(submissions: Sequence[Submission]) -> list[Outcome]:
        if getattr(submissions[0].message, "document_hash", None) == refused:
            return [TargetError("no", "documentHash")]
        return await append(submissions)

    monkeypatch.setattr(platform, "append", some)
    assert len(await apply_retention(platform, DUE)) == 2
    monkeypatch.undo()
    assert len(await apply_retention(platform, DUE)) == 1


async def test_the_earliest_date_of_several_registrations_counts(platform: Platform) -> None:
    await a_source_with_a_date(platform)
    later = signed_source(AUTHOR, source_id="urn:doc:test:later", retain_until=DUE + timedelta(days=9))
    earlier = signed_source(AUTHOR, source_id="urn:doc:test:earlier", retain_until=DUE - timedelta(days=9))
    await accept(platform, later, earlier, signed_source(AUTHOR, source_id="urn:doc:test:never"))

    (document,) = await nodes_with_label(platform.store, "Document")
    assert document["retain_until"] == DUE - timedelta(days=9)
    assert len(await apply_retention(platform, DUE - timedelta(days=9))) == 1


async def test_nobody_else_says_until_when_a_source_is_kept(platform: Platform) -> None:
    await settle(platform)
    past = signed_source(STRANGER, source_id="urn:doc:test:gone", retain_until=DUE)
    await accept(platform, signed_statement(AUTHOR), past)

    assert await apply_retention(platform, DUE) == []
    assert await platform.content.has(SOURCE_HASH)


async def test_a_date_that_was_stated_to_a_peer_erases_nothing_here(platform: Platform) -> None:
    peer = PeerSimulator()
    peer.add(signed_registration(9), signed_source(9, retain_until=DUE))
    assert (await pulled(platform, peer)).taken == 2
    await settle(platform)

    assert await apply_retention(platform, DUE) == []
    assert await platform.content.has(SOURCE_HASH)


async def test_a_source_without_a_date_is_kept(platform: Platform) -> None:
    await settle(platform)
    assert await apply_retention(platform, datetime(2999, 1, 1, tzinfo=UTC)) == []
    assert await platform.content.has(SOURCE_HASH)


async def test_a_platform_that_serves_keeps_to_the_dates_by_itself(platform: Platform) -> None:
    await a_source_with_a_date(platform)
    times = iter([DUE - timedelta(hours=1), DUE, DUE + timedelta(hours=1)])
    waits: list[float] = []
    done = asyncio.Event()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 1:
            assert await platform.content.has(SOURCE_HASH)
        if len(waits) == 3:
            done.set()
            await asyncio.Event().wait()

    async with keeping(platform, lambda: next(times), interval=60.0, sleep=sleep):
        await asyncio.wait_for(done.wait(), 60)
    assert waits == [60.0, 60.0, 60.0]
    assert not await platform.content.has(SOURCE_HASH)


async def test_the_dates_are_kept_to_after_a_disk_that_failed(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    await a_source_with_a_date(platform)
    remove, waits, done = platform.content.remove, [], asyncio.Event()

    async def fails(name: str) -> None:
        raise OSError("no space left on device")

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        monkeypatch.setattr(platform.content, "remove", remove)
        if len(waits) == 2:
            done.set()
            await asyncio.Event().wait()

    monkeypatch.setattr(platform.content, "remove", fails)
    async with keeping(platform, lambda: DUE, interval=60.0, sleep=sleep):
        await asyncio.wait_for(done.wait(), 60)
    assert not await platform.content.has(SOURCE_HASH)


async def test_a_rebuild_keeps_the_dates_and_what_was_erased(platform: Platform) -> None:
    await a_source_with_a_date(platform)
    other = QUOTE.encode()
    registration = signed_source(
        STRANGER,
        source=other,
        source_id="urn:doc:test:kept",
        licence="all rights reserved",
        retain_until=DUE.replace(year=2099),
    )
    await accept(platform, registration)
    await platform.sources.put(sha256_digest(other), pieces(other))
    await apply_retention(platform, DUE)
    before = await whole_graph(platform.store)

    await rebuilt(platform)

    assert await whole_graph(platform.store) == before


async def test_two_servers_erase_under_one_id(platform: Platform) -> None:
    await a_source_with_a_date(platform)
    (receipt,) = await apply_retention(platform, DUE)
    assert receipt.entry.id == platform.node.derived_id(f"retention|{SOURCE_HASH}")
