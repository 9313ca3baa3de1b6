"""One step of a mirror: the changes of some log entries, in one transaction with the new size.

Rules:

- The new entries must make the tree whose root the log states: a rewritten log is noticed before anything of the step
  is written, also if it has no new entries.
- A step has the clearance of the mirror.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from a2ap.log.growing_root import GrowingRoot
from graph.mirror.database import run, told
from graph.mirror.errors import MirrorError
from graph.mirror.merging import merging
from graph.mirror.original import LogHead, Original
from graph.mirror.schema import staging
from graph.mirror.staging import Stage, read_lines
from graph.mirror.state import MirrorState, write_state

if TYPE_CHECKING:
    from graph.mirror.database import Connection


@dataclass(frozen=True, slots=True)
class Stepped:
    """The result of a step: the state that it wrote, and the number of rows that it received."""

    state: MirrorState
    rows: int


def check_head(state: MirrorState | None, head: LogHead) -> None:
    """Raise `MirrorError` if the log is another than the mirrored one, or was rewritten."""
    if state is None:
        return
    if state.log != head.log:
        raise MirrorError(f"this mirror is of the log of {state.log}, not of {head.log or 'an empty log'}")
    if head.size < state.log_size:
        raise MirrorError(
            f"the log has {head.size} entries, and had {state.log_size}: it was rewritten, or is an old copy"
        )
    if head.size == state.log_size and head.root != state.tree.root:
        raise _rewritten(state)


async def take_step(
    connection: "Connection",
    original: Original,
    state: MirrorState | None,
    head: LogHead,
    size: int,
    *,
    with_scores: bool = True,
) -> Stepped:
    """Bring the tables up to the first `size` entries of a log; raises `MirrorError`, and then leaves them unchanged.

    If they have that size already, the unsettled rows are read again.
    """
    since = state.log_size if state is not None else 0
    with told():
        async with connection.transaction():
            for statement in staging():
                await run(connection, statement)
            stage = Stage(connection, state.tree if state is not None else GrowingRoot())
            await stage.fill(read_lines(original.rows(since, size)))
            new = _state_after(stage, state, head, size, with_scores=with_scores)
            if with_scores:
                await stage.fill_scores(original.scores(since, size))
            for statement in merging(frozenset(stage.replaced), is_whole=not since):
                await run(connection, statement)
            await write_state(connection, new)
    return Stepped(new, stage.rows)


def _state_after(
    stage: Stage, state: MirrorState | None, head: LogHead, size: int, *, with_scores: bool
) -> MirrorState:
    if stage.clearance is None or stage.tree.size != size:
        raise MirrorError(f"the rows are of {stage.tree.size} entries of the log, not of {size}")
    if state is not None and stage.clearance is not state.clearance:
        raise MirrorError(
            f"this mirror is for readers cleared for {state.clearance}, and this one is cleared for {stage.clearance};"
            " --clear makes it anew"
        )
    if state is not None and with_scores is not state.with_scores:
        has = "has" if state.with_scores else "has no"
        raise MirrorError(f"this mirror {has} scores over time; --clear makes it anew")
    is_at_head = size == head.size
    if is_at_head and stage.tree.root != head.root:
        raise _rewritten(state)
    return MirrorState(
        log=head.log,
        log_size=size,
        subtrees=stage.tree.roots,
        clearance=stage.clearance,
        checkpoint=head.checkpoint if is_at_head else None,
        settled=stage.is_settled,
        with_scores=with_scores,
    )


def _rewritten(state: MirrorState | None) -> MirrorError:
    if state is None:
        return MirrorError("the entries of the log do not make the tree that it states")
    return MirrorError(f"the log was rewritten: it does not begin with the {state.log_size} entries that are here")
