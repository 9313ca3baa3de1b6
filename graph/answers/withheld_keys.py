"""The keys of nodes withheld from a reader, for queries that read words of sources (`graph.cypher_text.guards`).

The rules are those of `graph.withholding`. They follow from facts that every reader may see: the classes
of documents, and the citations.
"""

from collections.abc import Collection, Mapping
from typing import Any

from graph.clearance import Reader
from graph.cypher_text.guards import KeySet
from graph.errors import CypherTextError
from graph.store import Store

MAX_KEYS = 20_000
"""Keys of one kind; a query that would need more of them is refused."""

Keys = Mapping[KeySet, frozenset[str]]

_ABOUT_STATEMENTS = frozenset({KeySet.STATEMENTS, KeySet.VERIFICATIONS, KeySet.GOLD})


async def withheld_keys(store: Store, reader: Reader, wanted: Collection[KeySet]) -> Keys:
    """Return these sets of keys and those that they follow from; raises CypherTextError if one would be too large."""
    readable, wanted = list(reader.readable), set(wanted)
    sources = await _keys(store, "withheld_sources", readable=readable)
    found = {KeySet.SOURCES: sources}
    if wanted != {KeySet.SOURCES}:
        documents = await _keys(store, "withheld_documents", readable=readable)
        found[KeySet.DOCUMENTS] = _few(documents | await _named(store, "withheld_by_name", sources))
    if wanted & {KeySet.UNREGISTERED, *_ABOUT_STATEMENTS}:
        found[KeySet.UNREGISTERED] = await _named(store, "withheld_unregistered", sources)
    if wanted & _ABOUT_STATEMENTS:
        found[KeySet.STATEMENTS] = await _statements(store, found)
        statements = sorted(found[KeySet.STATEMENTS])
        found[KeySet.VERIFICATIONS] = await _keys(store, "withheld_verifications", statements=statements)
        found[KeySet.GOLD] = await _named(store, "withheld_gold", statements)
    return found


async def _statements(store: Store, found: Keys) -> frozenset[str]:
    documents, cited = sorted(found[KeySet.DOCUMENTS]), sorted(found[KeySet.UNREGISTERED])
    statements = await _keys(store, "withheld_statements", documents=documents)
    statements |= await _keys(store, "withheld_statements_erased")
    return _few(statements | await _named(store, "withheld_statements_by_name", found[KeySet.SOURCES], documents=cited))


async def _named(store: Store, name: str, names: Collection[str], **parameters: Any) -> frozenset[str]:
    return await _keys(store, name, names=dict.fromkeys(names, True), **parameters) if names else frozenset()


async def _keys(store: Store, name: str, **parameters: Any) -> frozenset[str]:
    return _few(frozenset(row["key"] for row in await store.read(name, first=MAX_KEYS + 1, **parameters)))


def _few(keys: frozenset[str]) -> frozenset[str]:
    if len(keys) > MAX_KEYS:
        raise CypherTextError("this reader is not cleared for words of too many sources: name none of their properties")
    return keys
