"""The ladder of boundary classes."""

from a2ap.boundary import Boundary, strictest


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
