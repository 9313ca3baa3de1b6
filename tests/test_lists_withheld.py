"""Lists have no document and no successor that only packets tell of which their reader may not see, on both engines."""

import pytest
from graph_contents import run_raw
from platform_fixture import platform

from graph.clearance import ANONYMOUS, OPERATOR, Reader
from graph.lists.cursor import Key, Ordering, encode_cursor
from graph.lists.documents import DocumentChoice, DocumentOrder, find_documents, key_of, ordering_of
from graph.lists.records import PackChoice, PacketChoice, PacketOrder, PackOrder, find_packets, find_packs
from graph.lists.records import key_of as key_of_record
from graph.lists.records import ordering_of as ordering_of_records
from graph.lists.span import Span
from graph.platform import Platform

__all__ = ["platform"]

OLD = """
    CREATE (:Packet {record_hash: 'sha256:old', log_index: 1})-[:RECORD_OF]->(:Document {document_key: 'sha256:old',
      boundary: 'public'})
"""
NEW = """
    MATCH (o:Packet {record_hash: 'sha256:old'})
    CREATE (o)<-[:SUPERSEDES]-(n:Packet {record_hash: 'sha256:new', log_index: 2}),
      (n)-[:RECORD_OF]->(:Document {document_key: 'sha256:new', boundary: 'private'}),
      (n)-[:HAS_ITEM]->(:Item {item_key: 'sha256:new/1'})-[:ABOUT]->(:Document {document_key: 'sha256:told'})
"""


async def listed(platform: Platform, reader: Reader) -> set[str]:
    span = Span.asked(ordering_of(DocumentOrder.HASH, descending=False), 50, None, None, None)
    rows = await find_documents(platform.store, DocumentChoice(), reader, DocumentOrder.HASH, span)
    return {row["document_key"] for row in rows}


async def named(platform: Platform, reader: Reader) -> list[str]:
    rows = await platform.store.read("documents_by_name", names=["sha256:told"], readable=list(reader.readable))
    return [row["document_key"] for row in rows]


async def superseded(platform: Platform, reader: Reader) -> list[str]:
    span = Span.asked(Ordering("packets by LOG_INDEX"), 50, None, None, None)
    rows = await find_packets(platform.store, PacketChoice(superseded=True), reader, PacketOrder.LOG_INDEX, span)
    return [row["properties"]["record_hash"] for row in rows]


async def test_a_document_that_a_withheld_packet_leads_to_is_not_listed(platform: Platform) -> None:
    for query in (OLD, NEW):
        await run_raw(platform.store, query)
    assert await listed(platform, ANONYMOUS) == {"sha256:old", "sha256:new"}
    assert await listed(platform, OPERATOR) == {"sha256:old", "sha256:new", "sha256:told"}
    assert (await named(platform, ANONYMOUS), await named(platform, OPERATOR)) == ([], ["sha256:told"])
    await run_raw(platform.store, "MATCH (d:Document {document_key: 'sha256:told'}) CREATE (:Chunk)-[:PART_OF]->(d)")
    assert "sha256:told" in await listed(platform, ANONYMOUS), "a statement cites it as well"


async def test_a_withheld_packet_supersedes_none(platform: Platform) -> None:
    for query in (OLD, NEW):
        await run_raw(platform.store, query)
    assert await superseded(platform, ANONYMOUS) == []
    assert await superseded(platform, OPERATOR) == ["sha256:old"]


LONG = "A long title, " * 30
TITLES = {
    "a": (LONG + "1", "public", 9),
    "b": (LONG + "0", "public", 3),
    "c": (LONG + "05", "private", 7),
    "d": ("Zoning", "private", 8),
    "e": (None, None, None),
    "f": ("A", "public", 2),
    "g": ("A", "public", 1),
    "h": ("Zoo \U0001f9ea", "public", 4),
}
TITLED = """
    UNWIND $rows AS row
    CREATE (d:Document {document_key: row.key, title: row.title, boundary: row.boundary})
    FOREACH (place IN row.places |
      CREATE (:Agent {agent_id: row.key + toString(place)})-[:REGISTERED {log_index: place}]->(d))
"""


async def keys_by(platform: Platform, reader: Reader, order: DocumentOrder, *, backward: bool, size: int) -> str:
    """Return the keys of all documents in an order, page by page from one end."""
    ordering = ordering_of(order, descending=False)
    found: list[str] = []
    cursor = None
    while True:
        ends = (None, None, size, cursor) if backward else (size, cursor, None, None)
        span = Span.asked(ordering, *ends)
        rows = await find_documents(platform.store, DocumentChoice(), reader, order, span)
        found += [row["document_key"] for row in rows[:size]]
        if len(rows) <= size:
            return "".join(found[::-1] if backward else found)
        cursor = encode_cursor(ordering, key_of(order, rows[size - 1]))


@pytest.mark.both_engines
async def test_documents_are_ordered_by_titles_that_their_reader_sees(platform: Platform) -> None:
    rows = [
        {"key": key, "title": title, "boundary": boundary, "places": [] if place is None else [place, place + 10]}
        for key, (title, boundary, place) in TITLES.items()
    ]
    await run_raw(platform.store, TITLED, rows=rows)
    for order, reader, expected in (
        (DocumentOrder.TITLE, ANONYMOUS, "cdefgbah"),
        (DocumentOrder.TITLE, OPERATOR, "efgbcadh"),
        (DocumentOrder.REGISTERED, ANONYMOUS, "egfbhcda"),
        (DocumentOrder.BYTE_LENGTH, ANONYMOUS, "abcdefgh"),
    ):
        for backward, size in ((False, 3), (True, 2)):
            assert await keys_by(platform, reader, order, backward=backward, size=size) == expected
    # Whoever makes up a cursor with the beginning of a withheld title does not learn how it goes on.
    ordering = ordering_of(DocumentOrder.TITLE, descending=False)
    cursor = encode_cursor(ordering, (LONG[:200], "c"))
    span = Span.asked(ordering, 50, cursor, None, None)
    after = await find_documents(platform.store, DocumentChoice(), ANONYMOUS, DocumentOrder.TITLE, span)
    assert "".join(row["document_key"] for row in after) == "bah"


async def test_packs_are_ordered_by_the_moment_that_they_name(platform: Platform) -> None:
    times = (
        "2026-01-01T01:30:00+02:00",
        "2026-01-01T00:00:00Z",
        "2025-12-31T20:00:00.5-04:00",
        None,
        "0001-01-01T00:00:00Z",
        "2025-12-31T23:59:59.999999999Z",
        "2026-01-01T00:00:00-00:30",
    )
    rows = [{"hash": f"sha256:{place}", "place": place, "created": time} for place, time in enumerate(times)]
    query = "UNWIND $rows AS row CREATE (:Pack {record_hash: row.hash, log_index: row.place, created: row.created})"
    await run_raw(platform.store, query, rows=rows)
    ordering = ordering_of_records("packs", PackOrder.CREATED, descending=True)
    found: list[Key] = []
    cursor = None
    while len(found) < len(times):
        span = Span.asked(ordering, 2, cursor, None, None)
        page = (await find_packs(platform.store, PackChoice(), PackOrder.CREATED, span))[:2]
        found += [key_of_record(PackOrder.CREATED, row) for row in page]
        cursor = encode_cursor(ordering, found[-1])
    assert [key[-1] for key in found] == [6, 2, 1, 5, 0, 4, 3]
