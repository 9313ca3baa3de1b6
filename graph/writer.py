"""Group commit: submissions that arrive together are written in one transaction by one task (design §3, §5)."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from graph.ledger import Outcome, Submission

MAX_BATCH = 1000

Append = Callable[[Sequence[Submission]], Awaitable[list[Outcome]]]


class Writer:
    """The process's one writer: a queue in front of `Ledger.append`.

    Each caller is answered when its own submissions are durable.
    """

    def __init__(self, append: Append, max_batch: int = MAX_BATCH) -> None:
        self._append = append
        self._max_batch = max_batch
        self._queue: asyncio.Queue[tuple[Submission, asyncio.Future[Outcome]]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Writer":
        self._task = asyncio.create_task(self._run(), name="a2ap-writer")
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        assert self._task is not None
        await self._queue.join()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def enqueue(self, submissions: Sequence[Submission]) -> "asyncio.Future[list[Outcome]]":
        """Queue the submissions in order; the future is done when each is durable or refused.

        A caller that goes away does not take back what it handed in.
        """
        loop = asyncio.get_running_loop()
        futures = [loop.create_future() for _ in submissions]
        for pair in zip(submissions, futures, strict=True):
            self._queue.put_nowait(pair)
        return asyncio.shield(asyncio.gather(*futures))

    async def _run(self) -> None:
        while True:
            batch = [await self._queue.get()]
            while len(batch) < self._max_batch and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            try:
                outcomes = await self._append([submission for submission, _ in batch])
            except Exception as error:  # the batch failed as a whole: every caller in it must hear so
                outcomes = [error] * len(batch)
            for (_, future), outcome in zip(batch, outcomes, strict=True):
                if not future.done():
                    future.set_result(outcome)
                self._queue.task_done()
