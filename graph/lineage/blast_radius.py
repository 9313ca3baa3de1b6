"""The blast radius of a key, an agent, a source, a statement or a record: everything that rests on it.

What rests on what:

- on a key: the statements, verdicts and passports that it signed, the keys that it registered, the agents that it
  vouched for;
- on an agent: its statements, its verdicts, the passports that are proved to be its own, and the agents that it
  vouched for;
- on the word of an operator: the verdicts of the agents that it vouched for, because these weigh what they do by it;
- on the bytes of a source: the statements that cite them, the packets with items about them, the packs that used them
  or were given them by a tool, and the record that they are;
- on a statement: those that it supports, those that revise it, and the packets with items about it;
- on a verdict that binds its statement: that statement, whose score it reaches, or whose gate if it is the machine's;
- on a packet: the packs that used its bytes, and the receipts, returns and dispositions that echo it;
- on a pack: what it generated, the packs that it informed or whose input it is, and the statements and verdicts that
  came out of it;
- on a passport: those that are derived from it, the packs that used it, and the statements and verdicts of its event.
"""

from dataclasses import dataclass

from graph.errors import NotFoundError
from graph.lineage.walk import Item, Kind, Relation, Step, size_of, walk_from
from graph.store import Store

MAX_ITEMS = 20_000
"""Where the walk ends, complete or not."""

MAX_DEPTH = 100
"""Levels; a longer chain of support is cut."""

_BYTES = (Kind.SOURCE, Kind.PASSPORT, Kind.PACK, Kind.PACKET)  # the name of a record is the hash of its bytes
_RUNS = (Kind.PASSPORT, Kind.PACK)

_STEPS = (
    Step((Kind.KEY,), "lineage_signed_statements", Kind.STATEMENT, Relation.SIGNED_WITH),
    Step((Kind.KEY,), "lineage_signed_verifications", Kind.VERIFICATION, Relation.SIGNED_WITH),
    Step((Kind.KEY,), "lineage_signed_endorsements", Kind.VOUCHED_FOR, Relation.ENDORSED_BY),
    Step((Kind.KEY,), "lineage_signed_passports", Kind.PASSPORT, Relation.SIGNED_WITH),
    Step((Kind.KEY,), "lineage_registered_keys", Kind.KEY, Relation.REGISTERED_BY),
    Step((Kind.AGENT,), "lineage_agent_statements", Kind.STATEMENT, Relation.GENERATED_BY),
    Step((Kind.AGENT,), "lineage_agent_verifications", Kind.VERIFICATION, Relation.PERFORMED_BY),
    Step((Kind.AGENT,), "lineage_agent_passports", Kind.PASSPORT, Relation.GENERATED_BY),
    Step((Kind.AGENT,), "lineage_agent_endorsements", Kind.VOUCHED_FOR, Relation.ENDORSED_BY),
    Step((Kind.VOUCHED_FOR,), "lineage_agent_verifications", Kind.VERIFICATION, Relation.PERFORMED_BY),
    Step((Kind.SOURCE,), "lineage_citing_statements", Kind.STATEMENT, Relation.CITES),
    Step((Kind.SOURCE,), "lineage_packets_about_documents", Kind.PACKET, Relation.ABOUT),
    Step((Kind.SOURCE,), "lineage_passports_of_bytes", Kind.PASSPORT, Relation.RECORD_OF),
    Step((Kind.SOURCE,), "lineage_packs_of_bytes", Kind.PACK, Relation.RECORD_OF),
    Step((Kind.SOURCE,), "lineage_packets_of_bytes", Kind.PACKET, Relation.RECORD_OF),
    Step(_BYTES, "lineage_packs_that_used", Kind.PACK, Relation.USED),
    Step(_BYTES, "lineage_packs_that_met", Kind.PACK, Relation.USED),
    Step(_RUNS, "lineage_generated_statements", Kind.STATEMENT, Relation.GENERATED_BY),
    Step(_RUNS, "lineage_generated_verifications", Kind.VERIFICATION, Relation.GENERATED_BY),
    Step((Kind.PACK,), "lineage_generated_documents", Kind.SOURCE, Relation.GENERATED_BY),
    Step((Kind.PACK,), "lineage_informed_packs", Kind.PACK, Relation.INFORMED_BY),
    Step((Kind.PASSPORT,), "lineage_derived_passports", Kind.PASSPORT, Relation.DERIVED_FROM),
    Step((Kind.PACKET,), "lineage_packet_records", Kind.PACKET_RECORD, Relation.ECHOES),
    Step((Kind.STATEMENT,), "lineage_packets_about_statements", Kind.PACKET, Relation.ABOUT),
    Step((Kind.STATEMENT,), "lineage_supported_statements", Kind.STATEMENT, Relation.SUPPORTED_BY),
    Step((Kind.STATEMENT,), "lineage_revisions", Kind.STATEMENT, Relation.REVISION_OF),
    Step((Kind.VERIFICATION,), "lineage_judged_statements", Kind.STATEMENT, Relation.JUDGED_BY),
)


@dataclass(frozen=True, slots=True)
class BlastRadius:
    """All items, nearest first and each level in log order; `complete` is false where the walk was cut short."""

    as_of: int
    items: tuple[Item, ...] = ()
    complete: bool = True


async def blast_radius(store: Store, kind: Kind, name: str, as_of: int | None = None) -> BlastRadius:
    """Return what rests on a key, an agent, a source (by hash or name) or a statement (by hash or id).

    A source is also the bytes of any passport, pack or packet, by their hash. `as_of` is a size of the log; nothing
    that came after it is seen. Raises `NotFoundError` where there is nothing of that name, and `InputError` for a size
    that the log has not had.
    """
    size = await size_of(store, as_of)
    roots = await find_roots(store, kind, name)
    walk = await walk_from(store, {kind: roots}, _STEPS, size, most=MAX_ITEMS, depth=MAX_DEPTH)
    return BlastRadius(size, tuple(walk.items), walk.complete)


async def find_roots(store: Store, kind: Kind, name: str) -> list[str]:
    """Return the names in the graph of what a name stands for. Raises `NotFoundError` where that is nothing."""
    match kind:
        case Kind.KEY:
            rows = await store.read("keys_by_id", references=[name])
            roots = [row["key_id"] for row in rows]
        case Kind.AGENT:
            roots = [row["agent_id"] for row in await store.read("agents_known", ids=[name])]
        case Kind.SOURCE:
            roots = sorted(row["document_key"] for row in await store.read("lineage_documents", name=name))
        case _ if name.startswith("sha256:"):
            roots = [row["signed_hash"] for row in await store.read("statements_by_hash", hashes=[name])]
        case _:
            roots = [row["signed_hash"] for row in await store.read("statements_by_id", ids=[name])]
    if not roots:
        raise NotFoundError(f"no {kind.lower()} {name} is here")
    return roots
