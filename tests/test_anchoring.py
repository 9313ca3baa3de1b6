"""Anchors: agreement counts in a record only as far as it can be traced to known answers."""

from dataclasses import replace
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.trust.attackers import PRIVATE, confirm_each_other, copy_another
from bench.trust.attacks import SCENARIOS, measure_attack
from bench.trust.verdict_world import CRITERION, POLICY, World, draw_world, estimate_world, reliability_table
from graph.inference.anchoring import TRUSTED_ANSWERS, anchored_shares
from graph.inference.common_error import MAX_COMMON_ERROR, common_error
from graph.inference.inference import infer
from graph.inference.label_set import LabelSet
from graph.inference.reliability import estimate_reliabilities
from graph.inference.verdict_vote import ObservedLabel, VerdictVote
from graph.scoring.posterior import Ground, Knowledge, evidence_of
from graph.scoring.reliabilities import ReliabilityTable
from graph.scoring.votes import Vote

PASS, FAIL = 1, 0


def shares(answers: list[tuple[int, int]], gold: dict[int, int], operators: list[int], trusted: tuple[int, ...] = ()):
    """Return the anchored shares of answers, each an item and a worker, by answer."""
    items = 1 + max(item for item, _ in answers)
    labels = LabelSet.of([(item, worker, PASS) for item, worker in answers], items, len(operators), 2)
    found = anchored_shares(labels, np.array(operators), np.ones(len(answers)), gold, trusted)
    return dict(zip(answers, found.tolist(), strict=True))


def test_an_answer_to_a_known_claim_counts_in_full_and_one_that_nobody_vouches_for_counts_nothing() -> None:
    found = shares([(0, 0), (1, 0), (2, 0), (2, 1)], {0: PASS}, [0, 1])
    assert (found[0, 0], found[1, 0], found[2, 0]) == (1.0, 0.0, 0.0)
    # The second is vouched for by the first, which has one known answer, on one claim.
    assert found[2, 1] == 1.0


def test_an_operator_vouches_for_no_more_answers_than_it_gave_itself_where_the_truth_was_known() -> None:
    private = [(item, worker) for item in range(10, 310) for worker in (0, 1)]
    known = [(item, worker) for item in range(5) for worker in (0, 1)]
    found = shares(private + known, dict.fromkeys(range(5), PASS), [0, 1])
    assert sum(found[item, 0] for item, worker in private if worker == 0) == pytest.approx(5.0)
    assert sum(found[item, 1] for item, worker in private if worker == 1) == pytest.approx(5.0)


def test_verifiers_of_one_operator_vouch_for_nobody_among_themselves() -> None:
    found = shares([(0, 0), (0, 1), (1, 0), (1, 1)], {0: PASS}, [0, 0])
    assert (found[1, 0], found[1, 1]) == (0.0, 0.0)


def test_a_trusted_verifier_vouches_before_it_has_answered_anything_known() -> None:
    found = shares([(item, worker) for item in range(38) for worker in (0, 1)], {}, [0, 1], trusted=(0,))
    assert sum(found[item, 1] for item in range(38)) == pytest.approx(TRUSTED_ANSWERS)
    assert all(found[item, 0] == 0.0 for item in range(38))


@given(
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 5)), min_size=1, max_size=40, unique=True),
    st.dictionaries(st.integers(0, 7), st.sampled_from([PASS, FAIL]), max_size=4),
    st.lists(st.integers(0, 3), min_size=6, max_size=6),
)
def test_shares_are_between_0_and_1_and_no_group_gains_more_than_its_known_answers(answers, gold, operators) -> None:
    gold = {item: label for item, label in gold.items() if item <= max(item for item, _ in answers)}
    found = shares(answers, gold, operators)
    assert all(0.0 <= share <= 1.0 for share in found.values())
    known = {number: len({i for i, w in answers if i in gold and operators[w] == number}) for number in set(operators)}
    for number in set(operators):
        # The answers of one operator to one claim are one voice.
        gained = {
            item: share for (item, worker), share in found.items() if operators[worker] == number and item not in gold
        }
        assert sum(gained.values()) <= sum(known.values()) - known[number] + 1e-9


def pair(private: int, *, gold: int = 0) -> list[VerdictVote]:
    """Return the votes of two endorsed operators that pass each other's claims, some of which are known."""
    return [
        VerdictVote(f"claim-{number:03}", f"friend-{who}", CRITERION, True, 0.9, f"friend-{who}", log_index=number)
        for number in range(private + gold)
        for who in range(2)
    ]


@pytest.mark.parametrize("private", [30, 100, 300])
def test_two_that_pass_each_others_claims_gain_nothing_by_it(private: int) -> None:
    found = estimate_reliabilities(pair(private), [])
    assert found.records == ()
    assert {(one.sensitivity, one.specificity) for one in found.reliabilities} == {((11.0, 3.0), (11.0, 3.0))}
    few, many = (
        estimate_reliabilities(
            pair(number, gold=4), [ObservedLabel(f"claim-{known:03}", CRITERION, True) for known in range(4)]
        )
        for number in (8, private)
    )
    counts = [sum(one.records[0].levels[0][0]) for one in (few, many)]
    assert counts[0] == pytest.approx(counts[1], abs=0.1)


def weight(table: ReliabilityTable, verifier: str, operator: str) -> float:
    vote = Vote(CRITERION, verifier, operator, frozenset(), passes=True, confidence=1.0)
    knowledge = Knowledge(table=table)
    return evidence_of(vote, POLICY, knowledge, Ground.of(CRITERION, POLICY, knowledge)).strength


def test_a_new_key_has_the_record_of_its_operator() -> None:
    world = draw_world(np.random.default_rng(0))
    table = reliability_table(estimate_world(world.votes, world))
    known, fresh = (weight(table, name, "operator-0") for name in ("operator-0-1", "fresh"))
    assert known == fresh != weight(table, "fresh", "operator-1")


def test_a_new_key_of_a_copier_weighs_as_little_as_the_old_ones() -> None:
    world = draw_world(np.random.default_rng(0))
    copied = copy_another(world, np.random.default_rng(1))
    private = [
        replace(vote, claim=f"a-private-{vote.claim}", verifier=f"copier-{number}")
        for vote in copied[:200]
        for number in range(3)
    ]
    for added in (copied, [*copied, *private]):
        table = reliability_table(estimate_world([*world.votes, *added], world))
        assert weight(table, "copier-0", "copier") < 0.1
        assert weight(table, "fresh", "copier") < 0.1


def test_a_verdict_on_a_claim_of_its_own_does_not_lift_a_newcomer() -> None:
    world = draw_world(np.random.default_rng(0))
    private = VerdictVote("a-private-claim", "newcomer", CRITERION, True, 0.9, "newcomer", log_index=1)
    table = reliability_table(estimate_world([*world.votes, private], world))
    assert weight(table, "newcomer", "newcomer") == weight(table, "unseen", "unseen")


def test_one_bad_operator_with_the_only_record_lowers_no_other() -> None:
    gold = [ObservedLabel(f"claim-{number:03}", CRITERION, number % 2 == 0) for number in range(40)]
    bad = [VerdictVote(one.claim, "bad-0", CRITERION, not one.passes, 0.9, "bad", log_index=1) for one in gold]
    good = [VerdictVote(one.claim, "good-0", CRITERION, one.passes, 0.9, "good", log_index=1) for one in gold[:6]]
    table = reliability_table(estimate_reliabilities([*bad, *good], gold))
    alone = reliability_table(estimate_reliabilities(good, gold))
    assert weight(table, "bad-0", "bad") == 0.0
    assert weight(table, "good-0", "good") >= min(weight(alone, "good-0", "good"), log(11 / 3)) - 0.1


def test_two_friends_are_no_worse_before_the_next_epoch_than_the_page_says() -> None:
    found = measure_attack(next(one for one in SCENARIOS if one.name.startswith("two that pass each other's claims")))
    assert found["verified"] <= 0.13
    assert found["honest_weigh"] >= 0.9 * found["honest_weigh_without"]


@pytest.mark.parametrize("scenario", [one for one in SCENARIOS if one.name in (
    "three that pass each other's claims, after the next epoch",
    "two that know the gold",
    "lies spread over twenty verifiers",
)], ids=lambda one: one.name)  # fmt: skip
def test_bad_operators_get_one_wrong_claim_in_ten_verified_at_most(scenario) -> None:
    found = measure_attack(scenario)
    assert found["verified"] <= 0.1
    assert found["honest_weigh"] >= 0.9 * found["honest_weigh_without"]


def test_private_claims_are_judged_by_the_friends_alone() -> None:
    world: World = draw_world(np.random.default_rng(0))
    votes = confirm_each_other(world, np.random.default_rng(1), operators=2)
    private = [vote for vote in votes if vote.claim.startswith("a-private")]
    assert len(private) == 2 * PRIVATE
    assert not {vote.claim for vote in private} & {vote.claim for vote in world.votes}


def labelled(errors: int) -> tuple[LabelSet, dict[int, int]]:
    """Return six workers who agree on each of forty items, and known ones, of which some are answered wrongly."""
    labels = LabelSet.of([(item, worker, item % 2) for item in range(40) for worker in range(6)], 40, 6, 2)
    return labels, {item: (item + (item < errors)) % 2 for item in range(20)}


def test_the_common_error_is_the_rate_of_known_items_about_which_all_err() -> None:
    found = []
    for errors in (0, 1, 3):
        labels, gold = labelled(errors)
        estimate = infer(labels, gold=gold)
        found.append(common_error(labels, estimate.model, gold, estimate.heard))
        assert common_error(labels, estimate.model, {}, estimate.heard) == 0.0
    assert 0.0 <= found[0] < 0.03 < found[1] < found[2] <= MAX_COMMON_ERROR
