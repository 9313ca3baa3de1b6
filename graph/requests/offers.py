"""The verification requests that a verifier is offered: pure functions of the graph's facts about both.

A request is offered to a verifier that names one of its criteria and may answer it, unless

1. the statement is the verifier's own, or by an agent of the same operator;
2. the verifier has answered it, declined it, or holds a lease on it;
3. as many operators as it wants have answered it, or hold a lease on it through one of their agents. Operators are the
   seeds of the policy, and an agent counts for one of them: a thousand agents of one operator take one place, and
   strangers, of which anybody can make a thousand, none. Agents of the author's own operator take no place: their
   verdicts have no weight.

While operators are drawn for a statement, requests for any verifier are offered to agents of the drawn ones alone
(`graph.requests.drawing`).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.times import instant_of


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A verification request, its statement, and the statement's author.

    `answered_by` are agents that count for seeds and have answered it, if it bounds its verdicts or its verifiers.
    """

    signed_hash: str
    request_id: str
    agent_id: str
    criteria: tuple[str, ...]
    deadline: datetime | None
    wanted_verdicts: int | None
    eligible_verifiers: tuple[str, ...] | None
    log_index: int
    statement: str
    statement_id: str
    author: str
    answered_by: tuple[str, ...] = ()

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "OpenRequest":
        """Return the request in a row of `open_requests.cypher`."""
        eligible, deadline = row["eligible_verifiers"], row["deadline_micros"]
        return cls(
            signed_hash=row["signed_hash"],
            request_id=row["request_id"],
            agent_id=row["agent_id"],
            criteria=tuple(row["criteria"]),
            deadline=None if deadline is None else instant_of(deadline),
            wanted_verdicts=row["wanted_verdicts"],
            eligible_verifiers=None if eligible is None else tuple(eligible),
            log_index=row["log_index"],
            statement=row["statement"],
            statement_id=row["statement_id"],
            author=row["author"],
            answered_by=tuple(row["answered_by"] or ()),
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict in force on the statement of a request; `request` is the request that it names.

    `received` is the time of its log entry in microseconds.
    """

    agent_id: str
    log_index: int
    request: str | None
    criteria: tuple[str, ...]
    binds: bool = True
    received: int = 0

    def answers(self, request: OpenRequest) -> bool:
        """Return whether the verdict answers the request: by name, or by being later and about one of its criteria.

        A verdict without findings on criteria is about all of them.
        """
        if not self.binds or self.agent_id == request.author:
            return False
        if self.request is not None:
            return self.request == request.signed_hash
        about = not self.criteria or not set(self.criteria).isdisjoint(request.criteria)
        return about and self.log_index > request.log_index


@dataclass(frozen=True, slots=True)
class Standing:
    """The replies to a request so far: the agents that answered it, declined it, and hold leases on it."""

    answered: frozenset[str] = frozenset()
    declined: frozenset[str] = frozenset()
    leased: frozenset[str] = frozenset()

    @property
    def places_taken(self) -> frozenset[str]:
        """Return the agents that have given a verdict, or are at work on one."""
        return self.answered | (self.leased - self.declined)


@dataclass(frozen=True, slots=True)
class People:
    """The endorsers of agents, and the seeds of the policy in force."""

    endorsers: Mapping[str, frozenset[str]]
    seeds: frozenset[str] = frozenset()

    def operator_of(self, agent_id: str) -> str | None:
        """Return the one seed that an agent counts for: itself, or the least that endorsed it; None for a stranger."""
        if agent_id in self.seeds:
            return agent_id
        return min(self.endorsers.get(agent_id, frozenset()) & self.seeds, default=None)

    def operators_of(self, agent_id: str) -> frozenset[str]:
        """Return the agent and its operators; if a seed endorsed it, the endorsements of others change nothing."""
        if agent_id in self.seeds:
            return frozenset({agent_id})
        endorsers = self.endorsers.get(agent_id, frozenset())
        return ((endorsers & self.seeds) or endorsers) | {agent_id}


def may_be_offered(request: OpenRequest, agent_id: str, standing: Standing, people: People) -> bool:
    """Return whether this verifier is offered the request; the criteria are compared before."""
    if request.eligible_verifiers is not None and agent_id not in request.eligible_verifiers:
        return False
    if not people.operators_of(agent_id).isdisjoint(people.operators_of(request.author)):
        return False
    if agent_id in standing.answered | standing.declined | standing.leased:
        return False
    return wants_more(request, len(operators_taking_places(request.author, standing.places_taken, people)))


def operators_taking_places(author: str, agents: Collection[str], people: People) -> frozenset[str]:
    """Return the seeded operators that these agents count for, on a statement of this author."""
    own = people.operators_of(author)
    others = (people.operator_of(agent) for agent in agents if own.isdisjoint(people.operators_of(agent)))
    return frozenset(operator for operator in others if operator is not None)


def wants_more(request: OpenRequest, verdicts: int) -> bool:
    """Return whether a request wants verdicts of more than `verdicts` operators."""
    return request.wanted_verdicts is None or verdicts < request.wanted_verdicts
