"""Bodies of requests as they arrive: this process never holds more bytes of one account than the account has left.

A body is not counted, because its documents count once they are submitted. So bodies that arrive at the same time are
checked together, also those that announce no length.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from datetime import datetime

from a2ap.messages.quotas import Quotas
from graph.errors import QuotaError
from graph.quotas.counters import Counters
from graph.quotas.decision import Account, Amount, Part

_STEP = 2**20
"""Bytes that are checked ahead of those received, if there is room for them."""


class Body:
    """One body, for which `account` must have room; None if nothing is counted for its sender.

    `held` has the bytes of all bodies that this process holds, by account. Of these, `free` bytes of an account need no
    room in its quota.
    """

    def __init__(
        self,
        counters: Counters,
        account: Account | None,
        quotas: Quotas,
        clock: Callable[[], datetime],
        held: Counter[Account],
        free: int = 0,
    ) -> None:
        self._counters = counters
        self._account = account
        self._quotas = quotas
        self._clock = clock
        self._held = held
        self._allowed = free
        self.received = 0

    async def metered(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Yield the chunks, each once there is room for it. Raises `QuotaError`."""
        async for chunk in chunks:
            self.received += len(chunk)
            if self._account is not None:
                self._held[self._account] += len(chunk)
                await self._look(self._account)
            yield chunk

    def release(self) -> None:
        """Note that the bytes are no longer held, or are counted as documents."""
        if self._account is not None:
            self._held[self._account] -= self.received
            if self._held[self._account] <= 0:
                del self._held[self._account]
            self._account = None

    async def _look(self, account: Account) -> None:
        held = self._held[account]
        if held <= self._allowed:
            return
        try:
            await self._look_for(account, held + _STEP)
            self._allowed = held + _STEP
        except QuotaError:
            await self._look_for(account, held)
            self._allowed = held

    async def _look_for(self, account: Account, number: int) -> None:
        parts = [Part(account, Amount(bytes=number))]
        await asyncio.to_thread(self._counters.look, parts, self._quotas, self._clock())
