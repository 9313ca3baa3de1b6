"""Liveness of the database: checked over a connection of its own while an answer is slow.

A process that hangs (stopped, swapped out, on a blocked disk) still accepts connections, and a query would wait for its
whole time limit. A query that has waited for a while requests a sign of life, which costs the database nothing.
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
        """Seconds that a query waits before the first check: none if the database was silent at the last one."""
        return 0.0 if self._is_silent else _WAIT

    async def answers(self, seconds: float) -> bool:
        """Return whether the database answers within this number of seconds."""
        try:
            async with asyncio.timeout(seconds):
                # It resets a connection, and so waits for an answer.
                await self._driver.verify_connectivity()
        except (TimeoutError, OSError, DriverError, Neo4jError):
            return False
        return True

    async def waits_and_answers(self) -> bool:
        """Check for a sign of life: return True after a while if it came, else False at once; calls share it."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        if not await asyncio.shield(self._asking):
            return False
        await asyncio.sleep(_WAIT)
        return True

    async def _ask(self) -> bool:
        self._is_silent = not await self.answers(_PATIENCE)
        return not self._is_silent
