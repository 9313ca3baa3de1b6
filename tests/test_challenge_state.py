"""The state of a challenge: a function of what is known, with one answer whatever is known."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.requests.challenge_state import Challenge, ChallengedCriterion, ChallengeStatus, state_of

FAULTS = ("source-accuracy",)
CHALLENGE = Challenge(FAULTS)
AGAINST = (ChallengedCriterion("source-accuracy", 0.2, 2),)

STATES: dict[str, tuple[dict[str, object], ChallengeStatus, str]] = {
    "nothing known": ({}, ChallengeStatus.OPEN, "not answered"),
    "answered": ({"answered": True}, ChallengeStatus.ANSWERED, "answered it"),
    "retracted": ({"retracted": True, "machine_failed": True}, ChallengeStatus.DISMISSED, "retracted it"),
    "superseded": ({"superseded": True, "gold": {"source-accuracy": False}}, ChallengeStatus.DISMISSED, "superseded"),
    "untrusted": ({"trusted": False}, ChallengeStatus.DISMISSED, "not trusted"),
    "machine": ({"machine_failed": True, "answered": True}, ChallengeStatus.UPHELD, "machine"),
    "gold against": ({"gold": {"source-accuracy": False}, "verified": True}, ChallengeStatus.UPHELD, "gold label"),
    "gold for": ({"gold": {"source-accuracy": True}, "criteria": AGAINST}, ChallengeStatus.DISMISSED, "gold labels"),
    "gold on another criterion": ({"gold": {"logical-consistency": False}}, ChallengeStatus.OPEN, "not answered"),
    "conceded": ({"statement_retracted": True}, ChallengeStatus.UPHELD, "retracted the statement"),
    "revised": ({"statement_revised": True, "answered": True}, ChallengeStatus.UPHELD, "revised the statement"),
    "verified": ({"verified": True, "answered": True}, ChallengeStatus.DISMISSED, "verified"),
    "quorum against": ({"criteria": AGAINST}, ChallengeStatus.UPHELD, "2 operators fault source-accuracy"),
    "one operator against": (
        {"criteria": (ChallengedCriterion("source-accuracy", 0.2, 1),)},
        ChallengeStatus.OPEN,
        "not answered",
    ),
    "a score in between": (
        {"criteria": (ChallengedCriterion("source-accuracy", 0.31, 2),)},
        ChallengeStatus.OPEN,
        "not answered",
    ),
    "another criterion against": (
        {"criteria": (ChallengedCriterion("logical-consistency", 0.1, 3),)},
        ChallengeStatus.OPEN,
        "not answered",
    ),
}


@pytest.mark.parametrize(("known", "status", "words"), STATES.values(), ids=STATES)
def test_a_state_follows_from_what_is_known(known: dict[str, object], status: ChallengeStatus, words: str) -> None:
    state = state_of(replace(CHALLENGE, **known), threshold=0.7, quorum=2)  # type: ignore[arg-type]

    assert state.status is status
    assert words in state.reason


def test_a_challenge_that_names_no_fault_is_about_all_criteria() -> None:
    blanket = Challenge(())

    assert state_of(replace(blanket, gold={"a": False}), threshold=0.7, quorum=2).status is ChallengeStatus.UPHELD
    assert state_of(replace(blanket, gold={"a": True}), threshold=0.7, quorum=2).status is ChallengeStatus.OPEN
    assert state_of(replace(blanket, criteria=AGAINST), threshold=0.7, quorum=2).status is ChallengeStatus.UPHELD


criteria = st.sampled_from(["a", "b", "c"])
challenges = st.builds(
    Challenge,
    faults=st.lists(criteria, unique=True).map(tuple),
    trusted=st.booleans(),
    retracted=st.booleans(),
    superseded=st.booleans(),
    machine_failed=st.booleans(),
    gold=st.dictionaries(criteria, st.booleans()),
    statement_retracted=st.booleans(),
    statement_revised=st.booleans(),
    verified=st.booleans(),
    criteria=st.lists(st.builds(ChallengedCriterion, criteria, st.floats(0, 1), st.integers(0, 4)), max_size=3),
    answered=st.booleans(),
)


@given(challenges, st.floats(0, 1), st.integers(0, 4))
def test_every_challenge_has_a_state_and_a_reason(challenge: Challenge, threshold: float, quorum: int) -> None:
    state = state_of(challenge, threshold=threshold, quorum=quorum)

    assert state.status in ChallengeStatus
    assert state.reason.endswith(".")


@given(challenges, st.floats(0, 1), st.integers(0, 4))
def test_an_answer_alone_decides_nothing(challenge: Challenge, threshold: float, quorum: int) -> None:
    without = state_of(replace(challenge, answered=False), threshold=threshold, quorum=quorum)
    answered = state_of(replace(challenge, answered=True), threshold=threshold, quorum=quorum)

    assert answered == without or without.status is ChallengeStatus.OPEN
