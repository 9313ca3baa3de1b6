"""The state of a mirror: its log, the tree size, and its clearance. It is written with the rows of each step."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from a2ap.boundary import Boundary
from a2ap.log.growing_root import GrowingRoot
from graph.mirror.database import run, told
from graph.mirror.errors import MirrorError
from graph.mirror.schema import (
    STATE_COLUMNS,
    STATE_TABLE,
    creating,
    describing,
    dropping,
    listed,
    quoted,
    tables_digest,
)

if TYPE_CHECKING:
    from graph.mirror.database import Connection

_NAMES = tuple(name for name in STATE_COLUMNS if name != "single")


@dataclass(frozen=True, slots=True)
class MirrorState:
    """A log, the size of it that is in the tables, and the clearance of the mirror's readers."""

    log: str
    log_size: int
    subtrees: tuple[bytes, ...]
    clearance: Boundary
    checkpoint: str | None = None
    settled: bool = False
    with_scores: bool = True

    @property
    def tree(self) -> GrowingRoot:
        """Return a tree of the mirrored entries; entries added to it do not change the state."""
        return GrowingRoot(self.log_size, self.subtrees)


async def prepare(connection: "Connection", schema: str, *, clear: bool) -> None:
    """Create the schema and its tables with their comments if they do not exist; with `clear`, create them anew.

    Raises `MirrorError` if a table of one of these names is not of a mirror, or of another version.
    """
    with told():
        async with connection.transaction():
            await _prepare(connection, schema, clear=clear)


async def _prepare(connection: "Connection", schema: str, *, clear: bool) -> None:
    await run(connection, f"CREATE SCHEMA IF NOT EXISTS {quoted(schema)}")
    if clear:
        for statement in dropping():
            await run(connection, statement)
    made = await _digest(connection)
    if made is None:
        for statement in creating():
            await run(connection, statement)
    elif made != tables_digest():
        raise MirrorError(f"the tables of the schema {schema!r} are of another version; --clear makes them anew")
    for statement in describing():
        await run(connection, statement)


async def read_state(connection: "Connection") -> MirrorState | None:
    """Return the state of the mirror, None before its first step."""
    rows = await run(connection, f"SELECT {listed(_NAMES)} FROM {STATE_TABLE}")
    if not rows:
        return None
    found = dict(zip(_NAMES, rows[0], strict=True))
    return MirrorState(
        log=found["log"],
        log_size=found["log_size"],
        subtrees=tuple(bytes.fromhex(root) for root in found["subtrees"]),
        clearance=Boundary(found["clearance"]),
        checkpoint=found["checkpoint"],
        settled=found["settled"],
        with_scores=found["with_scores"],
    )


async def write_state(connection: "Connection", state: MirrorState) -> None:
    """Write the state, in the transaction of a step."""
    values = (
        tables_digest(),
        state.log,
        state.log_size,
        state.tree.root.hex(),
        [root.hex() for root in state.subtrees],
        state.checkpoint,
        state.clearance.value,
        state.settled,
        state.with_scores,
    )
    sets = ", ".join(f"{quoted(name)} = excluded.{quoted(name)}" for name in _NAMES)
    marks = ", ".join("%s" for _ in values)
    insert = f"INSERT INTO {STATE_TABLE} ({listed(_NAMES)}) VALUES ({marks}) ON CONFLICT (single) DO UPDATE SET {sets}"
    await run(connection, insert, values)


async def _digest(connection: "Connection") -> str | None:
    """Return the version of the existing tables: the current one before their first step, None without tables."""
    ((found,),) = await run(connection, "SELECT to_regclass(%s)::text", (STATE_TABLE,))
    if found is None:
        return None
    rows = await run(connection, f"SELECT tables FROM {STATE_TABLE}")
    return str(rows[0][0]) if rows else tables_digest()
