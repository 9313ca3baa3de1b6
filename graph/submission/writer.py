"""Group commit: submissions that arrive together are written in few transactions by one task.

See docs/explanation/architecture.md.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

from graph.errors import StoreUnavailableError
from graph.log.entry import Outcome
from graph.submission.submission import Submission

MAX_BATCH = 2000
# Bytes, as `Submission.weight` counts them: a batch of this weight takes nothing more.
MAX_WEIGHT = 16 * 1024 * 1024
# Strangers may have a batch's size divided by this number, which others leave them.
STRANGERS = 4

Append = Callable[[Sequence[Submission]], Awaitable[list[Outcome]]]
After = Callable[[Sequence[Submission]], None]

_Queued = tuple[Submission, asyncio.Future[Outcome]]


class Writer:
    """The process's one writer: two queues in front of `Ledger.append`.

    Each caller is answered when its own submissions are durable. Strangers have a queue of their own, and a quarter of
    a batch, which other senders leave them; the others' submissions come first. So a flood of strangers delays others
    by a quarter of a batch, and others never keep strangers out. Each batch is written in its `turn`, a lock that the
    other writes of this process take as well. `after` is called with each batch before a caller goes on; it raises
    nothing.
    """

    def __init__(
        self,
        append: Append,
        max_batch: int = MAX_BATCH,
        max_weight: int = MAX_WEIGHT,
        *,
        after: After | None = None,
        turn: asyncio.Lock | None = None,
    ) -> None:
        self._append = append
        self._after = after
        self._turn = turn or asyncio.Lock()
        self._max_batch = max_batch
        self._max_weight = max_weight
        self._strangers: deque[_Queued] = deque()
        self._others: deque[_Queued] = deque()
        self._arrived = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def __aenter__(self) -> "Writer":
        self._task = asyncio.create_task(self._run(), name="a2ap-writer")
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        assert self._task is not None
        await self._idle.wait()
        self._closed = True
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        for _, future in (*self._others, *self._strangers):
            future.set_result(StoreUnavailableError("the platform is closed"))

    def enqueue(self, submissions: Sequence[Submission]) -> "asyncio.Future[list[Outcome]]":
        """Queue the submissions in order; the future is done when each is durable or refused.

        All of them go to the strangers' queue if one is of a call of strangers. A caller that disconnects does not
        withdraw its submissions. Raises `StoreUnavailableError` once the writer is closed.
        """
        if self._closed:
            raise StoreUnavailableError("the platform is closed")
        loop = asyncio.get_running_loop()
        futures = [loop.create_future() for _ in submissions]
        of_strangers = any(one.call is not None and one.call.of_strangers for one in submissions)
        (self._strangers if of_strangers else self._others).extend(zip(submissions, futures, strict=True))
        if submissions:
            self._idle.clear()
            self._arrived.set()
        return asyncio.shield(asyncio.gather(*futures))

    async def _run(self) -> None:
        while True:
            await self._arrived.wait()
            batch = self._next_batch()
            try:
                async with self._turn:
                    outcomes = await self._append([submission for submission, _ in batch])
            except Exception as error:  # the batch failed as a whole: every caller in it gets the error
                outcomes = [error] * len(batch)
            for (submission, future), outcome in zip(batch, outcomes, strict=True):
                submission.note(outcome)
                if not future.done():
                    future.set_result(outcome)
            if self._after is not None:
                self._after([submission for submission, _ in batch])
            if not self._others and not self._strangers:
                self._arrived.clear()
                self._idle.set()

    def _next_batch(self) -> list[_Queued]:
        """Take the next batch off the queues: the strangers' submissions last."""
        if not self._strangers:
            return _taken(self._others, self._max_batch, self._max_weight)
        share, weight = max(1, self._max_batch // STRANGERS), max(1, self._max_weight // STRANGERS)
        others = _taken(self._others, max(1, self._max_batch - share), max(1, self._max_weight - weight))
        return [*others, *_taken(self._strangers, share, weight)]


def _taken(queue: deque[_Queued], number: int, weight: int) -> list[_Queued]:
    """Take up to `number` submissions off a queue, and none once they reach `weight`; at least one."""
    taken: list[_Queued] = []
    while queue and len(taken) < number and weight > 0:
        taken.append(queue.popleft())
        weight -= taken[-1][0].weight
    return taken
