"""Makes epochs: looks after each batch whether one is due, estimates, signs, and has it written alone at its place.

Several servers may do so at once. An epoch names the size of the log that it was made from, and is refused anywhere
else, so that of two made at one size only the first is taken, and one that others' entries overtook is made again.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from a2ap.epoch import MAX_ESTIMATES, build_epoch
from a2ap.policy import ConsensusMethod, Policy
from graph.epochs.due import entries_until_due
from graph.errors import ConflictError
from graph.log.batch_plan import Outcome, Submission
from graph.log.state_loader import log_size
from graph.node import Node
from graph.scoring.judgements import policy_in_force
from graph.scoring.reading import StoreReader
from graph.store import Store

if TYPE_CHECKING:
    from graph.epochs.estimating import EpochTable

logger = logging.getLogger(__name__)

# So often others' entries may come in between before it is left to the batch after the next.
_ATTEMPTS = 5
# Another server may have set the policy.
_UNTIL_ANOTHER_POLICY = 1000


class EpochKeeper:
    """Keeps a node's epochs; `keep` is called by its one writer, when nothing else is being written."""

    def __init__(
        self,
        store: Store,
        node: Node,
        append: Callable[[Sequence[Submission]], Awaitable[list[Outcome]]],
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._node = node
        self._append = append
        self._clock = clock
        self._patience = 0

    async def keep(self, batch: Sequence[Submission]) -> None:
        """Make an epoch if one is due after this batch; whatever goes wrong is said in the log of events alone."""
        self._patience -= len(batch)
        if self._patience > 0 and not any(isinstance(one.message, Policy) for one in batch):
            return
        try:
            for _ in range(_ATTEMPTS):
                if await self._try_once():
                    return
        except Exception:
            logger.exception("an epoch is due and cannot be made")
            self._patience = 1

    async def _try_once(self) -> bool:
        """Look once; return False where entries came in between and it is to be looked again."""
        from graph.epochs.estimating import estimate_table  # SciPy takes most of a second, and few commands need it.

        size = await log_size(self._store)
        reads = StoreReader(self._store)
        policy = await policy_in_force(reads)
        epochs = await self._store.read("current_epoch")
        last_end = epochs[0]["log_index"] + 1 if epochs else 0
        # An entry may be two, with the machine's verdict: looking twice too often costs two reads.
        self._patience = -(-entries_until_due(size, last_end, policy.epoch_length) // 2)
        if policy.method != ConsensusMethod.POSTERIOR:
            self._patience = _UNTIL_ANOTHER_POLICY
            return True
        if self._patience:
            return True
        table = await estimate_table(reads, policy)
        if table is None:
            self._patience = -(-entries_until_due(size, size, policy.epoch_length) // 2)
            return True
        parts = self._parts(table, size, policy.signed_hash)
        messages = [await asyncio.to_thread(self._node.sign, part) for part in parts]
        outcomes = await self._append([Submission(message) for message in messages])
        failed = next((outcome for outcome in outcomes if isinstance(outcome, Exception)), None)
        if failed is None:
            logger.info("epoch of %d entries: %d estimates", size, len(table.estimates))
            return True
        if isinstance(failed, ConflictError):
            return False
        raise failed

    def _parts(self, table: "EpochTable", size: int, policy: str) -> list[dict[str, Any]]:
        """Return the messages of a table; an empty one would be one message too."""
        starts = range(0, max(len(table.estimates), 1), MAX_ESTIMATES)
        now = self._clock()
        return [
            build_epoch(
                epoch_id=self._node.derived_id(f"epoch|{size}|{part}"),
                issued_at=now,
                issuing_agent=self._node.agent_id,
                log_size=size,
                policy=policy,
                calibration=table.calibration,
                estimates=table.estimates[start : start + MAX_ESTIMATES],
                part=part,
                parts=len(starts),
            )
            for part, start in enumerate(starts)
        ]
