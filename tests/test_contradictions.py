"""Claims that exclude each other by their words: found where it is plain, symmetrical, and nothing else is found."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vectors_file import load_vectors

from graph.disputes.amounts import exclude, read_amount
from graph.disputes.detector import Ground, Nearness, Passage, detect, nearness_of
from graph.disputes.keys import claim_key, exact_subject_key, subject_key
from graph.disputes.reading import LONGEST, read_claim
from graph.disputes.words import tokens_of

PAIRS: list[dict[str, Any]] = load_vectors("contradictions.json")
FOUND = [pair for pair in PAIRS if pair["found"]]
CLAIMS = sorted({pair[side] for pair in PAIRS for side in ("one", "other")})

claims = st.sampled_from(CLAIMS) | st.text(max_size=60)
both = st.sampled_from([(pair["one"], pair["other"]) for pair in PAIRS]) | st.tuples(claims, claims)
nearness = st.sampled_from(list(Nearness))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['nearness']}: {pair['one']} | {pair['other']}")
def test_a_pair_written_by_hand_is_found_or_not_as_it_should_be(pair: dict[str, Any]) -> None:
    found = detect(pair["one"], pair["other"], Nearness(pair["nearness"]))
    assert (found.ground.value if found else None) == pair["found"]


def test_the_list_of_pairs_has_enough_of_both_kinds() -> None:
    assert len(FOUND) >= 40
    assert len(PAIRS) - len(FOUND) >= 40
    assert len({(pair["one"], pair["other"], pair["nearness"]) for pair in PAIRS}) == len(PAIRS)
    assert {pair["found"] for pair in FOUND} == set(Ground)
    assert {pair["nearness"] for pair in FOUND} == set(Nearness)


@given(pair=both, near=nearness)
def test_detection_is_symmetrical(pair: tuple[str, str], near: Nearness) -> None:
    one, other = pair
    assert detect(one, other, near) == detect(other, one, near)


@given(claim=claims, near=nearness)
def test_no_claim_excludes_itself_however_it_is_written(claim: str, near: Nearness) -> None:
    for same in (claim, claim.lower(), f"  {claim}  ", claim.replace(" ", "  ")):
        assert detect(claim, same, near) is None


@given(pair=both)
def test_what_shares_less_evidence_is_not_found_more_easily(pair: tuple[str, str]) -> None:
    one, other = pair
    found = [detect(one, other, near) is not None for near in (Nearness.ELSEWHERE, Nearness.SOURCE, Nearness.BYTES)]
    assert found == sorted(found)


@given(pair=both, near=nearness)
def test_what_excludes_each_other_has_one_subject_and_is_not_the_same_claim(
    pair: tuple[str, str], near: Nearness
) -> None:
    one, other = pair
    if detect(one, other, near):
        assert subject_key(one) == subject_key(other) is not None
        assert exact_subject_key(one) == exact_subject_key(other) is not None
        assert claim_key(one) != claim_key(other)


@pytest.mark.parametrize("pair", FOUND, ids=lambda pair: pair["one"])
def test_a_pair_that_is_found_is_a_candidate(pair: dict[str, Any]) -> None:
    for key in (subject_key, exact_subject_key):
        assert key(pair["one"]) == key(pair["other"]) is not None


@given(one=st.integers(1, 10**7), other=st.integers(1, 10**7))
def test_two_counts_exclude_each_other_unless_one_is_the_other_rounded(one: int, other: int) -> None:
    found = detect(f"The shelter served {one:,} meals.", f"The shelter served {other} meals.", Nearness.SOURCE)
    rounded = any(number % 100 == 0 and number >= 1000 and abs(one - other) < number / 20 for number in (one, other))
    assert (found is not None) == (one != other and not rounded)
    if found:
        assert found.ground is Ground.AMOUNT


@given(feet=st.integers(3, 999))
def test_the_same_length_in_another_unit_excludes_nothing(feet: int) -> None:
    metres = f"{feet * 0.3048:.1f}"
    assert detect(f"The tower stands {feet} feet high.", f"The tower stands {metres} m high.", Nearness.BYTES) is None


@given(text=st.text(max_size=200))
def test_every_text_can_be_read(text: str) -> None:
    read_claim(text)
    assert len(claim_key(text)) == 32
    for place in range(len(tokens_of(text))):
        found = read_amount(tokens_of(text), place)
        assert found is None or (found[1] > place and not exclude(found[0], found[0]))


def test_a_claim_that_is_too_long_is_not_compared() -> None:
    long = "The council approved 5 permits. " * 40
    assert len(long) > LONGEST
    assert read_claim(long) is None
    assert subject_key(long) is None
    assert detect(long, long.replace("5", "6"), Nearness.BYTES) is None


def test_the_reason_says_what_both_say_and_where() -> None:
    found = detect("The height limit is 40 feet.", "The height limit is 60 feet.", Nearness.SOURCE)
    assert found is not None
    assert found.reason == "One says 40 feet, the other 60 feet, citing the same source."


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ((Passage("a", 0, 10),), (Passage("a", 9, 20),), Nearness.BYTES),
        ((Passage("a", 0, 10),), (Passage("a", 10, 20),), Nearness.SOURCE),
        ((Passage("a", 0, 10),), (Passage("b", 0, 10),), Nearness.ELSEWHERE),
        ((), (), Nearness.ELSEWHERE),
    ],
)
def test_evidence_is_as_near_as_its_nearest_passages(
    one: tuple[Passage, ...], other: tuple[Passage, ...], near: Nearness
) -> None:
    assert nearness_of(one, other) is nearness_of(other, one) is near


passages = st.lists(
    st.builds(
        lambda document, start, length: Passage(document, start, start + length),
        st.sampled_from("ab"),
        st.integers(0, 30),
        st.integers(1, 8),
    ),
    max_size=6,
).map(tuple)


@given(one=passages, other=passages)
def test_overlapping_passages_are_found_as_one_finds_them_pair_by_pair(
    one: tuple[Passage, ...], other: tuple[Passage, ...]
) -> None:
    overlap = any(a.document == b.document and a.start < b.end and b.start < a.end for a in one for b in other)
    assert (nearness_of(one, other) is Nearness.BYTES) == overlap


def test_what_has_another_number_for_its_name_is_no_candidate() -> None:
    assert subject_key("Turnout in precinct 12 was 40 percent.") != subject_key(
        "Turnout in precinct 13 was 41 percent."
    )
