"""Attacks by verifiers, each with its figure: what they weigh, and what they carry over the threshold."""

import numpy as np
import pytest

from bench.trust.attackers import copy_another, draw_targets
from bench.trust.attacks import SCENARIOS, measure_attack
from bench.trust.verdict_world import draw_world, estimate_world

BY_NAME = {one.name: one for one in SCENARIOS}


def figures(name: str) -> dict[str, float]:
    return measure_attack(BY_NAME[name], random_seeds=(0,))


def test_who_burns_slowly_carries_some_before_the_epoch_and_next_to_nothing_after_it():
    before, after = figures("slow burn, until the next epoch"), figures("slow burn, after it")
    assert before["accepted"] <= 0.20
    assert after["accepted"] <= after["accepted_without"] + 0.05
    assert after["attackers_weigh"] <= before["attackers_weigh"] / 2


def test_a_clique_that_endorses_itself_carries_nothing():
    found = figures("a clique that endorses itself")
    assert found["accepted"] <= found["accepted_without"]


def test_a_copier_weighs_next_to_nothing_and_is_named():
    world = draw_world(np.random.default_rng(0))
    votes = [*world.votes, *copy_another(world, np.random.default_rng(1))]
    found = {one.verifier: one for one in estimate_world(votes, world).reliabilities}
    copiers = [one for name, one in found.items() if name.startswith("copier")]
    assert all(one.independence <= 0.1 for one in copiers)
    assert all(one.copies for one in copiers)
    assert found["operator-0-1"].independence == 1.0


def test_a_contrarian_weighs_nothing():
    found = figures("a contrarian")
    assert found["attackers_weigh"] <= 0.1
    assert found["accepted"] <= found["accepted_without"] + 0.05


def test_who_validates_everything_carries_next_to_nothing():
    found = figures("validates everything")
    assert found["accepted"] <= found["accepted_without"] + 0.05


@pytest.mark.parametrize("name", ["an endorsed operator with 1,000 keys", "1,000 keys of nobody"])
def test_a_thousand_keys_carry_next_to_nothing(name):
    found = figures(name)
    assert found["accepted"] <= found["accepted_without"] + 0.05


def test_targets_are_wrong_claims():
    world = draw_world(np.random.default_rng(0))
    targets = draw_targets(world, np.random.default_rng(1))
    assert not world.truth[targets].any()
    assert len(targets) == (~world.truth).sum() // 5
