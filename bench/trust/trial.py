"""Tries a plan in a world: the share of the wrong claims that it gets verified, one attacked at a time.

Targets are wrong claims after `TURN` that honest verifiers judge and do not verify; gold is left out. The last epoch
was made before them, so one epoch serves all targets; if it has seen the lie, each target has an epoch of its own, of
the verdicts before, those on the target, and the lies.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bench.trust.adaptive import Plan, lies, preparation
from bench.trust.attackers import TURN
from bench.trust.reading import judged_claims, measuring_votes
from bench.trust.verdict_world import (
    POLICY,
    PRIORS,
    SEEDS,
    World,
    claim_name,
    draw_world,
    gold_place,
    is_verified,
    score_claims,
)
from graph.inference.reliability import EpochEstimate, estimate_reliabilities
from graph.inference.verdict_vote import VerdictVote


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A world before the attack: honest verdicts by claim, as given and as an epoch reads them, and the targets.

    `quiet` is the epoch of the honest verdicts alone.
    """

    seed: int
    world: World
    given: Mapping[str, Sequence[VerdictVote]]
    read: Mapping[str, Sequence[VerdictVote]]
    targets: NDArray[np.int64]
    quiet: EpochEstimate

    @classmethod
    def draw(cls, seed: int) -> "Trial":
        """Draw the world of a seed."""
        world = draw_world(np.random.default_rng([11, seed]))
        given: defaultdict[str, list[VerdictVote]] = defaultdict(list)
        for vote in world.votes:
            given[vote.claim].append(vote)
        read = {name: _read(own, world) for name, own in given.items()}
        wrong = [claim for claim in range(TURN, len(world.truth)) if not world.truth[claim] and claim not in world.gold]
        plain = cls(
            seed,
            world,
            given,
            read,
            np.array([claim for claim in wrong if claim_name(claim) in given]),
            EpochEstimate(()),
        )
        quiet = plain.epoch([])
        unverified = ~plain.verified(Plan(), quiet, None)
        return replace(plain, targets=plain.targets[unverified], quiet=quiet)

    def epoch(self, added: Sequence[VerdictVote], claims: Collection[int] = ()) -> EpochEstimate:
        """Return the epoch of the honest verdicts before `TURN` and on these claims, with verdicts added."""
        seen = {name for name in self.given if name < claim_name(TURN)} | {claim_name(claim) for claim in claims}
        touched = {vote.claim for vote in added}
        again = [vote for name in touched & seen for vote in self.given[name]]
        votes = [vote for name in seen - touched for vote in self.read[name]]
        return estimate_reliabilities(
            [*votes, *_read([*again, *added], self.world)], self.world.observed, SEEDS, PRIORS
        )

    def blind(self, plan: Plan, drawn: Iterable[int | None]) -> tuple[float, ...]:
        """Return the share of targets verified, 0 to 1, for each number of operators drawn for a claim (None: all)."""
        prepared = self._preparation(plan)
        epoch = self.epoch(prepared) if prepared else self.quiet
        return tuple(float(self.verified(plan, epoch, number).mean()) for number in drawn)

    def seen(self, plan: Plan, most: int) -> float:
        """Return the share verified of `most` targets, the easiest to the hardest, if the epoch has seen the lie."""
        prepared = self._preparation(plan)
        ordered = sorted(self.targets.tolist(), key=self._lacking)
        found = []
        number = min(most, len(ordered))
        for place in range(number):
            target = ordered[(2 * place + 1) * len(ordered) // (2 * number)]
            one = replace(self, targets=np.array([target]))
            epoch = self.epoch([*prepared, *lies(plan, one.targets)], [target])
            found.append(one.verified(plan, epoch, None).all())
        return float(np.mean(found))

    def verified(self, plan: Plan, epoch: EpochEstimate, drawn: int | None) -> NDArray[np.bool_]:
        """Return whether each target is verified under attack."""
        names = [claim_name(claim) for claim in self.targets.tolist()]
        honest = [vote for name in names for vote in self.given[name]]
        scores = score_claims([*honest, *lies(plan, self.targets)], epoch, drawn)
        return np.array([is_verified(scores.get(name)) for name in names])

    def _lacking(self, claim: int) -> int:
        """Return the number of operators that are lacking for a majority that passes a claim."""
        given = self.given[claim_name(claim)]
        passed, failed = (len({vote.operator for vote in given if vote.passes is way}) for way in (True, False))
        return 2 * failed - passed

    def _preparation(self, plan: Plan) -> list[VerdictVote]:
        return preparation(plan, self.world, np.random.default_rng([12, self.seed]))


def _read(given: Sequence[VerdictVote], world: World) -> list[VerdictVote]:
    """Return these verdicts as an epoch reads them."""
    policy = replace(POLICY, seeds=frozenset(vote.operator for vote in given if vote.operator is not None))
    since = {claim_name(claim): gold_place(claim) for claim in world.gold}
    return measuring_votes(judged_claims(given, world.known, policy), since, policy)
