"""Statements: what is read, what is built, and each way in which one can be wrong."""

from typing import Any

import pytest
from builders import (
    CLAIM,
    TIME,
    agent_id,
    description,
    message_id,
    reference_to,
    segment,
    sign,
    signed_statement,
    statement_message,
)
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENT
from refusals import (
    MISSING,
    NOT_AGENT_IDS,
    NOT_HASHES,
    NOT_LISTS,
    NOT_OBJECTS,
    NOT_SHARES,
    NOT_TEXTS,
    NOT_TIMES,
    NOT_UUIDS,
    assert_refused,
    with_member,
)

from a2ap.errors import FieldError, MessageError, StatementIdError
from a2ap.identifiers import generate_statement_id
from a2ap.messages.message import MessageType, read_message
from a2ap.messages.statement import ProvenanceStatement, Reference, build_statement
from a2ap.signing.signature import signed_hash

FULL = statement_message(
    supports=[reference_to(signed_statement(2))],
    contradicts=[reference_to(signed_statement(3)), reference_to(signed_statement(4))],
    was_revision_of=reference_to(signed_statement(1, claim="An earlier claim.")),
)


def read(message: dict[str, Any]) -> ProvenanceStatement:
    statement = read_message(sign(message, 1))
    assert isinstance(statement, ProvenanceStatement)
    return statement


def test_every_member_of_a_statement_is_read() -> None:
    statement = read(FULL)
    assert statement.envelope.type is MessageType.STATEMENT
    assert statement.envelope.id == generate_statement_id(agent_id(1), CLAIM)
    assert statement.envelope.time == TIME
    assert statement.envelope.agent_id == agent_id(1)
    assert statement.envelope.signed_hash == signed_hash(FULL)
    assert statement.agent == description(1)
    assert statement.claim.text == CLAIM
    assert statement.claim.confidence == 0.92
    assert statement.claim.generation_method == "semantic-analysis"
    assert statement.claim.content_hash == FULL["claim"]["contentHash"]
    assert len(statement.evidence) == 1
    assert statement.supports == (reference_to(signed_statement(2)),)
    assert [reference.id for reference in statement.contradicts] == [
        reference["@id"] for reference in FULL["contradicts"]
    ]
    assert statement.was_revision_of is not None


def test_what_was_received_travels_along_unchanged() -> None:
    data = b" " + sign(FULL, 1) + b"\n"
    assert read_message(data).envelope.received == data


def test_what_may_be_left_out_may_be_left_out() -> None:
    message = statement_message(generation_method=None, evidence=[bare_segment()])
    for path in ("agent.@type", "claim.@type", "evidence[0].@type"):
        message = with_member(message, path, MISSING)
    statement = read(message)
    assert statement.claim.generation_method is None
    assert statement.supports == statement.contradicts == ()
    assert statement.was_revision_of is None


def bare_segment() -> dict[str, Any]:
    return {name: segment()[name] for name in ("@type", "sourceDocument", "chunkId", "byteRange")}


@pytest.mark.parametrize("confidence", [0, 1, 0.0, 1.0, 0.92, 1e-9])
def test_a_confidence_is_a_number_from_0_to_1(confidence: float) -> None:
    assert read(statement_message(confidence=confidence)).claim.confidence == confidence


def test_a_confidence_beyond_1_is_refused_by_name_and_value() -> None:
    with pytest.raises(FieldError) as caught:
        read(statement_message(confidence=1.2))
    assert str(caught.value) == "claim.confidence is 1.2, not a number from 0 to 1"


WRONG: list[tuple[str, list[Any]]] = [
    ("@id", NOT_UUIDS),
    ("generatedAtTime", NOT_TIMES),
    ("agent", NOT_OBJECTS),
    ("agent.@id", NOT_AGENT_IDS),
    ("agent.name", NOT_TEXTS),
    ("agent.version", NOT_TEXTS),
    ("agent.publisher", NOT_TEXTS),
    ("agent.capabilities", NOT_LISTS),
    ("agent.capabilities[0]", NOT_TEXTS),
    ("claim", NOT_OBJECTS),
    ("claim.text", NOT_TEXTS),
    ("claim.confidence", NOT_SHARES),
    ("claim.generationMethod", NOT_TEXTS),
    ("claim.contentHash", NOT_TEXTS),
    ("evidence", [*NOT_LISTS, []]),
    ("evidence[0]", NOT_OBJECTS),
    ("supports", NOT_LISTS),
    ("supports[0]", [*NOT_OBJECTS, generate_statement_id("urn:a:b", "c")]),
    ("supports[0].@id", NOT_UUIDS),
    ("supports[0].targetHash", NOT_HASHES),
    ("contradicts", NOT_LISTS),
    ("contradicts[1].@id", NOT_UUIDS),
    ("contradicts[1].targetHash", NOT_HASHES),
    ("prov:wasRevisionOf", NOT_OBJECTS),
    ("prov:wasRevisionOf.@id", NOT_UUIDS),
    ("prov:wasRevisionOf.targetHash", NOT_HASHES),
]
WRONG_TYPES = [
    ("agent.@type", "prov:Person"),
    ("claim.@type", "a2ap:EvidenceSegment"),
    ("evidence[0].@type", "a2ap:Claim"),
]


@pytest.mark.parametrize(("path", "value"), [(path, value) for path, values in WRONG for value in values])
def test_a_wrong_value_is_refused_at_its_place(path: str, value: Any) -> None:
    # An id that no JSON-LD processor could take is refused already as a keyword.
    assert_refused(FULL, path, value, kind=MessageError)


@pytest.mark.parametrize(("path", "value"), WRONG_TYPES)
def test_a_part_of_another_type_is_refused(path: str, value: str) -> None:
    assert_refused(FULL, path, value, f'is "{value}", not ')


@pytest.mark.parametrize(
    "path",
    [
        "@id",
        "generatedAtTime",
        "agent",
        "agent.@id",
        "agent.name",
        "agent.version",
        "agent.publisher",
        "agent.capabilities",
        "claim",
        "claim.text",
        "claim.confidence",
        "claim.contentHash",
        "evidence",
        "supports[0].@id",
        "supports[0].targetHash",
        "prov:wasRevisionOf.targetHash",
    ],
)
def test_a_missing_member_is_named(path: str) -> None:
    assert_refused(FULL, path, MISSING)


def test_an_agent_id_with_a_bar_is_refused() -> None:
    assert_refused(FULL, "agent.@id", "urn:agent:a|b", "an agent id has no |")


def test_an_id_over_512_bytes_is_refused() -> None:
    assert_refused(FULL, "agent.@id", "urn:agent:" + "x" * 9000, "has more than 512 bytes")


def test_a_derived_looking_id_that_is_not_derived_is_refused() -> None:
    other = generate_statement_id(agent_id(1), "Another claim.")
    assert_refused(FULL, "@id", other, "this agent and claim give", kind=StatementIdError)


def test_a_statement_id_of_version_4_is_free() -> None:
    assert read(statement_message(statement_id=message_id("x"))).envelope.id == message_id("x")


@PATIENT
@given(st.text())
def test_any_text_can_be_claimed(claim: str) -> None:
    assert read(statement_message(claim=claim)).claim.text == claim


@pytest.mark.parametrize(
    "claim", ["", "\x00\x07\x1b[31m", "a\nb\r\n", "' OR 1=1 //", "}) DETACH DELETE n //", "\u202egnp", "\ufeff", "|||"]
)
def test_a_claim_is_data_whatever_it_says(claim: str) -> None:
    assert read(statement_message(claim=claim)).claim.text == claim


def test_a_built_statement_of_bad_evidence_is_refused() -> None:
    with pytest.raises(FieldError, match=r"evidence\[0\]\.byteRange is 9 to 9"):
        statement_message(evidence=[{**segment(), "byteRange": {"start": 9, "end": 9}}])


def test_a_statement_is_built_with_the_members_of_the_specification() -> None:
    message = build_statement(
        generated_at=TIME,
        agent=description(1),
        claim="c",
        confidence=0.5,
        evidence=[segment()],
    )
    assert list(message) == ["@context", "@type", "@id", "generatedAtTime", "agent", "claim", "evidence"]
    assert message["generatedAtTime"] == "2025-10-14T10:30:00Z"
    assert message["@id"] == generate_statement_id(agent_id(1), "c")


def test_a_reference_is_an_id_and_a_hash() -> None:
    assert reference_to(signed_statement()) == Reference(statement_message()["@id"], signed_hash(statement_message()))
