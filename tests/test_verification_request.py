"""Verification requests: signed and bound, or as the specification has them."""

from typing import Any

import pytest
from builders import TIME, agent_id, envelope_of, request_message, sign, signed_request, signed_statement
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

from a2ap.errors import MessageError
from a2ap.json_text import write_json
from a2ap.message import MessageType, read_message
from a2ap.verification_request import VerificationRequest

STATEMENT = signed_statement()
MESSAGE = request_message(STATEMENT)


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
