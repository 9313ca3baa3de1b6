"""Attacks by verifiers, each with its figure: what they weigh, and what they carry over the threshold."""

from dataclasses import replace

import numpy as np
import pytest

from bench.trust.attackers import (
    VICTIM,
    Attacker,
    borrow_a_name,
    copy_and_guess_first,
    copy_and_look_first,
    copy_and_take_back,
    copy_another,
    copy_gold,
    draw_targets,
    spoil_confidence,
)
from bench.trust.attacks import NEWCOMER, SCENARIOS, measure_attack
from bench.trust.report import TABLES
from bench.trust.verdict_world import (
    CONFIDENCE,
    World,
    claim_name,
    draw_world,
    estimate_world,
    reliability_table,
)
from graph.inference.calibration import calibrate
from graph.inference.reliability import EpochEstimate, Reliability
from graph.inference.verdict_vote import VerdictVote
from graph.scoring.reliabilities import ReliabilityTable

BY_NAME = {one.name: one for one in SCENARIOS}


def figures(name: str) -> dict[str, float]:
    return measure_attack(BY_NAME[name], random_seeds=(0,))


def test_who_burns_slowly_carries_some_before_the_epoch_and_next_to_nothing_after_it():
    before, after = figures("slow burn, until the next epoch"), figures("slow burn, after it")
    assert before["verified"] <= 0.20
    assert after["verified"] <= after["verified_without"] + 0.05
    assert after["attackers_weigh"] <= before["attackers_weigh"] / 2


def test_a_clique_that_endorses_itself_carries_nothing():
    found = figures("a clique that endorses itself")
    assert found["verified"] <= found["verified_without"]


def test_verdicts_turned_round_between_epochs_carry_nothing():
    for name in ("flips between epochs, until the second", "flips between epochs, after the second"):
        found = figures(name)
        assert found["verified"] <= found["verified_without"]


def attacked(attacker: Attacker) -> tuple[World, list[VerdictVote]]:
    world = draw_world(np.random.default_rng(0))
    return world, attacker(world, np.random.default_rng(1))


def by_name(epoch: EpochEstimate, prefix: str) -> list[Reliability]:
    return [one for one in epoch.reliabilities if one.verifier.startswith(prefix)]


def test_a_copier_weighs_next_to_nothing_and_is_named():
    world = draw_world(np.random.default_rng(0))
    votes = [*world.votes, *copy_another(world, np.random.default_rng(1))]
    found = {one.verifier: one for one in estimate_world(votes, world).reliabilities}
    copiers = [one for name, one in found.items() if name.startswith("copier")]
    assert all(one.independence <= 0.1 for one in copiers)
    assert all(one.copies for one in copiers)
    assert found["operator-0-1"].independence == 1.0


def test_who_says_everything_first_is_the_copier_all_the_same():
    world, added = attacked(copy_and_look_first)
    epoch = estimate_world([*world.votes, *added], world)
    assert all(one.independence <= 0.1 and one.copies == VICTIM for one in by_name(epoch, "hedger"))
    assert [one.independence for one in by_name(epoch, VICTIM)] == [1.0]
    found, plain = figures("a copier that looks like the original"), figures("a copier")
    assert found["attackers_weigh"] <= 0.1
    assert found["honest_weigh"] == pytest.approx(plain["honest_weigh"], abs=0.01)


@pytest.mark.parametrize("attacker", [copy_and_guess_first, copy_and_take_back])
@pytest.mark.parametrize("right", [0.6, 0.95, 0.97])
def test_who_guesses_first_is_the_copier_however_seldom_it_was_wrong(attacker: Attacker, right: float) -> None:
    world = draw_world(np.random.default_rng(0), right)
    votes = [*world.votes, *attacker(world, np.random.default_rng(1))]
    epoch = estimate_world(votes, world)
    assert {one.independence for one in by_name(epoch, "operator")} == {1.0}
    added = {vote.verifier for vote in votes} - {vote.verifier for vote in world.votes}
    found = [one for one in epoch.reliabilities if one.verifier in added]
    assert all(one.independence <= 0.25 and one.copies == VICTIM for one in found)


@pytest.mark.parametrize("seed", [0, 1])
def test_copiers_of_two_operators_make_no_honest_one_look_like_a_copy(seed: int) -> None:
    world = draw_world(np.random.default_rng(seed))
    added = [vote for attack in (copy_another, copy_and_look_first) for vote in attack(world, np.random.default_rng(1))]
    epoch = estimate_world([*world.votes, *added], world)
    assert {one.independence for one in by_name(epoch, "operator")} == {1.0}
    assert all(one.independence <= 0.1 for one in [*by_name(epoch, "copier"), *by_name(epoch, "hedger")])


def test_an_original_that_revises_what_it_said_stays_the_original() -> None:
    world, added = attacked(copy_another)
    own = [vote for vote in world.votes if vote.verifier == VICTIM][::20]
    at_first = [replace(vote, passes=not vote.passes, log_index=vote.log_index - 1) for vote in own]
    epoch = estimate_world([*world.votes, *added, *at_first], world)
    assert [one.independence for one in by_name(epoch, VICTIM)] == [1.0]
    assert all(one.copies == VICTIM for one in by_name(epoch, "copier"))


def test_two_that_each_revise_a_tenth_to_what_is_true_repeat_nobody() -> None:
    random = np.random.default_rng(0)
    world = draw_world(random, 0.95)
    names = ("operator-1-1", "operator-2-1")
    revised = [
        replace(vote, passes=vote.claim in right, log_index=vote.log_index + 5 + names.index(vote.verifier))
        for right in [{claim_name(int(claim)) for claim in np.flatnonzero(world.truth)}]
        for vote in world.votes
        if vote.verifier in names and random.random() < 0.1
    ]
    epoch = estimate_world([*world.votes, *revised], world)
    assert {one.independence for one in epoch.reliabilities} == {1.0}


def test_an_original_that_confirms_what_it_said_stays_the_original():
    world, added = attacked(copy_another)
    confirmed = [replace(vote, log_index=vote.log_index + 2) for vote in world.votes if vote.verifier == VICTIM]
    epoch = estimate_world([*world.votes, *added, *confirmed], world)
    assert [one.independence for one in by_name(epoch, VICTIM)] == [1.0]
    assert all(one.copies == VICTIM for one in by_name(epoch, "copier"))


def test_who_repeats_published_gold_is_a_newcomer():
    found = figures("copies published gold")
    assert found["attackers_weigh"] < NEWCOMER
    assert found["verified"] <= found["verified_without"] + 0.02


def test_an_answer_that_comes_after_the_gold_measures_nobody():
    world, added = attacked(copy_gold)
    known = {claim_name(claim) for claim in world.gold}
    on_gold = [vote for vote in added if vote.claim in known]
    earlier = [replace(vote, log_index=vote.log_index - 100) for vote in on_gold]
    after = by_name(estimate_world([*world.votes, *on_gold], world), "reader")
    before = by_name(estimate_world([*world.votes, *earlier], world), "reader")
    assert not after
    assert min(one.judged for one in before) == len(known)


def test_strangers_do_not_spoil_what_confidence_deserves():
    world, added = attacked(spoil_confidence)
    quiet, loud = estimate_world(world.votes, world), estimate_world([*world.votes, *added], world)
    assert loud.calibration == quiet.calibration
    # Heard, they would: half of what is said at the confidence of the honest would be wrong.
    honest, spoilers, flatterers = (800, CONFIDENCE, 0.8), (800, CONFIDENCE, 0.0), (800, 0.99, 1.0)
    said = [(sure, right) for votes, sure, right in (honest, spoilers, flatterers) for _ in range(votes)]
    confidence, right = np.array(said).T
    heard = ReliabilityTable(calibration=calibrate(confidence, right, np.ones(len(said))))
    assert heard.weight_of(CONFIDENCE) < 0.5 < reliability_table(loud).weight_of(CONFIDENCE)
    found = figures("strangers who spoil the calibration")
    assert found["honest_weigh"] == pytest.approx(found["honest_weigh_without"], abs=1e-3)


def test_a_borrowed_name_brings_no_record():
    found = figures("borrows a trusted family's name")
    assert found["attackers_weigh"] < NEWCOMER
    world, added = attacked(borrow_a_name)
    borrowed = estimate_world([*world.votes, *added], world)
    nameless = estimate_world([*world.votes, *(replace(vote, family=None) for vote in added)], world)
    assert borrowed == nameless
    # A family that both sides confirm does bring one.
    confirmed = [replace(vote, family="urn:agent:family") for vote in [*world.votes, *added] if vote.family]
    others = [vote for vote in world.votes if not vote.family]
    related = estimate_world([*others, *confirmed], world)
    assert sum(by_name(related, "borrower")[0].specificity) > sum(by_name(borrowed, "borrower")[0].specificity) + 5


def test_a_contrarian_weighs_nothing():
    found = figures("a contrarian")
    assert found["attackers_weigh"] <= 0.1
    assert found["verified"] <= found["verified_without"] + 0.05


def test_who_validates_everything_carries_next_to_nothing():
    found = figures("validates everything")
    assert found["verified"] <= found["verified_without"] + 0.05


@pytest.mark.parametrize("name", ["an endorsed operator with 1,000 keys", "1,000 keys of nobody"])
def test_a_thousand_keys_carry_next_to_nothing(name):
    found = figures(name)
    assert found["verified"] <= found["verified_without"] + 0.05


def test_targets_are_wrong_claims():
    world = draw_world(np.random.default_rng(0))
    targets = draw_targets(world, np.random.default_rng(1))
    assert not world.truth[targets].any()
    assert len(targets) == (~world.truth).sum() // 5


def test_every_attack_says_what_it_does_and_what_would_be_bad():
    for one in SCENARIOS:
        assert "ad would be" in one.means or "damage" in one.means
        assert one.means.endswith(".")


def test_the_table_says_where_nothing_was_attacked():
    row = figures("copies published gold") | {"name": "one", "means": "Bad would be two."}
    table = TABLES["attacks"]({"rows": [row]})
    assert "| – | – |" in table
    assert "- *one*: Bad would be two.\n" in table
