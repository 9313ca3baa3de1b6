"""Builds sets of answers: by hand, by chance, and from workers of known accuracy, honest or not."""

import numpy as np
from hypothesis import strategies as st

from graph.inference.label_set import LabelSet
from graph.inference.verdict_vote import VerdictVote

CRITERION = "logical-consistency"


@st.composite
def label_sets(draw: st.DrawFn) -> LabelSet:
    """Any small set, the empty one among them."""
    items, workers, labels = draw(st.integers(1, 8)), draw(st.integers(1, 6)), draw(st.integers(1, 4))
    answer = st.tuples(st.integers(0, items - 1), st.integers(0, workers - 1), st.integers(0, labels - 1))
    return LabelSet.of(draw(st.lists(answer, max_size=40)), items, workers, labels)


def population(
    rng: np.random.Generator, *, items: int = 400, accuracies: tuple[float, ...] = (0.85,) * 12, answers: int = 8
) -> tuple[LabelSet, np.ndarray]:
    """Workers of these accuracies, each item answered by `answers` of them; with the truths."""
    truth = rng.integers(0, 2, items)
    asked = np.array([rng.choice(len(accuracies), answers, replace=False) for _ in range(items)])
    item, worker = np.repeat(np.arange(items), answers), asked.ravel()
    right = rng.random(item.size) < np.array(accuracies)[worker]
    return LabelSet(items, len(accuracies), 2, item, worker, np.where(right, truth[item], 1 - truth[item])), truth


def with_liars(
    rng: np.random.Generator, honest: LabelSet, truth: np.ndarray, liars: int, attacked: np.ndarray
) -> LabelSet:
    """Add liars that are as busy and as good as the others, except that all lie on the attacked items."""
    each = honest.item.size // honest.workers
    item = np.concatenate([rng.choice(honest.items, each, replace=False) for _ in range(liars)])
    worker = np.repeat(np.arange(liars) + honest.workers, each)
    right = (rng.random(item.size) < 0.85) & ~attacked[item]
    label = np.where(right, truth[item], 1 - truth[item])
    return LabelSet(
        honest.items,
        honest.workers + liars,
        2,
        np.concatenate([honest.item, item]),
        np.concatenate([honest.worker, worker]),
        np.concatenate([honest.label, label]),
    )


def votes_of(labels: LabelSet, operators: tuple[str | None, ...]) -> list[VerdictVote]:
    """The answers as votes on claims, in log order; label 1 passes."""
    return [
        VerdictVote(f"claim {item}", f"verifier {worker}", CRITERION, bool(label), 0.9, operators[worker], None, place)
        for place, (item, worker, label) in enumerate(zip(labels.item, labels.worker, labels.label, strict=True))
    ]
