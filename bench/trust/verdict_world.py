"""Operators with honest verifiers, their claims and the known truth: the world of the attacks.

In the default shape, four operators have five verifiers each, and each verifier judges two claims in five, so that a
claim has eight honest verdicts. The first verifier of three operators is a seed. The sensitivities and specificities
are those of the simulated population; six claims in ten are right, and the operator knows one in ten. Claims come one
after the other, and the log holds the verdicts on a claim at the place of the claim, followed by its gold. The
verifiers of the first operator have a publisher and a name in common.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from a2ap.messages.epoch import Estimate, Pair
from a2ap.messages.priors import DEFAULT_PRIORS
from bench.trust.population import SENSITIVITY, SPECIFICITY
from bench.trust.reading import judged_claims, measuring_votes
from graph.epochs.vote_reading import standing_votes
from graph.inference.reliability import EpochEstimate, VerifierPriors, estimate_reliabilities
from graph.inference.verdict_vote import ObservedLabel, VerdictVote
from graph.scoring.posterior import score_posterior
from graph.scoring.reliabilities import ReliabilityTable
from graph.scoring.result import CriterionConsensus
from graph.scoring.votes import ConsensusPolicy

CRITERION = "evidence-sufficiency"
CLAIMS = 600
RIGHT, GOLD = 0.6, 0.1
CONFIDENCE = 0.9
FAMILY = "Trusted|Verifier"
"""Publisher and name that verifiers of the first operator state; any verifier can state them."""

_PLACES, _GOLD_COMES = 100, 50  # places in the log for a claim, and where in them its gold is
SEEDS = frozenset(f"operator-{number}-0" for number in range(3))
POLICY = ConsensusPolicy(criteria=(CRITERION,))
PRIORS = VerifierPriors(DEFAULT_PRIORS.trusted, DEFAULT_PRIORS.endorsed, DEFAULT_PRIORS.unknown)


@dataclass(frozen=True, slots=True)
class Shape:
    """The number of operators, the verifiers of each, and the share of the claims that each verifier judges."""

    operators: int = 4
    verifiers: int = 5
    judged: float = 0.4
    claims: int = CLAIMS

    @property
    def each(self) -> float:
        """Return the mean number of verdicts on a claim."""
        return self.operators * self.verifiers * self.judged


FOUR_OPERATORS = Shape()


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """The truth of the claims, the honest verifiers' verdicts, and the claims that the operator knows.

    `honest` is the true sensitivity and specificity of each honest verifier.
    """

    truth: NDArray[np.bool_]
    votes: tuple[VerdictVote, ...]
    gold: frozenset[int]
    honest: Mapping[str, Pair]

    @property
    def observed(self) -> tuple[ObservedLabel, ...]:
        """Return the gold labels that the operator knows."""
        return tuple(ObservedLabel(name, CRITERION, passes) for name, passes in self.known.items())

    @property
    def known(self) -> dict[str, bool]:
        """Return the gold labels by the name of the claim."""
        return {claim_name(one): bool(self.truth[one]) for one in sorted(self.gold)}


def claim_name(claim: int) -> str:
    """Return a name that stands for a claim's hash; names sort in the order of the numbers."""
    return f"claim-{claim:05}"


def claim_number(name: str) -> int:
    """Return the number of the claim of this name."""
    return int(name.rpartition("-")[2])


def draw_world(random: np.random.Generator, right: float = RIGHT, shape: Shape = FOUR_OPERATORS) -> World:
    """Draw claims, of which the share `right` is right, honest verifiers and their verdicts."""
    truth = random.random(shape.claims) < right
    votes: list[VerdictVote] = []
    honest: dict[str, Pair] = {}
    for operator in range(shape.operators):
        for number in range(shape.verifiers):
            name = f"operator-{operator}-{number}"
            honest[name] = random.beta(*SENSITIVITY), random.beta(*SPECIFICITY)
            passes = honest_passes(truth, *honest[name], random)
            judged = np.flatnonzero(random.random(shape.claims) < shape.judged)
            own = verdicts(name, f"operator-{operator}", judged, passes)
            votes += [replace(one, family=FAMILY) for one in own] if operator == 0 else own
    gold = random.permutation(shape.claims)[: round(GOLD * shape.claims)]
    return World(truth, tuple(votes), frozenset(gold.tolist()), honest)


def honest_passes(
    truth: NDArray[np.bool_], sensitivity: float, specificity: float, random: np.random.Generator
) -> NDArray[np.bool_]:
    """Return whether a verifier of this reliability would pass each claim."""
    passes: NDArray[np.bool_] = random.random(len(truth)) < np.where(truth, sensitivity, 1 - specificity)
    return passes


def verdicts(
    verifier: str,
    operator: str | None,
    judged: NDArray[np.int64],
    passes: NDArray[np.bool_],
    later: int = 0,
    confidence: float = CONFIDENCE,
) -> list[VerdictVote]:
    """Return a verifier's verdicts on the judged claims; `later` is their distance in entries from the honest ones."""
    return [
        VerdictVote(
            claim=claim_name(claim),
            verifier=verifier,
            criterion=CRITERION,
            passes=bool(passes[claim]),
            confidence=confidence,
            operator=operator,
            family=None,
            log_index=place_of(claim) + later,
        )
        for claim in judged.tolist()
    ]


def place_of(claim: int) -> int:
    """Return the log index of the honest verdicts on a claim."""
    return (claim + 1) * _PLACES


def gold_place(claim: int) -> int:
    """Return the log index of the gold of a claim, if it has any."""
    return place_of(claim) + _GOLD_COMES


def estimate_world(given: Sequence[VerdictVote], world: World) -> EpochEstimate:
    """Return the epoch estimated from these verdicts, as the platform reads them."""
    policy = _policy(given)
    since = {claim_name(claim): gold_place(claim) for claim in world.gold}
    votes = measuring_votes(judged_claims(given, world.known, policy), since, policy)
    return estimate_reliabilities(votes, world.observed, SEEDS, PRIORS)


def score_claims(
    given: Sequence[VerdictVote], epoch: EpochEstimate, drawn: int | None = None
) -> Mapping[str, CriterionConsensus]:
    """Return the consensus on each claim with a verdict from the frozen reliabilities; gold is not applied here.

    With `drawn`, so many operators are drawn for each claim, whose verdicts alone complete a quorum.
    """
    table, policy = reliability_table(epoch), _policy(given)
    return {
        claim.signed_hash: score_posterior(
            [
                replace(vote, drawn=drawn is None or vote.operator in _drawn(claim.signed_hash, policy.seeds, drawn))
                for vote in standing_votes(claim, policy)
            ],
            policy,
            replace(claim.knowledge, table=table),
        )[0]
        for claim in judged_claims(given, {}, policy)
    }


def _drawn(claim: str, operators: Collection[str], number: int) -> set[str]:
    """Return the operators drawn for a claim, by a hash that nobody chooses."""
    return set(sorted(operators, key=lambda one: sha256(f"{claim}|{one}".encode()).digest())[:number])


def is_verified(found: CriterionConsensus | None) -> bool:
    """Return whether a claim is verified, as far as the verdicts on it decide."""
    least = POLICY.threshold
    if found is None or not found.quorum_met or found.is_contested:
        return False
    return found.score >= least and (found.carried is None or found.carried >= least)


def reliability_table(epoch: EpochEstimate) -> ReliabilityTable:
    """Return the epoch's estimates as the table that scores read."""
    estimates = {
        (one.verifier, one.criterion): Estimate(
            one.verifier, one.criterion, one.sensitivity, one.specificity, int(one.judged), one.independence
        )
        for one in epoch.reliabilities
    }
    return ReliabilityTable(
        log_size=0,
        estimates=estimates,
        calibration=epoch.calibration,
        models={one.criterion: one for one in epoch.models},
        records={(one.operator, one.criterion): one for one in epoch.records},
    )


def _policy(given: Iterable[VerdictVote]) -> ConsensusPolicy:
    """Return the policy whose seeds are all operators named in the verdicts."""
    return replace(POLICY, seeds=frozenset(one.operator for one in given if one.operator is not None))
