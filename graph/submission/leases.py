"""Leases: a verifier gets requests for a while, and no other verifier takes their places meanwhile.

Rules:

- Leases are nodes of the graph, so that all servers of a graph share them. They are not in the log, not exported and
  not rebuilt: without them a verifier sends another request, and nothing is lost.
- A lease is live until it expires, its agent answers or declines the request, or the request no longer waits; the graph
  itself shows this. A verifier that crashes loses its lease when it expires, and others are offered the request.
- Requests to lease are looked for first without a lock, and looked at again under the lock of one node, as the log is
  appended to: under the lock a call costs only as much as it leases.
- Each lease request is taken once, by the node that it names.
- An agent has a request for `MAX_HELD` at most, and all agents of an operator a place of it, however often they renew
  or lease it again, until a day has gone by without a lease.
"""

import asyncio
import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial

from a2ap.messages.lease_request import MAX_LEASES, LeaseRequest
from a2ap.messages.message import MessageType
from a2ap.times import micros_of
from graph.errors import ConflictError, TooManyWaitingError
from graph.log.watch import LogWatch
from graph.requests.lease import MAX_HELD, Lease, ended_row, given_lease, lease_from_row, lease_row, renewed_lease
from graph.requests.lease_check import MAX_AGE, check_lease_request, names_in
from graph.requests.offers import OpenRequest
from graph.requests.open_requests import Offer, held_by_siblings, offered_of, offers_for, replied_to
from graph.requests.people import people_of
from graph.store import InTransaction, Reads, Store, Transaction
from graph.submission.state_loader import load_names

MAX_WAIT = 60.0
"""The most seconds that a lease request waits."""

MAX_WAITING = 500
"""Lease requests that wait in one process at once; a further one is answered without waiting."""

MAX_STRANGERS_WAITING = 250
"""The part of these from agents that count for no seed."""

MAX_WAITING_OF_AGENT = 8
"""Lease requests of one agent that wait in one process at once; a further one is refused."""

_LOOK_AGAIN = 5.0  # seconds: a lease that expires is no entry of the log
_PAUSE = 0.25  # seconds between two looks, however fast the log grows
_FORGET_AFTER = timedelta(days=1)
_FORGET_AT_ONCE = 200
_TO_SPARE = 50  # offers beyond those that are asked for: others may be quicker
_ROUNDS = 5  # so often others may be quicker with all of them
_ENTRIES = 200
_SHORTEST = timedelta(seconds=1)
_LEASES_AT_ONCE = 2 * MAX_LEASES
_LONGEST = (MAX_HELD - _SHORTEST) // timedelta(microseconds=1)


class Leases:
    """The leases of one graph, given by the node `node_agent`; `randint` picks the second place of the log to read."""

    def __init__(
        self,
        store: Store,
        watch: LogWatch,
        clock: Callable[[], datetime],
        node_agent: str,
        randint: Callable[[int, int], int] = random.randint,
    ) -> None:
        self._store = store
        self._watch = watch
        self._clock = clock
        self._node_agent = node_agent
        self._randint = randint
        self._waiting: Counter[str] = Counter()
        self._strangers = 0

    @property
    def waiting(self) -> int:
        """The number of lease requests that wait in this process."""
        return self._waiting.total()

    async def lease(
        self, request: LeaseRequest, wait: float = 0.0, is_gone: Callable[[], bool] = lambda: False
    ) -> list[Lease]:
        """Return the leases that the request renews and gets, up to `most` together, the renewed ones first.

        If there are none, wait for requests, up to `wait` seconds; nothing is leased once the verifier `is_gone`.
        Raises the errors of `check_lease_request`, `ConflictError` for a lease request that was taken before, and
        `TooManyWaitingError` if too many of the agent wait already.
        """
        state = await load_names(self._store, names_in(request))
        check_lease_request(request, state, self._clock(), self._node_agent)
        if wait > 0 and self._waiting[request.agent_id] >= MAX_WAITING_OF_AGENT:
            raise TooManyWaitingError(f"{MAX_WAITING_OF_AGENT} lease requests of {request.agent_id} wait already")
        size = await self._watch.size()
        found = await self._take(request, first=True)
        if found or wait <= 0:
            return found
        stranger = not await _is_seeded(self._store, request.agent_id)
        if self.waiting >= MAX_WAITING or (stranger and self._strangers >= MAX_STRANGERS_WAITING):
            return found
        with self._one_more(request.agent_id, stranger):
            return await self._wait(request, size, min(wait, MAX_WAIT), is_gone)

    @contextmanager
    def _one_more(self, agent_id: str, stranger: bool) -> Iterator[None]:
        self._waiting[agent_id] += 1
        self._strangers += stranger
        try:
            yield
        finally:
            self._waiting[agent_id] -= 1
            self._strangers -= stranger
            self._waiting += Counter()  # forgets who does not wait

    async def _wait(self, request: LeaseRequest, size: int, seconds: float, is_gone: Callable[[], bool]) -> list[Lease]:
        loop = asyncio.get_running_loop()
        end, found = loop.time() + seconds, list[Lease]()
        look_at = loop.time() + _LOOK_AGAIN
        while not found and (left := end - loop.time()) > 0:
            patience = min(left, max(look_at - loop.time(), 0.0))
            asked, size = await self._asked_since(size, await self._watch.wait_past(size, patience))
            if is_gone():
                break
            if asked or loop.time() >= look_at:
                look_at = loop.time() + _LOOK_AGAIN
                found = await self._take(request, first=False)
            if not found:
                await asyncio.sleep(min(_PAUSE, max(end - loop.time(), 0.0)))
        return found

    async def _asked_since(self, size: int, now: int) -> tuple[bool, int]:
        """Return whether the entries after the first `size` have requests, and the number of entries looked at."""
        if now <= size:
            return False, size
        rows = await self._store.read("log_entries_from", start=size, first=_ENTRIES)
        seen = rows[-1]["log_index"] + 1 if rows else size
        return any(row["type"] == MessageType.VERIFICATION_REQUEST.value for row in rows), seen

    async def _take(self, request: LeaseRequest, *, first: bool) -> list[Lease]:
        """Look for offered requests, and lease those that are still offered under the lock."""
        for _ in range(_ROUNDS):
            most, now = request.most + _TO_SPARE, self._clock()
            offers = await offers_for(
                self._store, request.agent_id, request.criteria, now, most, _LONGEST, self._randint
            )
            if not offers and not first:
                return []
            give = partial(self._give, request=request, offers=offers, first=first)
            found, lost = await self._store.write(give)
            if found or not lost:
                return found
            first = False
        return []

    async def _give(
        self, transaction: Transaction, request: LeaseRequest, offers: Sequence[Offer], *, first: bool
    ) -> tuple[list[Lease], bool]:
        """Return the leases renewed and given, and whether other verifiers have taken everything that was offered."""
        await transaction.run("lock_leases", nonce=secrets.token_hex(8))
        now, reads = self._clock(), InTransaction(transaction)
        if first:
            await _note_call(transaction, request, now)
        held = await _held(transaction, reads, request.agent_id, now)
        named = [lease for lease in held if lease.lease_id in request.renews]
        others = await held_by_siblings(reads, request.agent_id, [lease.request.signed_hash for lease in named])
        again = (
            renewed_lease(lease, request, now, others[lease.request.signed_hash]) for lease in named[: request.most]
        )
        leases = [lease for lease in again if lease is not None]
        if leases:
            await transaction.run("renew_leases", rows=[lease_row(lease, request.agent_id, now) for lease in leases])
        more = min(request.most - len(leases), MAX_LEASES - len(held))
        if more <= 0 or not offers:
            return leases, False
        still = await _still_offered(reads, request.agent_id, offers, now)
        given = [given_lease(offer, request, now) for offer in still[:more]]
        if given:
            seeded = await _is_seeded(reads, request.agent_id)
            rows = [lease_row(lease, request.agent_id, now, takes_place=seeded) for lease in given]
            await transaction.run("write_leases", rows=rows)
        return leases + given, not given


async def _note_call(transaction: Transaction, request: LeaseRequest, now: datetime) -> None:
    if await transaction.run("lease_call_known", id=request.id):
        raise ConflictError(f"{request.id} was taken before; each lease request is taken once", "@id")
    forget = micros_of(request.time + 2 * MAX_AGE)
    await transaction.run("write_lease_call", id=request.id, forget=forget)
    await transaction.run("forget_lease_calls", now=micros_of(now), first=_FORGET_AT_ONCE)
    await transaction.run("forget_leases", before=micros_of(now - _FORGET_AFTER), first=_FORGET_AT_ONCE)


async def _held(transaction: Transaction, reads: Reads, agent_id: str, now: datetime) -> Sequence[Lease]:
    """Return the agent's live leases: not expired, and on requests that wait and that it has not replied to.

    The others are ended, so that an answered request is not looked at twice.
    """
    while True:
        rows = await reads.read("leases_of", agent=agent_id, now=micros_of(now), first=_LEASES_AT_ONCE)
        hashes = sorted({row["request"] for row in rows})
        requests = await _open_of(reads, hashes, now)
        replied = await replied_to(reads, agent_id, hashes)
        done = [row for row in rows if row["request"] not in requests or row["request"] in replied]
        if done:
            await transaction.run("renew_leases", rows=[ended_row(row, agent_id, now) for row in done])
        if not done or len(rows) < _LEASES_AT_ONCE:
            return [lease_from_row(row, requests) for row in rows if row not in done]


async def _open_of(reads: Reads, hashes: Sequence[str], now: datetime) -> dict[str, OpenRequest]:
    """Return the requests among these that wait, by hash."""
    rows = await reads.read("requests_by_hash", hashes=list(hashes)) if hashes else []
    return {row["signed_hash"]: OpenRequest.from_row(row) for row in rows if (row["open_until"] or 0) > micros_of(now)}


async def _still_offered(reads: Reads, agent_id: str, offers: Sequence[Offer], now: datetime) -> list[Offer]:
    requests = await _open_of(reads, [offer.request.signed_hash for offer in offers], now)
    return await offered_of(reads, agent_id, list(requests.values()), now, _LONGEST)


async def _is_seeded(reads: Reads, agent_id: str) -> bool:
    return (await people_of(reads, [agent_id])).operator_of(agent_id) is not None
