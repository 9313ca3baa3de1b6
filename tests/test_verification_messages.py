"""Declines, answers to challenges, lease requests, and what verdicts may name: every member read, every fault named."""

from collections.abc import Mapping
from typing import Any

import pytest
from builders import (
    TIME,
    agent_id,
    agent_key,
    envelope_of,
    pointer_to,
    reference_to,
    response_message,
    segment,
    sign,
    signed_answer,
    signed_decline,
    signed_lease_request,
    signed_request,
    signed_response,
    signed_statement,
)
from hypothesis import given
from hypothesis import strategies as st
from refusals import (
    MISSING,
    NOT_AGENT_IDS,
    NOT_HASHES,
    NOT_LISTS,
    NOT_OBJECTS,
    NOT_TEXTS,
    NOT_TIMES,
    NOT_UUIDS,
    assert_refused,
    with_member,
)

from a2ap.errors import FieldError, MessageError, SignatureError, TypeNameError
from a2ap.json_text import read_json, write_json
from a2ap.messages.challenge_answer import ChallengeAnswer
from a2ap.messages.evidence import ByteRange
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.lease_request import read_lease_request
from a2ap.messages.message import read_message
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.messages.verification_response import Verdict, VerificationResponse
from a2ap.signing.signature import verify_signature

STATEMENT, COUNTER, OTHER = signed_statement(), signed_statement(2), signed_statement(3)
REQUEST = signed_request(STATEMENT)
EARLIER = signed_response(STATEMENT)
CHALLENGE = response_message(
    STATEMENT,
    verdict=Verdict.CHALLENGED,
    request=reference_to(REQUEST),
    supersedes=reference_to(EARLIER),
    evidence=[pointer_to(), pointer_to("Elm Street")],
    counter_statement=reference_to(COUNTER),
    cross_references=[reference_to(OTHER), reference_to(COUNTER)],
)


def unsigned(document: bytes) -> dict[str, Any]:
    return {name: value for name, value in read_json(document).items() if name != "signature"}


DECLINE = unsigned(signed_decline(REQUEST))
ANSWER = unsigned(signed_answer(sign(CHALLENGE, 2), evidence=[pointer_to()]))
LEASE = unsigned(signed_lease_request(renews=["urn:uuid:0a1b2c3d-0000-4000-8000-000000000001"]))


def test_every_member_that_a_verdict_may_have_is_read() -> None:
    response = read_message(sign(CHALLENGE, 2))

    assert isinstance(response, VerificationResponse)
    assert response.request == reference_to(REQUEST)
    assert response.supersedes == reference_to(EARLIER)
    assert [pointer.byte_range for pointer in response.evidence] == [
        ByteRange(**pointer["byteRange"]) for pointer in CHALLENGE["evidence"]
    ]
    assert response.counter_statement == reference_to(COUNTER)
    assert response.cross_references == (reference_to(OTHER), reference_to(COUNTER))


def test_a_verdict_of_the_specification_names_nothing_besides() -> None:
    response = read_message(EARLIER)

    assert isinstance(response, VerificationResponse)
    assert (response.request, response.supersedes, response.counter_statement) == (None, None, None)
    assert (response.evidence, response.cross_references) == ((), ())


def test_every_member_of_a_decline_is_read() -> None:
    decline = read_message(signed_decline(REQUEST, reason="Not my field."))

    assert isinstance(decline, VerificationDecline)
    assert (decline.envelope.agent_id, decline.envelope.time) == (agent_id(2), TIME)
    assert (decline.request, decline.request_hash) == (envelope_of(REQUEST).id, envelope_of(REQUEST).signed_hash)
    assert decline.target_statement == envelope_of(STATEMENT).id
    assert decline.target_hash == envelope_of(STATEMENT).signed_hash
    assert decline.reason == "Not my field."


def test_every_member_of_an_answer_is_read() -> None:
    challenge = sign(CHALLENGE, 2)
    answer = read_message(signed_answer(challenge, text="See there.", evidence=[pointer_to()]))

    assert isinstance(answer, ChallengeAnswer)
    assert (answer.envelope.agent_id, answer.envelope.time) == (agent_id(1), TIME)
    assert answer.target_verification == envelope_of(challenge).id
    assert answer.target_hash == envelope_of(challenge).signed_hash
    assert (answer.text, len(answer.evidence)) == ("See there.", 1)


def test_every_member_of_a_lease_request_is_read() -> None:
    request = read_lease_request(sign(LEASE, 2))

    assert (request.agent_id, request.time) == (agent_id(2), TIME)
    assert request.audience == "urn:agent:test:node"
    assert request.criteria == ("source-accuracy", "evidence-sufficiency", "logical-consistency")
    assert (request.most, request.seconds) == (1, 300)
    assert request.renews == ("urn:uuid:0a1b2c3d-0000-4000-8000-000000000001",)


NOT_REFERENCES: list[Any] = [*NOT_OBJECTS, {}, {"@id": envelope_of(OTHER).id}]
CASES: list[tuple[Mapping[str, Any], str, list[Any], str | None]] = [
    (CHALLENGE, "request", [MISSING, *NOT_UUIDS], None),
    (CHALLENGE, "requestHash", [MISSING, *NOT_HASHES], None),
    (CHALLENGE, "supersedes.targetHash", [MISSING, *NOT_HASHES], None),
    (CHALLENGE, "counterStatement.@id", [MISSING, "urn:doc:x", "urn:uuid:..."], None),
    (CHALLENGE, "crossReferences", NOT_LISTS, None),
    (CHALLENGE, "crossReferences[1].targetHash", [MISSING, *NOT_HASHES], None),
    (CHALLENGE, "evidence", NOT_LISTS, None),
    (CHALLENGE, "evidence[1].byteRange", [MISSING, None, {"start": 4, "end": 4}], None),
    (DECLINE, "declinedAt", [MISSING, *NOT_TIMES], None),
    (DECLINE, "decliningAgent", [MISSING, *NOT_AGENT_IDS], None),
    (DECLINE, "request", [MISSING, *NOT_UUIDS], None),
    (DECLINE, "requestHash", [MISSING, *NOT_HASHES], None),
    (DECLINE, "targetStatement", [MISSING, *NOT_UUIDS], None),
    (DECLINE, "targetHash", [MISSING, *NOT_HASHES], None),
    (DECLINE, "reason", [MISSING, *NOT_TEXTS, "", " \n"], None),
    (ANSWER, "answeredAt", [MISSING, *NOT_TIMES], None),
    (ANSWER, "answeringAgent", [MISSING, *NOT_AGENT_IDS], None),
    (ANSWER, "targetVerification", [MISSING, *NOT_UUIDS], None),
    (ANSWER, "targetHash", [MISSING, *NOT_HASHES], None),
    (ANSWER, "text", [MISSING, *NOT_TEXTS, "", "  "], None),
    (ANSWER, "evidence", NOT_LISTS, None),
]


@pytest.mark.parametrize(("message", "path", "values", "at"), CASES, ids=[f"{m['@type']}.{p}" for m, p, *_ in CASES])
def test_a_wrong_member_is_named(message: Mapping[str, Any], path: str, values: list[Any], at: str | None) -> None:
    for value in values:
        altered = with_member(message, path, value)
        with pytest.raises(MessageError) as caught:
            read_message(sign(altered, 2))
        assert (caught.value.path.startswith(path)) or caught.value.path == path.rpartition(".")[0]


@pytest.mark.parametrize("name", ["supersedes", "counterStatement"])
def test_what_is_no_reference_is_refused(name: str) -> None:
    for value in NOT_REFERENCES:
        with pytest.raises(FieldError, match=name):
            read_message(sign({**CHALLENGE, name: value}, 2))


def test_a_statement_is_cross_referenced_once() -> None:
    twice = [CHALLENGE["crossReferences"][0]] * 2
    assert_refused(CHALLENGE, "crossReferences", twice, "twice", seed=2)


@pytest.mark.parametrize("message", [CHALLENGE, ANSWER], ids=["verdict", "answer"])
def test_evidence_that_quotes_is_refused(message: Mapping[str, Any]) -> None:
    quoting = {**message, "evidence": [pointer_to(), segment()]}
    with pytest.raises(FieldError, match=r"evidence\[1\]\.quoteText is there"):
        read_message(sign(quoting, 2))


@pytest.mark.parametrize("verdict", [verdict for verdict in Verdict if verdict is not Verdict.CHALLENGED])
def test_only_a_challenge_comes_with_a_counter_statement(verdict: Verdict) -> None:
    findings = [Finding("source-accuracy", FindingStatus.PASS, "", 0.9)]
    message = response_message(STATEMENT, verdict=verdict, findings=findings, counter_statement=reference_to(COUNTER))
    with pytest.raises(FieldError, match=f"counterStatement is there, and the verdict is {verdict}"):
        read_message(sign(message, 2))


@pytest.mark.parametrize("criterion", ["quote-exactness", "timestamp-match", "https://example.org/criteria#tone"])
def test_criteria_that_are_not_of_the_specification_are_carried(criterion: str) -> None:
    response = read_message(signed_response(STATEMENT, criteria=[criterion]))

    assert isinstance(response, VerificationResponse)
    assert [finding.criterion for finding in response.findings] == [criterion]


SIGNED: list[tuple[Mapping[str, Any], str]] = [
    *((CHALLENGE, name) for name in ("request", "supersedes", "evidence", "counterStatement", "crossReferences")),
    *((DECLINE, name) for name in DECLINE if not name.startswith("@")),
    *((ANSWER, name) for name in ANSWER if not name.startswith("@")),
]


@pytest.mark.parametrize(("message", "name"), SIGNED, ids=[f"{m['@type']}.{n}" for m, n in SIGNED])
def test_every_member_is_signed(message: Mapping[str, Any], name: str) -> None:
    signed = read_json(sign(message, 2))
    others = read_json(sign(OTHERS[message["@type"]], 3))
    altered = {**signed, name: others[name]} if signed[name] != others.get(name, signed[name]) else None
    if altered is None:
        altered = {member: value for member, value in signed.items() if member != name}
    try:
        envelope = read_message(write_json(altered)).envelope
    except FieldError as error:
        assert "is missing" in error.problem
        return
    assert envelope.signature is not None
    with pytest.raises(SignatureError):
        verify_signature(envelope.signature, envelope.signed_bytes, agent_key(2).public_key)


OTHERS: Mapping[str, Mapping[str, Any]] = {
    CHALLENGE["@type"]: CHALLENGE
    | {
        "request": envelope_of(OTHER).id,
        "supersedes": CHALLENGE["counterStatement"],
        "counterStatement": CHALLENGE["supersedes"],
        "evidence": CHALLENGE["evidence"][:1],
        "crossReferences": CHALLENGE["crossReferences"][:1],
    },
    DECLINE["@type"]: unsigned(
        signed_decline(signed_request(OTHER), 3, reason="Another reason.", time=TIME.replace(year=2026))
    ),
    ANSWER["@type"]: unsigned(
        signed_answer(signed_response(OTHER, 4), 3, text="Another answer.", time=TIME.replace(year=2026))
    )
    | {"evidence": []},
}

WRONG_LEASES: list[tuple[str, list[Any]]] = [
    ("@id", [MISSING, *NOT_UUIDS, envelope_of(STATEMENT).id]),
    ("requestedAt", [MISSING, *NOT_TIMES]),
    ("leasingAgent", [MISSING, *NOT_AGENT_IDS]),
    ("audience", [MISSING, *NOT_AGENT_IDS]),
    ("criteria", [MISSING, *NOT_LISTS, [], ["a", "a"]]),
    ("most", [MISSING, None, True, "1", 0, 101, 1.5]),
    ("seconds", [MISSING, None, True, "60", 9, 3601]),
    ("renews", [*NOT_LISTS, ["urn:doc:x"]]),
]


@pytest.mark.parametrize(("path", "value"), [(path, value) for path, values in WRONG_LEASES for value in values])
def test_a_wrong_member_of_a_lease_request_is_named(path: str, value: Any) -> None:
    with pytest.raises(MessageError) as caught:
        read_lease_request(sign(with_member(LEASE, path, value), 2))
    assert caught.value.path.startswith(path)


@pytest.mark.parametrize("name", ["proof", "disclosures", "verificationStatus"])
def test_a_lease_request_has_nothing_that_its_signature_does_not_cover(name: str) -> None:
    with pytest.raises(FieldError, match=f"{name} is there"):
        read_lease_request(write_json({**read_json(sign(LEASE, 2)), name: {}}))


def test_an_unsigned_lease_request_is_refused() -> None:
    with pytest.raises(FieldError, match="signature is missing"):
        read_lease_request(write_json(LEASE))


def test_a_lease_request_is_no_message_and_a_message_no_lease_request() -> None:
    with pytest.raises(TypeNameError):
        read_message(sign(LEASE, 2))
    with pytest.raises(TypeNameError):
        read_lease_request(signed_decline(REQUEST))


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_bytes_that_are_no_lease_request_are_refused_as_such(data: bytes) -> None:
    with pytest.raises(MessageError):
        read_lease_request(data)


@given(
    st.dictionaries(
        st.sampled_from(sorted(LEASE)),
        st.none()
        | st.booleans()
        | st.integers(-(2**53) + 1, 2**53 - 1)
        | st.text(max_size=5)
        | st.lists(st.text(max_size=5), max_size=3),
        min_size=1,
    )
)
def test_a_lease_request_with_any_other_members_is_read_or_refused(changes: dict[str, Any]) -> None:
    try:
        request = read_lease_request(sign({**LEASE, **changes}, 2))
    except MessageError:
        return
    assert 1 <= request.most <= 100
