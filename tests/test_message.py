"""Reading any message: no input but a message gets through, and none does anything but raise."""

from datetime import UTC
from typing import Any

import pytest
from builders import (
    admission_policy_message,
    epoch_message,
    gold_label_message,
    log_key_rotation_message,
    peer_agreement_message,
    peer_checkpoint_message,
    probe_message,
    sign,
    signed_agent_version,
    signed_answer,
    signed_deactivation,
    signed_decline,
    signed_endorsement,
    signed_equivocation,
    signed_gold_dispute,
    signed_key_registration,
    signed_key_revocation,
    signed_policy,
    signed_record,
    signed_registration,
    signed_request,
    signed_response,
    signed_retraction,
    signed_source,
    signed_statement,
    source_redaction_message,
    statement_message,
)
from hypothesis import given
from hypothesis import strategies as st
from nothing_outside import nothing_outside
from patience import PATIENT

from a2ap.canonical import sha256_digest
from a2ap.errors import A2APError, DisclosureError, FieldError, JsonTextError, MessageError, TypeNameError
from a2ap.json_text import read_json, write_json
from a2ap.messages.evidence import build_segment
from a2ap.messages.message import Message, MessageType, read_message
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_request import VerificationRequest
from a2ap.messages.verification_response import Verdict

STATEMENT = signed_statement()
MESSAGES = {
    "ProvenanceStatement": STATEMENT,
    "VerificationRequest": signed_request(STATEMENT),
    "VerificationResponse": signed_response(STATEMENT),
    "AgentRegistration": signed_registration(),
    "SourceRegistration": signed_source(),
    "Endorsement": signed_endorsement(signed_registration()),
    "Policy": signed_policy(),
    "KeyRegistration": signed_key_registration(),
    "KeyRevocation": signed_key_revocation(),
    "AgentDeactivation": signed_deactivation(),
    "AgentVersion": signed_agent_version(signed_registration(2), family="urn:agent:test"),
    "AdmissionPolicy": sign(admission_policy_message(), 9),
    "LogKeyRotation": sign(log_key_rotation_message(), 9),
    "PeerAgreement": sign(peer_agreement_message(), 9),
    "PeerCheckpoint": sign(peer_checkpoint_message(), 9),
    "Equivocation": signed_equivocation(),
    "Retraction": signed_retraction(STATEMENT),
    "Epoch": sign(epoch_message(), 9),
    "VerificationDecline": signed_decline(signed_request(STATEMENT)),
    "ChallengeAnswer": signed_answer(signed_response(STATEMENT, verdict=Verdict.CHALLENGED)),
    "Redaction": sign(source_redaction_message(sha256_digest(b"text")), 9),
    "GoldLabel": sign(gold_label_message(STATEMENT), 9),
    "GoldDispute": signed_gold_dispute(sign(gold_label_message(STATEMENT), 9)),
    "Probe": sign(probe_message(), 9),
    "RecordRegistration": signed_record(),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_each_type_is_read_into_its_class(name: str) -> None:
    message = read_message(MESSAGES[name])
    assert type(message) is not None
    assert message.envelope.type.value == name
    assert message.envelope.type.wire == f"a2ap:{name}"
    assert message.envelope.document == read_json(MESSAGES[name])
    assert message.envelope.document_hash == sha256_digest(MESSAGES[name])


def test_there_is_a_message_for_each_type() -> None:
    assert set(MESSAGES) == {type.value for type in MessageType}


@pytest.mark.parametrize(
    "value",
    [
        "ProvenanceStatement",
        "a2ap:Statement",
        "a2ap:",
        "A2AP:ProvenanceStatement",
        "https://williams-librarian.njit.edu/a2ap/v0.1#ProvenanceStatement",
        "prov:Entity",
        "",
        ["a2ap:ProvenanceStatement"],
        {"@id": "a2ap:ProvenanceStatement"},
        None,
        1,
    ],
)
def test_an_unknown_type_is_refused_as_such(value: Any) -> None:
    with pytest.raises(TypeNameError) as caught:
        read_message(sign({**statement_message(), "@type": value}, 1))
    assert caught.value.path == "@type"


def test_a_missing_type_is_refused_as_such() -> None:
    with pytest.raises(TypeNameError, match="@type is missing"):
        read_message(b"{}")


def test_a_class_reads_only_its_own_type() -> None:
    document = read_json(MESSAGES["VerificationRequest"])
    with pytest.raises(MessageError):
        ProvenanceStatement.from_message(document, MESSAGES["VerificationRequest"])
    with pytest.raises(TypeNameError, match='is "a2ap:ProvenanceStatement", not a2ap:VerificationRequest'):
        VerificationRequest.from_message({**document, "@type": "a2ap:ProvenanceStatement"}, STATEMENT)


@pytest.mark.parametrize("name", [name for name in MESSAGES if name != "VerificationRequest"])
def test_only_a_request_may_be_unsigned(name: str) -> None:
    document = read_json(MESSAGES[name])
    del document["signature"]
    with pytest.raises(FieldError, match="signature is missing"):
        read_message(write_json(document))


@pytest.mark.parametrize("name", MESSAGES)
def test_a_proof_that_nobody_can_check_is_refused(name: str) -> None:
    with pytest.raises(FieldError, match=r"proof\.type is missing|signature is missing"):
        read_message(write_json({**read_json(MESSAGES[name]), "proof": {}}))


@pytest.mark.parametrize("name", sorted(MESSAGES.keys() - {"ProvenanceStatement", "VerificationResponse"}))
@pytest.mark.parametrize("disclosures", [{}, {"sha256:" + "0" * 64: {"salt": "A" * 22 + "==", "value": "x"}}, "x"])
def test_what_nobody_signed_is_not_read_beside_what_has_nothing_to_disclose(name: str, disclosures: Any) -> None:
    with pytest.raises(DisclosureError, match="disclosures is there"):
        read_message(write_json({**read_json(MESSAGES[name]), "disclosures": disclosures}))


INITIAL = {"verified": False, "validators": [], "challenges": [], "consensusScore": 0}


@pytest.mark.parametrize("name", MESSAGES)
@pytest.mark.parametrize("score", [b"0", b"0.0", b"-0.0", b"0e5"])
def test_a_verification_status_in_its_initial_state_is_read(name: str, score: bytes) -> None:
    data = write_json({**read_json(MESSAGES[name]), "verificationStatus": INITIAL})
    message = read_message(data.replace(b'"consensusScore":0', b'"consensusScore":' + score))
    assert message.envelope.signed_hash == read_message(MESSAGES[name]).envelope.signed_hash


STATES: list[Any] = [
    {**INITIAL, "verified": True},
    {**INITIAL, "verified": 0},
    {**INITIAL, "verified": None},
    {**INITIAL, "verified": "false"},
    {**INITIAL, "validators": ["urn:agent:test-2"]},
    {**INITIAL, "validators": {}},
    {**INITIAL, "challenges": [1]},
    {**INITIAL, "consensusScore": 0.7},
    {**INITIAL, "consensusScore": False},
    {**INITIAL, "consensusScore": "0.0"},
    {**INITIAL, "note": 1},
    {"verified": False},
    {},
    [],
    None,
    False,
]


@pytest.mark.parametrize("name", MESSAGES)
@pytest.mark.parametrize("state", STATES)
def test_a_verification_status_that_says_anything_is_refused(name: str, state: Any) -> None:
    with pytest.raises(FieldError) as caught:
        read_message(write_json({**read_json(MESSAGES[name]), "verificationStatus": state}))
    assert caught.value.path.startswith("verificationStatus")


@PATIENT
@given(st.binary(max_size=400))
def test_any_bytes_are_a_message_or_an_error(data: bytes) -> None:
    with pytest.raises(A2APError):
        read_message(data)


@PATIENT
@given(st.sampled_from(sorted(MESSAGES)), st.data())
def test_a_message_with_some_bytes_changed_is_a_message_or_an_error(name: str, data: st.DataObject) -> None:
    document = bytearray(MESSAGES[name])
    for _ in range(data.draw(st.integers(1, 4))):
        position = data.draw(st.integers(0, len(document) - 1))
        document[position] = data.draw(st.integers(0, 255))
    read_or_refuse(bytes(document))


@nothing_outside()
def read_or_refuse(document: bytes) -> None:
    try:
        read_message(document)
    except MessageError as error:
        assert str(error)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**31), 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
    | st.sampled_from(["urn:uuid:550e8400-e29b-41d4-a716-446655440000", "sha256:" + "a" * 64, "urn:a:b", "PASS"]),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=12), values, max_size=3),
    max_leaves=8,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for step, member in members for place in places(member, (*path, step)))]


@PATIENT
@given(st.sampled_from(sorted(MESSAGES)), st.data(), VALUES)
def test_a_message_with_any_member_replaced_is_a_message_or_an_error(
    name: str, data: st.DataObject, value: Any
) -> None:
    document = read_json(MESSAGES[name])
    path = data.draw(st.sampled_from(places(document)[1:]))
    holder: Any = document
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    read_or_refuse(write_json(document))


@PATIENT
@given(
    st.text(),
    st.floats(0, 1),
    st.datetimes().filter(lambda time: 1 < time.year < 9999),
    st.lists(
        st.tuples(st.integers(0, 2**30), st.integers(1, 2**30 - 1), st.none() | st.text()), min_size=1, max_size=4
    ),
)
def test_a_statement_built_is_the_statement_read(
    claim: str, confidence: float, time: Any, evidence: list[tuple[int, int, str | None]]
) -> None:
    segments = [build_segment("urn:doc:d", start, start + length, quote=quote) for start, length, quote in evidence]
    time = time.replace(tzinfo=UTC)
    statement = read_message(signed_statement(claim=claim, confidence=confidence, time=time, evidence=segments))
    assert isinstance(statement, ProvenanceStatement)
    assert (statement.claim.text, statement.claim.confidence, statement.envelope.time) == (claim, confidence, time)
    assert [
        (segment.byte_range.start, segment.byte_range.end - segment.byte_range.start, segment.quote_text)
        for segment in statement.evidence
    ] == evidence


def test_deep_json_is_refused_quickly() -> None:
    with pytest.raises(JsonTextError, match="nested more than 64 levels"):
        read_message(b'{"@type":' * 10_000 + b"1" + b"}" * 10_000)


def test_deep_unknown_members_within_the_limit_are_carried() -> None:
    value: Any = 1
    for _ in range(62):
        value = [value]
    message: Message = read_message(sign({**statement_message(), "note": value}, 1))
    assert message.envelope.document["note"] == value
