"""Policies: how a node turns verdicts into a score and a score into "verified" (docs/explanation/consensus.md).

`version`, `epochLength`, `priors` and `draw` came later: a policy without them has the defaults, and draws nobody.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import (
    check_distinct,
    read_agent_id,
    read_choice,
    read_integer,
    read_object,
    read_share,
    read_texts,
)
from a2ap.identifiers import agent_id_problem
from a2ap.json_text import MAX_INTEGER
from a2ap.messages.draw_rules import DrawRules
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.messages.priors import DEFAULT_PRIORS, Priors
from a2ap.messages.verification_request import read_criteria
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL

# A2AP §2.2.
DEFAULT_CRITERIA = ("source-accuracy", "evidence-sufficiency", "logical-consistency")
MAX_QUORUM = 1000
DEFAULT_THRESHOLD = 0.7  # A2AP §4.3
DEFAULT_QUORUM = 2
DEFAULT_UNSEEDED_WEIGHT = 0.25
DEFAULT_EPOCH_LENGTH = 100
MAX_EPOCH_LENGTH = 1_000_000_000


class ConsensusMethod(StrEnum):
    """The methods of weighing verdicts: by verifiers' reliability, by counting operators, as in A2AP §4.3, or simpler.

    `majority` and `wawa` (worker agreement with aggregate) are there for comparison: no policy names them.
    """

    POSTERIOR = "a2ap-posterior"
    QUORUM = "a2ap-quorum"
    LITERAL = "a2ap-0.1"
    MAJORITY = "majority"
    WAWA = "wawa"


POLICY_METHODS = (ConsensusMethod.POSTERIOR, ConsensusMethod.QUORUM, ConsensusMethod.LITERAL)
"""The methods that a policy can name."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of a node: `threshold` and `unseeded_weight` from 0 to 1, `quorum` in operators.

    `seeds` are the agents that are operators in their own right; an agent endorsed by one acts for it. `epoch_length`
    is the number of log entries after which reliabilities are estimated anew, `version` the operator's own number.
    `draw` is None if every seed may complete a quorum.
    """

    envelope: Envelope
    threshold: float
    quorum: int
    seeds: tuple[str, ...]
    method: ConsensusMethod
    criteria: tuple[str, ...]
    unseeded_weight: float
    version: int = 1
    epoch_length: int = DEFAULT_EPOCH_LENGTH
    priors: Priors = DEFAULT_PRIORS
    draw: DrawRules | None = None

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "Policy":
        """Read a policy out of the JSON of `received`; raises `MessageError`."""
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
        quorum = read_integer(message, "quorum", least=1, most=MAX_QUORUM)
        return cls(
            envelope=envelope,
            threshold=read_share(message, "threshold"),
            quorum=quorum,
            seeds=seeds,
            method=_read_method(message),
            criteria=read_criteria(message, "criteria"),
            unseeded_weight=read_share(message, "unseededWeight"),
            version=_read_optional_integer(message, "version", 1, MAX_INTEGER),
            epoch_length=_read_optional_integer(message, "epochLength", DEFAULT_EPOCH_LENGTH, MAX_EPOCH_LENGTH),
            priors=_read_priors(message),
            draw=_read_draw(message, quorum),
        )


def build_policy(
    *,
    policy_id: str,
    issued_at: datetime,
    issuing_agent: str,
    threshold: float = DEFAULT_THRESHOLD,
    quorum: int = DEFAULT_QUORUM,
    seeds: Sequence[str] = (),
    method: ConsensusMethod = ConsensusMethod.POSTERIOR,
    criteria: Sequence[str] = DEFAULT_CRITERIA,
    unseeded_weight: float = DEFAULT_UNSEEDED_WEIGHT,
    version: int | None = None,
    epoch_length: int | None = None,
    priors: Priors | None = None,
    draw: DrawRules | None = None,
) -> dict[str, Any]:
    """Return an unsigned policy; the threshold is that of A2AP §4.3 unless it is given."""
    later = {
        "version": version,
        "epochLength": epoch_length,
        "priors": None if priors is None else priors.members(),
        "draw": None if draw is None else draw.members(),
    }
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
        **{name: value for name, value in later.items() if value is not None},
    }


def _read_method(message: Mapping[str, Any]) -> ConsensusMethod:
    method = read_choice(message, "method", ConsensusMethod)
    if method not in POLICY_METHODS:
        raise FieldError("method", f"is {method.value}, which is for comparison; one of {', '.join(POLICY_METHODS)}")
    return method


def _read_priors(message: Mapping[str, Any]) -> Priors:
    return Priors.from_members(read_object(message, "priors"), "priors") if "priors" in message else DEFAULT_PRIORS


def _read_draw(message: Mapping[str, Any], quorum: int) -> DrawRules | None:
    if "draw" not in message:
        return None
    rules = DrawRules.from_members(read_object(message, "draw"), "draw")
    if rules.operators < quorum:
        raise FieldError("draw.operators", f"is {rules.operators}, and the quorum is {quorum}")
    return rules


def _read_optional_integer(message: Mapping[str, Any], name: str, default: int, most: int) -> int:
    return read_integer(message, name, least=1, most=most) if name in message else default
