"""Policies: how a node turns verdicts into a score and a score into "verified" (design §6)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from a2ap.envelope import Envelope, MessageType, read_envelope
from a2ap.errors import FieldError
from a2ap.fields import (
    check_distinct,
    read_agent_id,
    read_choice,
    read_integer,
    read_share,
    read_texts,
)
from a2ap.identifiers import agent_id_problem
from a2ap.times import format_instant
from a2ap.verification_request import read_criteria
from contexts import A2AP_CONTEXT_URL

# A2AP §2.2.
DEFAULT_CRITERIA = ("source-accuracy", "evidence-sufficiency", "logical-consistency")
MAX_QUORUM = 1000


class ConsensusMethod(StrEnum):
    """How verdicts are weighed: ours, with a quorum of operators, or A2AP §4.3 to the letter."""

    QUORUM = "a2ap-quorum"
    LITERAL = "a2ap-0.1"


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of a node: `threshold` and `unseeded_weight` from 0 to 1, `quorum` in operators.

    `seeds` are the agents that are operators in their own right; who is endorsed by one acts for it.
    """

    envelope: Envelope
    threshold: float
    quorum: int
    seeds: tuple[str, ...]
    method: ConsensusMethod
    criteria: tuple[str, ...]
    unseeded_weight: float

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "Policy":
        """Read a policy out of the JSON of `received`; raises `MessageError`. Every member is required."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.POLICY,
            time_member="issuedAt",
            agent_id=read_agent_id(message, "issuingAgent"),
        )
        seeds = read_texts(message, "seeds")
        for index, seed in enumerate(seeds):
            if problem := agent_id_problem(seed):
                raise FieldError(f"seeds[{index}]", problem)
        check_distinct(seeds, "seeds")
        return cls(
            envelope=envelope,
            threshold=read_share(message, "threshold"),
            quorum=read_integer(message, "quorum", least=1, most=MAX_QUORUM),
            seeds=seeds,
            method=read_choice(message, "method", ConsensusMethod),
            criteria=read_criteria(message, "criteria"),
            unseeded_weight=read_share(message, "unseededWeight"),
        )


def build_policy(
    *,
    policy_id: str,
    issued_at: datetime,
    issuing_agent: str,
    threshold: float = 0.7,
    quorum: int = 2,
    seeds: Sequence[str] = (),
    method: ConsensusMethod = ConsensusMethod.QUORUM,
    criteria: Sequence[str] = DEFAULT_CRITERIA,
    unseeded_weight: float = 0.25,
) -> dict[str, Any]:
    """Return an unsigned policy; the threshold is that of A2AP §4.3 unless it is given."""
    return {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.POLICY.wire,
        "@id": policy_id,
        "issuedAt": format_instant(issued_at),
        "issuingAgent": issuing_agent,
        "threshold": threshold,
        "quorum": quorum,
        "seeds": list(seeds),
        "method": method.value,
        "criteria": list(criteria),
        "unseededWeight": unseeded_weight,
    }
