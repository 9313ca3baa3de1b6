"""A response that is made and signed here is the value that its bytes are read as, whatever it says."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from builders import agent_id, agent_key, key_id
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENT

from a2ap.errors import FieldError
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.message import read_message
from a2ap.messages.signed_response import sign_response
from a2ap.messages.verification_response import Verdict, VerificationResponse
from a2ap.signing.disclosure import Disclosure, make_disclosure
from a2ap.signing.signature import verify_signature

UUID = "urn:uuid:8a6e0804-2bd0-4672-b79d-d97027f9071a"
HASH = "sha256:" + "0f" * 32
NOW = datetime(2026, 1, 1, tzinfo=UTC)
PASS = Finding("byte-range", FindingStatus.PASS, "it lies within", 1.0)
FAIL = Finding("quote-exactness", FindingStatus.FAIL, "it does not occur", 1.0)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
shares = st.floats(0, 1)
findings = st.lists(
    st.builds(Finding, st.text("abc-", min_size=1), st.sampled_from(FindingStatus), texts, shares),
    unique_by=lambda finding: finding.criterion,
    max_size=4,
)
zones = st.sampled_from([UTC, timezone(timedelta(hours=-5, minutes=-30)), timezone(timedelta(hours=14))])
times = st.builds(
    datetime.replace, st.datetimes(datetime(1900, 1, 1), datetime(2999, 1, 1)), tzinfo=zones, fold=st.just(0)
)


def respond(
    verdict: Verdict,
    found: list[Finding],
    confidence: float = 1.0,
    reason: str | Disclosure | None = None,
    now: datetime = NOW,
) -> VerificationResponse:
    return sign_response(
        agent_key(2),
        key_id(2),
        response_id=UUID,
        responded_at=now,
        responding_agent=agent_id(2),
        target_statement=UUID,
        target_hash=HASH,
        verdict=verdict,
        confidence=confidence,
        findings=found,
        reason=reason,
    )


@PATIENT
@given(
    st.sampled_from([verdict for verdict in Verdict if verdict is not Verdict.VALIDATED]),
    findings,
    shares,
    st.none() | texts | st.builds(make_disclosure, texts, st.binary(min_size=16, max_size=64)),
    times,
)
def test_its_bytes_are_read_as_the_same_value(
    verdict: Verdict, found: list[Finding], confidence: float, reason: str | Disclosure | None, now: datetime
) -> None:
    made = respond(verdict, found, confidence, reason, now)
    read = read_message(made.envelope.received)
    assert made == read
    # 1 is 1.0, and a row of the graph would have another type.
    assert repr(made) == repr(read)


def test_one_that_validates_is_read_as_the_same_value() -> None:
    made = respond(Verdict.VALIDATED, [PASS])
    assert repr(read_message(made.envelope.received)) == repr(made)


def test_it_is_signed() -> None:
    envelope = respond(Verdict.CHALLENGED, [PASS, FAIL], reason="it does not occur").envelope
    assert envelope.signature is not None
    verify_signature(envelope.signature, envelope.signed_bytes, agent_key(2).public_key)


@pytest.mark.parametrize("found", [[], [FAIL], [PASS, FAIL], [PASS, PASS]])
def test_nothing_is_validated_by_findings_that_do_not_say_so(found: list[Finding]) -> None:
    with pytest.raises(FieldError):
        respond(Verdict.VALIDATED, found)
