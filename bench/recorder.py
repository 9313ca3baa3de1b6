"""Records the writes of a platform, so that the raw driver can be timed writing the same rows."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from neo4j import AsyncDriver, AsyncManagedTransaction

from cypher import load_query
from graph.database.reading import Named
from graph.store import Store, Transaction

Write = tuple[str, dict[str, Any]]


class RecordingStore:
    """A store that records the queries and parameters of each committed write."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.transactions: list[list[Write]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def write(self, work: Callable[[Any], Awaitable[Any]]) -> Any:
        """Run the work, and record its queries if it commits."""
        writes: list[Write] = []

        async def recorded(transaction: Transaction) -> Any:
            writes.clear()
            return await work(_RecordingTransaction(transaction, writes))

        result = await self._store.write(recorded)
        self.transactions.append(list(writes))
        return result


class _RecordingTransaction:
    def __init__(self, transaction: Transaction, writes: list[Write]) -> None:
        self._transaction = transaction
        self._writes = writes

    async def run(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        self._writes.append((name, parameters))
        return await self._transaction.run(name, **parameters)

    async def run_together(self, reads: Sequence[Named]) -> list[list[dict[str, Any]]]:
        self._writes += [(name, dict(parameters)) for name, parameters in reads]
        return await self._transaction.run_together(reads)


async def write_raw(driver: AsyncDriver, database: str, transactions: list[list[Write]]) -> None:
    """Write recorded transactions through the driver alone, in order."""
    for writes in transactions:

        async def work(transaction: AsyncManagedTransaction, writes: list[Write] = writes) -> None:
            for name, parameters in writes:
                result = await transaction.run(load_query(name).text, parameters)
                await result.consume()

        async with driver.session(database=database) as session:
            await session.execute_write(work)
