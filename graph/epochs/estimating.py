"""Makes the table of an epoch out of the graph: votes and observed labels in, estimates of four decimals out.

What stands at a size of the log is a function of the log up to there, so that an auditor who has it makes the same
table, but for the last bits of floats. The votes are those that count in scores, and no others.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from a2ap.epoch import Estimate, Pair, decimal
from a2ap.verification_response import FindingStatus
from graph.inference.reliability import EpochEstimate, Reliability, VerifierPriors, estimate_reliabilities
from graph.inference.verdict_vote import ObservedLabel, VerdictVote
from graph.scoring.judgements import JudgedStatement, judged_statements
from graph.scoring.knowledge import Reader, confirmed_family
from graph.scoring.trust_mass import trust_masses, trust_of
from graph.scoring.votes import (
    NO_CONCLUSION,
    SUPERSEDED,
    ConsensusPolicy,
    Judgement,
    Reading,
    Vote,
    count_votes,
    read_verdicts,
    votes_in,
)

PAGE = 500
_LEAST = 1e-4


@dataclass(frozen=True, slots=True)
class EpochTable:
    """What an epoch says: estimates by agent and criterion, and the points of the calibration."""

    estimates: tuple[Estimate, ...]
    calibration: tuple[Pair, ...]


async def estimate_table(reader: Reader, policy: ConsensusPolicy) -> EpochTable | None:
    """Return the table of what is in the graph now; None where no vote counts."""
    votes, observed = await _read(reader, policy)
    if not votes:
        return None
    trust = await _trust(reader, policy)
    own = {
        vote.verifier: _prior(vote.verifier, trust.get(vote.verifier, 0.0), policy)
        for vote in sorted(votes, key=lambda vote: vote.verifier)
    }
    priors = VerifierPriors(policy.priors.trusted, policy.priors.endorsed, policy.priors.unknown)
    found = await asyncio.to_thread(estimate_reliabilities, votes, observed, sorted(policy.seeds), priors, own)
    return table_of_estimates(found, own, policy.criteria)


def table_of_estimates(found: EpochEstimate, priors: Mapping[str, Pair], criteria: Sequence[str]) -> EpochTable:
    """Return the table of what was estimated, for every verifier under every criterion of the policy.

    A verifier without a vote under a criterion has its prior there.
    """
    known = {(one.verifier, one.criterion): one for one in found.reliabilities}
    estimates = tuple(
        _estimate(known.get((agent, criterion)) or Reliability(agent, criterion, prior, prior))
        for agent, prior in sorted(priors.items())
        for criterion in sorted(criteria)
    )
    return EpochTable(estimates, _calibration(found.calibration))


def _prior(agent: str, trust: float, policy: ConsensusPolicy) -> Pair:
    """Return a verifier's own prior: that of an endorsed agent, as far as trust reaches it."""
    return policy.priors.trusted if agent in policy.seeds else policy.priors.vouched(trust)


def _estimate(one: Reliability) -> Estimate:
    return Estimate(
        agent=one.verifier,
        criterion=one.criterion,
        sensitivity=_counts(one.sensitivity),
        specificity=_counts(one.specificity),
        judged=round(one.judged),
        independence=_rounded(one.independence),
        copies=one.copies,
    )


def _counts(pair: Pair) -> Pair:
    return max(_rounded(pair[0]), _LEAST), max(_rounded(pair[1]), _LEAST)


def _calibration(points: Iterable[Pair]) -> tuple[Pair, ...]:
    """Return the points as they are published: four decimals, each confidence once."""
    found: dict[float, float] = {}
    for confidence, weight in points:
        found.setdefault(_rounded(confidence), _rounded(weight))
    return tuple(found.items())


def _rounded(value: float) -> float:
    return float(decimal(value))


async def _read(reader: Reader, policy: ConsensusPolicy) -> tuple[list[VerdictVote], list[ObservedLabel]]:
    votes: list[VerdictVote] = []
    observed: list[ObservedLabel] = []
    async for statements in judged_pages(reader, policy):
        known_at = await _known_at(reader, statements)
        for statement in statements:
            votes += votes_on(statement, policy, known_at)
            known = statement.observed(policy)
            observed += [ObservedLabel(statement.signed_hash, name, one.passes) for name, one in known.items()]
    return votes, observed


async def _known_at(reader: Reader, statements: Sequence[JudgedStatement]) -> dict[tuple[str, str], int]:
    """Return since which place in the log gold is known, by statement and criterion."""
    rows = await reader.run("labels_known_since", hashes=[one.signed_hash for one in statements])
    return {(row["statement"], row["criterion"]): row["known_at"] for row in rows}


def votes_on(
    statement: JudgedStatement, policy: ConsensusPolicy, known_at: Mapping[tuple[str, str], int]
) -> list[VerdictVote]:
    """Return the votes on a statement; where an answer is known, those that were given before anybody could know it.

    Who answers later repeats what is public. Who takes back what it said, or says something else, or declares its key
    untrusted since before, had said it. The machine's FAIL comes with the statement, so that nobody is measured by it.
    """
    observed = statement.observed(policy)
    found = _votes_among(
        statement, statement.judgements, policy, [name for name in policy.criteria if name not in observed]
    )
    for name in sorted(observed):
        since = known_at.get((statement.signed_hash, name), 0)
        before = [
            replace(given, retracted=False, trusted=True) for given in statement.judgements if given.log_index < since
        ]
        found += _votes_among(statement, before, policy, [name], measuring=True)
    return found


def _votes_among(
    statement: JudgedStatement,
    judgements: Sequence[Judgement],
    policy: ConsensusPolicy,
    criteria: Sequence[str],
    *,
    measuring: bool = False,
) -> list[VerdictVote]:
    own = replace(statement, judgements=tuple(judgements))
    readings = read_verdicts(
        own.judgements,
        author=own.author,
        author_operators=own.author_operators,
        policy=policy,
        measuring=measuring,
    )
    said = _said_since(readings)
    return [
        VerdictVote(
            claim=own.signed_hash,
            verifier=vote.verifier,
            criterion=vote.criterion,
            passes=vote.passes,
            confidence=vote.confidence,
            operator=vote.operator,
            family=confirmed_family(own.knowledge.families.get(vote.verifier)),
            log_index=said[vote.verifier, vote.criterion].since,
            changed=said[vote.verifier, vote.criterion].changed,
        )
        for vote in votes_in(readings, own.judgements, policy)
        if vote.criterion in criteria
    ]


@dataclass(frozen=True, slots=True)
class _Said:
    """What a verifier says of a criterion, since where in the log, and all that it ever said of it."""

    status: FindingStatus
    since: int
    ever: frozenset[FindingStatus]

    @property
    def changed(self) -> bool:
        return {FindingStatus.PASS, FindingStatus.FAIL} <= self.ever


def _said_since(readings: Iterable[Reading]) -> dict[tuple[str, str], _Said]:
    """Return since where in the log each verifier gives the answer to a criterion that it gives now.

    Who says the same again keeps its place. Who said this once and something else since does not: who says everything
    in advance, and then what another says, would be before it.
    """
    found: dict[tuple[str, str], _Said] = {}
    for reading in readings:
        if reading.ignored not in ("", SUPERSEDED, NO_CONCLUSION):
            continue
        for name, status, _ in reading.answers:
            said = found.get((reading.verifier, name))
            if said is None or said.status is not status:
                ever = said.ever if said is not None else frozenset[FindingStatus]()
                found[reading.verifier, name] = _Said(status, reading.log_index, ever | {status})
    return found


def standing_votes(statement: JudgedStatement, policy: ConsensusPolicy) -> tuple[Vote, ...]:
    """Return the votes on a statement that count."""
    votes, _ = count_votes(
        statement.judgements, author=statement.author, author_operators=statement.author_operators, policy=policy
    )
    return votes


async def judged_pages(reader: Reader, policy: ConsensusPolicy) -> AsyncIterator[Sequence[JudgedStatement]]:
    """Yield all statements that somebody has judged, page by page in order of hash."""
    after = ""
    while rows := await reader.run("statements_judged", after=after, first=PAGE):
        after = rows[-1]["signed_hash"]
        yield await judged_statements(reader, [row["signed_hash"] for row in rows], policy=policy)


async def _trust(reader: Reader, policy: ConsensusPolicy) -> dict[str, float]:
    endorsements: defaultdict[str, list[str]] = defaultdict(list)
    after = ""
    while rows := await _endorsement_page(reader, after):
        after = rows[-1]["agent_id"]
        for row in rows:
            endorsements[row["operator"]].append(row["agent_id"])
    masses = trust_masses(((giver, taker) for giver, takers in endorsements.items() for taker in takers), policy.seeds)
    return {agent: trust_of(mass) for agent, mass in masses.items()}


async def _endorsement_page(reader: Reader, after: str) -> list[dict[str, Any]]:
    """Return the endorsements of the next agents that have any, by a key that is trusted."""
    return await reader.run("endorsements_from", after=after, first=PAGE)
