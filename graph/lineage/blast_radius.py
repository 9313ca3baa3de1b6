"""The blast radius of a key, an agent, a source, a statement or a record: everything that rests on it.

What rests on what:

- on a key: the statements, verdicts and passports that it signed, the keys that it registered, the agents that it
  vouched for;
- on an agent: its statements, its verdicts, the passports that are proved to be its own, and the agents that it
  vouched for;
- on the word of an operator: the verdicts of the agents that it vouched for, because these weigh what they do by it;
- on the bytes of a source: the statements that cite them, the packets with items about them, the packs that used them
  or were given them by a tool, and the record that they are;
- on a passage: the statements that cite it;
- on a statement: those that it supports, those that revise it, and the packets with items about it;
- on a verdict that binds its statement: that statement, whose score it reaches, or whose gate if it is the machine's;
- on a packet: the packs that used its bytes, and the receipts, returns and dispositions that echo it;
- on a pack: what it generated, the packs that it informed or whose input it is, and the statements and verdicts that
  came out of it;
- on a passport: those that are derived from it, the packs that used it, and the statements and verdicts of its event.

What a reader may not see has no blast radius for that reader, is in none, and is walked through in none, as by no path
(`graph.lineage.path`).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from graph.clearance import OPERATOR, Reader
from graph.errors import NotFoundError
from graph.lineage.links import Way, steps_of
from graph.lineage.names import Thing, find_things, not_found, readable_by, readable_of
from graph.lineage.walk import Identity, Item, Kind, Walk, size_of, walk_from
from graph.store import Store

MAX_ITEMS = 20_000
"""Where the walk ends, complete or not."""

MAX_DEPTH = 100
"""Levels; a longer chain of support is cut."""

_STEPS = steps_of(Way.IMPACT)


@dataclass(frozen=True, slots=True)
class BlastRadius:
    """All items, nearest first and each level in log order; `complete` is false where the walk was cut short.

    `of` is what they rest on, where it was found by a name alone.
    """

    as_of: int
    items: tuple[Item, ...] = ()
    complete: bool = True
    of: tuple[Thing, ...] = ()


async def blast_radius(
    store: Store, kind: Kind, name: str, as_of: int | None = None, reader: Reader = OPERATOR
) -> BlastRadius:
    """Return what rests on a key, an agent, a source (by hash or name) or a statement (by hash or id).

    A source is also the bytes of any passport, pack or packet, by their hash. `as_of` is a size of the log; nothing
    that came after it is seen; what `reader` may not see, and what packets of that kind are about, is not, either.
    Raises `NotFoundError` where there is nothing of that name that `reader` may see, and `InputError` for a size that
    the log has not had.
    """
    size = await size_of(store, as_of)
    roots = await readable_of(store, [Identity(kind, root) for root in await find_roots(store, kind, name)], reader)
    if not roots:
        raise _nothing(kind, name)
    walk = await _walk(store, roots, size, reader)
    return BlastRadius(size, tuple(walk.items), walk.complete)


async def impact_of(
    store: Store, name: str, kind: Kind | None = None, as_of: int | None = None, reader: Reader = OPERATOR
) -> BlastRadius:
    """Return what rests on everything of a name, whatever that is, or on what of it is of one kind.

    The same walk as that of `blast_radius`, from passages, verdicts and records too. Raises as that does.
    """
    size = await size_of(store, as_of)
    things = await find_things(store, name, size, reader, kind)
    roots = await readable_of(store, [thing.identity for thing in things], reader)
    if not roots:
        raise not_found(name)
    walk = await _walk(store, roots, size, reader)
    readable = tuple(thing for thing in things if thing.identity in roots)
    return BlastRadius(size, tuple(walk.items), walk.complete, readable)


async def _walk(store: Store, roots: Iterable[Identity], size: int, reader: Reader) -> Walk:
    keep = readable_by(store, reader)
    starts = {kind: sorted(name for of, name in roots if of is kind) for kind in Kind}
    return await walk_from(store, starts, _STEPS, size, most=MAX_ITEMS, depth=MAX_DEPTH, reader=reader, keep=keep)


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
        raise _nothing(kind, name)
    return roots


def _nothing(kind: Kind, name: str) -> NotFoundError:
    return NotFoundError(f"no {kind.lower()} {name} is here")
