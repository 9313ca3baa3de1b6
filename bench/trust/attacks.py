"""Measures attacks by verifiers: the attackers' weight afterwards, and the claims that they carry."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import log
from statistics import mean
from typing import Any

import numpy as np

from bench.trust import attackers
from bench.trust.attackers import TURN, Attacker
from bench.trust.verdict_world import (
    CONFIDENCE,
    CRITERION,
    POLICY,
    RIGHT,
    World,
    claim_name,
    draw_world,
    estimate_world,
    is_verified,
    reliability_table,
    score_claims,
)
from graph.inference.reliability import EpochEstimate
from graph.inference.verdict_vote import VerdictVote
from graph.scoring.posterior import Ground, Knowledge, evidence_of
from graph.scoring.result import CriterionConsensus
from graph.scoring.votes import Vote

RANDOM_SEEDS = (0, 1, 2)
_MOSTLY = 0.95  # of the claims are right where a FAIL is rare
NEWCOMER = 2.0 * log(POLICY.priors.endorsed[0] / POLICY.priors.endorsed[1])
"""The weight of an endorsed verifier about which nothing is known."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """An attack and its claims: those from `since` on that the attackers judged wrongly.

    `means` describes the attack and a bad outcome. `blind` says that the reliabilities are those of the epoch before
    `since`; `epoch_at`, if it is given, is the log index of the epoch. `right` is the share of the claims that are
    right, `drawn` the number of operators drawn for a claim.
    """

    name: str
    attacker: Attacker
    means: str
    since: int = 0
    blind: bool = False
    right: float = RIGHT
    drawn: int | None = None
    epoch_at: int | None = None

    def seen(self, votes: Sequence[VerdictVote]) -> list[VerdictVote]:
        """Return the verdicts that the epoch is estimated from."""
        return [
            vote
            for vote in votes
            if not (self.blind and vote.claim >= claim_name(self.since))
            and (self.epoch_at is None or vote.log_index < self.epoch_at)
        ]


SCENARIOS = (
    Scenario(
        "slow burn, until the next epoch",
        attackers.burn_slowly,
        f"Three verifiers of one endorsed operator are right for {TURN} claims and lie about all that come after; the "
        "weights are still those of before the turn. What is verified and refused is the damage until an epoch comes. "
        "Bad would be shares near 100: theirs is one voice of five, however good it has looked.",
        TURN,
        blind=True,
    ),
    Scenario(
        "slow burn, after it",
        attackers.burn_slowly,
        "The same, estimated once with the lies among the votes. Bad would be a weight near that of before.",
        TURN,
    ),
    Scenario(
        "a clique that endorses itself",
        attackers.endorse_each_other,
        "Thirty whom only each other endorses pass the same wrong claims and are honest elsewhere. They look good and "
        "may: all of nobody's share one voice of a quarter, which lifts nothing to the threshold. Bad would be any "
        "claim verified beyond those without them.",
    ),
    Scenario(
        "a copier",
        attackers.copy_another,
        "Three of an endorsed operator repeat one honest verifier a moment after it. Bad would be an independence near "
        "1: one opinion would be heard as two operators'.",
    ),
    Scenario(
        "a copier that looks like the original",
        attackers.copy_and_look_first,
        "The same three say PASS and FAIL of every claim in advance and what the honest verifier says after it, so "
        "that they have said everything first. Bad would be an honest one that weighs less than beside the copier "
        "above: the original would be taken for the copy.",
    ),
    Scenario(
        "a copier that guesses first",
        attackers.copy_and_guess_first,
        "Three of an endorsed operator pass every claim in advance, where 95 in 100 are right, and move only where the "
        "honest verifier fails one: they have said nearly everything first and hardly ever moved. Bad would be an "
        "honest one that weighs less than without them: the original would be taken for the copy.",
        right=_MOSTLY,
    ),
    Scenario(
        "a copier that takes back",
        attackers.copy_and_take_back,
        "The same three fail and pass every claim in advance, and take back whichever of both the honest verifier does "
        "not say: all that is left of theirs came first, and nothing has moved. Bad would be the same.",
        right=_MOSTLY,
    ),
    Scenario(
        "copies published gold",
        attackers.copy_gold,
        "Three of an endorsed operator answer each gold claim once its gold is published, always rightly, and pass "
        f"wrong claims. Bad would be a weight above that of a newcomer, {NEWCOMER:.2f}: what everybody knows measures "
        "nobody.",
    ),
    Scenario(
        "strangers who spoil the calibration",
        attackers.spoil_confidence,
        "Nine of nobody are always wrong at the confidence that the honest state, and seven always right above it, "
        "so that this confidence looks worth nothing. Bad would be an honest one that weighs less than without them.",
    ),
    Scenario(
        "borrows a trusted family's name",
        attackers.borrow_a_name,
        "One endorsed operator has a new verifier for every two wrong claims, each under publisher and name of "
        "verifiers with a record. Bad would be a weight above a newcomer's: the record would be anybody's. What it "
        "carries is what any endorsed newcomers carry until the others' verdicts have shown what they are.",
    ),
    Scenario(
        "two that pass each other's claims, until the next epoch",
        partial(attackers.confirm_each_other, operators=2),
        f"Two endorsed operators, honest on one claim in ten, pass {attackers.PRIVATE} claims that no other judges, "
        f"and from claim {TURN} on each wrong claim; the weights are those of before. Bad would be a weight above that "
        "of operators as honest on as many claims: the two would have vouched for each other.",
        TURN,
        blind=True,
    ),
    Scenario(
        "the same, three operators drawn for each claim",
        partial(attackers.confirm_each_other, operators=2),
        "The same by two operators, under a policy by which three operators are drawn for each claim, whose verdicts "
        "alone complete a quorum. Bad would be more wrong claims verified than without the draw.",
        TURN,
        blind=True,
        drawn=3,
    ),
    Scenario(
        "three that pass each other's claims, after the next epoch",
        partial(attackers.confirm_each_other, operators=3),
        "The same by three operators, without a draw, estimated once with the lies among the votes. Bad would be a "
        "weight near a newcomer's.",
        TURN,
    ),
    Scenario(
        "two that know the gold",
        attackers.guess_gold,
        "Two endorsed operators of three verifiers answer each gold claim rightly, before its gold is published, and "
        "all other claims wrongly. Bad would be an honest one that weighs less than without them: those who know the "
        "gold would have silenced those who do not.",
    ),
    Scenario(
        "lies spread over twenty verifiers",
        attackers.spread_lies,
        "Two endorsed operators have twenty verifiers each, every one honest on thirty claims and with a share of the "
        "lies about the targets that no record shows. Bad would be more wrong claims verified than by two operators of "
        "one verifier.",
    ),
    Scenario(
        "flips between epochs, until the second",
        partial(attackers.flip, rounds=1),
        "Two endorsed operators of three verifiers are honest about everything at the first epoch, and then turn their "
        "verdicts on the targets into PASS; the weights are those of the first epoch. Bad would be more wrong claims "
        "verified than by other operators of that record that lie once.",
        epoch_at=attackers.FIRST_EPOCH,
    ),
    Scenario(
        "flips between epochs, after the second",
        partial(attackers.flip, rounds=2),
        "The same, turned back before the second epoch, which has read every verdict, and turned into PASS again after "
        "it. Bad would be the weight of before: the lies of the round between would have cost nothing.",
        epoch_at=attackers.SECOND_EPOCH,
    ),
    Scenario(
        "repeats the seeds",
        attackers.repeat_seeds,
        "Two endorsed operators of three verifiers repeat the answer of most seeds on each claim, give no other, and "
        "pass the targets. Bad would be a weight near that of an honest one: a record would be had without judging.",
    ),
    Scenario(
        "a contrarian",
        attackers.contradict,
        "Three of an endorsed operator say the opposite of what they know to be true. Bad would be a weight above 0; "
        "one below 0 is cut off, so that nobody is read backwards.",
    ),
    Scenario(
        "validates everything",
        attackers.validate_everything,
        "Three of an endorsed operator pass whatever they see. Only their FAILs would weigh, and they give none. Bad "
        "would be wrong claims verified beyond those without them.",
    ),
    Scenario(
        "an endorsed operator with 1,000 keys",
        attackers.own_a_thousand_keys,
        "One endorsed operator has 1,000 verifiers that pass the same wrong claims. Bad would be more than one voice.",
    ),
    Scenario(
        "1,000 keys of nobody",
        attackers.own_a_thousand_unendorsed_keys,
        "The same without an endorsement. Bad would be any claim verified beyond those without them.",
    ),
)


def measure_attacks() -> dict[str, Any]:
    """Return the figures of each attack, averaged over the seeds."""
    return {"random_seeds": list(RANDOM_SEEDS), "rows": [measure_attack(one) for one in SCENARIOS]}


def measure_attack(scenario: Scenario, random_seeds: Sequence[int] = RANDOM_SEEDS) -> dict[str, Any]:
    """Return the means of `_run`'s figures over the seeds; None for a figure that is None under every seed."""
    runs = [_run(scenario, np.random.default_rng([11, seed])) for seed in random_seeds]
    figures = {figure: _mean([run[figure] for run in runs]) for figure in runs[0]}
    return {"name": scenario.name, "means": scenario.means, **figures}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(mean(known), 4) if known else None


def _run(scenario: Scenario, random: np.random.Generator) -> dict[str, float | None]:
    """Return the weights of attackers and honest verifiers and the wrong outcomes, with the attack and without.

    A weight is the log-odds of a PASS plus those of a FAIL, times independence and the weight of the stated confidence.
    Verified is a wrong claim that is verified, refused a right one that is not; both as a share of the attacked claims
    of their kind, None if there is none.
    """
    world = draw_world(random, scenario.right)
    added = scenario.attacker(world, random)
    votes = [*world.votes, *added]
    epoch, quiet = estimate_world(scenario.seen(votes), world), estimate_world(world.votes, world)
    names = {vote.verifier for vote in added}
    asked = _asked(world, added, scenario.since)
    with_attack, without = score_claims(votes, epoch, scenario.drawn), score_claims(world.votes, quiet, scenario.drawn)
    return {
        "attackers_weigh": _weight(epoch, added),
        "honest_weigh": _weight(epoch, world.votes),
        "honest_weigh_without": _weight(quiet, world.votes),
        "independence": mean(one.independence for one in epoch.reliabilities if one.verifier in names),
        "verified": _share_wrong(world, with_attack, [claim for claim in asked if not world.truth[claim]]),
        "verified_without": _share_wrong(world, without, [claim for claim in asked if not world.truth[claim]]),
        "refused": _share_wrong(world, with_attack, [claim for claim in asked if world.truth[claim]]),
        "refused_without": _share_wrong(world, without, [claim for claim in asked if world.truth[claim]]),
    }


def _asked(world: World, added: Sequence[VerdictVote], since: int) -> list[int]:
    """Return the claims, gold left out, on which most of the attackers' last verdicts are wrong."""
    standing = sorted((vote for vote in added if vote.stands), key=lambda vote: vote.log_index)
    last = {(vote.claim, vote.verifier): vote.passes for vote in standing}
    said: defaultdict[str, list[bool]] = defaultdict(list)
    for (claim, _), passes in last.items():
        said[claim].append(passes)
    return [
        claim
        for claim in range(since, len(world.truth))
        if claim not in world.gold and _most_are_wrong(said[claim_name(claim)], bool(world.truth[claim]))
    ]


def _most_are_wrong(said: Sequence[bool], truth: bool) -> bool:
    return bool(said) and 2 * sum(passes is not truth for passes in said) > len(said)


def _weight(epoch: EpochEstimate, votes: Sequence[VerdictVote]) -> float:
    """Return the mean weight of the verifiers of these votes: the log-odds of a PASS and a FAIL of theirs together."""
    knowledge = Knowledge(table=reliability_table(epoch))
    ground = Ground.of(CRITERION, POLICY, knowledge)
    operators = {vote.verifier: vote.operator for vote in votes}
    return mean(
        sum(
            evidence_of(
                Vote(CRITERION, verifier, operator, frozenset(), passes, CONFIDENCE),
                POLICY,
                knowledge,
                ground,
            ).strength
            for passes in (True, False)
        )
        for verifier, operator in operators.items()
    )


def _share_wrong(world: World, found: Mapping[str, CriterionConsensus], asked: Sequence[int]) -> float | None:
    """Return the share of the claims that are verified and wrong, or right and not verified; None without claims."""
    wrong = [is_verified(found.get(claim_name(claim))) != world.truth[claim] for claim in asked]
    return float(np.mean(wrong)) if wrong else None
