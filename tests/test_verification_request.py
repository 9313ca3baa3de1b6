"""Verification requests: signed and bound, or as the specification has them."""

from typing import Any

import pytest
from builders import TIME, agent_id, agent_key, envelope_of, request_message, sign, signed_request, signed_statement
from refusals import (
    MISSING,
    NOT_AGENT_IDS,
    NOT_HASHES,
    NOT_LISTS,
    NOT_TEXTS,
    NOT_TIMES,
    NOT_UUIDS,
    assert_refused,
)

from a2ap.errors import MessageError, SignatureError
from a2ap.json_text import read_json, write_json
from a2ap.messages.message import MessageType, read_message
from a2ap.messages.verification_request import VerificationRequest
from a2ap.signing.signature import verify_signature

STATEMENT = signed_statement()
MESSAGE = request_message(STATEMENT)
DEADLINE = TIME.replace(year=2026)
WITH_TERMS = request_message(
    STATEMENT, deadline=DEADLINE, wanted_verdicts=3, eligible_verifiers=[agent_id(2), agent_id(3)]
)


def test_every_member_of_a_request_is_read() -> None:
    request = read_message(signed_request(STATEMENT))
    assert isinstance(request, VerificationRequest)
    assert request.envelope.type is MessageType.VERIFICATION_REQUEST
    assert (request.envelope.agent_id, request.envelope.time) == (agent_id(1), TIME)
    assert request.target_statement == envelope_of(STATEMENT).id
    assert request.target_hash == envelope_of(STATEMENT).signed_hash
    assert request.criteria == ("source-accuracy", "evidence-sufficiency", "logical-consistency")


def test_a_request_without_a_signature_and_a_target_hash_is_read_as_such() -> None:
    request = read_message(write_json(request_message(STATEMENT, bound=False)))
    assert isinstance(request, VerificationRequest)
    assert request.envelope.signature is None
    assert request.target_hash is None


def test_what_a_request_may_say_besides_is_read() -> None:
    request = read_message(sign(WITH_TERMS, 1))
    assert isinstance(request, VerificationRequest)
    assert request.deadline == DEADLINE
    assert request.wanted_verdicts == 3
    assert request.eligible_verifiers == (agent_id(2), agent_id(3))


def test_a_request_that_says_no_more_waits_for_anybody() -> None:
    request = read_message(signed_request(STATEMENT))
    assert isinstance(request, VerificationRequest)
    assert (request.deadline, request.wanted_verdicts, request.eligible_verifiers) == (None, None, None)


WRONG_TERMS: list[tuple[str, list[Any]]] = [
    ("deadline", [*NOT_TIMES, "2025-10-14T10:30:00Z", "2020-01-01T00:00:00Z"]),
    ("wantedVerdicts", [None, True, "3", 0, -1, 1001, 2.5]),
    ("eligibleVerifiers", [*NOT_LISTS, [], [agent_id(2), agent_id(2)]]),
    ("eligibleVerifiers[1]", [*NOT_AGENT_IDS]),
]


@pytest.mark.parametrize(("path", "value"), [(path, value) for path, values in WRONG_TERMS for value in values])
def test_wrong_terms_are_refused_at_their_place(path: str, value: Any) -> None:
    assert_refused(WITH_TERMS, path, value, kind=MessageError)


@pytest.mark.parametrize("name", ["deadline", "wantedVerdicts", "eligibleVerifiers"])
def test_the_terms_are_signed(name: str) -> None:
    signed = read_json(sign(WITH_TERMS, 1))
    altered = {member: value for member, value in signed.items() if member != name}
    envelope = read_message(write_json(altered)).envelope
    assert envelope.signature is not None
    with pytest.raises(SignatureError):
        verify_signature(envelope.signature, envelope.signed_bytes, agent_key(1).public_key)


WRONG: list[tuple[str, list[Any]]] = [
    ("@id", NOT_UUIDS),
    ("requestedAt", NOT_TIMES),
    ("requestingAgent", NOT_AGENT_IDS),
    ("targetStatement", NOT_UUIDS),
    ("targetHash", NOT_HASHES),
    ("verificationCriteria", [*NOT_LISTS, []]),
    ("verificationCriteria[0]", [*NOT_TEXTS, "", "x" * 513]),
]


@pytest.mark.parametrize(("path", "value"), [(path, value) for path, values in WRONG for value in values])
def test_a_wrong_value_is_refused_at_its_place(path: str, value: Any) -> None:
    assert_refused(MESSAGE, path, value, kind=MessageError)


@pytest.mark.parametrize("path", ["@id", "requestedAt", "requestingAgent", "targetStatement", "verificationCriteria"])
def test_a_missing_member_is_named(path: str) -> None:
    assert_refused(MESSAGE, path, MISSING)


def test_a_criterion_asked_for_twice_is_refused() -> None:
    assert_refused(MESSAGE, "verificationCriteria", ["a", "b", "a"], 'has "a" twice')


def test_a_criterion_that_nobody_has_heard_of_is_read() -> None:
    request = read_message(sign({**MESSAGE, "verificationCriteria": ["neutrality"]}, 1))
    assert isinstance(request, VerificationRequest)
    assert request.criteria == ("neutrality",)
