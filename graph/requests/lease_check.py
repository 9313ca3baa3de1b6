"""The checks of a lease request: it is recent, for this node, and signed with a key in use of its agent."""

from datetime import datetime, timedelta

from a2ap.messages.lease_request import LeaseRequest
from a2ap.messages.scoping import origin_of
from a2ap.signing.signature import verify_signature
from a2ap.times import format_instant
from graph.errors import ForbiddenError, NotRegisteredError
from graph.kinds.signatures import check_in_use, key_of
from graph.kinds.state import State
from graph.kinds.wanted_names import WantedNames

MAX_AGE = timedelta(minutes=5)
"""The most that the time of a lease request may differ from the platform's, either way."""


def names_in(request: LeaseRequest) -> WantedNames:
    """Return the names that must be known to check a lease request."""
    wanted = WantedNames()
    wanted.agents.add(request.agent_id)
    wanted.keys.add(request.signature.public_key)
    return wanted


def check_lease_request(request: LeaseRequest, state: State, now: datetime, node_agent: str) -> None:
    """Raise unless the request was made a moment ago, for this node, by an agent of its own, with a key in use."""
    if request.audience != node_agent:
        raise ForbiddenError(f"audience is {request.audience}, and this node is {node_agent}", "audience")
    if abs(now - request.time) > MAX_AGE:
        raise ForbiddenError(f"requestedAt is {format_instant(request.time)}, too far from now", "requestedAt")
    agent = request.agent_id
    if origin_of(agent) is not None:
        raise ForbiddenError(f"{agent} is an agent of another node, which leases there", "leasingAgent")
    if agent not in state.agents:
        raise NotRegisteredError(f"agent {agent} is not registered", "leasingAgent")
    if (place := state.deactivated.get(agent)) is not None:
        raise ForbiddenError(f"agent {agent} was deactivated by entry {place}", "leasingAgent")
    key = key_of(request.signature.public_key, agent, state)
    verify_signature(request.signature, request.signed_bytes, key.public_key)
    check_in_use(key, state)
