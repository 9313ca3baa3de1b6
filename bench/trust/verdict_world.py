"""Operators with honest verifiers, the claims they judge, and what is known of them: the ground of the attacks.

Four operators have five verifiers each, the first verifier of three of them is a seed. Their sensitivities and
specificities are those of the simulated population. Each judges two claims in five, so that a claim has eight honest
verdicts; six claims in ten are right, and the operator knows one in ten. Claims come one after the other, and the log
holds the verdicts on a claim where the claim stands.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from a2ap.epoch import Estimate
from a2ap.priors import DEFAULT_PRIORS
from bench.trust.population import SENSITIVITY, SPECIFICITY
from graph.inference.reliability import EpochEstimate, VerifierPriors, estimate_reliabilities
from graph.inference.verdict_vote import ObservedLabel, VerdictVote
from graph.scoring.posterior import Knowledge, score_posterior
from graph.scoring.reliabilities import ReliabilityTable
from graph.scoring.votes import UNENDORSED, ConsensusPolicy, Vote

CRITERION = "evidence-sufficiency"
CLAIMS, OPERATORS, VERIFIERS = 600, 4, 5
RIGHT, JUDGED, GOLD = 0.6, 0.4, 0.1
SEEDS = frozenset(f"operator-{number}-0" for number in range(3))
POLICY = ConsensusPolicy(criteria=(CRITERION,))
PRIORS = VerifierPriors(DEFAULT_PRIORS.trusted, DEFAULT_PRIORS.endorsed, DEFAULT_PRIORS.unknown)


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """What is true of the claims, what honest verifiers say, and which claims the operator knows."""

    truth: NDArray[np.bool_]
    votes: tuple[VerdictVote, ...]
    gold: frozenset[int]

    @property
    def observed(self) -> tuple[ObservedLabel, ...]:
        """Return what the operator knows."""
        return tuple(ObservedLabel(claim_name(one), CRITERION, bool(self.truth[one])) for one in sorted(self.gold))


def claim_name(claim: int) -> str:
    """Return the hash, as it were, of a claim; in the order of the numbers."""
    return f"claim-{claim:04}"


def draw_world(random: np.random.Generator) -> World:
    """Draw claims, honest verifiers and their verdicts."""
    truth = random.random(CLAIMS) < RIGHT
    votes: list[VerdictVote] = []
    for operator in range(OPERATORS):
        for number in range(VERIFIERS):
            passes = honest_passes(truth, random.beta(*SENSITIVITY), random.beta(*SPECIFICITY), random)
            judged = np.flatnonzero(random.random(CLAIMS) < JUDGED)
            votes += verdicts(f"operator-{operator}-{number}", f"operator-{operator}", judged, passes)
    gold = random.permutation(CLAIMS)[: round(GOLD * CLAIMS)]
    return World(truth, tuple(votes), frozenset(gold.tolist()))


def honest_passes(
    truth: NDArray[np.bool_], sensitivity: float, specificity: float, random: np.random.Generator
) -> NDArray[np.bool_]:
    """Return what a verifier of this reliability would say of each claim."""
    passes: NDArray[np.bool_] = random.random(len(truth)) < np.where(truth, sensitivity, 1 - specificity)
    return passes


def verdicts(
    verifier: str, operator: str | None, judged: NDArray[np.int64], passes: NDArray[np.bool_], later: int = 0
) -> list[VerdictVote]:
    """Return a verifier's verdicts on the judged claims; `later` is how many entries they come behind the honest."""
    return [
        VerdictVote(
            claim=claim_name(claim),
            verifier=verifier,
            criterion=CRITERION,
            passes=bool(passes[claim]),
            confidence=0.9,
            operator=operator,
            family=None,
            log_index=claim * 100 + later,
        )
        for claim in judged.tolist()
    ]


def estimate_world(votes: Sequence[VerdictVote], world: World) -> EpochEstimate:
    """Return the epoch that these verdicts make."""
    return estimate_reliabilities(votes, world.observed, SEEDS, PRIORS)


def score_claims(votes: Sequence[VerdictVote], epoch: EpochEstimate) -> Mapping[str, float]:
    """Return the posterior of each claim with a verdict from the frozen reliabilities; gold is not applied here."""
    table = reliability_table(epoch)
    by_claim: dict[str, list[Vote]] = {}
    for vote in votes:
        by_claim.setdefault(vote.claim, []).append(_vote(vote))
    return {
        claim: score_posterior(own, POLICY, Knowledge(table=table))[0].score for claim, own in sorted(by_claim.items())
    }


def reliability_table(epoch: EpochEstimate) -> ReliabilityTable:
    """Return the epoch's estimates as scores read them."""
    estimates = {
        (one.verifier, one.criterion): Estimate(
            one.verifier, one.criterion, one.sensitivity, one.specificity, int(one.judged), one.independence
        )
        for one in epoch.reliabilities
    }
    return ReliabilityTable(log_size=0, estimates=estimates, calibration=epoch.calibration)


def _vote(vote: VerdictVote) -> Vote:
    return Vote(
        criterion=vote.criterion,
        verifier=vote.verifier,
        operator=vote.operator,
        identities=frozenset({vote.verifier, vote.operator or UNENDORSED}),
        passes=vote.passes,
        confidence=vote.confidence,
    )
