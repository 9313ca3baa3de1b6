"""How reliable verifiers are found to be, and what cannot change that."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from label_sets import CRITERION, population, votes_of, with_liars

from graph.inference.calibration import AS_STATED, calibrate
from graph.inference.label_set import LabelSet
from graph.inference.reliability import EpochEstimate, Reliability, estimate_reliabilities
from graph.inference.verdict_vote import ObservedLabel, VerdictVote

OPERATORS = ("a", "b", "c", "d", "e", "f")


def of(estimate: EpochEstimate, verifier: str) -> Reliability:
    return next(entry for entry in estimate.reliabilities if entry.verifier == verifier)


def mean(pair: tuple[float, float]) -> float:
    return pair[0] / sum(pair)


def some_votes(items: int = 200, accuracies: tuple[float, ...] = (0.95, 0.9, 0.85, 0.8, 0.7, 0.6)):
    labels, truth = population(np.random.default_rng(0), items=items, accuracies=accuracies, answers=len(accuracies))
    return votes_of(labels, OPERATORS), truth


def gold_of(truth, every: int = 10) -> list[ObservedLabel]:
    return [ObservedLabel(f"claim {item}", CRITERION, bool(truth[item])) for item in range(0, len(truth), every)]


def test_the_better_verifier_is_rated_higher() -> None:
    votes, truth = some_votes()
    estimate = estimate_reliabilities(votes, gold_of(truth))
    rated = [mean(of(estimate, f"verifier {number}").sensitivity) for number in range(6)]
    assert rated == sorted(rated, reverse=True)


def test_the_order_of_the_votes_does_not_matter() -> None:
    votes, truth = some_votes(items=40)
    shuffled = random.Random(1).sample(votes, len(votes))
    assert estimate_reliabilities(shuffled, gold_of(truth)) == estimate_reliabilities(votes, gold_of(truth))


def test_no_votes_give_no_reliabilities() -> None:
    assert estimate_reliabilities([], [ObservedLabel("claim", CRITERION, True)]) == EpochEstimate(())


def test_a_thousand_verifiers_without_an_operator_change_nobody_else() -> None:
    votes, truth = some_votes(items=30)
    crowd = [
        VerdictVote(f"claim {item}", f"nobody {number}", CRITERION, not truth[item], 0.99, None, None, 1000)
        for item in range(30)
        for number in range(1000)
    ]
    alone = estimate_reliabilities(votes, gold_of(truth))
    crowded = estimate_reliabilities([*votes, *crowd], gold_of(truth))
    assert crowded.calibration == alone.calibration
    for number in range(6):
        before, after = of(alone, f"verifier {number}"), of(crowded, f"verifier {number}")
        assert after.sensitivity == pytest.approx(before.sensitivity, rel=0.02)
        assert after.specificity == pytest.approx(before.specificity, rel=0.02)


def test_a_verifier_alone_is_not_judged_by_itself() -> None:
    votes = [VerdictVote(f"claim {item}", "alone", CRITERION, True, 0.9, "a", None, item) for item in range(50)]
    found = of(estimate_reliabilities(votes, []), "alone")
    assert found.judged == 0
    assert mean(found.sensitivity) == pytest.approx(11 / 14, abs=0.01)


def test_verifiers_of_one_operator_do_not_judge_one_another() -> None:
    votes = [
        VerdictVote(f"claim {item}", f"verifier {number}", CRITERION, True, 0.9, "a", None, item)
        for item in range(50)
        for number in range(20)
    ]
    assert {entry.judged for entry in estimate_reliabilities(votes, []).reliabilities} == {0}


def test_gold_judges_a_verifier_that_nobody_else_judges() -> None:
    votes = [VerdictVote(f"claim {item}", "alone", CRITERION, True, 0.9, "a", None, item) for item in range(50)]
    wrong = [ObservedLabel(f"claim {item}", CRITERION, False) for item in range(20)]
    found = of(estimate_reliabilities(votes, wrong), "alone")
    assert found.judged >= 20
    assert mean(found.specificity) < 0.5


def test_who_always_passes_is_known_by_its_specificity() -> None:
    votes, truth = some_votes()
    always = [VerdictVote(f"claim {item}", "always", CRITERION, True, 0.99, "z", None, 900) for item in range(200)]
    found = of(estimate_reliabilities([*votes, *always], gold_of(truth)), "always")
    assert mean(found.sensitivity) > 0.95
    assert mean(found.specificity) < 0.2


def test_who_always_says_the_opposite_is_worse_than_chance() -> None:
    votes, truth = some_votes()
    opposite = [
        VerdictVote(f"claim {item}", "contrary", CRITERION, not truth[item], 0.99, "z", None, 900)
        for item in range(200)
    ]
    found = of(estimate_reliabilities([*votes, *opposite], gold_of(truth)), "contrary")
    assert mean(found.sensitivity) + mean(found.specificity) < 0.5


def test_a_copier_keeps_little_of_its_weight_and_the_original_all() -> None:
    votes, truth = some_votes()
    copied = [
        replace(vote, verifier="copier", operator="z", log_index=vote.log_index + 1)
        for vote in votes
        if vote.verifier == "verifier 4"
    ]
    estimate = estimate_reliabilities([*votes, *copied], gold_of(truth))
    assert of(estimate, "copier").copies == "verifier 4"
    assert of(estimate, "copier").independence < 0.5
    assert of(estimate, "verifier 4").independence == 1.0


def test_of_a_copier_is_told_on_how_many_claims_it_differs_and_would_if_it_were_independent() -> None:
    votes, truth = some_votes()
    copied = [
        replace(vote, verifier="copier", operator="z", log_index=vote.log_index + 1, passes=vote.passes ^ (place < 7))
        for place, vote in enumerate(vote for vote in votes if vote.verifier == "verifier 4")
    ]
    estimate = estimate_reliabilities([*votes, *copied[:150]], gold_of(truth))
    found = of(estimate, "copier")
    assert found.copied is not None
    assert (found.copied.both, found.copied.differed) == (150, 7)
    # Two that are right seven times in ten differ on 2 * 0.7 * 0.3 of the claims.
    assert found.copied.expected == pytest.approx(150 * 0.42, rel=0.15)
    assert found.independence == pytest.approx(7 / found.copied.expected)
    assert {entry.copied for entry in estimate.reliabilities if entry.copies is None} == {None}


def test_who_lies_in_a_coalition_loses_the_share_that_it_is_silenced_by() -> None:
    rng = np.random.default_rng(0)
    honest, truth = population(rng)
    attacked = rng.random(400) < 0.2
    labels = with_liars(rng, honest, truth, 30, attacked)
    votes = votes_of(labels, tuple(f"operator {number}" for number in range(labels.workers)))
    estimate = estimate_reliabilities(votes, gold_of(truth, every=4))
    assert max(of(estimate, f"verifier {number}").coalition for number in range(12)) < 0.1
    assert min(of(estimate, f"verifier {number}").coalition for number in range(12, 42)) > 0.9
    alone = [entry for entry in estimate.reliabilities if entry.copied is None]
    assert [entry.independence for entry in alone] == pytest.approx([1.0 - entry.coalition for entry in alone])


def test_claims_of_their_own_do_not_free_a_coalition() -> None:
    rng = np.random.default_rng(0)
    honest, truth = population(rng)
    labels = with_liars(rng, honest, truth, 30, rng.random(400) < 0.12)
    votes = votes_of(labels, tuple(f"operator {number}" for number in range(labels.workers)))
    private = [
        VerdictVote(f"private {item}", f"verifier {number}", CRITERION, False, 0.9, f"operator {number}", None, 99_999)
        for item in range(400)
        for number in range(12, 42)
    ]
    estimate = estimate_reliabilities([*votes, *private], gold_of(truth, every=4))
    assert max(of(estimate, f"verifier {number}").coalition for number in range(12)) < 0.1
    assert min(of(estimate, f"verifier {number}").coalition for number in range(12, 42)) > 0.9


def test_a_clique_of_copiers_keeps_one_voice() -> None:
    votes, truth = some_votes()
    copied = [
        replace(vote, verifier=f"copier {number}", operator=f"z{number}", log_index=vote.log_index + 1 + number)
        for vote in votes
        if vote.verifier == "verifier 5"
        for number in range(20)
    ]
    estimate = estimate_reliabilities([*votes, *copied], gold_of(truth))
    clique = ["verifier 5", *(f"copier {number}" for number in range(20))]
    assert sum(of(estimate, name).independence for name in clique) < 4.0


def test_independent_verifiers_keep_all_of_their_weight() -> None:
    votes, truth = some_votes(items=1000)
    assert {entry.independence for entry in estimate_reliabilities(votes, gold_of(truth)).reliabilities} == {1.0}


@pytest.mark.parametrize("seed", range(3))
def test_hard_claims_do_not_make_copiers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hard = rng.random(1000) < 0.1
    item, worker = np.repeat(np.arange(1000), 6), np.tile(np.arange(6), 1000)
    wrong = rng.random(6000) < np.where(hard[item], 0.6, 0.1)
    votes = votes_of(LabelSet(1000, 6, 2, item, worker, np.where(wrong, 0, 1)), OPERATORS)
    assert {entry.copies for entry in estimate_reliabilities(votes, []).reliabilities} == {None}


@pytest.mark.parametrize("seed", range(3))
def test_copiers_are_found_though_they_agree_with_what_they_copy(seed: int) -> None:
    labels, truth = population(np.random.default_rng(seed), items=300, accuracies=(0.7,) + (0.8,) * 5, answers=6)
    votes = votes_of(labels, OPERATORS)
    copied = [
        replace(vote, verifier=f"copier {number}", operator="z", log_index=vote.log_index + 1 + number)
        for vote in votes
        if vote.verifier == "verifier 0"
        for number in range(3)
    ]
    estimate = estimate_reliabilities([*votes, *copied], gold_of(truth, every=30))
    assert max(of(estimate, f"copier {number}").independence for number in range(3)) < 0.5


def test_a_new_version_begins_with_what_its_family_was_worth() -> None:
    votes, truth = some_votes()
    bad = [
        VerdictVote(f"claim {item}", "old", CRITERION, not truth[item], 0.9, "z", "family", 900) for item in range(200)
    ]
    new = VerdictVote("claim 1", "new", CRITERION, bool(truth[1]), 0.9, "y", "family", 901)
    alone = of(estimate_reliabilities([*votes, replace(new, family=None)], gold_of(truth)), "new")
    related = of(estimate_reliabilities([*votes, *bad, new], gold_of(truth)), "new")
    assert mean(related.sensitivity) < mean(alone.sensitivity) - 0.1


def test_little_that_is_judged_leaves_confidence_as_stated() -> None:
    few = np.full(99, 0.9)
    assert calibrate(few, few, np.ones(99)) == AS_STATED


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=100, max_size=300))
def test_more_confidence_never_weighs_less(seen: list[tuple[float, float]]) -> None:
    confidence, right = (np.array(column) for column in zip(*seen, strict=True))
    points = calibrate(confidence, right, np.ones(len(seen)))
    places, weights = ([point[axis] for point in points] for axis in (0, 1))
    assert places == sorted(places)
    assert weights == sorted(weights)
    assert min(weights) >= 0.0
    assert max(weights) <= 1.0


def test_strangers_do_not_say_what_confidence_deserves() -> None:
    votes, truth = some_votes(items=300)
    crowd = [
        VerdictVote(f"claim {item}", f"nobody {number}", CRITERION, bool(truth[item]) is (number < 8), sure, None)
        for item in range(300)
        for number, sure in enumerate([0.99] * 8 + [0.9] * 8)
    ]
    alone = estimate_reliabilities(votes, gold_of(truth))
    assert estimate_reliabilities([*votes, *crowd], gold_of(truth)).calibration == alone.calibration


def test_confidence_that_means_something_weighs_as_it_means() -> None:
    rng = np.random.default_rng(0)
    confidence = rng.choice([0.55, 0.97], 4000)
    right = (rng.random(4000) < np.where(confidence > 0.9, 0.95, 0.6)).astype(np.float64)
    weight = dict(calibrate(confidence, right, np.ones(4000)))
    assert weight[0.55] < 0.3
    assert weight[0.975] == 1.0


@st.composite
def some_vote(draw: st.DrawFn) -> VerdictVote:
    operator = draw(st.sampled_from([None, "a", "b"]))
    return VerdictVote(
        claim=draw(st.sampled_from("xyz")),
        verifier=f"{operator} {draw(st.integers(0, 2))}",
        criterion=draw(st.sampled_from(["one", "two"])),
        passes=draw(st.booleans()),
        confidence=draw(st.floats(0, 1)),
        operator=operator,
        family=draw(st.sampled_from([None, "family"])),
        log_index=draw(st.integers(0, 100)),
    )


@settings(deadline=None, max_examples=40)
@given(st.lists(some_vote(), max_size=30), st.booleans())
def test_any_votes_give_counts_above_zero_and_weights_within_0_and_1(votes: list[VerdictVote], passes: bool) -> None:
    estimate = estimate_reliabilities(votes, [ObservedLabel("x", "one", passes)], ["a 0"])
    for entry in estimate.reliabilities:
        assert min(*entry.sensitivity, *entry.specificity) > 0.0
        assert 0.0 <= entry.independence <= 1.0
        assert 0.0 <= entry.coalition <= 1.0
        assert entry.judged >= 0
