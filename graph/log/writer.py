"""Group commit: submissions that arrive together are written in few transactions by one task (docs/architecture.md)."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from graph.errors import StoreUnavailableError
from graph.log.entry import Outcome
from graph.log.submission import Submission

MAX_BATCH = 2000
# Bytes, as `Submission.weight` counts them: a batch that weighs so much takes nothing more.
MAX_WEIGHT = 16 * 1024 * 1024

Append = Callable[[Sequence[Submission]], Awaitable[list[Outcome]]]
After = Callable[[Sequence[Submission]], None]


class Writer:
    """The process's one writer: a queue in front of `Ledger.append`.

    Each caller is answered when its own submissions are durable. Each batch is written in its `turn`, which what else
    this process writes takes as well. `after` is told of each batch before a caller goes on; it raises nothing.
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
        self._queue: asyncio.Queue[tuple[Submission, asyncio.Future[Outcome]]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def __aenter__(self) -> "Writer":
        self._task = asyncio.create_task(self._run(), name="a2ap-writer")
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        assert self._task is not None
        await self._queue.join()
        self._closed = True
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        while not self._queue.empty():
            _, future = self._queue.get_nowait()
            future.set_result(StoreUnavailableError("the platform is closed"))

    def enqueue(self, submissions: Sequence[Submission]) -> "asyncio.Future[list[Outcome]]":
        """Queue the submissions in order; the future is done when each is durable or refused.

        A caller that goes away does not take back what it handed in. Raises `StoreUnavailableError` once the writer
        is closed.
        """
        if self._closed:
            raise StoreUnavailableError("the platform is closed")
        loop = asyncio.get_running_loop()
        futures = [loop.create_future() for _ in submissions]
        for pair in zip(submissions, futures, strict=True):
            self._queue.put_nowait(pair)
        return asyncio.shield(asyncio.gather(*futures))

    async def _run(self) -> None:
        while True:
            batch = [await self._queue.get()]
            weight = batch[0][0].weight
            while len(batch) < self._max_batch and weight < self._max_weight and not self._queue.empty():
                batch.append(self._queue.get_nowait())
                weight += batch[-1][0].weight
            try:
                async with self._turn:
                    outcomes = await self._append([submission for submission, _ in batch])
            except Exception as error:  # the batch failed as a whole: every caller in it must hear so
                outcomes = [error] * len(batch)
            for (submission, future), outcome in zip(batch, outcomes, strict=True):
                submission.note(outcome)
                if not future.done():
                    future.set_result(outcome)
            if self._after is not None:
                self._after([submission for submission, _ in batch])
            for _ in batch:
                self._queue.task_done()
