"""How many counts a reliability is given: fewer where the truth or the kind of its verifier is uncertain."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENT

from graph.inference.certainty import certain_counts
from graph.inference.label_set import Numbers

COUNTS = st.lists(st.floats(0.0, 1_000.0), min_size=4, max_size=4)
PRIOR = st.lists(st.floats(0.1, 100.0), min_size=4, max_size=4)


def table(*counts: float) -> Numbers:
    """Of one verifier: FAILs and PASSes of what is wrong, then of what is right."""
    return np.array(counts, dtype=np.float64).reshape(1, 2, 2)


def sizes(counts: Numbers) -> list[float]:
    return [float(size) for size in counts.sum(axis=2)[0]]


def mixing(amount: float) -> Numbers:
    return np.array([amount])


ENDORSED = table(11, 3, 3, 11)
LIKE_ITS_KIND = table(55, 15, 15, 55)


def test_answers_to_known_claims_count_in_full_where_they_are_as_the_prior_expects() -> None:
    found = certain_counts(LIKE_ITS_KIND, ENDORSED, mixing(0.0), 1.0)
    assert found == pytest.approx(LIKE_ITS_KIND + ENDORSED)


def test_what_may_be_about_the_other_truth_makes_the_counts_fewer() -> None:
    found = [sizes(certain_counts(LIKE_ITS_KIND, ENDORSED, mixing(amount), 1.0))[0] for amount in (0.0, 5.0, 10.0)]
    assert found[0] > found[1] > found[2] > 14.0


def test_where_operators_share_a_voice_the_truth_is_less_uncertain_than_it_says() -> None:
    shared, own = (sizes(certain_counts(LIKE_ITS_KIND, ENDORSED, mixing(10.0), voice))[0] for voice in (0.5, 1.0))
    assert shared > own


def test_answers_that_are_unlike_the_prior_make_the_counts_fewer() -> None:
    found = sizes(certain_counts(table(20, 50, 15, 55), ENDORSED, mixing(0.0), 1.0))
    assert found[0] < 84.0
    assert found[1] == pytest.approx(84.0)


@PATIENT
@given(answered=COUNTS, begun=PRIOR, mixed=st.floats(0.0, 1_000.0), voice=st.floats(0.01, 1.0))
def test_the_mean_stays_and_the_counts_are_between_the_priors_and_all(answered, begun, mixed, voice) -> None:
    prior, total = table(*begun), table(*answered) + table(*begun)
    found = certain_counts(table(*answered), prior, mixing(mixed), voice)
    assert found / found.sum(axis=2, keepdims=True) == pytest.approx(total / total.sum(axis=2, keepdims=True))
    for least, size, most in zip(sizes(prior), sizes(found), sizes(total), strict=True):
        assert least * (1 - 1e-9) <= size <= most * (1 + 1e-9)
