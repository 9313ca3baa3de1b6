"""The price of one wrong verified claim: a bounded search for the cheapest plan of an adaptive attacker.

For each number of endorsed operators the search starts again and again, first at plans that are known, then at
random, and improves the plan by small changes. Each start aims at a share of the targets that is not verified for
nothing yet: until it is reached, more of it is better; then, fewer honest verdicts, and fewer log entries. A plan is
also one of an attacker with more operators, of which some do nothing, so that no price rises with the operators.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import mean
from typing import Any, TypeVar

import numpy as np

from bench.trust.adaptive import Judged, Plan, entries_of
from bench.trust.trial import Trial
from bench.trust.verdict_world import CONFIDENCE

T = TypeVar("T")

GOALS = (0.1, 0.5, 0.9)
"""Shares of the wrong claims, 0 to 1, that a price is searched for."""
DRAWN = 3

_ALL = 1.0  # the aim of a start after all goals are reached for nothing
_KEYS, _STRANGERS = (1, 2, 3, 5), (0, 1, 5, 20)
_HONEST, _WRONG, _PRIVATE = (0, 2, 5, 10, 20, 40, 80, 160, 320), (20, 80, 200, 370), (0, 50, 300)
_LATE, _CONFIDENCES = (0.0, 0.5), (0.6, 0.8, CONFIDENCE, 0.96, 0.99)


class Setting(StrEnum):
    """The circumstances of the attack on the target."""

    BLIND = "the epoch was before it"
    DRAWN = f"the same, {DRAWN} operators drawn for each claim"
    SEEN = "the epoch has seen it"


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of a search.

    `worlds` are the seeds of the worlds that are searched in, `fresh` those of worlds that the plans are tried in
    afterwards. For each number of operators up to `operators` there are `starts` of `steps` plans each. Of the plans
    found, `seen_plans` are tried on `seen_targets` of each world with an epoch that has seen the lie.
    """

    worlds: tuple[int, ...] = (0, 1)
    fresh: tuple[int, ...] = (2, 3, 4)
    operators: int = 8
    starts: int = 8
    steps: int = 6
    seen_plans: int = 3
    seen_targets: int = 12


BOUNDS = Bounds()

Shares = Mapping[Setting, float]
Found = dict[Plan, dict[Setting, float]]
"""The share of the targets verified, 0 to 1, by plan and setting."""


def measure_price(bounds: Bounds = BOUNDS) -> dict[str, Any]:
    """Return the prices in each setting by number of operators, with the plans found, and the bounds."""
    trials = [Trial.draw(seed) for seed in bounds.worlds]
    found = search(trials, bounds, np.random.default_rng(13))
    fresh = [Trial.draw(seed) for seed in bounds.fresh]
    world = trials[0].world

    def prices(plans: Found, setting: Setting, operators: int) -> list[dict[str, Any] | None]:
        cheapest = (cheapest_plan(plans, setting, operators, goal) for goal in GOALS)
        return [
            None
            if plan is None
            else {"honest": plan.honest_verdicts, "entries": entries_of(plan, world), "plan": str(plan)}
            for plan in cheapest
        ]

    def again(plan: Plan) -> float | None:
        return _mean_share(fresh, plan)[Setting.BLIND] if fresh else None

    outsiders = {plan: shares for plan, shares in found.items() if not plan.knows_gold}

    def row(setting: Setting, operators: int) -> dict[str, Any]:
        best = best_plan(found, setting, operators)
        return {
            "setting": setting.value,
            "operators": operators,
            "plans": sum(setting in shares and plan.operators == operators for plan, shares in found.items()),
            "at_once": share_within(
                {plan: one for plan, one in found.items() if not plan.waits}, setting, operators, 0
            ),
            "free": share_within(found, setting, operators, 0),
            "best": found[best][setting],
            "fresh": again(best) if setting is Setting.BLIND else None,
            "plan": str(best),
            "prices": prices(found, setting, operators),
            "prices_without_gold": prices(outsiders, setting, operators),
        }

    return {
        "goals": list(GOALS),
        "worlds": len(bounds.worlds),
        "targets": sum(len(one.targets) for one in trials),
        "rows": [row(setting, operators) for setting in Setting for operators in range(bounds.operators + 1)],
    }


def curves(found: Mapping[str, Any]) -> dict[str, list[float]]:
    """Return, by name, the share verified for 0, 1, 2, … endorsed operators: of the best plan in each setting.

    Where the epoch was before the lie it is also that of plans that give no verdict before.
    """
    settings = dict.fromkeys(row["setting"] for row in found["rows"])
    best = {name: [row["best"] for row in found["rows"] if row["setting"] == name] for name in settings}
    at_once = [row["at_once"] for row in found["rows"] if row["setting"] == Setting.BLIND.value]
    return {"no verdict but the lies": at_once, **best}


def search(trials: Sequence[Trial], bounds: Bounds, random: np.random.Generator) -> Found:
    """Return the plans tried in these worlds, with the mean share verified in each setting."""
    found: Found = {}

    def share(plan: Plan) -> float:
        if plan not in found:
            found[plan] = _mean_share(trials, plan)
        return found[plan][Setting.BLIND]

    for operators in range(bounds.operators + 1):
        for number in range(bounds.starts):
            aims = [goal for goal in GOALS if share_within(found, Setting.BLIND, operators, 0) < goal]
            known = _known_plans(operators)
            start = known[number] if number < len(known) else _random_plan(operators, random)
            _improve(start, bounds.steps, _one_of((*aims, _ALL), random), share, random)
        for plan in _candidates(found, operators)[: bounds.seen_plans]:
            found[plan][Setting.SEEN] = mean(one.seen(plan, bounds.seen_targets) for one in trials)
    return found


def cheapest_plan(found: Found, setting: Setting, operators: int, goal: float) -> Plan | None:
    """Return the plan with the fewest honest verdicts, then log entries, that reaches a share; None if none does."""
    reached = [
        plan
        for plan, shares in found.items()
        if plan.operators <= operators and setting in shares and shares[setting] >= goal
    ]
    return min(reached, key=_cost, default=None)


def best_plan(found: Found, setting: Setting, operators: int) -> Plan:
    """Return the plan with the greatest share, the cheapest of those."""
    tried = [plan for plan, shares in found.items() if plan.operators <= operators and setting in shares]
    return min(tried, key=lambda plan: (-found[plan][setting], *_cost(plan)))


def share_within(found: Found, setting: Setting, operators: int, honest: int) -> float:
    """Return the greatest share verified by plans of at most so many operators and honest verdicts; 0 without any."""
    return max(
        (
            shares[setting]
            for plan, shares in found.items()
            if plan.operators <= operators and plan.honest_verdicts <= honest and setting in shares
        ),
        default=0.0,
    )


def _mean_share(trials: Iterable[Trial], plan: Plan) -> dict[Setting, float]:
    blind, drawn = np.mean([one.blind(plan, (None, DRAWN)) for one in trials], axis=0).tolist()
    return {Setting.BLIND: blind, Setting.DRAWN: drawn}


def _improve(plan: Plan, steps: int, aim: float, share: Callable[[Plan], float], random: np.random.Generator) -> None:
    """Change a plan in small steps, and keep each change that serves the aim or costs nothing."""

    def merit(one: Plan) -> tuple[float, ...]:
        reached = share(one)
        return (aim, *(-cost for cost in _cost(one))) if reached >= aim else (reached,)

    best = merit(plan)
    for _ in range(steps - 1):
        changed = _changed(plan, random)
        found = merit(changed)
        if found >= best:
            plan, best = changed, found


def _cost(plan: Plan) -> tuple[float, ...]:
    """Return the parts of a plan's cost, the dearest first: honest verdicts, then all others and keys."""
    return plan.honest_verdicts, plan.other_entries, plan.operators * plan.keys + plan.strangers, plan.operators


def _candidates(found: Found, operators: int) -> list[Plan]:
    """Return the plans of so many operators: the one without a record, the best, the best of outsiders, the others."""
    own = [plan for plan in found if plan.operators == operators]
    ranked = sorted(own, key=lambda plan: (-found[plan][Setting.BLIND], *_cost(plan)))
    outsider = next(plan for plan in ranked if not plan.knows_gold)
    return list(dict.fromkeys([Plan(operators), ranked[0], outsider, *ranked]))


def _known_plans(operators: int) -> tuple[Plan, ...]:
    """Return the plans that the search starts with: operators without a record, and ways to outvote the honest.

    These earn a record, by claims that become gold or by new ones. Or they are wrong about all claims without gold,
    where nothing shows it; some also pass claims of their own, and share their verdicts among keys, so that no two of
    these look like copies.
    """
    start = Plan(operators)
    liars = replace(start, spoilers=operators, wrong=max(_WRONG))
    friends = replace(liars, keys=3, private=max(_PRIVATE))
    insiders = replace(start, honest=20, judged=Judged.GOLD)
    earners = (replace(start, honest=number, judged=Judged.NEW) for number in (80, 160, 320))
    return start, insiders.tidy(), *(one.tidy() for one in earners), liars.tidy(), friends.tidy()


def _random_plan(operators: int, random: np.random.Generator) -> Plan:
    plan = Plan(operators)
    for _ in range(6):
        plan = _changed(plan, random)
    return plan


def _changed(plan: Plan, random: np.random.Generator) -> Plan:
    """Return a plan of as many operators that differs in one thing."""
    changes: tuple[Callable[[], Plan], ...] = (
        lambda: replace(plan, keys=_one_of(_KEYS, random)),
        lambda: replace(plan, strangers=_one_of(_STRANGERS, random)),
        lambda: replace(plan, confidence=_one_of(_CONFIDENCES, random)),
        lambda: replace(plan, honest=_one_of(_HONEST, random)),
        lambda: replace(plan, honest=plan.honest // 2),
        lambda: replace(plan, judged=_one_of(tuple(Judged), random)),
        lambda: replace(plan, late=_one_of(_LATE, random)),
        lambda: replace(plan, private=_one_of(_PRIVATE, random)),
        lambda: replace(plan, spoilers=int(random.integers(plan.operators + 1)), wrong=_one_of(_WRONG, random)),
        lambda: replace(plan, spoilers=0),
    )
    return changes[int(random.integers(len(changes)))]().tidy()


def _one_of(values: Sequence[T], random: np.random.Generator) -> T:
    return values[int(random.integers(len(values)))]
