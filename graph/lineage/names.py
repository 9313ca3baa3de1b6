"""Things by their name, a hash or an id, limited to those that a reader may know of."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from a2ap.boundary import Boundary
from graph.clearance import Reader
from graph.errors import InputError, NotFoundError
from graph.lineage.links import RECORDS
from graph.lineage.walk import Identity, Keep, Kind
from graph.store import Row, Store
from graph.withholding import classes_of

MOST_NAMED = 100
"""The maximum number of things of one name; a name of more things is ambiguous."""

_TIMELESS = (Kind.SOURCE, Kind.CHUNK)  # bytes are the same at any size of the log
_PACK_URI = "ctx://"


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing of the graph: its identity, the id that it states, and its log index if it has one."""

    kind: Kind
    name: str
    id: str | None = None
    log_index: int | None = None

    @classmethod
    def from_row(cls, kind: Kind, row: Row) -> "Thing":
        """Return the thing of a kind in a row with `name`, `id` and `log_index`."""
        if kind in (Kind.AGENT, Kind.KEY):  # some queries have the causes of an agent beside it
            return cls(kind, row["name"])
        return cls(kind, row["name"], row["id"], None if kind in _TIMELESS else row["log_index"])

    @property
    def identity(self) -> Identity:
        """Return its kind and name."""
        return Identity(self.kind, self.name)


async def find_things(
    store: Store, name: str, as_of: int, reader: Reader, kind: Kind | None = None
) -> tuple[Thing, ...]:
    """Return everything of this name, of one kind if given, that existed at a tree size of the log.

    It leaves out things known only from packets that the reader may not see, and such packets by their own id. Raises
    `NotFoundError` if nothing is left, and `InputError` for more than `MOST_NAMED`.
    """
    asked = f"sha256:{name.removeprefix(_PACK_URI)}" if name.startswith(_PACK_URI) else name
    rows = await store.read("things_named", name=asked, first=MOST_NAMED + 1, readable=list(reader.readable))
    there = [(Kind(row["kind"]), row) for row in rows if row["log_index"] < as_of or row["kind"] in _TIMELESS]
    found = {Thing.from_row(of, row) for of, row in there if kind in (None, of)}
    documents = {thing.name for thing in found if thing.kind is Kind.SOURCE}
    known = await _classes(store, "classes_of_documents", documents, readable=list(reader.readable))
    found = {thing for thing in found if thing.kind is not Kind.SOURCE or thing.name in known}
    if not found:
        raise not_found(name)
    if len(found) > MOST_NAMED:
        raise InputError(f"more than {MOST_NAMED} things are named {name}")
    return tuple(sorted(found, key=lambda thing: thing.identity))


def not_found(name: str) -> NotFoundError:
    """Return the error for a name of nothing, and of nothing that the reader may know of: both look the same."""
    return NotFoundError(f"nothing that can be shown is named {name}")


async def readable_of(store: Store, things: Iterable[Identity], reader: Reader) -> set[Identity]:
    """Return the things that the reader may see: bytes by their class, and passages by the class of their bytes.

    Every reader may see agents, statements and verdicts.
    """
    asked = set(things)
    if all(reader.may_read(boundary) for boundary in Boundary):
        return asked
    documents = {name for kind, name in asked if kind is Kind.SOURCE or kind in RECORDS}
    chunks = {name for kind, name in asked if kind is Kind.CHUNK}
    classes = await _classes(store, "classes_of_documents", documents, readable=list(reader.readable))
    passages = await _classes(store, "classes_of_chunks", chunks)

    def is_readable(kind: Kind, name: str) -> bool:
        if kind is Kind.SOURCE or kind in RECORDS:
            return name in classes and reader.may_read(classes[name])
        return kind is not Kind.CHUNK or (name in passages and reader.may_read(passages[name]))

    return {thing for thing in asked if is_readable(*thing)}


def readable_by(store: Store, reader: Reader) -> Keep:
    """Return a filter that limits a walk to the things that the reader may see."""

    async def keep(things: Collection[Identity]) -> Collection[Identity]:
        return await readable_of(store, things, reader)

    return keep


async def _classes(store: Store, query: str, keys: set[str], **others: object) -> dict[str, Boundary]:
    if not keys:
        return {}
    rows = await store.read(query, keys=sorted(keys), **others)
    return {row["key"]: boundary for row, boundary in zip(rows, await classes_of(store, rows), strict=True)}
