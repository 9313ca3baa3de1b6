"""Plans of an attacker that knows the code, the policy and the log, and the verdicts that each plan gives.

An attacker controls some endorsed operators and wants one wrong claim verified, after the last epoch. Before that
epoch its operators may earn a record by honest verdicts, pass claims of their own that no other operator judges, or lie
elsewhere so that other verifiers look worse. All of its operators, and keys without an endorsement, then pass the
target.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from bench.trust.attackers import TURN
from bench.trust.verdict_world import (
    CLAIMS,
    CONFIDENCE,
    POLICY,
    World,
    claim_name,
    claim_number,
    gold_place,
    honest_passes,
    place_of,
    verdicts,
)
from graph.inference.verdict_vote import VerdictVote

ATTACKER = "adaptive"
_SKILL = 0.95  # of an operator where it is honest
_AFTER_GOLD = gold_place(0) - place_of(0) + 1  # log entries from the honest verdicts on a claim
_EVERYTHING = np.ones(CLAIMS, dtype=np.bool_)
_TWENTIETH = 20  # an epoch is due when the log has grown by this part


class Judged(StrEnum):
    """The claims on which the attacker is honest."""

    NEW = "new claims, as they come"
    GOLD = "claims that become gold, which it knows in advance"
    SETTLED = "old claims without gold, as most honest verifiers said"


@dataclass(frozen=True, slots=True)
class Plan:
    """An attack on one claim; the counts of verdicts are those of each operator before the last epoch.

    Each of `operators` endorsed operators gives `honest` honest verdicts on claims of the kind `judged`, the share
    `late` of them only after the epoch, and passes `private` claims that no other judges. Some of them, the `spoilers`,
    give `wrong` wrong verdicts on old claims without gold as well, with the confidence of the honest. Each shares its
    verdicts among `keys` verifiers, and states `confidence`. `strangers` are keys without an endorsement.
    """

    operators: int = 0
    spoilers: int = 0
    keys: int = 1
    strangers: int = 0
    honest: int = 0
    judged: Judged = Judged.SETTLED
    late: float = 0.0
    private: int = 0
    wrong: int = 0
    confidence: float = CONFIDENCE

    @property
    def honest_verdicts(self) -> int:
        """Return the number of honest verdicts of all operators."""
        return self.operators * self.honest

    @property
    def other_entries(self) -> int:
        """Return the number of log entries with private claims and with verdicts that are not honest, but the lies."""
        return self.operators * self.private + self.private + self.spoilers * self.wrong

    @property
    def early(self) -> int:
        """Return the number of honest verdicts of each operator before the epoch."""
        return self.honest - round(self.late * self.honest)

    @property
    def knows_gold(self) -> bool:
        """Return whether the plan needs to know in advance which claims become gold."""
        return bool(self.honest) and self.judged is Judged.GOLD

    @property
    def waits(self) -> bool:
        """Return whether the plan needs an epoch between its first verdict and the attack."""
        return bool(self.early or self.other_entries)

    def tidy(self) -> "Plan":
        """Return the same plan with the members that change nothing at their defaults."""
        plan = self if self.operators else replace(self, keys=1, honest=0, private=0)
        if not plan.honest:
            plan = replace(plan, judged=Judged.SETTLED, late=0.0)
        return plan if plan.spoilers * plan.wrong else replace(plan, spoilers=0, wrong=0)

    def __str__(self) -> str:
        """Return the plan in words."""
        parts = [f"{_number(self.operators, 'endorsed operator')} of {_number(self.keys, 'verifier')} each"]
        if self.honest:
            late = f", {100 * self.late:.0f} % of them after the epoch" if self.late else ""
            parts.append(f"{_number(self.honest, 'honest verdict')} of each on {self.judged}{late}")
        if self.private:
            parts.append(f"{_number(self.private, 'private claim')} passed by all")
        if self.wrong:
            parts.append(
                f"{_number(self.wrong, 'wrong verdict')} on old claims without gold of {self.spoilers} of them each"
            )
        if self.strangers:
            parts.append(_number(self.strangers, "unendorsed key"))
        return "; ".join([*parts, f"confidence {self.confidence:g}"])


def preparation(plan: Plan, world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return the verdicts that the plan gives before the last epoch, all on claims before `TURN` or private ones."""
    votes: list[VerdictVote] = []
    for number in range(plan.operators):
        judged, passes, later = _honest(plan, world, random)
        votes += _shared(plan, number, judged, passes, plan.confidence, later)
        private = _shared(plan, number, np.arange(plan.private), _EVERYTHING, plan.confidence, 2)
        votes += [replace(vote, claim=f"a-private-{vote.claim}") for vote in private]
        if number < plan.spoilers:
            elsewhere = _drawn(np.setdiff1d(_settled(world), judged), plan.wrong, random)
            votes += _shared(plan, number, elsewhere, ~world.truth, CONFIDENCE, _AFTER_GOLD)
    return votes


def lies(plan: Plan, claims: NDArray[np.int64]) -> list[VerdictVote]:
    """Return PASS on these claims by one verifier of each operator and by all unendorsed keys."""
    endorsed = ((_name(number, 0), _operator(number)) for number in range(plan.operators))
    strangers = ((f"{ATTACKER}-stranger-{number}", None) for number in range(plan.strangers))
    return [
        vote
        for name, operator in (*endorsed, *strangers)
        for vote in verdicts(name, operator, claims, _EVERYTHING, later=3, confidence=plan.confidence)
    ]


def entries_of(plan: Plan, world: World) -> int:
    """Return the number of log entries from the attacker's first verdict to its last one, an epoch's wait included."""
    own = plan.honest_verdicts + plan.other_entries
    lying = plan.operators + plan.strangers
    if not plan.waits:
        return own + lying
    passing = _entries_since(_first_claim(plan, world), world)
    return max(own + passing, epoch_length(world)) + lying


def epoch_length(world: World) -> int:
    """Return the number of log entries between two epochs: at least the policy's, and a twentieth of the log."""
    return max(POLICY.epoch_length, _entries_since(0, world) // _TWENTIETH)


def _first_claim(plan: Plan, world: World) -> int:
    """Return the first claim that the attacker has to see come: `TURN` if it judges old claims alone."""
    gold = [claim for claim in sorted(world.gold) if claim < TURN]
    match plan.judged:
        case Judged.NEW if plan.early:
            return max(TURN - plan.early, 0)
        case Judged.GOLD if plan.early:
            return gold[-min(plan.early, len(gold))]
        case _:
            return TURN


def _entries_since(claim: int, world: World) -> int:
    """Return the number of entries about the claims from this one to `TURN`: the claims, their verdicts and gold."""
    first, last = claim_name(claim), claim_name(TURN)
    given = sum(first <= vote.claim < last for vote in world.votes)
    return TURN - claim + given + sum(claim <= one < TURN for one in world.gold)


def _honest(plan: Plan, world: World, random: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.bool_], int]:
    """Return the claims that an operator judges before the epoch, whether it passes each, and the delay in entries."""
    gold = np.array([claim for claim in sorted(world.gold) if claim < TURN], dtype=np.int64)
    passes = honest_passes(world.truth, _SKILL, _SKILL, random)
    match plan.judged:
        case Judged.NEW:
            return np.arange(max(TURN - plan.early, 0), TURN), passes, 1
        case Judged.GOLD:
            return gold[max(len(gold) - plan.early, 0) :], passes, 1
        case _:
            return _drawn(_settled(world), plan.early, random), _majority(world), _AFTER_GOLD


def _settled(world: World) -> NDArray[np.int64]:
    """Return the claims before `TURN` without gold, which the log shows once their gold would have come."""
    return np.setdiff1d(np.arange(TURN), sorted(world.gold))


def _majority(world: World) -> NDArray[np.bool_]:
    """Return whether most honest verdicts on each claim are PASS."""
    balance = np.zeros(CLAIMS)
    for vote in world.votes:
        balance[claim_number(vote.claim)] += 1.0 if vote.passes else -1.0
    return balance > 0.0


def _drawn(claims: NDArray[np.int64], number: int, random: np.random.Generator) -> NDArray[np.int64]:
    return np.sort(random.permutation(claims)[:number])


def _shared(
    plan: Plan, operator: int, judged: NDArray[np.int64], passes: NDArray[np.bool_], confidence: float, later: int
) -> Iterable[VerdictVote]:
    """Return the verdicts of an operator on these claims, each by one of its verifiers in turn."""
    for key in range(plan.keys):
        name = _name(operator, key)
        yield from verdicts(name, _operator(operator), judged[key :: plan.keys], passes, later, confidence)


def _operator(number: int) -> str:
    return f"{ATTACKER}-{number}"


def _name(operator: int, key: int) -> str:
    return f"{_operator(operator)}-{key}"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
