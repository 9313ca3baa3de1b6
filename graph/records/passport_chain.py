"""The chain of a passport in the graph, as one file would hold it: its ancestors and its descendants.

The walk follows hashes that hold, visits each record once, and ends at `MAX_RECORDS` records or `MAX_BYTES` bytes; the
result says so. Records that this reader may not read, that were erased or that are not stored are left out, and named.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from a2ap.json_text import MAX_INTEGER
from a2ap.messages.key_history import KeyStatus
from a2ap.passport.passport import Chain, read_chain
from a2ap.passport.signature import KnownKeys, name_of_key
from a2ap.signing.keys import PublicKey
from graph.clearance import Reader, boundary_of
from graph.content.content_store import ContentStore
from graph.errors import ContentNotFoundError
from graph.records.passport_rows import MAX_MERGED, MAX_TWINS
from graph.store import Row, Store

MAX_RECORDS = 500
MAX_BYTES = 4 * 1_048_576
MAX_PARENTS = MAX_TWINS * (1 + MAX_MERGED)
"""Maximum records that one record is derived from: the first of each hash that it states."""


@dataclass(frozen=True, slots=True)
class PassportChain:
    """Records in the order of the log, their hashes, and the keys that are known to belong to the agents they name.

    `left_out` are the hashes of those that are not in it; if not `complete`, there are more.
    """

    chain: Chain
    hashes: tuple[str, ...]
    known_keys: KnownKeys
    left_out: tuple[str, ...]
    complete: bool

    def position_of(self, record_hash: str) -> int | None:
        """Return the place of a record in the chain, None if it is left out."""
        return self.hashes.index(record_hash) if record_hash in self.hashes else None


async def load_chain(store: Store, content: ContentStore, reader: Reader, record_hash: str) -> PassportChain:
    """Return the chain of a record for a reader."""
    names, complete = await connected_records(store, record_hash)
    rows = {row["record_hash"]: row for row in await store.read("passports_by_hash", hashes=names)}
    found: dict[str, bytes] = {}
    left_out: list[str] = []
    length = 0
    # The record that is asked for comes before all others where not all can be had.
    for name in sorted(rows, key=lambda one: (one != record_hash, rows[one]["log_index"])):
        row = rows[name]
        length += row["byte_length"] or 0
        if length > MAX_BYTES:
            complete = False
            break
        try:
            found[name] = await _read(content, row, reader)
        except LookupError:
            left_out.append(name)
    hashes = sorted(found, key=lambda name: rows[name]["log_index"])
    chain = await asyncio.to_thread(read_chain, b"[" + b",".join(found[name] for name in hashes) + b"]")
    return PassportChain(chain, tuple(hashes), _known_keys([rows[name] for name in hashes]), tuple(left_out), complete)


async def connected_records(store: Store, record_hash: str) -> tuple[list[str], bool]:
    """Return the records connected with one by derivation, nearest first, and whether these are all."""
    seen = dict.fromkeys([record_hash])
    level = [record_hash]
    complete = True
    while level:
        parents = await store.read("passport_parents", hashes=level, size=MAX_INTEGER, first=MAX_PARENTS)
        children = await store.read("passport_children", hashes=level, first=MAX_RECORDS + 1)
        # Of a level with so many children some may be known already, and others not read.
        complete = complete and len(children) <= MAX_RECORDS
        near = [row["parent"] for row in parents] + [row["child"] for row in children]
        level = []
        for name in near:
            if name not in seen:
                if len(seen) == MAX_RECORDS:
                    return list(seen), False
                seen[name] = None
                level.append(name)
    return list(seen), complete


def is_proved(row: Row) -> bool:
    """Return whether the key that joins a passport to its agent is trusted at the passport's place in the log."""
    if row["proved_agent"] is None:
        return False
    status = KeyStatus(row["key_id"], row["proved_agent"], -1, row["retired_at"], row["not_trusted_since"])
    return status.speaks_at(row["log_index"])


async def _read(content: ContentStore, row: Row, reader: Reader) -> bytes:
    if not row["held"] or row["redacted"] or not reader.may_read(boundary_of(row["boundary"])):
        raise LookupError(row["record_hash"])
    try:
        return await content.get(row["record_hash"])
    except ContentNotFoundError as error:
        raise LookupError(row["record_hash"]) from error


def _known_keys(rows: Iterable[Row]) -> KnownKeys:
    proved = [(row["proved_agent"], PublicKey.from_did_key(row["signed_by"])) for row in rows if is_proved(row)]
    return {name_of_key(agent_id, key): key for agent_id, key in proved}
