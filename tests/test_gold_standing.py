"""Which gold labels stand: the rules by themselves."""

from hypothesis import given
from hypothesis import strategies as st

from graph.gold.standing import DisputeRecord, LabelRecord, Standing, standings

FIRST = LabelRecord("a", "statement", "source-accuracy", 1)
SECOND = LabelRecord("b", "statement", "source-accuracy", 5)
DISPUTE = DisputeRecord("d", "a", 3, seeded=True)

labels = st.builds(
    LabelRecord,
    signed_hash=st.sampled_from("abcdef"),
    statement=st.sampled_from("st"),
    criterion=st.sampled_from("kl"),
    log_index=st.integers(0, 20),
    own=st.booleans(),
    trusted=st.booleans(),
    withdrawn=st.booleans(),
    answers=st.frozensets(st.sampled_from("xyz"), max_size=2),
)
disputes = st.builds(
    DisputeRecord,
    signed_hash=st.sampled_from("xyz"),
    label=st.sampled_from("abcdef"),
    log_index=st.integers(0, 20),
    seeded=st.booleans(),
    stands=st.booleans(),
)
some_labels = st.lists(labels, max_size=6, unique_by=(lambda label: label.signed_hash, lambda label: label.log_index))
some_disputes = st.lists(disputes, max_size=3, unique_by=lambda dispute: dispute.signed_hash)


def test_a_label_is_in_force() -> None:
    assert standings([FIRST], []) == {"a": Standing.IN_FORCE}


def test_a_withdrawn_label_is_not() -> None:
    assert standings([LabelRecord("a", "s", "k", 1, withdrawn=True)], []) == {"a": Standing.WITHDRAWN}


def test_a_later_label_takes_the_place_of_an_earlier_one_for_good() -> None:
    assert standings([SECOND, FIRST], []) == {"a": Standing.REPLACED, "b": Standing.IN_FORCE}

    withdrawn = LabelRecord("b", "statement", "source-accuracy", 5, withdrawn=True)
    assert standings([FIRST, withdrawn], []) == {"a": Standing.REPLACED, "b": Standing.WITHDRAWN}


def test_labels_under_two_criteria_stand_beside_each_other() -> None:
    other = LabelRecord("b", "statement", "logical-consistency", 5)
    assert standings([FIRST, other], []) == {"a": Standing.IN_FORCE, "b": Standing.IN_FORCE}


def test_a_label_that_is_not_trusted_takes_the_place_of_none() -> None:
    thief = LabelRecord("b", "statement", "source-accuracy", 5, trusted=False)
    assert standings([FIRST, thief], []) == {"a": Standing.IN_FORCE, "b": Standing.UNTRUSTED}


def test_a_peers_label_is_foreign_and_takes_the_place_of_none() -> None:
    peer = LabelRecord("b", "statement", "source-accuracy", 5, own=False)
    assert standings([FIRST, peer], []) == {"a": Standing.IN_FORCE, "b": Standing.FOREIGN}


def test_a_dispute_by_a_seeded_operators_agent_suspends() -> None:
    assert standings([FIRST], [DISPUTE]) == {"a": Standing.SUSPENDED}


def test_a_dispute_by_anybody_else_or_one_that_is_taken_back_does_not() -> None:
    assert standings([FIRST], [DisputeRecord("d", "a", 3, seeded=False)]) == {"a": Standing.IN_FORCE}
    assert standings([FIRST], [DisputeRecord("d", "a", 3, seeded=True, stands=False)]) == {"a": Standing.IN_FORCE}


def test_a_label_that_does_not_answer_the_dispute_is_suspended_as_well() -> None:
    assert standings([FIRST, SECOND], [DISPUTE])["b"] is Standing.SUSPENDED


def test_a_label_that_answers_the_dispute_is_in_force() -> None:
    answer = LabelRecord("b", "statement", "source-accuracy", 5, answers=frozenset({"d"}))
    assert standings([FIRST, answer], [DISPUTE]) == {"a": Standing.REPLACED, "b": Standing.IN_FORCE}


def test_what_was_answered_stays_answered_and_a_new_dispute_suspends_again() -> None:
    answer = LabelRecord("b", "statement", "source-accuracy", 5, answers=frozenset({"d"}))
    third = LabelRecord("c", "statement", "source-accuracy", 9)
    assert standings([FIRST, answer, third], [DISPUTE])["c"] is Standing.IN_FORCE

    again = DisputeRecord("e", "b", 7, seeded=True)
    assert standings([FIRST, answer, third], [DISPUTE, again])["c"] is Standing.SUSPENDED


def test_no_label_answers_a_dispute_that_comes_after_it() -> None:
    answer = LabelRecord("a", "statement", "source-accuracy", 1, answers=frozenset({"d"}))
    assert standings([answer], [DISPUTE]) == {"a": Standing.SUSPENDED}


@given(some_labels, some_disputes)
def test_the_order_of_what_is_given_changes_nothing(
    given_labels: list[LabelRecord], given_disputes: list[DisputeRecord]
) -> None:
    found = standings(given_labels, given_disputes)

    assert found.keys() == {label.signed_hash for label in given_labels}
    assert standings(reversed(given_labels), reversed(given_disputes)) == found


@given(some_labels, some_disputes)
def test_at_most_one_label_of_a_statement_and_criterion_is_in_force(
    given_labels: list[LabelRecord], given_disputes: list[DisputeRecord]
) -> None:
    found = standings(given_labels, given_disputes)

    in_force = [label for label in given_labels if found[label.signed_hash] is Standing.IN_FORCE]
    assert len({(label.statement, label.criterion) for label in in_force}) == len(in_force)
    assert all(label.own and label.trusted and not label.withdrawn for label in in_force)


@given(some_labels, some_disputes)
def test_a_dispute_never_brings_a_label_into_force(
    given_labels: list[LabelRecord], given_disputes: list[DisputeRecord]
) -> None:
    with_disputes, without = standings(given_labels, given_disputes), standings(given_labels, [])

    for name, standing in with_disputes.items():
        if standing is Standing.IN_FORCE:
            assert without[name] is Standing.IN_FORCE
