"""The kind of a claim by its form: what reports, what asserts, and what a reader without the quotes is told."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from vectors_file import load_vectors

from graph.scoring.standing import HOLDS, NOT_VERIFIED, SAID, SAID_OR_HOLDS, ClaimKind, score_words, standing_of
from graph.verifier.claim_kind import MOST_COMPARED, as_sentence, is_attribution, kind_as_shown, kind_of_claim

VECTORS = load_vectors("claim_kinds.json")
_WORDS = [
    "said",
    "The Mayor",
    "that",
    "“",
    "”",
    '"',
    ":",
    ",",
    ".",
    "?",
    "um",
    "no",
    "it works",
    "According to",
    " ",
    "\n",
]
_TEXT = st.text() | st.lists(st.sampled_from(_WORDS), max_size=12).map(" ".join)


@pytest.mark.parametrize(("claim", "quotes"), VECTORS["reports"], ids=lambda one: str(one)[:60])
def test_words_of_somebody_report(claim: str, quotes: list[str]) -> None:
    assert kind_of_claim(claim, quotes) is ClaimKind.REPORTS


@pytest.mark.parametrize(("claim", "quotes"), VECTORS["asserts"], ids=lambda one: str(one)[:60])
def test_every_other_claim_asserts(claim: str, quotes: list[str]) -> None:
    assert kind_of_claim(claim, quotes) is ClaimKind.ASSERTS


@given(_TEXT, st.lists(_TEXT, max_size=4))
@example("", [""])
@example("\x1c", ["\x1c\u200b"])
def test_any_claim_has_one_kind_whatever_it_cites(claim: str, quotes: list[str]) -> None:
    kind = kind_of_claim(claim, quotes)
    assert kind is kind_of_claim(claim, tuple(quotes))
    assert kind is kind_of_claim(f"  {claim}\n", quotes)
    # More evidence makes no report an assertion, and a claim is itself the words of what it cites.
    if kind is ClaimKind.REPORTS:
        assert kind_of_claim(claim, [*quotes, "Something else."]) is ClaimKind.REPORTS
    assert as_sentence(claim, ClaimKind.ASSERTS) == claim


@given(_TEXT, st.lists(_TEXT, max_size=3), st.lists(_TEXT, max_size=3))
@example("The Mayor said that it is so.", [], ["It is not so."])
@example("It is so.", ["It is so."], [])
def test_the_kind_tells_nothing_of_withheld_texts(claim: str, texts: list[str], others: list[str]) -> None:
    assert kind_as_shown(claim, None) is (ClaimKind.REPORTS if is_attribution(claim) else None)
    if kind_as_shown(claim, None) is not None:
        assert kind_of_claim(claim, texts) is kind_of_claim(claim, others) is ClaimKind.REPORTS


def test_a_claim_whose_evidence_is_not_here_does_not_pass_for_an_assertion() -> None:
    assert kind_as_shown("The bridge is safe.", [""]) is None
    assert kind_as_shown("The bridge is safe.", ["", "The bridge is safe."]) is ClaimKind.REPORTS
    assert kind_as_shown("The bridge is safe.", ["The bridge was tested."]) is ClaimKind.ASSERTS


def test_much_evidence_makes_no_report_an_assertion_and_takes_no_time() -> None:
    much = "We do not know. " * (MOST_COMPARED // 10)
    began = time.perf_counter()
    assert kind_of_claim("New York needs this.", [much, "New York needs this."]) is ClaimKind.REPORTS
    assert kind_of_claim("The bridge is safe.", [much]) is ClaimKind.ASSERTS
    # More rows than are compared.
    assert kind_of_claim("The an.", ["An the. " * (MOST_COMPARED // 10), "The an."]) is ClaimKind.REPORTS
    for claim in ("a", "said that " * 25_000 + "“", " " * 250_000, "a, " * 75_000, "a said " * 1_400):
        for quotes in (["a. " * (MOST_COMPARED // 4)], ["a " * 125_000], ["a"] * 500):
            kind_of_claim(claim, quotes)
    assert time.perf_counter() - began < 20


def test_a_verified_claim_is_told_as_what_its_verdicts_establish() -> None:
    standings = [standing_of(kind, verified=True) for kind in (ClaimKind.REPORTS, ClaimKind.ASSERTS, None)]
    assert standings == [SAID, HOLDS, SAID_OR_HOLDS] == ["said, as quoted", "holds", "said or holds"]
    assert {standing_of(kind, verified=False) for kind in (*ClaimKind, None)} == {NOT_VERIFIED}
    assert as_sentence("It is safe.", ClaimKind.REPORTS) == "The cited source says: “It is safe.”"
    assert as_sentence("The Mayor said: “It is safe.”", ClaimKind.REPORTS) == "The Mayor said: “It is safe.”"


def test_a_score_has_its_interval_and_its_operators_beside_it() -> None:
    assert score_words(0.9219, (0.801, 0.976), 2) == "score 0.92 (95 %: 0.80–0.98, 2 operators)"
    assert score_words(0.5, None, 1) == "score 0.50 (no interval, 1 operator)"
