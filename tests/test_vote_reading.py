"""What an epoch reads of each verifier: since when its answer stands, and all that it ever concluded."""

from dataclasses import replace

import pytest

from bench.trust.reading import judged_claims
from bench.trust.verdict_world import CRITERION, POLICY
from graph.epochs.estimating import estimate_votes
from graph.epochs.vote_reading import EpochVotes, standing_votes, votes_on
from graph.inference.verdict_vote import VerdictVote

PASSES = VerdictVote("claim", "verifier", CRITERION, True, 0.9, "operator", log_index=1)
FAILS = replace(PASSES, passes=False)
SEEDED = replace(POLICY, seeds=frozenset({"operator"}))


def read(*given: VerdictVote) -> VerdictVote:
    """Return the vote that comes of verdicts, each at the next place in the log."""
    placed = [replace(vote, log_index=place) for place, vote in enumerate(given, 1)]
    (claim,) = judged_claims(placed, {}, SEEDED)
    (vote,) = votes_on(claim, SEEDED, {})
    return vote


def test_an_answer_stands_since_it_was_first_given_without_a_break() -> None:
    assert read(PASSES, PASSES).log_index == 1
    assert read(PASSES, FAILS, PASSES).log_index == 3
    assert read(PASSES, FAILS, FAILS, PASSES).ever == ((1, True), (2, False), (4, True))


def test_what_was_taken_back_was_said_all_the_same() -> None:
    left = read(FAILS, replace(PASSES, stands=False))
    assert (left.stands, left.passes, left.log_index) == (True, False, 1)
    assert left.ever == ((1, False), (2, True))


def test_who_took_everything_back_has_no_vote_that_stands() -> None:
    gone = read(replace(PASSES, stands=False))
    assert (gone.stands, gone.operator, gone.ever) == (False, None, ((1, True),))
    assert estimate_votes(EpochVotes([gone], [], {}), SEEDED) is None


@pytest.mark.parametrize("given", [PASSES, FAILS])
def test_who_endorses_the_author_is_measured_by_its_verdicts_all_the_same(given: VerdictVote) -> None:
    (claim,) = judged_claims([replace(given, log_index=1)], {}, SEEDED)
    endorsed = replace(claim, author_operators=frozenset({"verifier"}))
    assert standing_votes(endorsed, SEEDED) == ()
    assert votes_on(endorsed, SEEDED, {}) == votes_on(claim, SEEDED, {}) != []


def test_whom_one_seed_vouches_for_is_not_measured_by_the_other_whom_it_vouches_for() -> None:
    (claim,) = judged_claims([replace(PASSES, log_index=1)], {}, SEEDED)
    assert votes_on(replace(claim, author_operators=frozenset({"operator"})), SEEDED, {}) == []


def test_a_seed_that_endorses_the_author_is_not_measured_by_it() -> None:
    (claim,) = judged_claims([replace(PASSES, verifier="operator", log_index=1)], {}, SEEDED)
    assert votes_on(replace(claim, author_operators=frozenset({"operator"})), SEEDED, {}) == []
