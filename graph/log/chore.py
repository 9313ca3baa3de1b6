"""Background work that runs whenever it is woken, and is retried later if it fails."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

logger = logging.getLogger(__name__)

# Seconds: the first pause after a failure, which doubles with each further one, and the longest.
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 600.0
# Seconds that a running chore may take when the platform is closed; the rest is done at the next start.
_AT_CLOSE = 10.0


class Chore:
    """A task that does its work each time it is woken, one run after the other."""

    def __init__(self, name: str, work: Callable[[], Awaitable[None]], first_pause: float = _FIRST_PAUSE) -> None:
        self.name = name
        self.failure: str | None = None
        self._work = work
        self._first_pause = first_pause
        self._failures = 0
        self._woken = asyncio.Event()
        self._settled = asyncio.Event()
        self._settled.set()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Chore":
        self._task = asyncio.create_task(self._run(), name=f"a2ap-{self.name}")
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        assert self._task is not None
        try:
            async with asyncio.timeout(_AT_CLOSE):
                await self._settled.wait()
        except TimeoutError:
            logger.warning("%s is left for the next start", self.name)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def wake(self) -> None:
        """Have the work done, once more if it is running now; after a failure it waits for its pause."""
        if self.failure is None:
            self._settled.clear()
        self._woken.set()

    async def settled(self) -> None:
        """Wait until nothing is left to do, or the work has failed and is left for later."""
        await self._settled.wait()

    async def _run(self) -> None:
        while True:
            await self._woken.wait()
            self._woken.clear()
            try:
                await self._work()
            except Exception as error:
                await self._pause_after(error)
                self._woken.set()
                continue
            self._failures, self.failure = 0, None
            if not self._woken.is_set():
                self._settled.set()

    async def _pause_after(self, error: Exception) -> None:
        pause = min(self._first_pause * 2.0**self._failures, _LONGEST_PAUSE)
        self._failures += 1
        self.failure = f"{type(error).__name__}: {error}"
        logger.error("%s failed %d times, again in %g s", self.name, self._failures, pause, exc_info=error)
        self._settled.set()
        await asyncio.sleep(pause)
