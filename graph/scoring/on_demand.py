"""Scores computed when somebody asks, by the method that they name; what is cached on the nodes stays as it is.

The graph's own `consensus_score`, `verified` and `reputation` are kept by `graph.scoring.scores`, in the transaction of
each verdict, by the method of the policy in force.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeVar

from a2ap.verification_response import Verdict
from graph.disputes.settling import excluding
from graph.errors import InputError, NotFoundError
from graph.scoring.consensus import Consensus, ConsensusMethod, GateState
from graph.scoring.judgements import JudgedStatement, judged_statements, policy_in_force
from graph.scoring.reputation import Reputation, ReputationMethod, compute_literal_reputation, compute_reputation
from graph.store import Store
from graph.versions.pooling import ALONE, Record, families_in, others_of

Method = TypeVar("Method", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class _Reads:
    """A store as `graph.scoring.judgements` reads it."""

    store: Store

    async def run(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Run a named query outside of any transaction."""
        return await self.store.read(name, **parameters)


async def consensus_of_statements(
    store: Store, hashes: Sequence[str], method: str | None = None
) -> dict[str, Consensus]:
    """Return the consensus on each of these statements, by the policy in force and its method or the one named.

    Raises `InputError` for an unknown method.
    """
    chosen = _method(ConsensusMethod, method)
    reads = _Reads(store)
    policy = await policy_in_force(reads)
    judged = {statement.signed_hash: statement for statement in await judged_statements(reads, hashes)}
    found = {name: judged.get(name, _unjudged(name)).consensus(policy, chosen) for name in hashes}
    # What excludes what is cached under the policy in force, and says nothing of another method's scores.
    return await excluding(reads, found) if chosen in (None, policy.method) else found


async def consensus_over_time(store: Store, signed_hash: str) -> dict[str, Consensus]:
    """Return, for each verdict on a statement, the consensus of the verdicts up to its place in the log."""
    reads = _Reads(store)
    policy = await policy_in_force(reads)
    found: dict[str, Consensus] = {}
    for statement in await judged_statements(reads, [signed_hash]):
        places = zip(statement.verifications, statement.judgements, strict=True)
        for verification, last in places:
            before = tuple(one for one in statement.judgements if one.log_index <= last.log_index)
            found[verification] = replace(statement, judgements=before).consensus(policy)
    return found


async def reputation_of_agent(store: Store, agent_id: str, method: str | None = None) -> Reputation:
    """Return the reputation of an agent by the method named, `a2ap-agreement` unless there is one.

    Raises `NotFoundError` for an agent that is not registered and `InputError` for an unknown method.
    """
    chosen = _method(ReputationMethod, method) or ReputationMethod.AGREEMENT
    counters = await store.read("counters_of", ids=[agent_id])
    if not counters:
        raise NotFoundError(f"no agent {agent_id} is registered")
    if chosen is ReputationMethod.AGREEMENT:
        others = await _others_of(store, counters[0])
        return compute_reputation(counters[0]["verdicts_right"] or 0, counters[0]["verdicts_wrong"] or 0, others)
    rows = await store.read("literal_judgements_of_agents", ids=[agent_id], up_to=None)
    return compute_literal_reputation((Verdict(row["verdict"]), row["consensus_score"]) for row in rows)


async def _others_of(store: Store, row: dict[str, Any]) -> Record:
    if row["family"] is None:
        return ALONE
    members = families_in(await store.read("members_counted", families=[row["family"]]))
    return others_of(members[row["family"]])[row["agent_id"]]


def _method(methods: type[Method], name: str | None) -> Method | None:
    try:
        return methods(name) if name is not None else None
    except ValueError as error:
        known = " or ".join(method.value for method in methods)
        raise InputError(f"method is {name!r}, not {known}", "method") from error


def _unjudged(signed_hash: str) -> JudgedStatement:
    return JudgedStatement(signed_hash, "", frozenset(), GateState.UNKNOWN, (), (), ())
