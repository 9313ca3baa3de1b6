"""Invariants after every kill: nothing acknowledged is lost, nothing half-written is visible, no gap, no duplicate."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from graph_contents import run_raw, whole_graph

from a2ap.canonical import sha256_digest
from a2ap.log.entry import LogEntry
from a2ap.times import format_instant
from faults.load import Receipt
from graph.content.content_store import ContentStore
from graph.errors import ContentError
from graph.log.entry import entry_from_row
from graph.store import Row, Store
from graph.submission.rebuild import rebuild

_LAST = "MATCH (e:LogEntry) RETURN max(e.log_index) AS place"
_EMPTY = "MATCH (n) DETACH DELETE n"
# The labels that the load writes, and the number of each kind of edge that a whole node has.
_WRITTEN = {
    "statements_written": ("ProvenanceStatement", {"authors": 1, "citations": 1}),
    "verifications_written": ("VerificationResponse", {"statements": 1, "agents": 1}),
}


async def entries_of(store: Store) -> list[LogEntry]:
    """Return the log entries of the graph, without regard to the log's head."""
    (last,) = await run_raw(store, _LAST)
    if last["place"] is None:
        return []
    return [entry_from_row(row) for row in await store.read("log_entries_from", start=0, first=last["place"] + 1)]


async def find_problems(
    store: Store, content: ContentStore, receipts: Sequence[Receipt], checked: int
) -> tuple[list[str], list[LogEntry]]:
    """Return the problems found, in sentences, and the log.

    The stored documents are read of entries from `checked` on; everything else is examined completely.
    """
    entries = await entries_of(store)
    size = (await store.read("log_size"))[0]["size"]
    problems = [*_log_problems(entries, size), *_receipt_problems(entries, receipts)]
    for query, (type_name, edges) in _WRITTEN.items():
        rows = await run_raw(store, (Path(__file__).parent / f"{query}.cypher").read_text(encoding="utf-8"))
        problems += _node_problems(rows, [entry for entry in entries if entry.type == type_name], edges)
    for entry in entries[checked:]:
        try:
            if sha256_digest(await content.get(entry.document_hash)) != entry.document_hash:
                problems.append(f"the document of entry {entry.log_index} is another one")
        except ContentError as error:
            problems.append(f"the document of entry {entry.log_index}: {error}")
    return problems, entries


async def rebuild_problems(store: Store, content: ContentStore) -> list[str]:
    """Rebuild the graph in place, from its log and the stored documents, and return the differences."""
    before, entries = await whole_graph(store), await entries_of(store)
    await run_raw(store, _EMPTY)
    async for _ in rebuild(store, content, entries):
        pass
    after = await whole_graph(store)
    extra, missing = Counter(before) - Counter(after), Counter(after) - Counter(before)
    return [
        *(f"not from the log: {row[:300]}" for row in extra),
        *(f"not in the graph: {row[:300]}" for row in missing),
    ]


def _log_problems(entries: Sequence[LogEntry], size: int) -> Iterator[str]:
    if [entry.log_index for entry in entries] != list(range(size)):
        yield f"the log has {len(entries)} entries and not the places 0 to {size - 1}, each once"
    for name, number in Counter(entry.signed_hash for entry in entries).items():
        if number > 1:
            yield f"{name} is in the log {number} times"
    for entry in entries:
        # The machine's verdict on a statement is written with it.
        following = entries[entry.log_index + 1] if entry.log_index + 1 < len(entries) else None
        node = entries[0].agent
        if entry.type == "ProvenanceStatement" and (following is None or following.agent != node):
            yield f"the statement at {entry.log_index} is without the machine's verdict"


def _receipt_problems(entries: Sequence[LogEntry], receipts: Sequence[Receipt]) -> Iterator[str]:
    for receipt in receipts:
        place = receipt["logIndex"]
        if place >= len(entries):
            yield f"acknowledged and lost: {receipt['signedHash']} at {place}, the log has {len(entries)}"
            continue
        entry = entries[place]
        found = {
            "id": entry.id,
            "type": entry.type,
            "signedHash": entry.signed_hash,
            "documentHash": entry.document_hash,
            "receivedAt": format_instant(entry.received_at),
        }
        for name, value in found.items():
            if receipt[name] != value:
                yield f"the {name} of entry {place} is {value}, and was acknowledged as {receipt[name]}"


def _node_problems(rows: Sequence[Row], entries: Sequence[LogEntry], edges: dict[str, int]) -> Iterator[str]:
    logged = {entry.signed_hash: entry.log_index for entry in entries}
    for name, number in Counter(row["signed_hash"] for row in rows).items():
        if number > 1 or name not in logged:
            yield f"{name} is {number} nodes, and at {logged.get(name)} in the log"
    for name in logged.keys() - {row["signed_hash"] for row in rows}:
        yield f"{name} is in the log and has no node"
    for row in rows:
        if row["log_index"] != logged.get(row["signed_hash"]):
            yield f"{row['signed_hash']} says that it is at {row['log_index']} in the log"
        for edge, number in edges.items():
            if row[edge] != number:
                yield f"{row['signed_hash']} has {row[edge]} {edge}"
