"""The bytes of one source as they come: counted for the sender's address, and for its owner once they are kept.

Bytes that prove to be the source of an agent that an operator answers for are counted for that agent, and no longer for
the address. Until then that is unknown, and other bytes take as much of the disk.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime

from a2ap.messages.quotas import Quotas
from graph.errors import QuotaError
from graph.quotas.counters import Counters
from graph.quotas.decision import Account, AccountKind, Amount, Part, hour_of

_STEP = 2**20
"""Bytes that are counted at a time beyond the announced ones."""


class Upload:
    """One upload from an `address`, of a source of these `owners`; without an address nothing is counted."""

    def __init__(
        self,
        counters: Counters,
        address: Account | None,
        owners: Sequence[Account],
        quotas: Quotas,
        clock: Callable[[], datetime],
    ) -> None:
        self._counters = counters
        self._address = address
        self._owners = owners
        self._quotas = quotas
        self._clock = clock
        self._paid: list[tuple[int, int]] = []
        self._received = 0
        self._is_new: bool | None = None

    async def begin(self, length: int) -> None:
        """Count the announced bytes. Raises `QuotaError`."""
        if self._owners:
            parts = _parts(self._owners, max(length, 1))
            await asyncio.to_thread(self._counters.look, parts, self._quotas, self._clock())
        await self._pay(max(length, 1))

    async def counted(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Yield the chunks, each once it is counted. Raises `QuotaError`."""
        async for chunk in chunks:
            self._received += len(chunk)
            missing = self._received - sum(paid for _, paid in self._paid)
            if missing > 0:
                await self._pay_more(missing)
            yield chunk

    def arrived(self, *, new: bool) -> None:
        """Note that the bytes are the source's, and whether they were new here."""
        self._is_new = new

    async def end(self) -> None:
        """Count the owner's bytes if they are kept; give the address back the bytes that are not its own.

        Those are bytes that did not come, that were stored already, or that are kept of an owner that is no stranger.
        """
        if self._is_new and self._owners:
            await asyncio.to_thread(self._counters.add, _parts(self._owners, self._received), hour_of(self._clock()))
        of_stranger = any(one.kind is AccountKind.STRANGER for one in self._owners)
        is_moved = self._is_new is False or (self._is_new and not of_stranger)
        left = 0 if is_moved else self._received
        for hour, paid in self._paid:
            back = paid - min(paid, left)
            left -= paid - back
            if back and self._address is not None:
                await asyncio.to_thread(self._counters.add, _parts([self._address], -back), hour)

    async def _pay_more(self, missing: int) -> None:
        try:
            await self._pay(max(missing, _STEP))
        except QuotaError:
            await self._pay(missing)

    async def _pay(self, number: int) -> None:
        now = self._clock()
        if self._address is not None:
            parts = _parts([self._address], number)
            (refusal,) = await asyncio.to_thread(self._counters.take, [parts], self._quotas, now)
            if refusal is not None:
                raise refusal
        self._paid.append((hour_of(now), number))


def _parts(accounts: Sequence[Account], number: int) -> list[Part]:
    return [Part(account, Amount(bytes=number)) for account in accounts]
