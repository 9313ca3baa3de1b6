"""Verification requests: an agent asks others to check a statement (A2AP §2.2).

The form of §2.2 is unsigned and names its target by id alone. Signed, and with `targetHash`, it binds
(docs/how-to/requests.md); the platform decides the value of an unsigned one. A request may say until when it waits
(`deadline`), for how many verdicts (`wantedVerdicts`), and whose (`eligibleVerifiers`); without these it waits for
verdicts of any verifier.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import (
    check_distinct,
    read_agent_id,
    read_integer,
    read_list,
    read_optional_hash,
    read_texts,
    read_uuid,
)
from a2ap.identifiers import MAX_ID_BYTES, agent_id_problem
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.times import format_instant, parse_instant
from contexts import A2AP_CONTEXT_URL

MAX_WANTED_VERDICTS = 1000


@dataclass(frozen=True, slots=True)
class VerificationRequest:
    """A statement to be checked, and the criteria of the check (at least one, each once).

    `eligible_verifiers` is `None` if any verifier may answer; it is never empty.
    """

    envelope: Envelope
    target_statement: str
    target_hash: str | None
    criteria: tuple[str, ...]
    deadline: datetime | None = None
    wanted_verdicts: int | None = None
    eligible_verifiers: tuple[str, ...] | None = None

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "VerificationRequest":
        """Read a request out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.VERIFICATION_REQUEST,
            time_member="requestedAt",
            agent_id=read_agent_id(message, "requestingAgent"),
            signed=False,
        )
        return cls(
            envelope=envelope,
            target_statement=read_uuid(message, "targetStatement"),
            target_hash=read_optional_hash(message, "targetHash"),
            criteria=read_criteria(message, "verificationCriteria"),
            deadline=_read_deadline(message, envelope.time),
            wanted_verdicts=_read_wanted(message),
            eligible_verifiers=_read_eligible(message),
        )


def build_verification_request(
    *,
    request_id: str,
    requested_at: datetime,
    requesting_agent: str,
    target_statement: str,
    target_hash: str | None,
    criteria: Sequence[str],
    deadline: datetime | None = None,
    wanted_verdicts: int | None = None,
    eligible_verifiers: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Return an unsigned request (A2AP §2.2); `target_hash` is the signed hash of the statement."""
    message: dict[str, Any] = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.VERIFICATION_REQUEST.wire,
        "@id": request_id,
        "requestedAt": format_instant(requested_at),
        "requestingAgent": requesting_agent,
        "targetStatement": target_statement,
    }
    if target_hash is not None:
        message["targetHash"] = target_hash
    message["verificationCriteria"] = list(criteria)
    if deadline is not None:
        message["deadline"] = format_instant(deadline)
    if wanted_verdicts is not None:
        message["wantedVerdicts"] = wanted_verdicts
    if eligible_verifiers is not None:
        message["eligibleVerifiers"] = list(eligible_verifiers)
    return message


def read_criteria(message: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Read a list of criteria: at least one, each once and no longer than an id."""
    criteria = read_texts(message, name)
    if not criteria:
        raise FieldError(name, "is empty")
    for index, criterion in enumerate(criteria):
        check_criterion(criterion, f"{name}[{index}]")
    check_distinct(criteria, name)
    return criteria


def check_criterion(criterion: str, path: str) -> None:
    """Raise `FieldError` unless a criterion has 1 to 512 bytes; the set of criteria is open."""
    if not criterion or len(criterion.encode()) > MAX_ID_BYTES:
        raise FieldError(path, f"has {len(criterion.encode())} bytes, not 1 to {MAX_ID_BYTES}")


def _read_deadline(message: Mapping[str, Any], requested_at: datetime) -> datetime | None:
    if "deadline" not in message:
        return None
    deadline = parse_instant(message["deadline"], "deadline")
    if deadline <= requested_at:
        raise FieldError("deadline", f"is {message['deadline']}, not after requestedAt")
    return deadline


def _read_wanted(message: Mapping[str, Any]) -> int | None:
    if "wantedVerdicts" not in message:
        return None
    return read_integer(message, "wantedVerdicts", least=1, most=MAX_WANTED_VERDICTS)


def _read_eligible(message: Mapping[str, Any]) -> tuple[str, ...] | None:
    name = "eligibleVerifiers"
    if name not in message:
        return None
    if not read_list(message, name):
        raise FieldError(name, "is empty; without it anybody may answer")
    agents = read_texts(message, name)
    for index, agent in enumerate(agents):
        if problem := agent_id_problem(agent):
            raise FieldError(f"{name}[{index}]", problem)
    check_distinct(agents, name)
    return agents
