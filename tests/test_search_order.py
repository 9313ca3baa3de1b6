"""Nothing above a reader has a part in what that reader finds: not in the order of hits, their scores or number."""

from collections.abc import Sequence
from typing import Any

import pytest
from builders import segment, signed_source, signed_statement, source_redaction_message
from graph_contents import run_raw
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import AUTHOR, STRANGER, VERIFIER_A, accept, hash_of, pieces, settle

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.evidence import ByteRange
from cypher import SchemaStatement
from graph.clearance import ANONYMOUS, OPERATOR, Reader
from graph.database.endpoint import Endpoint
from graph.platform import Platform
from graph.search.statements import search_statements
from graph.store import connect_store

__all__ = ["platform"]

AQUEDUCT = "The aqueduct was repaired in spring."
BAKERY = "The bakery was repaired in spring."
LAST = "search_safety_sensitive_titles"  # of the indexes, which an earlier version does not have


async def cite(
    platform: Platform, passages: Sequence[str], *, title: str = "Minutes", boundary: Boundary = Boundary.PUBLIC
) -> list[str]:
    """Register and hold a source with these passages, and cite each; return the hashes of the statements."""
    source = "\n".join([title, boundary, *passages]).encode()
    name = sha256_digest(source)
    await accept(platform, source_of(source, title, boundary))
    await platform.sources.put(name, pieces(source))
    statements = [
        signed_statement(AUTHOR, claim=f"{name} {number}", evidence=[segment(one, source=source, source_id=name)])
        for number, one in enumerate(passages)
    ]
    await accept(platform, *statements)
    return [hash_of(statement) for statement in statements]


def source_of(source: bytes, title: str, boundary: Boundary, seed: int = AUTHOR) -> bytes:
    return signed_source(seed, source=source, source_id=sha256_digest(source), boundary=boundary, title=title)


async def seen(platform: Platform, query: str, reader: Reader = ANONYMOUS) -> list[tuple[Any, ...]]:
    """Return what the engine gives a reader for a query, with its scores."""
    rows = await platform.store.read(
        "search_statements", query=query, readable=list(reader.readable), min_score=None, first=50, hits=50
    )
    return [(row["tier"], row["signed_hash"], row["score"]) for row in rows]


def places(found: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Leave out the scores: Neo4j weighs words by texts that have left an index too, until it merges its parts."""
    return [(tier, signed_hash) for tier, signed_hash, _ in found]


@pytest.mark.both_engines
async def test_closed_passages_change_nothing_in_the_order_of_open_ones(platform: Platform) -> None:
    await settle(platform)
    rare, *_ = await cite(platform, [AQUEDUCT, BAKERY, f"{BAKERY} Twice.", "Nothing else was said."])
    before = await seen(platform, "aqueduct OR bakery")
    topics = ("aqueduct bakery", "aqueduct OR bakery", "evidence:aqueduct OR evidence:bakery")
    orders = [await search_statements(platform.store, ANONYMOUS, topic, first=9) for topic in topics]
    assert len(before) == 3 and [order[0] for order in orders] == [rare] * 3
    closed = [f"{AQUEDUCT} Said {number} times." for number in range(9)]
    await cite(platform, closed, boundary=Boundary.INTERNAL)
    assert await seen(platform, "aqueduct OR bakery") == before
    assert [await search_statements(platform.store, ANONYMOUS, topic, first=9) for topic in topics] == orders
    assert len(await seen(platform, "aqueduct OR bakery", Reader(Boundary.INTERNAL))) == 12


async def test_closed_titles_change_nothing_in_the_order_of_open_ones(platform: Platform) -> None:
    await settle(platform)
    (rare,) = await cite(platform, ["one"], title="Aqueduct report")
    for title in ("Bakery report", "Bakery report again"):
        await cite(platform, ["two"], title=title)
    before = await seen(platform, "aqueduct OR bakery")
    order = await search_statements(platform.store, ANONYMOUS, "title:aqueduct OR title:bakery", first=9)
    assert len(before) == 3 and order[0] == rare
    for number in range(9):
        await cite(platform, ["three"], title=f"Aqueduct report {number}", boundary=Boundary.SAFETY_SENSITIVE)
    assert await seen(platform, "aqueduct OR bakery") == before
    assert await search_statements(platform.store, ANONYMOUS, "title:aqueduct OR title:bakery", first=9) == order
    assert len(await seen(platform, "aqueduct", OPERATOR)) == 10


@pytest.mark.both_engines
async def test_a_class_that_becomes_stricter_takes_texts_and_title_along(platform: Platform) -> None:
    await settle(platform)
    (open_one,) = await cite(platform, [BAKERY])
    everything = "aqueduct OR bakery OR spring OR report"
    before = places(await seen(platform, everything))
    source = "\n".join(["Report", Boundary.PUBLIC, AQUEDUCT, BAKERY]).encode()
    statements = await cite(platform, [AQUEDUCT, BAKERY], title="Report")
    assert len(await seen(platform, everything)) == 5
    stricter = source_of(source, "Report", Boundary.CONFIDENTIAL)
    await accept(platform, source_of(source, "Report", Boundary.INTERNAL, STRANGER), stricter)
    assert places(await seen(platform, everything)) == before
    assert await seen(platform, "aqueduct OR report", Reader(Boundary.INTERNAL)) == []
    cleared = Reader(Boundary.CONFIDENTIAL)
    found = {name for tier, name, _ in await seen(platform, "spring", cleared) if tier == 1}
    assert found == {open_one, *statements}
    # A statement that comes later finds its passages where they are now.
    late = signed_statement(
        STRANGER, claim="Late.", evidence=[segment(AQUEDUCT, source=source, source_id=sha256_digest(source))]
    )
    await accept(platform, late)
    assert places(await seen(platform, everything)) == before
    assert {name for _, name, _ in await seen(platform, "aqueduct", cleared)} == {statements[0], hash_of(late)}


async def test_a_title_that_the_owner_changes_is_found_by_its_new_words_alone(platform: Platform) -> None:
    await settle(platform)
    (statement,) = await cite(platform, ["Nothing else was said."], title="Bakery report")
    source = "\n".join(["Bakery report", Boundary.PUBLIC, "Nothing else was said."]).encode()
    assert len(await seen(platform, "bakery")) == 1
    await accept(platform, source_of(source, "Aqueduct report", Boundary.PUBLIC, VERIFIER_A))
    assert await seen(platform, "bakery") == []
    assert [found for _, found, _ in await seen(platform, "aqueduct")] == [statement]


async def test_texts_that_are_erased_are_in_no_index(platform: Platform) -> None:
    await settle(platform)
    before = await seen(platform, "repaired")
    whole, partly = (["Council", AQUEDUCT], ["Mayor", AQUEDUCT, BAKERY])
    for title, *passages in (whole, partly):
        await cite(platform, passages, title=title)
    assert len(await seen(platform, "repaired")) == 3
    for title, *passages in (whole, partly):
        source = "\n".join([title, Boundary.PUBLIC, *passages]).encode()
        start = source.index(AQUEDUCT.encode())
        spans = [ByteRange(start, start + 3)] if title == "Mayor" else []
        await erase(platform, source, spans)
    assert [tier for tier, _, _ in await seen(platform, "repaired")] == [1] and before == []
    assert await seen(platform, "aqueduct") == [] and len(await seen(platform, "bakery")) == 1


async def test_a_rebuild_gives_the_same_hits(platform: Platform) -> None:
    await settle(platform)
    await cite(platform, [AQUEDUCT, BAKERY], title="Aqueduct report")
    await cite(platform, [AQUEDUCT, BAKERY], boundary=Boundary.INTERNAL)
    source = "\n".join(["Report", Boundary.PUBLIC, AQUEDUCT]).encode()
    await cite(platform, [AQUEDUCT], title="Report")
    await accept(platform, source_of(source, "Report", Boundary.CONFIDENTIAL))
    readers = (ANONYMOUS, Reader(Boundary.INTERNAL), OPERATOR)
    topic = "aqueduct OR spring OR report"
    before = [sorted(places(await seen(platform, topic, reader))) for reader in readers]
    assert [len(found) for found in before] == [4, 6, 8]
    await rebuilt(platform)
    assert [sorted(places(await seen(platform, topic, reader))) for reader in readers] == before


async def test_a_database_of_an_earlier_version_gets_the_texts_when_it_is_opened(
    platform: Platform, engine: Endpoint
) -> None:
    await settle(platform)
    await cite(platform, [AQUEDUCT], title="Aqueduct report")
    await cite(platform, [AQUEDUCT], title="Aqueduct", boundary=Boundary.INTERNAL)
    before = [await seen(platform, "aqueduct", reader) for reader in (ANONYMOUS, OPERATOR)]
    await run_raw(platform.store, "MATCH (n) WHERE labels(n)[0] STARTS WITH 'Search' DETACH DELETE n")
    await platform.store.define((SchemaStatement("cypher" if engine.kind == "neo4j" else "sql", f"DROP INDEX {LAST}"),))
    assert await seen(platform, "aqueduct") == []
    async with connect_store(engine):
        assert [await seen(platform, "aqueduct", reader) for reader in (ANONYMOUS, OPERATOR)] == before


async def erase(platform: Platform, source: bytes, spans: Sequence[ByteRange]) -> None:
    left = bytearray(source)
    for span in spans:
        left[span.start : span.end] = b" " * (span.end - span.start)
    changes: dict[str, Any] = (
        {"byte_ranges": spans, "redacted_document_hash": sha256_digest(bytes(left))} if spans else {}
    )
    message = source_redaction_message(sha256_digest(source), redacting_agent=platform.node.agent_id, **changes)
    await accept(platform, platform.node.sign(message).envelope.received)
