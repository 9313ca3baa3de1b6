"""The joint estimate of truth and reliability: what it must do with any answers, and what it withstands."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from label_sets import label_sets, population, with_liars
from scipy.stats import beta

from graph.inference.comparison import literal, majority, wawa
from graph.inference.inference import answers_given, confusion_of, infer
from graph.inference.label_set import LabelSet


def accuracy(posterior: np.ndarray, truth: np.ndarray) -> float:
    return float((posterior.argmax(axis=1) == truth).mean())


@settings(deadline=None, max_examples=40)
@given(label_sets(), st.data())
def test_any_answers_give_probabilities(labels: LabelSet, data: st.DataObject) -> None:
    truths = st.dictionaries(st.integers(0, labels.items - 1), st.integers(0, labels.labels - 1), max_size=3)
    trusted = data.draw(st.sets(st.integers(0, labels.workers - 1), max_size=2))
    estimate = infer(labels, gold=data.draw(truths), trusted=trusted)
    assert np.isfinite(estimate.posterior).all()
    assert (estimate.posterior >= 0).all()
    assert np.allclose(estimate.posterior.sum(axis=1), 1.0)
    assert (confusion_of(labels, estimate.model) > 0).all()


@settings(deadline=None, max_examples=40)
@given(label_sets(), st.randoms(use_true_random=False))
def test_the_order_of_the_answers_does_not_matter(labels: LabelSet, chance) -> None:
    order = list(range(labels.item.size))
    chance.shuffle(order)
    shuffled = LabelSet(
        labels.items, labels.workers, labels.labels, labels.item[order], labels.worker[order], labels.label[order]
    )
    assert np.allclose(infer(labels).posterior, infer(shuffled).posterior, atol=1e-9)


@settings(deadline=None, max_examples=40)
@given(label_sets(), st.data())
def test_what_was_observed_stays(labels: LabelSet, data: st.DataObject) -> None:
    item, truth = data.draw(st.integers(0, labels.items - 1)), data.draw(st.integers(0, labels.labels - 1))
    assert infer(labels, gold={item: truth}).posterior[item, truth] == pytest.approx(1.0)


@settings(deadline=None, max_examples=40)
@given(label_sets())
def test_every_way_of_weighing_gives_shares(labels: LabelSet) -> None:
    for method in (majority, wawa, literal):
        assert np.allclose(method(labels).sum(axis=1), 1.0)


@pytest.mark.parametrize(
    ("item", "worker", "label", "problem"),
    [
        ([0], [0, 1], [0], r"\(1,\) items, \(2,\) workers"),
        ([2], [0], [0], "item is outside 0..1"),
        ([0], [-1], [0], "worker is outside 0..1"),
        ([0], [0], [2], "label is outside 0..1"),
    ],
)
def test_answers_that_name_nothing_are_refused(item, worker, label, problem) -> None:
    with pytest.raises(ValueError, match=problem):
        LabelSet(2, 2, 2, np.array(item), np.array(worker), np.array(label))


def test_a_good_worker_outweighs_two_bad_ones() -> None:
    labels, truth = population(np.random.default_rng(1), accuracies=(0.97, 0.6, 0.6), answers=3)
    estimate = infer(labels)
    assert accuracy(estimate.posterior, truth) > accuracy(majority(labels), truth) + 0.05


def test_a_worker_is_rated_by_what_it_does_with_each_truth() -> None:
    labels, _ = population(np.random.default_rng(2), items=2000, accuracies=(0.9,) * 5, answers=5)
    always = LabelSet(
        labels.items,
        6,
        2,
        np.concatenate([labels.item, np.arange(labels.items)]),
        np.concatenate([labels.worker, np.full(labels.items, 5)]),
        np.concatenate([labels.label, np.ones(labels.items, dtype=np.int64)]),
    )
    confusion = confusion_of(always, infer(always).model)
    shares = confusion[5] / confusion[5].sum(axis=1, keepdims=True)
    assert shares[1, 1] > 0.98
    assert shares[0, 0] < 0.02


@pytest.mark.parametrize("seed", range(3))
def test_gold_gives_a_lying_majority_away(seed: int) -> None:
    rng = np.random.default_rng(seed)
    honest, truth = population(rng, accuracies=(0.85,) * 20)
    attacked = rng.random(honest.items) < 0.2
    labels = with_liars(rng, honest, truth, 30, attacked)
    gold = {int(item): int(truth[item]) for item in rng.choice(honest.items, 40, replace=False)}
    on_attacked = accuracy(infer(labels).posterior[attacked], truth[attacked])
    found = infer(labels, gold=gold, trusted=[0, 1, 2])
    assert on_attacked < 0.2
    assert accuracy(found.posterior[attacked], truth[attacked]) > 0.9
    assert found.member[20:].mean() > 0.9
    assert found.member[:20].mean() < 0.1


@pytest.mark.parametrize("seed", range(3))
def test_nobody_is_silenced_where_nobody_lies(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels, truth = population(rng, accuracies=(0.8,) * 20)
    gold = {int(item): int(truth[item]) for item in rng.choice(labels.items, 40, replace=False)}
    assert not infer(labels, gold=gold, trusted=[0, 1, 2]).member.any()


def test_a_trusted_worker_is_in_no_coalition() -> None:
    rng = np.random.default_rng(0)
    honest, truth = population(rng, accuracies=(0.85,) * 20)
    attacked = rng.random(honest.items) < 0.2
    labels = with_liars(rng, honest, truth, 30, attacked)
    gold = {int(item): int(truth[item]) for item in rng.choice(honest.items, 40, replace=False)}
    assert infer(labels, gold=gold, trusted=[25]).member[25] == 0.0


def test_an_answer_that_weighs_nothing_moves_no_truth() -> None:
    labels, _ = population(np.random.default_rng(3), items=50, accuracies=(0.9,) * 4, answers=4)
    crowd = LabelSet(
        labels.items,
        104,
        2,
        np.concatenate([labels.item, np.tile(np.arange(50), 100)]),
        np.concatenate([labels.worker, np.repeat(np.arange(100) + 4, 50)]),
        np.concatenate([labels.label, np.zeros(5000, dtype=np.int64)]),
    )
    weight = np.concatenate([np.ones(labels.item.size), np.zeros(5000)])
    assert np.allclose(infer(crowd, weight=weight).posterior, infer(labels).posterior, atol=1e-6)


def test_an_answer_about_what_nobody_knows_tells_nothing_of_its_worker() -> None:
    labels = LabelSet.of([(0, 0, 1), (1, 0, 1)], items=2, workers=1, labels=2)
    given_, worth = answers_given(labels, np.array([[0.5, 0.5], [0.0, 1.0]]))
    assert given_[0, 1, 1] == 1.5
    assert worth[0, 1] == 1.0


@pytest.mark.parametrize("seed", range(2))
def test_ninety_five_percent_intervals_hold_the_accuracy_of_95_in_100_workers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    accuracies = tuple(rng.beta(8, 2, 300))
    labels, _ = population(rng, items=3000, accuracies=accuracies, answers=5)
    confusion = confusion_of(labels, infer(labels).model)
    hit, miss = confusion[:, 1, 1], confusion[:, 1, 0]
    inside = (beta.ppf(0.025, hit, miss) <= accuracies) & (accuracies <= beta.ppf(0.975, hit, miss))
    assert 0.92 <= inside.mean() <= 0.98
