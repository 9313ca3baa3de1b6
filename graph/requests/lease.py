"""Leases: requests given to verifiers for a limited time, as pure functions, and their rows in the graph."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from a2ap.messages.lease_request import LeaseRequest
from a2ap.times import instant_of, micros_of
from graph.requests.offers import OpenRequest
from graph.requests.open_requests import Offer, lease_key
from graph.store import Row

MAX_HELD = timedelta(hours=4)
"""The longest time for which agents of one operator have a place of a request, all their leases and renewals together.
"""


@dataclass(frozen=True, slots=True)
class Lease:
    """A request that a verifier has until `expires_at`; `held` is the time for which it was given in all."""

    lease_id: str
    expires_at: datetime
    request: OpenRequest
    held: timedelta = timedelta(0)


def given_lease(offer: Offer, request: LeaseRequest, now: datetime) -> Lease:
    """Return a lease on an offered request."""
    earlier, lease_id = timedelta(microseconds=offer.held), f"urn:uuid:{uuid.uuid4()}"
    return _lease(offer.request, lease_id, now, request, earlier, offer.held_by_others)


def renewed_lease(lease: Lease, request: LeaseRequest, now: datetime, others: int) -> Lease | None:
    """Return the lease with a new end; None if it cannot be had for longer."""
    earlier = lease.held - (lease.expires_at - now)
    renewed = _lease(lease.request, lease.lease_id, now, request, earlier, others)
    return renewed if renewed.expires_at > now else None


def _lease(
    one: OpenRequest, lease_id: str, now: datetime, request: LeaseRequest, earlier: timedelta, others: int
) -> Lease:
    """Return a lease from now on, of a request that the agent has had for `earlier`, its siblings for `others` µs."""
    time = min(timedelta(seconds=request.seconds), MAX_HELD - earlier - timedelta(microseconds=others))
    if one.deadline is not None:
        time = min(time, one.deadline - now)
    return Lease(lease_id, now + time, one, earlier + time)


def lease_row(lease: Lease, agent_id: str, now: datetime, *, takes_place: bool = False) -> Row:
    """Return the row of a lease for `write_leases` and `renew_leases`; leases of strangers take no place."""
    name = lease.request.signed_hash
    return {
        "lease_id": lease.lease_id,
        "lease_key": lease_key(name, agent_id),
        "request_hash": name,
        "agent_id": agent_id,
        "place_of": name if takes_place else None,
        "leased_micros": micros_of(now),
        "expires_micros": micros_of(lease.expires_at),
        "held_micros": lease.held // timedelta(microseconds=1),
    }


def ended_row(row: Row, agent_id: str, now: datetime) -> Row:
    """Return the row for `renew_leases` that ends a lease in a row of `leases_of` now; the rest was not held."""
    unused = row["expires_micros"] - micros_of(now)
    key = lease_key(row["request"], agent_id)
    return {"lease_key": key, "expires_micros": micros_of(now), "held_micros": row["held_micros"] - unused}


def lease_from_row(row: Row, requests: Mapping[str, OpenRequest]) -> Lease:
    """Return the lease in a row of `leases_of`, whose request is among these, by hash."""
    expires_at, held = instant_of(row["expires_micros"]), timedelta(microseconds=row["held_micros"])
    return Lease(row["lease_id"], expires_at, requests[row["request"]], held)
