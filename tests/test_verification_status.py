"""The status in what the platform gives out."""

from builders import agent_id, agent_key, signed_statement

from a2ap.json_text import read_json
from a2ap.messages.message import read_message
from a2ap.messages.verification_status import VerificationStatus, fill_verification_status
from a2ap.signing.signature import read_signature, signed_bytes, verify_signature

STATUS = VerificationStatus(True, (agent_id(2), agent_id(3)), ("urn:uuid:x",), 0.912345)


def test_the_status_is_filled_in_the_form_of_the_specification() -> None:
    filled = fill_verification_status(read_json(signed_statement()), STATUS)
    assert filled["verificationStatus"] == {
        "verified": True,
        "validators": [agent_id(2), agent_id(3)],
        "challenges": ["urn:uuid:x"],
        "consensusScore": 0.9123,
    }


def test_the_document_itself_is_left_as_it_was() -> None:
    document = read_message(signed_statement()).envelope.document
    fill_verification_status(document, STATUS)
    assert "verificationStatus" not in document


def test_the_signature_holds_for_a_filled_document() -> None:
    filled = fill_verification_status(read_json(signed_statement()), STATUS)
    verify_signature(read_signature(filled["signature"]), signed_bytes(filled), agent_key(1).public_key)


def test_the_status_of_what_nobody_judged_is_the_initial_one() -> None:
    filled = fill_verification_status(read_json(signed_statement()), VerificationStatus())
    assert filled["verificationStatus"] == {
        "verified": False,
        "validators": [],
        "challenges": [],
        "consensusScore": 0.0,
    }
