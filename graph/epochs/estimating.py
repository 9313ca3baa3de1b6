"""Makes the table of an epoch: votes and observed labels in, estimates of four decimals out.

The table at a size of the log is a function of the log up to there, so that an auditor with that log makes the same
table, but for the last bits of floats.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from a2ap.messages.epoch import CopyEvidence, CriterionModel, Estimate, OperatorRecord, Pair, decimal
from graph.epochs.vote_reading import EpochVotes, read_votes
from graph.inference.copying import Copy
from graph.inference.reliability import EpochEstimate, Reliability, VerifierPriors, estimate_reliabilities
from graph.scoring.knowledge import Reader
from graph.scoring.votes import ConsensusPolicy

_LEAST = 1e-4


@dataclass(frozen=True, slots=True)
class EpochTable:
    """The table of an epoch: estimates by agent and criterion, the calibration, models and operators' records."""

    estimates: tuple[Estimate, ...]
    calibration: tuple[Pair, ...]
    models: tuple[CriterionModel, ...] = ()
    records: tuple[OperatorRecord, ...] = ()


async def estimate_table(reader: Reader, policy: ConsensusPolicy, size: int) -> EpochTable | None:
    """Return the table of the log's first `size` entries, which are those in the graph; None if no vote counts."""
    return estimate_votes(await read_votes(reader, policy, size), policy)


def estimate_votes(found: EpochVotes, policy: ConsensusPolicy) -> EpochTable | None:
    """Return the table that votes give; None if there are none. This takes the processor for a while."""
    verifiers = sorted({vote.verifier for vote in found.votes if vote.stands})
    if not verifiers:
        return None
    own = {verifier: _prior(verifier, found.trust.get(verifier, 0.0), policy) for verifier in verifiers}
    priors = VerifierPriors(policy.priors.trusted, policy.priors.endorsed, policy.priors.unknown)
    estimated = estimate_reliabilities(found.votes, found.observed, sorted(policy.seeds), priors, own)
    return table_of_estimates(estimated, own, policy.criteria)


def table_of_estimates(found: EpochEstimate, priors: Mapping[str, Pair], criteria: Sequence[str]) -> EpochTable:
    """Return the table of these estimates, for every verifier under every criterion of the policy.

    A verifier without a vote under a criterion has its prior there.
    """
    known = {(one.verifier, one.criterion): one for one in found.reliabilities}
    estimates = tuple(
        _estimate(known.get((agent, criterion)) or Reliability(agent, criterion, prior, prior))
        for agent, prior in sorted(priors.items())
        for criterion in sorted(criteria)
    )
    return EpochTable(
        estimates,
        _calibration(found.calibration),
        tuple(_model(one) for one in found.models),
        tuple(_record(one) for one in found.records),
    )


def _prior(agent: str, trust: float, policy: ConsensusPolicy) -> Pair:
    """Return a verifier's own prior: the trusted one for a seed, otherwise by the trust that reaches it."""
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
        copied=_evidence(one.copied) if one.copied is not None else None,
        coalition=_rounded(one.coalition) or None,
    )


def _model(one: CriterionModel) -> CriterionModel:
    """Return a model as published: four decimals, and no share 0."""
    right, wrong = (tuple(max(_rounded(share), _LEAST) for share in side) for side in (one.right, one.wrong))
    return CriterionModel(one.criterion, right, wrong, _rounded(one.common_error), max(_rounded(one.newcomer), _LEAST))


def _record(one: OperatorRecord) -> OperatorRecord:
    levels = tuple((_counts(sensitivity), _counts(specificity)) for sensitivity, specificity in one.levels)
    known = None if one.known is None else (_rounded_pair(one.known[0]), _rounded_pair(one.known[1]))
    return OperatorRecord(one.operator, one.criterion, levels, known)


def _evidence(copy: Copy) -> CopyEvidence:
    return CopyEvidence(copy.both, copy.differed, max(_rounded(copy.expected), _LEAST))


def _counts(pair: Pair) -> Pair:
    return max(_rounded(pair[0]), _LEAST), max(_rounded(pair[1]), _LEAST)


def _rounded_pair(pair: Pair) -> Pair:
    return _rounded(pair[0]), _rounded(pair[1])


def _calibration(points: Iterable[Pair]) -> tuple[Pair, ...]:
    """Return the points as published: four decimals, each confidence once."""
    found: dict[float, float] = {}
    for confidence, weight in points:
        found.setdefault(_rounded(confidence), _rounded(weight))
    return tuple(found.items())


def _rounded(value: float) -> float:
    return float(decimal(value))
