"""Does the long work beside the writer: makes epochs, and computes the scores after them and after policies.

After each batch the keeper checks whether an epoch is due, estimates it, signs it, and has it written.

The table is that of the log's first `logSize` entries, and may be written a little later, after other entries. Several
servers may make one at once: of two the first is accepted, because an epoch begins where the last one ended. If entries
keep coming that change the data that was read, the estimate holds up the writer.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from a2ap.messages.epoch import MAX_ESTIMATES, Epoch, build_epoch
from a2ap.messages.policy import ConsensusMethod, Policy
from graph.epochs.due import entries_until_due
from graph.epochs.vote_reading import EpochVotes, read_votes
from graph.errors import ConflictError
from graph.log.chore import Chore
from graph.log.entry import Outcome, log_size, size_of
from graph.node import Node
from graph.requests.resettling import is_resettling, resettle_page
from graph.scores.recomputation import is_rescoring, rescore_page
from graph.scoring.as_of import has_changed
from graph.scoring.judgements import policy_in_force, policy_of
from graph.scoring.reading import StoreReader
from graph.scoring.votes import ConsensusPolicy
from graph.store import Store
from graph.submission.submission import Submission

if TYPE_CHECKING:
    from graph.epochs.estimating import EpochTable

logger = logging.getLogger(__name__)

# Attempts that others' entries may disturb before the writer is held up, and before the epoch is left for later.
_ATTEMPTS_ASIDE = 3
_ATTEMPTS = 6
# Another server may have set the policy.
_UNTIL_ANOTHER_POLICY = 1000
# Seconds between checks whether a server that ended has left scores to compute.
_LOOK_AGAIN = 60.0


@dataclass(frozen=True, slots=True)
class _Due:
    """The inputs of an epoch that is due: the first `size` entries, under a policy."""

    size: int
    policy: ConsensusPolicy


class EpochKeeper:
    """Keeps a node's epochs, the scores that follow from them, and the open requests, each in a task of its own.

    `note` is called with each batch. Everything is written in the writer's `turn`.
    """

    def __init__(
        self,
        store: Store,
        node: Node,
        append: Callable[[Sequence[Submission]], Awaitable[list[Outcome]]],
        clock: Callable[[], datetime],
        turn: asyncio.Lock,
    ) -> None:
        self._store = store
        self._reads = StoreReader(store)
        self._node = node
        self._append = append
        self._clock = clock
        self._turn = turn
        self._patience = 0
        self._scoring = Chore("rescoring", self._score)
        self._settling = Chore("open requests", self._settle)
        self._estimating = Chore("epoch", self._make_if_due)
        self._looking: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "EpochKeeper":
        for chore in (self._scoring, self._settling, self._estimating):
            await chore.__aenter__()
        self._finish_what_is_left()
        self._looking = asyncio.create_task(self._look_again(), name="a2ap-look-for-rescoring")
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        assert self._looking is not None
        self._looking.cancel()
        await asyncio.gather(self._looking, return_exceptions=True)
        for chore in (self._estimating, self._settling, self._scoring):
            await chore.__aexit__(*exc_info)

    @property
    def failures(self) -> dict[str, str]:
        """The errors of the tasks that failed and are tried again later, by the task's name."""
        chores = (self._estimating, self._scoring, self._settling)
        return {one.name: one.failure for one in chores if one.failure is not None}

    def note(self, batch: Sequence[Submission]) -> None:
        """Record that a batch was written."""
        self._patience -= len(batch)
        if any(isinstance(one.message, Policy | Epoch) for one in batch):
            self._patience = 0
            self._finish_what_is_left()
        if self._patience <= 0:
            self._estimating.wake()

    async def rescored(self) -> None:
        """Wait until scores and open requests are of the policy and epoch in force, or computing them has failed."""
        await self._scoring.settled()
        await self._settling.settled()

    async def settled(self) -> None:
        """Wait until no epoch is due and every cached score is of the last one, or either has failed."""
        await self._estimating.settled()
        await self.rescored()

    async def _look_again(self) -> None:
        """Finish the work that other servers have left: any of them may end while this one runs."""
        while True:
            await asyncio.sleep(_LOOK_AGAIN)
            self._finish_what_is_left()

    def _finish_what_is_left(self) -> None:
        self._scoring.wake()
        self._settling.wake()

    async def _score(self) -> None:
        more = await is_rescoring(self._store)
        while more:
            async with self._turn:
                more = await rescore_page(self._store)

    async def _settle(self) -> None:
        more = await is_resettling(self._store)
        while more:
            async with self._turn:
                more = await resettle_page(self._store)

    async def _make_if_due(self) -> None:
        for attempt in range(_ATTEMPTS):
            due = await self._due()
            if due is None:
                return
            if attempt < _ATTEMPTS_ASIDE:
                made = await self._make(due)
            else:
                async with self._turn:
                    due = await self._due()
                    made = due is None or await self._make(due, held=True)
            if made:
                return
        # Other servers keep being quicker: their next entries wake it again.
        self._patience = 1

    async def entries_until_epoch(self) -> int | None:
        """Return the number of entries until an epoch is due; None if the policy's method has no epochs."""
        _, missing = await self._next()
        return missing

    async def _due(self) -> _Due | None:
        """Return the epoch that is due, None if none is; sets how many entries to wait for before the next check."""
        epoch, missing = await self._next()
        # An entry may be two, with the machine's verdict: two checks too many cost two reads.
        self._patience = _UNTIL_ANOTHER_POLICY if missing is None else -(-missing // 2)
        return None if self._patience else epoch

    async def _next(self) -> tuple[_Due, int | None]:
        """Return the inputs of an epoch made now, and the number of entries until it is due; None without epochs."""
        # A size that is older than the policy, or newer, only moves the next check.
        sizes, policies, epochs = await self._store.read_together(
            [("log_size", {}), ("current_policy", {}), ("current_epoch", {})]
        )
        size, policy = size_of(sizes), policy_of(policies[0]) if policies else ConsensusPolicy()
        if policy.method != ConsensusMethod.POSTERIOR:
            return _Due(size, policy), None
        last_end = epochs[0]["log_index"] + 1 if epochs else 0
        return _Due(size, policy), entries_until_due(size, last_end, policy.epoch_length)

    async def _make(self, due: _Due, *, held: bool = False) -> bool:
        """Make the epoch; return False if the data that was read has changed, or another server was quicker."""
        votes = await read_votes(self._reads, due.policy, due.size)
        if await has_changed(self._reads, due.size, await log_size(self._store)):
            return False
        table = await asyncio.to_thread(_estimate, votes, due.policy) if votes.has_votes else None
        if table is None:
            self._patience = -(-entries_until_due(due.size, due.size, due.policy.epoch_length) // 2)
            return True
        parts = self._parts(table, due)
        messages = [await asyncio.to_thread(self._node.sign, part) for part in parts]
        submissions = [Submission(message) for message in messages]
        if held:
            return self._is_written(await self._append(submissions), due, table)
        async with self._turn:
            if (await policy_in_force(self._reads)).signed_hash != due.policy.signed_hash:
                return False
            return self._is_written(await self._append(submissions), due, table)

    def _is_written(self, outcomes: Sequence[Outcome], due: _Due, table: "EpochTable") -> bool:
        failed = next((outcome for outcome in outcomes if isinstance(outcome, Exception)), None)
        if failed is None:
            logger.info("epoch of %d entries: %d estimates", due.size, len(table.estimates))
            self._scoring.wake()
            return True
        if isinstance(failed, ConflictError):
            return False
        raise failed

    def _parts(self, table: "EpochTable", due: _Due) -> list[dict[str, Any]]:
        """Return the messages of a table; an empty table would give one message too."""
        starts = range(0, max(len(table.estimates), len(table.records), 1), MAX_ESTIMATES)
        now = self._clock()
        return [
            build_epoch(
                epoch_id=self._node.derived_id(f"epoch|{due.size}|{part}"),
                issued_at=now,
                issuing_agent=self._node.agent_id,
                log_size=due.size,
                policy=due.policy.signed_hash,
                calibration=table.calibration,
                estimates=table.estimates[start : start + MAX_ESTIMATES],
                models=table.models,
                records=table.records[start : start + MAX_ESTIMATES],
                part=part,
                parts=len(starts),
            )
            for part, start in enumerate(starts)
        ]


def _estimate(votes: EpochVotes, policy: ConsensusPolicy) -> "EpochTable | None":
    # SciPy takes most of a second to be imported, and few commands need it.
    from graph.epochs.estimating import estimate_votes

    return estimate_votes(votes, policy)
