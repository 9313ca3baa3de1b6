"""Finds the messages that a store holds otherwise than an export of now would give them to its readers.

Entries change the quads of earlier messages in two ways:

- A registration closes or opens a document, or all documents without a class that go by a name: the statements that
  cite it, the messages about these, and its registrations have other texts.
- A record or a key joins earlier records of other formats, or a revocation parts them: the graph of records has other
  triples.

Closed documents and names are compared with those of the time of the store. This misses a document or name that was
opened and closed again in between, so every one that may have been opened counts as changed.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from a2ap.boundary import Boundary
from a2ap.messages.message import MessageType
from graph.clearance import Reader
from graph.database.pages import pages_of
from graph.sparql.folder import ClosedSources
from graph.store import Store

_AT_ONCE = 500
_ALL = 2**31 - 1

_REGISTRATIONS = frozenset({MessageType.SOURCE_REGISTRATION, MessageType.RECORD_REGISTRATION})
_KEYS = frozenset({MessageType.AGENT_REGISTRATION, MessageType.KEY_REGISTRATION})


@dataclass(frozen=True, slots=True)
class OutdatedMessages:
    """The places in the log, ascending, of the messages that a store has to replace, and if it replaces the records.

    The places of the records' registrations are among them if the graph of records is replaced.
    """

    places: tuple[int, ...] = ()
    records: bool = False


async def closed_sources(store: Store, clearance: Boundary) -> ClosedSources:
    """Return the documents and names that are closed to the readers of a class."""
    readable = list(Reader(clearance).readable)
    return ClosedSources(
        frozenset(await _names(store, "withheld_documents", readable=readable, first=_ALL)),
        frozenset(await _names(store, "withheld_sources", readable=readable, first=_ALL)),
    )


async def outdated_since(
    store: Store, start: int, types: Collection[str], node: str, before: ClosedSources, now: ClosedSources
) -> OutdatedMessages:
    """Return the messages before `start` that entries of these types, from `start` on, have changed.

    `node` is the id of the node's agent; `before` is of the time of the store, `now` of this time.
    """
    # A registration that came after `types` were read may be in `now`, and would not be found again.
    documents, names = set(before.documents ^ now.documents), set(before.names ^ now.names)
    if not _REGISTRATIONS.isdisjoint(types):
        documents |= await _names(store, "documents_classed_since", start=start, node=node)
        names |= await _names(store, "names_answered_for_since", start=start)
    places = await _places(store, start, sorted(documents), sorted(names))
    if not (await _are_records_joined(store, start, types) or await _is_record_among(store, sorted(documents))):
        return OutdatedMessages(tuple(sorted(places)))
    records = {row["log_index"] for row in await store.read("record_registrations_before", end=start)}
    return OutdatedMessages(tuple(sorted(places | records)), records=bool(records))


async def _places(store: Store, end: int, documents: Sequence[str], names: Sequence[str]) -> set[int]:
    """Return the places of the messages with texts of these documents, and of documents without a class so named."""
    places: set[int] = set()
    statements: dict[str, int] = {}
    for some in pages_of(documents, _AT_ONCE):
        rows = await store.read("statements_on_documents", documents=some, end=end)
        statements |= {row["signed_hash"]: row["log_index"] for row in rows}
        rows = await store.read("source_registrations_of", documents=some, end=end)
        places |= {row["log_index"] for row in rows}
    if names:
        rows = await store.read("statements_on_names", names=list(names), end=end)
        statements |= {row["signed_hash"]: row["log_index"] for row in rows}
    for some in pages_of(sorted(statements), _AT_ONCE):
        rows = await store.read("messages_on_statements", hashes=some, end=end)
        places |= {row["log_index"] for row in rows}
        about = [*some, *(row["signed_hash"] for row in rows)]
        taken_back = await store.read("retractions_of", hashes=about)
        places |= {row["log_index"] for row in taken_back if row["log_index"] < end}
    return places | set(statements.values())


async def _are_records_joined(store: Store, start: int, types: Collection[str]) -> bool:
    """Return whether entries of these types, from `start` on, may have joined or parted records before it."""
    if MessageType.KEY_REVOCATION in types:
        return True
    if not _KEYS.isdisjoint(types) and await store.read("passports_of_keys_since", start=start):
        return True
    return MessageType.RECORD_REGISTRATION in types and bool(await store.read("records_joined_since", start=start))


async def _is_record_among(store: Store, documents: Sequence[str]) -> bool:
    for some in pages_of(documents, _AT_ONCE):
        if await store.read("records_known", hashes=some):
            return True
    return False


async def _names(store: Store, query: str, **parameters: object) -> set[str]:
    return {row["key"] for row in await store.read(query, **parameters)}
