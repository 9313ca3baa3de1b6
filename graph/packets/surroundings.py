"""Reads the facts around the statements of a packet: verdicts, cited passages, requests that still wait."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from a2ap.boundary import Boundary
from a2ap.times import instant_of, micros_of
from graph.packets.facts import PassageFacts, RequestFacts, VerdictFacts
from graph.store import Row, Store
from graph.withholding import classes_of

MAX_VERDICTS = 8
"""Maximum verdicts read for one statement, the latest."""

MAX_PASSAGES = 4
"""Maximum passages read for one statement, the first."""

MAX_REQUESTS = 8
"""Maximum requests, and challenges, read for one statement, the first."""


async def verdicts_on(store: Store, hashes: Sequence[str]) -> tuple[tuple[VerdictFacts, ...], int]:
    """Return the latest standing verdicts on each of these statements, newest first, and the number not read."""
    rows = await store.read("packet_verdicts", hashes=list(hashes), first=MAX_VERDICTS)
    names = [row["signed_hash"] for row in rows]
    superseded = {row["superseded"] for row in await store.read("superseding", hashes=names)} if names else set()
    found = tuple(_verdict(row) for row in rows if row["signed_hash"] not in superseded)
    return found, await _not_read(store, rows)


async def _not_read(store: Store, rows: Sequence[Row]) -> int:
    """Return the number of standing verdicts beyond the rows, for statements with the maximum of verdicts read."""
    counts = Counter(row["statement"] for row in rows)
    full = {name for name, number in counts.items() if number == MAX_VERDICTS}
    if not full:
        return 0
    standing: int = sum(row["number"] for row in await store.read("verdict_counts", hashes=sorted(full)))
    return max(standing - sum(not row["machine"] for row in rows if row["statement"] in full), 0)


def _verdict(row: Row) -> VerdictFacts:
    return VerdictFacts(
        signed_hash=row["signed_hash"],
        verification_id=row["verification_id"],
        statement=row["statement"],
        agent=row["agent_id"],
        machine=bool(row["machine"]),
        verdict=row["verdict"],
        confidence=row["confidence"],
        reason=row["reason"],
        findings=tuple(zip(row["finding_criteria"] or (), row["finding_statuses"] or (), strict=True)),
        verified_at=instant_of(row["verified_micros"]),
        received_at=instant_of(row["received_micros"]),
        log_index=row["log_index"],
        reputation=row["reputation"],
    )


async def passages_of(store: Store, hashes: Sequence[str]) -> tuple[PassageFacts, ...]:
    """Return the first passages that each of these statements cites, in its order."""
    rows = await store.read("packet_passages", hashes=list(hashes), first=MAX_PASSAGES)
    classes = await classes_of(store, rows)
    return tuple(_passage(row, boundary) for row, boundary in zip(rows, classes, strict=True))


def _passage(row: Row, boundary: Boundary) -> PassageFacts:
    erased = row["passage_redacted"] or (row["document_redacted"] is not None and not row["text"])
    return PassageFacts(
        chunk_key=row["chunk_key"],
        statement=row["statement"],
        document=row["document"],
        document_hash=row["document_hash"],
        name=row["source_document"] or row["document_name"] or row["document"],
        media_type=row["media_type"],
        boundary=boundary,
        held=bool(row["held"]),
        recorded_at=instant_of(min(row["registered_micros"], default=row["received_micros"])),
        byte_start=row["byte_start"],
        byte_end=row["byte_end"],
        text=None if erased or not row["text"] else row["text"],
        retain_until=None if row["retain_micros"] is None else instant_of(row["retain_micros"]),
    )


async def open_requests_on(store: Store, hashes: Sequence[str], now: datetime) -> tuple[RequestFacts, ...]:
    """Return the requests on these statements that still wait for verdicts."""
    rows = await store.read("packet_requests", hashes=list(hashes), now=micros_of(now), first=MAX_REQUESTS)
    return tuple(
        RequestFacts(
            signed_hash=row["signed_hash"],
            request_id=row["request_id"],
            statement=row["statement"],
            agent=row["agent_id"],
            answered=len(row["answered_by"] or ()),
            wanted=row["wanted_verdicts"],
            last_movement=instant_of(row["received_micros"]),
        )
        for row in rows
    )
