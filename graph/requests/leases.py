"""Leases: a verifier gets requests for a while, and nobody else takes their places meanwhile.

Rules:

- Leases are nodes of the graph, so that servers that share it share them. They are not in the log, not exported and not
  rebuilt: without them a verifier asks again, and nothing is lost.
- A lease is live until it expires or its agent answers or declines the request, which the graph says by itself. Whoever
  crashes loses it when it expires, and others are offered the request.
- Leases are given under the lock of one node, taken before what is leased is read, as the log is appended to.
- Each lease request is taken once.
"""

import asyncio
import secrets
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from a2ap.lease_request import MAX_LEASES, LeaseRequest
from graph.errors import ConflictError
from graph.log.state_loader import InTransaction, Reads, load_names
from graph.log.watch import LogWatch
from graph.requests.lease_check import MAX_AGE, check_lease_request, names_in
from graph.requests.offers import OpenRequest, instant_of, micros_of
from graph.requests.open_requests import requests_for, standings_of
from graph.store import Store, Transaction

MAX_WAIT = 60.0
"""The most seconds that a lease request waits."""

MAX_WAITING = 500
"""Lease requests that wait in one process at once; one more is answered without waiting."""

_LOOK_AGAIN = 2.0  # seconds: a lease that expires is no entry of the log
_PAUSE = 0.25  # seconds between two looks, however fast the log grows
_FORGET_AFTER = timedelta(hours=1)
_FORGET_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Lease:
    """A request that a verifier has until `expires_at`."""

    lease_id: str
    expires_at: datetime
    request: OpenRequest


class Leases:
    """The leases of one graph."""

    def __init__(self, store: Store, watch: LogWatch, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._watch = watch
        self._clock = clock
        self._waiting = 0

    async def lease(self, request: LeaseRequest, wait: float = 0.0) -> list[Lease]:
        """Return the leases that the request renews and gets, `most` together, soonest renewed first.

        Where there are none, wait for requests, up to so many seconds. Raises what `check_lease_request` raises, and
        `ConflictError` for a request that was taken before.
        """
        check_lease_request(request, await load_names(self._store, names_in(request)), self._clock())
        size = await self._watch.size()
        found = await self._store.write(lambda transaction: self._give(transaction, request, first=True))
        if found or wait <= 0 or self._waiting >= MAX_WAITING:
            return found
        self._waiting += 1
        try:
            return await self._wait(request, size, min(wait, MAX_WAIT))
        finally:
            self._waiting -= 1

    async def _wait(self, request: LeaseRequest, size: int, seconds: float) -> list[Lease]:
        loop = asyncio.get_running_loop()
        end, found = loop.time() + seconds, list[Lease]()
        while not found and (left := end - loop.time()) > 0:
            size = await self._watch.wait_past(size, min(left, _LOOK_AGAIN))
            if await requests_for(self._store, request.agent_id, request.criteria, self._clock(), 1):
                found = await self._store.write(lambda transaction: self._give(transaction, request, first=False))
            if not found:
                await asyncio.sleep(_PAUSE)
        return found

    async def _give(self, transaction: Transaction, request: LeaseRequest, *, first: bool) -> list[Lease]:
        await transaction.run("lock_leases", nonce=secrets.token_hex(8))
        now, reads = self._clock(), InTransaction(transaction)
        if first:
            await _note_call(transaction, request, now)
        held = await _held(reads, request.agent_id, now)
        renewed = [lease for lease in held if lease.lease_id in request.renews][: request.most]
        leases = [_lease(lease.request, request, now, lease.lease_id) for lease in renewed]
        if leases:
            await transaction.run("renew_leases", rows=[_row(lease, request.agent_id, now) for lease in leases])
        more = min(request.most - len(leases), MAX_LEASES - len(held))
        if more > 0:
            offered = await requests_for(reads, request.agent_id, request.criteria, now, more)
            given = [_lease(one, request, now, f"urn:uuid:{uuid.uuid4()}") for one in offered]
            if given:
                await transaction.run("write_leases", rows=[_row(lease, request.agent_id, now) for lease in given])
            leases += given
        return leases


async def _note_call(transaction: Transaction, request: LeaseRequest, now: datetime) -> None:
    if await transaction.run("lease_call_known", id=request.id):
        raise ConflictError(f"{request.id} was taken before; each lease request is taken once", "@id")
    forget = micros_of(request.time + 2 * MAX_AGE)
    await transaction.run("write_lease_call", id=request.id, forget=forget)
    await transaction.run("forget_lease_calls", now=micros_of(now), first=_FORGET_AT_ONCE)
    await transaction.run("forget_leases", before=micros_of(now - _FORGET_AFTER), first=_FORGET_AT_ONCE)


async def _held(reads: Reads, agent_id: str, now: datetime) -> Sequence[Lease]:
    """Return the agent's live leases: not expired, and the request neither answered nor declined nor past its time."""
    rows = await reads.read("leases_of", agent=agent_id, now=micros_of(now), first=2 * MAX_LEASES)
    hashes = sorted({row["request"] for row in rows})
    known = await reads.read("requests_by_hash", hashes=hashes) if hashes else []
    requests = {row["signed_hash"]: OpenRequest.from_row(row) for row in known}
    standings = await standings_of(reads, list(requests.values()), now)
    return [
        Lease(row["lease_id"], instant_of(row["expires_micros"]), requests[row["request"]])
        for row in rows
        if row["request"] in requests
        and agent_id not in standings[row["request"]].answered | standings[row["request"]].declined
    ]


def _lease(one: OpenRequest, request: LeaseRequest, now: datetime, lease_id: str) -> Lease:
    expires_at = now + timedelta(seconds=request.seconds)
    return Lease(lease_id, expires_at if one.deadline is None else min(expires_at, one.deadline), one)


def _row(lease: Lease, agent_id: str, now: datetime) -> dict[str, object]:
    return {
        "lease_id": lease.lease_id,
        "request_hash": lease.request.signed_hash,
        "agent_id": agent_id,
        "leased_micros": micros_of(now),
        "expires_micros": micros_of(lease.expires_at),
    }
