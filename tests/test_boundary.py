"""The two ladders: boundary classes and uses."""

from hypothesis import given
from hypothesis import strategies as st

from a2ap.boundary import Boundary, Use, UseTerms, read_uses, strictest, uses_above


def test_the_ladder_is_in_the_order_of_the_context_packet() -> None:
    assert [boundary.value for boundary in sorted(Boundary, key=lambda boundary: boundary.rank)] == [
        "public",
        "internal",
        "confidential",
        "ip-sensitive",
        "client-sensitive",
        "legal-sensitive",
        "private",
        "safety-sensitive",
    ]


def test_comparison_follows_the_ladder_and_not_the_alphabet() -> None:
    assert Boundary.PUBLIC < Boundary.PRIVATE
    assert Boundary.PRIVATE >= Boundary.LEGAL_SENSITIVE
    assert Boundary.SAFETY_SENSITIVE > Boundary.PRIVATE
    assert Boundary.INTERNAL <= Boundary.INTERNAL


def test_a_clearance_covers_its_class_and_all_below() -> None:
    assert Boundary.CONFIDENTIAL.covers(Boundary.CONFIDENTIAL)
    assert Boundary.CONFIDENTIAL.covers(Boundary.PUBLIC)
    assert not Boundary.CONFIDENTIAL.covers(Boundary.PRIVATE)


def test_the_strictest_of_several_classes_wins() -> None:
    assert strictest(Boundary.PUBLIC, Boundary.PRIVATE, Boundary.INTERNAL) is Boundary.PRIVATE


def test_the_use_ladder_is_that_of_the_text() -> None:
    assert [use.value for use in Use] == [
        "read_only",
        "draft_only",
        "internal_write",
        "external_write",
        "communication_send",
        "financial",
        "destructive",
        "credential_sensitive",
    ]


def test_what_is_allowed_permits_the_lesser_uses() -> None:
    terms = UseTerms((Use.INTERNAL_WRITE,), (Use.FINANCIAL,))
    assert [use for use in Use if terms.permits(use)] == [Use.READ_ONLY, Use.DRAFT_ONLY, Use.INTERNAL_WRITE]


def test_what_is_disallowed_forbids_the_worse_uses() -> None:
    terms = UseTerms((Use.FINANCIAL,), (Use.EXTERNAL_WRITE,))
    assert terms.highest is Use.INTERNAL_WRITE
    assert terms.conflicting == (Use.FINANCIAL,)


def test_without_lists_a_packet_may_be_read_and_no_more() -> None:
    assert UseTerms().highest is Use.READ_ONLY
    assert UseTerms(()).highest is None
    assert UseTerms(None, (Use.READ_ONLY,)).highest is None


_terms = st.builds(
    UseTerms,
    st.none() | st.lists(st.sampled_from(Use)).map(tuple),
    st.none() | st.lists(st.sampled_from(Use)).map(tuple),
)


@given(_terms, st.sampled_from(Use))
def test_restricting_terms_permits_nothing_more(terms: UseTerms, highest: Use) -> None:
    restricted = terms.restricted_to(highest)
    for use in Use:
        assert restricted.permits(use) == (terms.permits(use) and use.rank <= highest.rank)


@given(_terms, st.sampled_from(Use))
def test_whoever_may_not_take_a_step_may_not_take_the_next(terms: UseTerms, use: Use) -> None:
    if not terms.permits(use):
        assert not any(terms.permits(other) for other in uses_above(use))


def test_a_sensitive_packet_says_what_it_may_be_used_for() -> None:
    assert UseTerms.up_to(Use.READ_ONLY).explicit
    assert not UseTerms((Use.READ_ONLY,)).explicit
    assert not UseTerms((), ()).explicit


def test_uses_that_are_not_of_the_ladder_permit_nothing() -> None:
    assert read_uses(["read_only", "launch"]) == (Use.READ_ONLY,)
