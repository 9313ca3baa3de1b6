"""Verification responses: verdicts that say what their findings say."""

from typing import Any

import pytest
from builders import TIME, agent_id, envelope_of, response_message, sign, signed_response, signed_statement
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
)

from a2ap.errors import MessageError
from a2ap.json_text import write_json
from a2ap.messages.finding import Finding, FindingStatus, build_finding
from a2ap.messages.message import MessageType, read_message
from a2ap.messages.verification_response import Verdict, VerificationResponse

STATEMENT = signed_statement()
MESSAGE = response_message(STATEMENT, reason="All criteria hold.")


def read(message: dict[str, Any]) -> VerificationResponse:
    response = read_message(sign(message, 2))
    assert isinstance(response, VerificationResponse)
    return response


def test_every_member_of_a_response_is_read() -> None:
    response = read(MESSAGE)
    assert response.envelope.type is MessageType.VERIFICATION_RESPONSE
    assert (response.envelope.agent_id, response.envelope.time) == (agent_id(2), TIME)
    assert response.target_statement == envelope_of(STATEMENT).id
    assert response.target_hash == envelope_of(STATEMENT).signed_hash
    assert response.verdict is Verdict.VALIDATED
    assert response.confidence == 0.89
    assert response.findings[0] == Finding("source-accuracy", FindingStatus.PASS, "checked source-accuracy", 0.89)
    assert response.reason == "All criteria hold."


def test_a_response_without_target_hash_and_reason_is_read_as_such() -> None:
    response = read(response_message(STATEMENT, bound=False))
    assert response.target_hash is None
    assert response.reason is None


@pytest.mark.parametrize("verdict", [Verdict.CHALLENGED, Verdict.INVALID_SIGNATURE, Verdict.INSUFFICIENT_EVIDENCE])
def test_a_verdict_that_does_not_validate_needs_no_finding(verdict: Verdict) -> None:
    response = read(response_message(STATEMENT, verdict=verdict, findings=[]))
    assert (response.verdict, response.findings) == (verdict, ())


def finding(status: FindingStatus, criterion: str = "source-accuracy") -> dict[str, Any]:
    return build_finding(criterion, status, "text", 0.9)


@pytest.mark.parametrize(
    ("findings", "problem"),
    [
        ([], "is VALIDATED, and no finding is PASS"),
        ([finding(FindingStatus.FAIL)], "is VALIDATED, and 'source-accuracy' is FAIL"),
        ([finding(FindingStatus.PASS), finding(FindingStatus.FAIL, "b")], "is VALIDATED, and 'b' is FAIL"),
        ([finding(FindingStatus.INCONCLUSIVE)], "is VALIDATED, and no finding is PASS"),
    ],
)
def test_nothing_is_validated_by_a_failure_or_by_nothing(findings: list[dict[str, Any]], problem: str) -> None:
    assert_refused(MESSAGE, "findings", findings, problem, at="verdict", seed=2)


def test_some_of_the_criteria_may_be_inconclusive() -> None:
    findings = [finding(FindingStatus.PASS), finding(FindingStatus.INCONCLUSIVE, "b")]
    assert len(read(response_message(STATEMENT, findings=findings)).findings) == 2


def test_a_criterion_judged_twice_is_refused() -> None:
    findings = [finding(FindingStatus.PASS), finding(FindingStatus.PASS)]
    assert_refused(MESSAGE, "findings", findings, 'has "source-accuracy" twice', seed=2)


WRONG: list[tuple[str, list[Any]]] = [
    ("@id", NOT_UUIDS),
    ("respondedAt", NOT_TIMES),
    ("respondingAgent", NOT_AGENT_IDS),
    ("targetStatement", NOT_UUIDS),
    ("targetHash", NOT_HASHES),
    ("verdict", [None, 1, "", "validated", "PENDING", ["VALIDATED"], {}]),
    ("confidence", NOT_SHARES),
    ("findings", NOT_LISTS),
    ("findings[0]", NOT_OBJECTS),
    ("findings[0].criterion", [*NOT_TEXTS, "", "x" * 513]),
    ("findings[0].status", [None, True, "pass", "OK", []]),
    ("findings[0].evidence", [None, 1, [], {}]),
    ("findings[0].confidence", NOT_SHARES),
    ("reason", [None, 1, [], {}]),
]


@pytest.mark.parametrize(("path", "value"), [(path, value) for path, values in WRONG for value in values])
def test_a_wrong_value_is_refused_at_its_place(path: str, value: Any) -> None:
    assert_refused(MESSAGE, path, value, kind=MessageError, seed=2)


@pytest.mark.parametrize(
    "path",
    [
        "@id",
        "respondedAt",
        "respondingAgent",
        "targetStatement",
        "verdict",
        "confidence",
        "findings",
        "findings[0].criterion",
        "findings[0].status",
        "findings[0].evidence",
        "findings[0].confidence",
    ],
)
def test_a_missing_member_is_named(path: str) -> None:
    assert_refused(MESSAGE, path, MISSING, seed=2)


def test_an_unsigned_response_is_refused() -> None:
    with pytest.raises(MessageError, match="signature is missing"):
        read_message(write_json(MESSAGE))


def test_the_verdict_is_one_of_the_words() -> None:
    assert_refused(
        MESSAGE,
        "verdict",
        "PENDING",
        'is "PENDING", not one of VALIDATED, CHALLENGED, INVALID_SIGNATURE, INSUFFICIENT_EVIDENCE',
        seed=2,
    )


def test_a_response_to_the_same_statement_is_bound_to_its_bytes() -> None:
    other = signed_statement(confidence=0.5)
    assert envelope_of(other).id == envelope_of(STATEMENT).id
    first, second = read_message(signed_response(STATEMENT)), read_message(signed_response(other))
    assert isinstance(first, VerificationResponse) and isinstance(second, VerificationResponse)
    assert first.target_hash != second.target_hash
