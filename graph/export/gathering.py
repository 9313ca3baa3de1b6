"""Finds everything that belongs to the statements of a selection, so that no exported relationship ends nowhere.

With a statement come

- its evidence: the chunks it cites, their documents and sources, the agents that registered these, and the records that
  it or a verdict on it came out of, as documents;
- the messages about it: verifications, requests and declines, answers to challenges, gold labels and disputes of them,
  and retractions;
- the agents behind these: the agents themselves, those that endorsed them and so on, their families, keys, and the
  events of the keys;
- the policies that its score follows from, and the log entries of all of these.

Statements that it refers to, epochs, and passports, packs and packets do not come with it.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Sequence

from a2ap.boundary import Boundary
from graph.clearance import Reader
from graph.database.pages import pages_of
from graph.dictionary.reading import node_terms
from graph.errors import NotFoundError
from graph.export.closure import Closure
from graph.export.paging import STRETCH, Pages
from graph.export.selection import Selection
from graph.export.steps import EDGE_STEPS, NODE_STEPS
from graph.search.statements import MAX_HITS, search_statements
from graph.store import Row, Store

_AT_ONCE = 200  # statements

# Messages about statements, found by their targets; those about messages come after these.
_ABOUT = (*(label for label, term in node_terms().items() if term.comes_with_statement), "Retraction")
_POLICIES = ("Policy", "AdmissionPolicy")


async def gather(store: Store, closure: Closure, selection: Selection, size: int, clearance: Boundary) -> None:
    """Keep in the closure all that belongs to a selection at `size` log entries. Raises `NotFoundError`."""
    agents = frozenset(selection.agents)
    documents = None if selection.source is None else await _documents(store, selection.source)
    async for rows in _candidates(store, selection, size, clearance):
        chosen = [row for row in rows if _is_selected(row, selection, agents, size)]
        _keep(closure, "Statement", chosen if documents is None else await _citing(store, chosen, documents))
    for hashes in closure.pages("Statement", _AT_ONCE):
        await _keep_surroundings(store, closure, hashes, size)
    pages = _Scan(store, size)
    for label in _ABOUT:
        async for rows in pages.nodes(label):
            about = closure.kept("Statement", (_target(row) for row in rows))
            _keep(closure, label, [_flat(row) for row in rows if _target(row) in about])
    for label in _POLICIES:
        async for rows in pages.nodes(label):
            _keep(closure, label, [_flat(row) for row in rows])
    await _keep_registrations(pages, closure)
    await _keep_endorsers(pages, closure)
    await _keep_belongings(pages, closure)


async def _candidates(
    store: Store, selection: Selection, size: int, clearance: Boundary
) -> AsyncIterator[Sequence[Row]]:
    """Yield the statements from which the selected ones are chosen."""
    if selection.statements or selection.topic is not None:
        hashes = await _named(store, selection) if selection.statements else None
        if selection.topic is not None:
            found = await search_statements(store, Reader(clearance), selection.topic, first=MAX_HITS)
            hashes = found if hashes is None else sorted(set(hashes) & set(found))
        for some in pages_of(hashes or (), STRETCH):
            yield await store.read("gather_statements_of", hashes=some)
        return
    end = size if selection.entries_until is None else min(size, selection.entries_until)
    for start in range(selection.entries_from or 0, end, STRETCH):
        yield await store.read("gather_statements_between", start=start, end=min(start + STRETCH, end))


async def _named(store: Store, selection: Selection) -> list[str]:
    hashes: set[str] = set()
    for some in pages_of(selection.statements, STRETCH):
        by_id = await store.read("statements_by_id", ids=some)
        by_hash = await store.read("statements_by_hash", hashes=some)
        known = {row["statement_id"] for row in by_id} | {row["signed_hash"] for row in by_hash}
        for name in some:
            if name not in known:
                raise NotFoundError(f"there is no statement {name}")
        hashes.update(row["signed_hash"] for row in (*by_id, *by_hash))
    return sorted(hashes)


async def _documents(store: Store, name: str) -> list[str]:
    """Return the keys of the documents that a hash or a name stands for. Raises `NotFoundError`."""
    found = [row["document_key"] for row in await store.read("lineage_documents", name=name)]
    if not found:
        raise NotFoundError(f"there is no source {name}")
    return found


async def _citing(store: Store, rows: Sequence[Row], documents: Sequence[str]) -> list[Row]:
    """Return those of some statements that cite one of these documents."""
    hashes = [row["signed_hash"] for row in rows]
    found = await store.read("gather_statements_citing", hashes=hashes, documents=documents) if rows else ()
    citing = {row["signed_hash"] for row in found}
    return [row for row in rows if row["signed_hash"] in citing]


def _is_selected(row: Row, selection: Selection, agents: frozenset[str], size: int) -> bool:
    end = size if selection.entries_until is None else min(size, selection.entries_until)
    return (
        (selection.entries_from or 0) <= row["log_index"] < end
        and (not agents or row["agent_id"] in agents)
        and (selection.verified is None or row["verified"] == selection.verified)
        and (selection.received_from is None or row["received_at"] >= selection.received_from)
        and (selection.received_until is None or row["received_at"] < selection.received_until)
    )


async def _keep_surroundings(store: Store, closure: Closure, hashes: Sequence[str], size: int) -> None:
    """Keep the evidence of some statements, and verdicts on them and requests for these."""
    evidence = await store.read("gather_evidence", hashes=hashes)
    for label, name in (("Chunk", "chunk"), ("Document", "document"), ("Source", "source")):
        closure.keep(label, [row[name] for row in evidence if row[name] is not None])
    _keep(closure, "Verification", await store.read("gather_verdicts", hashes=hashes, size=size))
    _keep(closure, "VerificationRequest", await store.read("gather_requests", hashes=hashes, size=size))
    closure.keep("Document", [row["document"] for row in await store.read("gather_records", hashes=hashes)])


async def _keep_registrations(pages: "_Scan", closure: Closure) -> None:
    async for rows in pages.edges("REGISTERED"):
        documents = closure.kept("Document", (row["end"] for row in rows))
        found = [row for row in rows if row["end"] in documents]
        closure.keep("Agent", [row["start"] for row in found])
        closure.keep_places(row["properties"]["log_index"] for row in found)


async def _keep_endorsers(pages: "_Scan", closure: Closure) -> None:
    """Keep the agents that endorsed the kept agents, and so on upwards."""
    found: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    async for rows in pages.edges("ENDORSED"):
        for row in rows:
            found[row["end"]].append((row["start"], row["properties"]["log_index"]))
    level = set(closure.kept("Agent", found))
    while level:
        endorsers = [one for agent in level for one in found.pop(agent, ())]
        closure.keep("Agent", [agent for agent, _ in endorsers])
        closure.keep_places(place for _, place in endorsers)
        level = {agent for agent, _ in endorsers} & found.keys()


async def _keep_belongings(pages: "_Scan", closure: Closure) -> None:
    """Keep families and keys of the agents, the events of the keys, and the entries of all these."""
    for type, label in (("SPECIALIZATION_OF", "AgentFamily"), ("HAS_KEY", "Key")):
        async for rows in pages.edges(type):
            agents = closure.kept("Agent", (row["start"] for row in rows))
            closure.keep(label, [row["end"] for row in rows if row["start"] in agents])
    for label, name in (("Agent", "agent_id"), ("Key", "key_id")):
        async for rows in pages.nodes(label):
            kept = closure.kept(label, (row["properties"][name] for row in rows))
            closure.keep_places(row["properties"]["log_index"] for row in rows if row["properties"][name] in kept)
    async for rows in pages.nodes("KeyEvent"):
        agents = closure.kept("Agent", (row["properties"]["agent_id"] for row in rows))
        found = [row for row in rows if row["properties"]["agent_id"] in agents]
        closure.keep("KeyEvent", [row["key"] for row in found])
        closure.keep_places(row["properties"]["log_index"] for row in found)


class _Scan:
    """Reads all rows of a label or type that is not large, page by page."""

    def __init__(self, store: Store, size: int) -> None:
        self._pages = Pages(store, size)

    async def nodes(self, label: str) -> AsyncIterator[list[Row]]:
        step = next(step for step in NODE_STEPS if step.label == label)
        async for _, rows in self._pages.of(step, None):
            yield rows

    async def edges(self, type: str) -> AsyncIterator[list[Row]]:
        step = next(step for step in EDGE_STEPS if step.type == type)
        async for _, rows in self._pages.of(step, None):
            yield [row for row in rows if row["start"] is not None and row["end"] is not None]


def _keep(closure: Closure, label: str, rows: Sequence[Row]) -> None:
    closure.keep(label, [row["signed_hash"] for row in rows])
    closure.keep_places(row["log_index"] for row in rows)
    closure.keep("Agent", [row["agent_id"] for row in rows if row.get("agent_id") is not None])


def _target(row: Row) -> str:
    return str(row.get("statement") or row["properties"].get("target_hash"))


def _flat(row: Row) -> Row:
    properties = row["properties"]
    return {name: properties.get(name) for name in ("signed_hash", "log_index", "agent_id")}
