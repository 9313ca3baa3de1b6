"""Reads the inputs of an epoch's estimate from the graph: the votes that count, and the known answers.

The votes are those that count in scores, and those on statements of agents that the verifier endorsed since.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from a2ap.messages.finding import FindingStatus
from graph.inference.verdict_vote import ObservedLabel, VerdictVote
from graph.scoring.judged import judged_hashes
from graph.scoring.judgements import JudgedStatement, judged_statements
from graph.scoring.knowledge import Reader, confirmed_family
from graph.scoring.trust_mass import trust_masses, trust_of
from graph.scoring.votes import (
    NO_CONCLUSION,
    RETRACTED,
    SUPERSEDED,
    ConsensusPolicy,
    Judgement,
    Purpose,
    Reading,
    Vote,
    count_votes,
    read_verdicts,
    votes_in,
)

_PAGE = 500


@dataclass(frozen=True, slots=True)
class EpochVotes:
    """The inputs of an epoch's estimate: votes, known answers, and how far the seeds' trust reaches each agent."""

    votes: Sequence[VerdictVote]
    observed: Sequence[ObservedLabel]
    trust: Mapping[str, float]

    @property
    def has_votes(self) -> bool:
        """Whether there is a vote that stands, without which there is nothing to estimate."""
        return any(vote.stands for vote in self.votes)


async def read_votes(reader: Reader, policy: ConsensusPolicy, size: int) -> EpochVotes:
    """Return the votes, known answers and trust of the first `size` entries.

    Others may write meanwhile: `graph.scoring.as_of.has_changed` tells afterwards whether the result can be used.
    """
    votes, observed = await _read(reader, policy, size)
    return EpochVotes(votes, observed, await _trust(reader, policy, size) if votes else {})


async def _read(reader: Reader, policy: ConsensusPolicy, size: int) -> tuple[list[VerdictVote], list[ObservedLabel]]:
    votes: list[VerdictVote] = []
    observed: list[ObservedLabel] = []
    async for page in judged_hashes(reader):
        statements = await judged_statements(reader, page, size - 1, policy)
        known_at = await _known_at(reader, statements)
        found, labels = await asyncio.to_thread(_votes_and_labels, statements, policy, known_at)
        votes += found
        observed += labels
    return votes, observed


def _votes_and_labels(
    statements: Sequence[JudgedStatement], policy: ConsensusPolicy, known_at: Mapping[tuple[str, str], int]
) -> tuple[list[VerdictVote], list[ObservedLabel]]:
    statements = [one for one in statements if not one.only_machine]
    votes = [vote for statement in statements for vote in votes_on(statement, policy, known_at)]
    labels = [
        ObservedLabel(statement.signed_hash, name, one.passes)
        for statement in statements
        for name, one in statement.observed(policy).items()
    ]
    return votes, labels


async def _known_at(reader: Reader, statements: Sequence[JudgedStatement]) -> dict[tuple[str, str], int]:
    """Return the log index since which gold is known, by statement and criterion."""
    rows = await reader.run("labels_known_since", hashes=[one.signed_hash for one in statements])
    return {(row["statement"], row["criterion"]): row["known_at"] for row in rows}


def votes_on(
    statement: JudgedStatement, policy: ConsensusPolicy, known_at: Mapping[tuple[str, str], int]
) -> list[VerdictVote]:
    """Return the votes on a statement; if an answer is known, those that were given before it could be known.

    A later answer repeats public knowledge. A verdict that its verifier retracted, changed, or disowned with its key
    afterwards still counts as given. The machine's FAIL comes with the statement, so that it measures no verifier.
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
        found += _votes_among(statement, before, policy, [name], Purpose.MEASURE)
    return found


def _votes_among(
    statement: JudgedStatement,
    judgements: Sequence[Judgement],
    policy: ConsensusPolicy,
    criteria: Sequence[str],
    purpose: Purpose = Purpose.ESTIMATE,
) -> list[VerdictVote]:
    own = replace(statement, judgements=tuple(judgements))
    readings = read_verdicts(
        own.judgements,
        author=own.author,
        author_operators=own.author_operators,
        policy=policy,
        purpose=purpose,
    )
    ever = {pair: said for pair, said in _ever_said(readings).items() if pair[1] in criteria}
    votes = [
        VerdictVote(
            claim=own.signed_hash,
            verifier=vote.verifier,
            criterion=vote.criterion,
            passes=vote.passes,
            confidence=vote.confidence,
            operator=vote.operator,
            family=confirmed_family(own.knowledge.families.get(vote.verifier)),
            log_index=_since(ever[vote.verifier, vote.criterion], vote.passes),
            ever=ever[vote.verifier, vote.criterion],
        )
        for vote in votes_in(readings, own.judgements, policy)
        if vote.criterion in criteria
    ]
    standing = {(vote.verifier, vote.criterion) for vote in votes}
    return votes + [_no_longer(own.signed_hash, pair, said) for pair, said in ever.items() if pair not in standing]


_Conclusions = tuple[tuple[int, bool], ...]
"""The log index of each conclusion and whether it passed; no two consecutive ones are the same."""


def _since(said: _Conclusions, passes: bool) -> int:
    return next(place for place, passed in reversed(said) if passed is passes)


def _no_longer(claim: str, pair: tuple[str, str], said: _Conclusions) -> VerdictVote:
    """Return the last conclusion of a verifier on a criterion, which it no longer holds."""
    place, passes = said[-1]
    return VerdictVote(claim, *pair, passes, confidence=0.0, operator=None, log_index=place, ever=said, stands=False)


def _ever_said(readings: Iterable[Reading]) -> dict[tuple[str, str], _Conclusions]:
    """Return all conclusions of each verifier on each criterion, including those that it took back.

    A repeated conclusion keeps its place. A conclusion that was changed in between does not: otherwise a verifier that
    gives every answer in advance, and then another's, would be before the other.
    """
    found: dict[tuple[str, str], _Conclusions] = {}
    for reading in readings:
        if reading.ignored not in ("", RETRACTED, SUPERSEDED, NO_CONCLUSION):
            continue
        for name, status, _ in reading.answers:
            said, passes = found.get((reading.verifier, name), ()), status is FindingStatus.PASS
            if status is not FindingStatus.INCONCLUSIVE and (not said or said[-1][1] is not passes):
                found[reading.verifier, name] = (*said, (reading.log_index, passes))
    return found


def standing_votes(statement: JudgedStatement, policy: ConsensusPolicy) -> tuple[Vote, ...]:
    """Return the votes on a statement that count."""
    votes, _ = count_votes(
        statement.judgements, author=statement.author, author_operators=statement.author_operators, policy=policy
    )
    return votes


async def _trust(reader: Reader, policy: ConsensusPolicy, size: int) -> dict[str, float]:
    endorsements: defaultdict[str, list[str]] = defaultdict(list)
    after = ""
    while rows := await _endorsement_page(reader, after):
        after = rows[-1]["agent_id"]
        for row in rows:
            if row["log_index"] < size:
                endorsements[row["operator"]].append(row["agent_id"])
    masses = trust_masses(((giver, taker) for giver, takers in endorsements.items() for taker in takers), policy.seeds)
    return {agent: trust_of(mass) for agent, mass in masses.items()}


async def _endorsement_page(reader: Reader, after: str) -> list[dict[str, Any]]:
    """Return the endorsements, by a trusted key, of the next agents that have any."""
    return await reader.run("endorsements_from", after=after, first=_PAGE)
