"""The price of one wrong verified claim: plans of an adaptive attacker, their trial, and the bounded search."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from bench.trust.adaptive import Judged, Plan, entries_of, epoch_length, lies, preparation
from bench.trust.attackers import TURN
from bench.trust.diagram import draw_price
from bench.trust.price import GOALS, Bounds, Found, Setting, best_plan, cheapest_plan, curves, measure_price, search
from bench.trust.report import TABLES
from bench.trust.trial import Trial
from bench.trust.verdict_world import claim_name, estimate_world, verdicts

SMALL = Bounds(worlds=(0,), fresh=(), operators=4, starts=1, steps=2, seen_plans=1, seen_targets=3)


@pytest.fixture(scope="module")
def trial() -> Trial:
    return Trial.draw(0)


@pytest.fixture(scope="module")
def found(trial: Trial) -> Found:
    return search([trial], SMALL, np.random.default_rng(0))


@pytest.mark.parametrize("plan", [Plan(strangers=20), Plan(strangers=5, confidence=0.99)])
def test_an_attack_without_endorsed_operators_verifies_nothing(trial: Trial, plan: Plan) -> None:
    assert trial.blind(plan, (None, 3)) == (0.0, 0.0)
    assert trial.seen(plan, 2) == 0.0


def test_targets_are_wrong_claims_that_honest_verifiers_judge_and_do_not_verify(trial: Trial) -> None:
    assert not trial.world.truth[trial.targets].any()
    assert not set(trial.targets.tolist()) & trial.world.gold
    assert {claim_name(claim) for claim in trial.targets.tolist()} <= trial.given.keys()
    assert trial.targets.min() >= TURN
    assert trial.blind(Plan(), (None,)) == (0.0,)


def test_an_epoch_of_a_trial_is_that_of_the_world(trial: Trial) -> None:
    added = preparation(Plan(2, honest=10, private=5), trial.world, np.random.default_rng(1))
    votes = [vote for vote in trial.world.votes if vote.claim < claim_name(TURN)]
    assert trial.epoch(added) == estimate_world([*votes, *added], trial.world)


@pytest.mark.parametrize("judged", list(Judged))
def test_a_plan_gives_as_many_verdicts_as_it_says_and_all_before_the_last_epoch(trial: Trial, judged: Judged) -> None:
    plan = Plan(2, spoilers=1, keys=3, honest=20, judged=judged, late=0.5, private=4, wrong=7)
    votes = preparation(plan, trial.world, np.random.default_rng(1))
    assert sum("private" in vote.claim for vote in votes) == 2 * 4
    assert len(votes) == 2 * 10 + 2 * 4 + 7
    assert {vote.verifier for vote in votes} == {f"adaptive-{number}-{key}" for number in range(2) for key in range(3)}
    assert all(vote.claim < claim_name(TURN) for vote in votes)
    assert plan.honest_verdicts == 40


def test_wrong_verdicts_are_on_old_claims_without_gold(trial: Trial) -> None:
    known = {claim_name(claim): bool(trial.world.truth[claim]) for claim in range(TURN)}
    plan = Plan(1, spoilers=1, honest=20, judged=Judged.GOLD, wrong=370)
    said = preparation(plan, trial.world, np.random.default_rng(1))
    elsewhere = [vote for vote in said if vote.claim not in trial.world.known]
    assert len(elsewhere) == 370
    assert all(vote.passes is not known[vote.claim] for vote in elsewhere)
    on_gold = [vote.passes is known[vote.claim] for vote in said if vote.claim in trial.world.known]
    assert len(on_gold) == 20
    assert sum(on_gold) >= 17


def test_operators_that_are_wrong_about_gold_too_verify_less_than_without_a_record(trial: Trial) -> None:
    plan = Plan(5, spoilers=5, wrong=370)
    gold = np.array([claim for claim in sorted(trial.world.gold) if claim < TURN])
    wrong = [
        vote
        for number in range(5)
        for vote in verdicts(f"adaptive-{number}-0", f"adaptive-{number}", gold, ~trial.world.truth, later=1)
    ]
    epoch = trial.epoch([*preparation(plan, trial.world, np.random.default_rng(1)), *wrong])
    assert trial.verified(plan, epoch, None).mean() < trial.blind(Plan(5), (None,))[0]


def test_every_operator_and_every_stranger_passes_the_target(trial: Trial) -> None:
    told = lies(Plan(3, keys=3, strangers=4, confidence=0.8), trial.targets[:1])
    assert all(vote.passes and vote.confidence == 0.8 for vote in told)
    assert [vote.operator for vote in told] == ["adaptive-0", "adaptive-1", "adaptive-2", *[None] * 4]


def test_new_claims_and_gold_take_longer_than_old_claims(trial: Trial) -> None:
    at_once = entries_of(Plan(2), trial.world)
    old, new, gold = (entries_of(Plan(2, honest=30, judged=judged), trial.world) for judged in (
        Judged.SETTLED, Judged.NEW, Judged.GOLD
    ))  # fmt: skip
    assert at_once == 2
    assert epoch_length(trial.world) <= old < new < gold


def test_a_plan_without_an_effect_of_its_own_is_put_in_its_plain_form() -> None:
    assert Plan(3, spoilers=1, judged=Judged.GOLD, late=0.5).tidy() == Plan(3)
    assert Plan(strangers=2, keys=3, honest=5, private=3).tidy() == Plan(strangers=2)
    kept = Plan(3, spoilers=2, honest=3, judged=Judged.NEW, late=0.5, wrong=4)
    assert kept.tidy() == kept


def test_the_search_is_the_same_again(trial: Trial, found: Found) -> None:
    assert search([trial], SMALL, np.random.default_rng(0)) == found


@pytest.mark.parametrize("setting", list(Setting))
def test_no_price_is_negative_or_rises_with_the_operators(found: Found, setting: Setting) -> None:
    for goal in GOALS:
        plans = [cheapest_plan(found, setting, operators, goal) for operators in range(SMALL.operators + 1)]
        prices = [np.inf if plan is None else plan.honest_verdicts for plan in plans]
        assert prices == sorted(prices, reverse=True)
        assert min(prices) >= 0
    best = [found[best_plan(found, setting, operators)][setting] for operators in range(SMALL.operators + 1)]
    assert best == sorted(best)
    assert best[0] == 0.0


def test_six_operators_without_answers_to_gold_verify_next_to_nothing(trial: Trial) -> None:
    liars = Plan(6, spoilers=6, wrong=370)
    for plan in (Plan(6), liars, replace(liars, keys=3, private=300), replace(liars, honest=5, judged=Judged.GOLD)):
        (verified,) = trial.blind(plan, (None,))
        assert verified < 0.1


def test_operators_that_known_claims_have_tested_verify_more(trial: Trial) -> None:
    one, four = (trial.blind(Plan(number, honest=40, judged=Judged.GOLD), (None,))[0] for number in (1, 4))
    assert one < 0.1 < four


def test_the_table_and_the_curve_have_every_setting() -> None:
    bounds = Bounds(worlds=(0,), fresh=(1,), operators=1, starts=1, steps=1, seen_plans=1, seen_targets=1)
    measured = measure_price(bounds)
    table, drawn = TABLES["price"](measured), curves(measured)
    assert all(f"| {setting.value} | 1 | 1 |" in table for setting in Setting)
    assert "| ∞ |" in table
    assert "1 endorsed operator of 1 verifier each" in table
    assert {len(shares) for shares in drawn.values()} == {2}
    svg = ElementTree.fromstring(draw_price(drawn))
    assert all(setting.value in "".join(svg.itertext()) for setting in Setting)
