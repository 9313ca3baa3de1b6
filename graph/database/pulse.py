"""Whether the database answers anybody: asked over a connection of its own while an answer is long in coming.

A process that hangs (stopped, swapped out, on a disk that blocks) still takes connections, and a query would wait for
the whole of its time limit. Whoever has waited for a while asks for a sign of life, which costs the database nothing.
"""

import asyncio

from neo4j import AsyncDriver
from neo4j.exceptions import DriverError, Neo4jError

_WAIT = 3.0  # seconds without an answer, until a sign of life is asked for
_PATIENCE = 5.0  # seconds for that sign; a collection of garbage takes less


class Pulse:
    """The sign of life of one database, over a driver that nothing else uses."""

    def __init__(self, driver: AsyncDriver) -> None:
        self._driver = driver
        self._asking: asyncio.Task[bool] | None = None
        self._is_silent = False

    @property
    def delay(self) -> float:
        """Seconds that a query may wait until somebody listens: none while the database was silent when last asked."""
        return 0.0 if self._is_silent else _WAIT

    async def answers(self, seconds: float) -> bool:
        """Say whether the database answers within some seconds."""
        try:
            async with asyncio.timeout(seconds):
                # It resets a connection, and so waits for an answer.
                await self._driver.verify_connectivity()
        except (TimeoutError, OSError, DriverError, Neo4jError):
            return False
        return True

    async def waits_and_answers(self) -> bool:
        """Ask for a sign of life; return after a while if it came, and at once if not; many ask together."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        if not await asyncio.shield(self._asking):
            return False
        await asyncio.sleep(_WAIT)
        return True

    async def _ask(self) -> bool:
        self._is_silent = not await self.answers(_PATIENCE)
        return not self._is_silent
