"""What attackers among the verifiers reach: how much they weigh afterwards, and which claims they carry."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

import numpy as np

from bench.trust import attackers
from bench.trust.attackers import TURN, Attacker
from bench.trust.verdict_world import (
    POLICY,
    World,
    claim_name,
    draw_world,
    estimate_world,
    reliability_table,
    score_claims,
)
from graph.inference.reliability import EpochEstimate
from graph.inference.verdict_vote import VerdictVote
from graph.scoring.reliabilities import Reliability

RANDOM_SEEDS = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Scenario:
    """An attack, and the claims that it is about: those from `since` on that the attackers judged wrongly.

    `blind` says that the reliabilities are those of the epoch before `since`.
    """

    name: str
    attacker: Attacker
    since: int = 0
    blind: bool = False


SCENARIOS = (
    Scenario("slow burn, until the next epoch", attackers.burn_slowly, TURN, blind=True),
    Scenario("slow burn, after it", attackers.burn_slowly, TURN),
    Scenario("a clique that endorses itself", attackers.endorse_each_other),
    Scenario("a copier", attackers.copy_another),
    Scenario("a contrarian", attackers.contradict),
    Scenario("validates everything", attackers.validate_everything),
    Scenario("an endorsed operator with 1,000 keys", attackers.own_a_thousand_keys),
    Scenario("1,000 keys of nobody", attackers.own_a_thousand_unendorsed_keys),
)


def measure_attacks() -> dict[str, Any]:
    """Return for each attack its figures, averaged over the seeds."""
    return {"random_seeds": list(RANDOM_SEEDS), "rows": [measure_attack(one) for one in SCENARIOS]}


def measure_attack(scenario: Scenario, random_seeds: Sequence[int] = RANDOM_SEEDS) -> dict[str, Any]:
    """Return the means of `_run`'s figures over the seeds."""
    runs = [_run(scenario, np.random.default_rng([11, seed])) for seed in random_seeds]
    return {"name": scenario.name, **{figure: round(mean(run[figure] for run in runs), 4) for figure in runs[0]}}


def _run(scenario: Scenario, random: np.random.Generator) -> dict[str, float]:
    """Return how attackers and the honest weigh, and which claims come out wrong, with the attack and without.

    A weight is the log-odds of a PASS plus those of a FAIL, times independence. Accepted is a wrong claim that reaches
    the threshold, refused a right one that does not; both as a share of the claims of their kind that were attacked.
    """
    world = draw_world(random)
    added = scenario.attacker(world, random)
    votes = [*world.votes, *added]
    seen = [vote for vote in votes if vote.claim < claim_name(scenario.since)] if scenario.blind else votes
    epoch, quiet = estimate_world(seen, world), estimate_world(world.votes, world)
    names = {vote.verifier for vote in added}
    asked = _asked(world, added, scenario.since)
    with_attack, without = score_claims(votes, epoch), score_claims(world.votes, quiet)
    return {
        "attackers_weigh": _weight(epoch, names),
        "honest_weigh": _weight(epoch, {vote.verifier for vote in world.votes}),
        "independence": mean(one.independence for one in epoch.reliabilities if one.verifier in names),
        "accepted": _share_wrong(world, with_attack, [claim for claim in asked if not world.truth[claim]]),
        "accepted_without": _share_wrong(world, without, [claim for claim in asked if not world.truth[claim]]),
        "refused": _share_wrong(world, with_attack, [claim for claim in asked if world.truth[claim]]),
        "refused_without": _share_wrong(world, without, [claim for claim in asked if world.truth[claim]]),
    }


def _asked(world: World, added: Sequence[VerdictVote], since: int) -> list[int]:
    """Return the claims, gold left out, that at least half of the attackers' verdicts on them get wrong."""
    said: dict[str, list[bool]] = {}
    for vote in added:
        said.setdefault(vote.claim, []).append(vote.passes)
    return [
        claim
        for claim in range(since, len(world.truth))
        if claim not in world.gold
        and 2 * sum(passes != world.truth[claim] for passes in said.get(claim_name(claim), []))
        > len(said.get(claim_name(claim), []))
    ]


def _weight(epoch: EpochEstimate, names: Collection[str]) -> float:
    table = reliability_table(epoch)
    found = [
        Reliability(one.sensitivity, one.specificity, one.independence)
        for key, one in table.estimates.items()
        if key[0] in names
    ]
    return mean(one.independence * (one.evidence(True) + one.evidence(False)) for one in found)


def _share_wrong(world: World, scores: Mapping[str, float], asked: Sequence[int]) -> float:
    """Return the share of the claims whose score is on the wrong side of the threshold; 0 of none."""
    wrong = [(scores.get(claim_name(claim), 0.0) >= POLICY.threshold) != world.truth[claim] for claim in asked]
    return float(np.mean(wrong)) if wrong else 0.0
