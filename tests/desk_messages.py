"""The messages of the desk as `a2ap.messages` builds them, for the scripts of the page to build the same bytes.

`python -m desk_messages` writes the vectors that the tests of both languages read.
"""

import base64
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from builders import agent_key

from a2ap.canonical import canonicalize, sha256_digest
from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.agent_registration import build_agent_registration
from a2ap.messages.evidence import build_segment
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.reference import Reference
from a2ap.messages.statement import build_statement
from a2ap.messages.verification_decline import build_verification_decline
from a2ap.messages.verification_response import Verdict, build_verification_response
from a2ap.signing.signature import sign_message, signed_hash

FILE = Path(__file__).parent / "vectors" / "desk_messages.json"
ID = "urn:uuid:1c9f3a4e-9a55-4d3b-8d52-0d8cb0a6a001"
TIME = datetime(2026, 11, 27, 9, 5, 3, tzinfo=UTC)
KEY = agent_key(7)
DID = KEY.public_key.did_key
STATEMENT = Reference("urn:uuid:0ddc9b0a-9c1f-5f5a-8a6e-2f5d2f0c7a10", sha256_digest(b"statement"))
REQUEST = Reference("urn:uuid:7f1b2f8e-2f0e-4f6b-9a3c-5f1de8f2c001", sha256_digest(b"request"))
QUOTE = "The height limit is 12 m — “for now”, café \U0001f3db.\n"
CLAIM = "The limit of 12 m holds for cafés \U0001f3db, and \u2028 stays."


def messages() -> dict[str, dict[str, Any]]:
    """Return each message by its name: the values that the page has, and the signed document."""
    person = AgentDescription(DID, "Ada Čech", "1", "City of Port Alder", (), None, True)
    software = AgentDescription(DID, "Desk of Ada", "1", "City of Port Alder")
    findings = (
        Finding("source-accuracy", FindingStatus.PASS, "The bytes are those of the source.", 1.0),
        Finding("logical-consistency", FindingStatus.FAIL, "The minutes say “13 m”.\n\tPage 2.", 0.85),
        Finding("evidence-sufficiency", FindingStatus.INCONCLUSIVE, "", 0.0),
    )
    cited = QUOTE.encode()
    segments = [
        build_segment(
            "urn:doc:minutes",
            start,
            start + len(cited),
            document_hash=sha256_digest(b"minutes"),
            content_hash=sha256_digest(cited),
            quote=QUOTE,
        )
        for start in (0, 4096)
    ]
    built = {
        "registration of a person": build_agent_registration(
            registration_id=ID, registered_at=TIME, agent=person, key_id=f"{DID}#1", public_key=KEY.public_key
        ),
        "registration with an invitation": build_agent_registration(
            registration_id=ID,
            registered_at=TIME,
            agent=software,
            key_id=f"{DID}#1",
            public_key=KEY.public_key,
            invitation="an-invitation",
        ),
        "challenge that answers a request": build_verification_response(
            response_id=ID,
            responded_at=TIME,
            responding_agent=DID,
            target_statement=STATEMENT.id,
            target_hash=STATEMENT.target_hash,
            verdict=Verdict.CHALLENGED,
            confidence=0.9,
            findings=findings,
            reason="It does not follow.",
            request=REQUEST,
        ),
        "verdict without a request or a reason": build_verification_response(
            response_id=ID,
            responded_at=TIME,
            responding_agent=DID,
            target_statement=STATEMENT.id,
            target_hash=STATEMENT.target_hash,
            verdict=Verdict.VALIDATED,
            confidence=1.0,
            findings=findings[:1],
        ),
        "decline": build_verification_decline(
            decline_id=ID,
            declined_at=TIME,
            declining_agent=DID,
            request=REQUEST.id,
            request_hash=REQUEST.target_hash,
            target_statement=STATEMENT.id,
            target_hash=STATEMENT.target_hash,
            reason="It is not my field.",
        ),
        "statement": build_statement(
            generated_at=TIME,
            agent=software,
            claim=CLAIM,
            confidence=0.7,
            evidence=segments,
            generation_method="human-judgement",
        ),
    }
    return {name: _signed(message) for name, message in built.items()}


def _signed(message: dict[str, Any]) -> dict[str, Any]:
    signed = sign_message(message, KEY, f"{DID}#1")
    return {"document": canonicalize(signed).decode(), "signedHash": signed_hash(signed)}


def vectors() -> str:
    """Return the text of the vectors."""
    seed = base64.b64encode(KEY.seed).decode()
    return json.dumps({"seed": seed, "publicKey": DID, "messages": messages()}, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(vectors(), encoding="utf-8")
