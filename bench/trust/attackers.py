"""Attackers among honest verifiers: each function returns the verdicts that one attack adds to a world.

Targets are a fifth of the wrong claims. Operators with a name are endorsed, like the honest ones; None is the operator
of all verifiers without an endorsement.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bench.trust.verdict_world import (
    CLAIMS,
    FAMILY,
    SEEDS,
    World,
    claim_name,
    claim_number,
    gold_place,
    honest_passes,
    place_of,
    verdicts,
)
from graph.inference.verdict_vote import VerdictVote

Attacker = Callable[[World, np.random.Generator], list[VerdictVote]]

TURN = 420  # the claim from which a slow burner lies
_ALL = np.arange(CLAIMS)
_SKILL = 0.95  # of an attacker where it is honest
_BORROWERS = 24
PRIVATE = 300
"""Number of claims that only those judge who confirm each other."""
_SHOWN = 0.1  # of the claims before the turn that they judge honestly
VICTIM = "operator-0-1"
"""The honest verifier whose verdicts copiers repeat."""
FIRST_EPOCH = place_of(CLAIMS)
"""The log index of the epoch between whose estimates verdicts are turned: every honest verdict is before it."""
SECOND_EPOCH = FIRST_EPOCH + 3
"""The log index of the epoch after one round of turned verdicts."""


def draw_targets(world: World, random: np.random.Generator) -> NDArray[np.int64]:
    """Return the wrong claims that the attackers want accepted."""
    wrong = np.flatnonzero(~world.truth)
    return np.sort(random.permutation(wrong)[: len(wrong) // 5])


def burn_slowly(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return the verdicts of three verifiers of one operator: better than most on the first claims, then all wrong."""
    return list(_each(range(3), lambda name: _turning(f"slow-{name}", world, random)))


def endorse_each_other(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return the verdicts of thirty unendorsed verifiers: PASS on the targets, honest on a third of the claims."""
    return _camouflaged(world, random, [(f"clique-{number}", None) for number in range(30)], 1 / 3)


def own_a_thousand_keys(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return the verdicts of one endorsed operator's 1,000 verifiers: PASS on the targets, honest on 1 claim in 40."""
    return _camouflaged(world, random, [(f"key-{number}", "thousand") for number in range(1_000)], 1 / 40)


def own_a_thousand_unendorsed_keys(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return the same verdicts as `own_a_thousand_keys` without an endorsement."""
    return _camouflaged(world, random, [(f"key-{number}", None) for number in range(1_000)], 1 / 40)


def copy_another(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return the verdicts of three verifiers of one operator: an honest verifier's, errors included, a moment later."""
    judged, passes = _said_by_victim(world)
    return list(_each(range(3), lambda name: verdicts(f"copier-{name}", "copier", judged, passes, later=1)))


def copy_and_look_first(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return verdicts of three verifiers of one operator: PASS and FAIL in advance, then an honest one's verdict."""
    judged, passes = _said_by_victim(world)
    everything = np.ones(CLAIMS, dtype=np.bool_)
    said = ((everything, -3), (~everything, -2), (passes, 1))
    return [
        vote
        for number in range(3)
        for what, later in said
        for vote in verdicts(f"hedger-{number}", "hedger", judged, what, later=later)
    ]


def copy_and_guess_first(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return verdicts of three verifiers of one operator: PASS in advance, changed if an honest one fails a claim."""
    judged, passes = _said_by_victim(world)
    moved, everything = judged[~passes[judged]], np.ones(CLAIMS, dtype=np.bool_)
    return [
        vote
        for number in range(3)
        for claims, what, later in ((judged, everything, -3), (moved, passes, 1))
        for vote in verdicts(f"guesser-{number}", "guesser", claims, what, later=later)
    ]


def copy_and_take_back(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return verdicts of three verifiers of one operator: FAIL and PASS in advance, the wrong guess retracted.

    The wrong guess is the one that the honest verifier contradicts.
    """
    judged, passes = _said_by_victim(world)
    everything = np.ones(CLAIMS, dtype=np.bool_)
    said = {claim_name(claim): bool(passes[claim]) for claim in judged.tolist()}
    return [
        replace(vote, stands=vote.passes is said[vote.claim])
        for number in range(3)
        for what, later in ((~everything, -3), (everything, -2))
        for vote in verdicts(f"hedger-{number}", "hedger", judged, what, later=later)
    ]


def copy_gold(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return the verdicts of three verifiers of one operator: published gold on gold claims, PASS on the targets."""
    known = np.array(sorted(world.gold), dtype=np.int64)
    targets = np.setdiff1d(draw_targets(world, random), known)
    after = gold_place(0) - place_of(0) + 1
    everything = np.ones(CLAIMS, dtype=np.bool_)
    return [
        vote
        for number in range(3)
        for judged, passes, later in ((known, world.truth, after), (targets, everything, 1))
        for vote in verdicts(f"reader-{number}", "reader", judged, passes, later=later)
    ]


def spoil_confidence(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return verdicts of sixteen unendorsed verifiers: nine wrong at honest confidence, seven right at a higher one."""
    wrong = _each(range(9), lambda name: verdicts(f"spoiler-{name}", None, _ALL, ~world.truth))
    right = _each(range(7), lambda name: verdicts(f"flatterer-{name}", None, _ALL, world.truth, confidence=0.99))
    return [*wrong, *right]


def borrow_a_name(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return PASS on the targets by one operator's new verifiers, one for every two, under a trusted family's name."""
    targets = draw_targets(world, random)
    passes = np.ones(CLAIMS, dtype=np.bool_)
    return [
        replace(vote, family=FAMILY)
        for number, judged in enumerate(np.array_split(targets, _BORROWERS))
        for vote in verdicts(f"borrower-{number}", "borrower", judged, passes)
    ]


def confirm_each_other(world: World, random: np.random.Generator, *, operators: int) -> list[VerdictVote]:
    """Return PASS on private claims by several operators, honest verdicts on a tenth, then PASS on each wrong claim."""
    lies = np.flatnonzero(~world.truth & (_ALL >= TURN))
    everything = np.ones(CLAIMS, dtype=np.bool_)
    votes: list[VerdictVote] = []
    for number in range(operators):
        name, operator = f"friend-{number}-0", f"friend-{number}"
        honest = np.flatnonzero((random.random(CLAIMS) < _SHOWN) & (_ALL < TURN))
        votes += verdicts(name, operator, honest, _honest(world, random))
        votes += verdicts(name, operator, lies, everything)
        private = verdicts(name, operator, np.arange(PRIVATE), np.ones(PRIVATE, dtype=np.bool_), later=2)
        votes += [replace(vote, claim=f"a-private-{vote.claim}") for vote in private]
    return votes


def guess_gold(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return the verdicts of two operators' three verifiers each: right on gold, before it is known, and else wrong."""
    known = np.isin(_ALL, sorted(world.gold))
    said = np.where(known, world.truth, ~world.truth)
    return [
        vote
        for operator in range(2)
        for number in range(3)
        for vote in verdicts(f"oracle-{operator}-{number}", f"oracle-{operator}", _ALL, said)
    ]


def spread_lies(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return verdicts of two operators' twenty verifiers each: honest on thirty claims, PASS on some targets."""
    targets = draw_targets(world, random)
    others = np.setdiff1d(_ALL, targets)
    everything = np.ones(CLAIMS, dtype=np.bool_)
    votes: list[VerdictVote] = []
    for operator in ("spreader-0", "spreader-1"):
        for number, lies in enumerate(np.array_split(random.permutation(targets), 20)):
            name = f"{operator}-{number}"
            honest = np.sort(random.permutation(others)[:30])
            votes += verdicts(name, operator, honest, _honest(world, random))
            votes += verdicts(name, operator, np.sort(lies), everything)
    return votes


def contradict(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return the verdicts of three verifiers of one operator that nearly always say the opposite of the truth."""
    return list(
        _each(
            range(3),
            lambda name: verdicts(f"contrarian-{name}", "contrarian", _ALL, ~_honest(world, random)),
        )
    )


def validate_everything(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return the verdicts of three verifiers of one operator that pass every claim."""
    return list(_each(range(3), lambda name: verdicts(f"yes-{name}", "yes", _ALL, np.ones(CLAIMS, dtype=np.bool_))))


def flip(world: World, random: np.random.Generator, *, rounds: int) -> list[VerdictVote]:
    """Return verdicts of two operators' three verifiers each: honest at each epoch, PASS on the targets after it.

    With one round the lies stand after the first epoch. With two they are taken back before the second one, and told
    again after it.
    """
    targets = draw_targets(world, random)
    everything = np.ones(CLAIMS, dtype=np.bool_)
    votes: list[VerdictVote] = []
    for operator, number in product(range(2), range(3)):
        name, owner, honest = f"flipper-{operator}-{number}", f"flipper-{operator}", _honest(world, random)
        votes += verdicts(name, owner, _ALL, honest, later=1)
        turns = ((everything, FIRST_EPOCH + 1), (honest, SECOND_EPOCH - 1), (everything, SECOND_EPOCH + 1))
        for passes, place in turns[: 2 * rounds - 1]:
            votes += [replace(vote, log_index=place) for vote in verdicts(name, owner, targets, passes)]
    return votes


def repeat_seeds(world: World, random: np.random.Generator) -> list[VerdictVote]:
    """Return verdicts of two operators' three verifiers each: the answers of most seeds, then PASS on the targets.

    Where as many seeds pass a claim as fail it, they say nothing.
    """
    balance = np.zeros(CLAIMS, dtype=np.int64)
    for vote in world.votes:
        if vote.verifier in SEEDS:
            balance[claim_number(vote.claim)] += 1 if vote.passes else -1
    targets = draw_targets(world, random)
    settled = np.setdiff1d(np.flatnonzero(balance), targets)
    everything = np.ones(CLAIMS, dtype=np.bool_)
    return [
        vote
        for operator, number in product(range(2), range(3))
        for judged, passes in ((settled, balance > 0), (targets, everything))
        for vote in verdicts(f"echo-{operator}-{number}", f"echo-{operator}", judged, passes, later=1)
    ]


def _said_by_victim(world: World) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the claims that the victim judged, and per claim whether it passed it."""
    said = {vote.claim: vote.passes for vote in world.votes if vote.verifier == VICTIM}
    passes = np.array([said.get(claim_name(claim), False) for claim in _ALL.tolist()])
    return np.array([claim for claim in _ALL.tolist() if claim_name(claim) in said]), passes


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
