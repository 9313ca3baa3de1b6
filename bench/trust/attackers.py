"""Attackers among honest verifiers: each gives the verdicts that it adds to a world.

Targets are a fifth of the wrong claims. Operators that are named are endorsed, like the honest ones; None is the
operator of all whom nobody endorsed.
"""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from bench.trust.verdict_world import CLAIMS, World, claim_name, honest_passes, verdicts
from graph.inference.verdict_vote import VerdictVote

Attacker = Callable[[World, np.random.Generator], list[VerdictVote]]

TURN = 420  # the claim from which a slow burner lies
_ALL = np.arange(CLAIMS)
_SKILL = 0.95  # of an attacker where it is honest


def draw_targets(world: World, random: np.random.Generator) -> NDArray[np.int64]:
    """Return the wrong claims that are to be taken for right."""
    wrong = np.flatnonzero(~world.truth)
    return np.sort(random.permutation(wrong)[: len(wrong) // 5])


def burn_slowly(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Three verifiers of one operator are better than most on the first claims, and say the opposite of the rest."""
    return list(_each(range(3), lambda name: _turning(f"slow-{name}", world, random)))


def endorse_each_other(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Thirty whom nobody else endorsed pass the targets, all of them, and are honest about a third of the claims."""
    return _camouflaged(world, random, [(f"clique-{number}", None) for number in range(30)], 1 / 3)


def own_a_thousand_keys(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """One endorsed operator has 1,000 verifiers, which pass the targets and are honest about a few claims more."""
    return _camouflaged(world, random, [(f"key-{number}", "thousand") for number in range(1_000)], 1 / 40)


def own_a_thousand_unendorsed_keys(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """The same without an endorsement."""
    return _camouflaged(world, random, [(f"key-{number}", None) for number in range(1_000)], 1 / 40)


def copy_another(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Three verifiers of one operator say what one honest verifier said right before, wherever it is wrong as well."""
    victim = {vote.claim: vote.passes for vote in world.votes if vote.verifier == "operator-0-1"}
    passes = np.array([victim.get(claim_name(claim), False) for claim in _ALL.tolist()])
    judged = np.array([claim for claim in _ALL.tolist() if claim_name(claim) in victim])
    return list(_each(range(3), lambda name: verdicts(f"copier-{name}", "copier", judged, passes, later=1)))


def contradict(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Three verifiers of one operator say the opposite of what is true, nearly always."""
    return list(
        _each(
            range(3),
            lambda name: verdicts(f"contrarian-{name}", "contrarian", _ALL, ~_honest(world, random)),
        )
    )


def validate_everything(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Three verifiers of one operator pass whatever they see."""
    return list(_each(range(3), lambda name: verdicts(f"yes-{name}", "yes", _ALL, np.ones(CLAIMS, dtype=np.bool_))))


def _turning(name: str, world: World, random: np.random.Generator) -> list[VerdictVote]:
    passes = np.where(_ALL < TURN, _honest(world, random), ~world.truth)
    return verdicts(name, "slow", _ALL, passes)


def _camouflaged(
    world: World, random: np.random.Generator, names: Iterable[tuple[str, str | None]], share: float
) -> list[VerdictVote]:
    targets = draw_targets(world, random)
    votes: list[VerdictVote] = []
    for name, operator in names:
        passes = _honest(world, random)
        passes[targets] = True
        judged = np.union1d(targets, np.flatnonzero(random.random(CLAIMS) < share))
        votes += verdicts(name, operator, judged, passes)
    return votes


def _honest(world: World, random: np.random.Generator) -> NDArray[np.bool_]:
    return honest_passes(world.truth, _SKILL, _SKILL, random)


def _each(names: Iterable[int], make: Callable[[int], list[VerdictVote]]) -> Iterable[VerdictVote]:
    return (vote for name in names for vote in make(name))
