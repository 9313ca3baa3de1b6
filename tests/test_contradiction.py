"""Known answers that contradict an estimate: liars on items without gold do not take the estimate over."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from label_sets import label_sets, population, with_liars

from graph.inference.contradiction import contradicted_share, known_answers
from graph.inference.inference import infer
from graph.inference.label_set import LabelSet, Numbers
from graph.inference.variational import DEFAULTS, Fit, fit

UNCHECKED = replace(DEFAULTS, most_contradicted=1.0)

Found = tuple[LabelSet, Numbers, dict[int, int]]


def taken_over(random_seed: int, *, answering_gold: bool = False) -> Found:
    """Return the answers of five honest workers and of five that lie about every item without gold."""
    rng = np.random.default_rng(random_seed)
    honest, truth = population(rng, accuracies=(0.8,) * 5, answers=5)
    gold = {int(item): int(truth[item]) for item in rng.choice(honest.items, 40, replace=False)}
    of_gold = np.isin(np.arange(honest.items), list(gold))
    labels = with_liars(rng, honest, truth, 5, ~of_gold)
    kept = (labels.worker < 5) | ~of_gold[labels.item] | answering_gold
    labels = LabelSet(labels.items, labels.workers, 2, labels.item[kept], labels.worker[kept], labels.label[kept])
    return labels, truth, gold


def accuracy(posterior: Numbers, truth: Numbers, gold: dict[int, int]) -> float:
    learnt = ~np.isin(np.arange(truth.size), list(gold))
    return float((posterior.argmax(axis=1) == truth)[learnt].mean())


@pytest.mark.parametrize("seed", range(4))
def test_liars_that_no_gold_shows_do_not_take_the_estimate_over(seed: int) -> None:
    labels, truth, gold = taken_over(seed)
    believed = infer(labels, gold=gold, settings=UNCHECKED)
    found = infer(labels, gold=gold)
    assert accuracy(believed.posterior, truth, gold) < 0.1
    assert contradicted_share(labels, believed.model, gold, believed.heard) > 0.9
    assert accuracy(found.posterior, truth, gold) > 0.9
    assert contradicted_share(labels, found.model, gold, found.heard) < 0.1


@pytest.mark.parametrize("seed", range(4))
def test_where_every_estimate_is_contradicted_only_known_answers_count(seed: int) -> None:
    labels, _, gold = taken_over(seed, answering_gold=True)
    found = infer(labels, gold=gold)
    of_gold = found.heard[np.isin(labels.item, list(gold))].sum()
    assert found.model.counts.sum() == pytest.approx(of_gold)
    assert contradicted_share(labels, found.model, gold, found.heard) > 0.4


@pytest.mark.parametrize("seed", range(4))
def test_honest_workers_are_not_contradicted(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels, truth = population(rng, accuracies=(0.9, 0.8, 0.7, 0.6) * 3)
    gold = {int(item): int(truth[item]) for item in rng.choice(labels.items, 40, replace=False)}
    found = infer(labels, gold=gold)
    assert contradicted_share(labels, found.model, gold, found.heard) < 0.2


def test_known_answers_are_counted_by_truth_and_weight() -> None:
    labels = LabelSet.of([(0, 0, 1), (0, 1, 0), (1, 0, 1), (2, 0, 0)], 3, 2, 2)
    found = known_answers(labels, {0: 1, 1: 0}, np.array([1.0, 0.5, 0.25, 1.0]))
    assert found.tolist() == [[[0.0, 0.25], [0.0, 1.0]], [[0.0, 0.0], [0.5, 0.0]]]


def fitted(labels: LabelSet, gold: dict[int, int]) -> Fit:
    return fit(labels, gold=gold, trusted=np.zeros(labels.workers, dtype=np.bool_))


@settings(deadline=None, max_examples=40)
@given(label_sets(), st.data())
def test_a_contradicted_share_is_a_share(labels: LabelSet, data: st.DataObject) -> None:
    truths = st.dictionaries(st.integers(0, labels.items - 1), st.integers(0, labels.labels - 1), max_size=4)
    gold = data.draw(truths)
    found = contradicted_share(labels, fitted(labels, gold), gold, np.ones(labels.item.size))
    assert 0.0 <= found <= 1.0
    assert gold or found == 0.0
