"""Admission policies: which agents a node lets in, and how much it takes of them in a day (docs/how-to/keys.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from a2ap.canonical import sha256_digest
from a2ap.errors import FieldError
from a2ap.fields import check_distinct, read_agent_id, read_choice, read_object, read_texts
from a2ap.identifiers import agent_id_problem, hash_problem
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.messages.quotas import DEFAULT_QUOTAS, Quotas
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL


class AdmissionMode(StrEnum):
    """The agents that may register: all, the invited, the listed; or all, and only the endorsed may speak."""

    OPEN = "open"
    INVITATION = "invitation"
    ALLOW_LIST = "allow-list"
    ENDORSED = "endorsed"


@dataclass(frozen=True, slots=True)
class AdmissionPolicy:
    """The mode, the agents of the allow-list, the hashes of the invitations that are out, and the quotas."""

    envelope: Envelope
    mode: AdmissionMode
    allowed_agents: tuple[str, ...]
    invitations: tuple[str, ...]
    quotas: Quotas = DEFAULT_QUOTAS

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "AdmissionPolicy":
        """Read an admission policy out of the JSON of `received`; raises `MessageError`. `quotas` alone is optional."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.ADMISSION_POLICY,
            time_member="issuedAt",
            agent_id=read_agent_id(message, "issuingAgent"),
        )
        allowed, invitations = read_texts(message, "allowedAgents"), read_texts(message, "invitations")
        for name, values, problem_of in (
            ("allowedAgents", allowed, agent_id_problem),
            ("invitations", invitations, hash_problem),
        ):
            for index, value in enumerate(values):
                if problem := problem_of(value):
                    raise FieldError(f"{name}[{index}]", problem)
            check_distinct(values, name)
        return cls(
            envelope=envelope,
            mode=read_choice(message, "mode", AdmissionMode),
            allowed_agents=allowed,
            invitations=invitations,
            quotas=(
                Quotas.from_members(read_object(message, "quotas"), "quotas") if "quotas" in message else DEFAULT_QUOTAS
            ),
        )


def build_admission_policy(
    *,
    policy_id: str,
    issued_at: datetime,
    issuing_agent: str,
    mode: AdmissionMode,
    allowed_agents: Sequence[str] = (),
    invitations: Sequence[str] = (),
    quotas: Mapping[str, Mapping[str, int]] | None = None,
) -> dict[str, Any]:
    """Return an unsigned admission policy; `invitations` are results of `invitation_hash`.

    Quotas that `quotas` does not name have their default (`a2ap.messages.quotas`).
    """
    message = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.ADMISSION_POLICY.wire,
        "@id": policy_id,
        "issuedAt": format_instant(issued_at),
        "issuingAgent": issuing_agent,
        "mode": mode.value,
        "allowedAgents": list(allowed_agents),
        "invitations": list(invitations),
    }
    return message if quotas is None else {**message, "quotas": {name: dict(quota) for name, quota in quotas.items()}}


def invitation_hash(secret: str) -> str:
    """Return `sha256:…` of an invitation, its form in the policy, so that the log does not disclose the invitation."""
    return sha256_digest(secret.encode())
