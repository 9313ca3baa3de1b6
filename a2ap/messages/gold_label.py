"""Gold labels: the operator says whether a statement is right under one criterion (docs/how-to/gold.md).

A label is an observed truth of the node that states it and of no other. The last one on a statement and criterion
stands. It is withdrawn by a retraction, and stated again, after a dispute, by a label that answers the disputes.
A label with `probe` reveals a commitment that the operator made before it asked verifiers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from a2ap.fields import (
    read_agent_id,
    read_choice,
    read_hash,
    read_object,
    read_optional_text,
    read_text,
    read_uuid,
)
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.messages.probe import read_hashes, read_salt
from a2ap.messages.verification_request import check_criterion
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL


class Label(StrEnum):
    """Whether a statement is right under a criterion."""

    PASS = "PASS"
    FAIL = "FAIL"


@dataclass(frozen=True, slots=True)
class RevealedProbe:
    """The signed hash of the probe that has the commitment to a label, and the salt of it."""

    commitment: str
    salt: str


@dataclass(frozen=True, slots=True)
class GoldLabel:
    """The label of a statement under a criterion; `answers` are the signed hashes of disputes that it answers."""

    envelope: Envelope
    target_statement: str
    target_hash: str
    criterion: str
    label: Label
    reason: str | None
    probe: RevealedProbe | None
    answers: tuple[str, ...]

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "GoldLabel":
        """Read a gold label out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.GOLD_LABEL,
            time_member="labelledAt",
            agent_id=read_agent_id(message, "labellingAgent"),
        )
        criterion = read_text(message, "criterion")
        check_criterion(criterion, "criterion")
        return cls(
            envelope=envelope,
            target_statement=read_uuid(message, "targetStatement"),
            target_hash=read_hash(message, "targetHash"),
            criterion=criterion,
            label=read_choice(message, "label", Label),
            reason=read_optional_text(message, "reason"),
            probe=_read_probe(message) if "probe" in message else None,
            answers=read_hashes(message, "answers") if "answers" in message else (),
        )


def build_gold_label(
    *,
    label_id: str,
    labelled_at: datetime,
    labelling_agent: str,
    target_statement: str,
    target_hash: str,
    criterion: str,
    label: Label,
    reason: str | None = None,
    probe: RevealedProbe | None = None,
    answers: Sequence[str] = (),
) -> dict[str, Any]:
    """Return an unsigned gold label of a statement; `target_hash` is its signed hash."""
    message: dict[str, Any] = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.GOLD_LABEL.wire,
        "@id": label_id,
        "labelledAt": format_instant(labelled_at),
        "labellingAgent": labelling_agent,
        "targetStatement": target_statement,
        "targetHash": target_hash,
        "criterion": criterion,
        "label": label.value,
    }
    if reason is not None:
        message["reason"] = reason
    if probe is not None:
        message["probe"] = {"commitment": probe.commitment, "salt": probe.salt}
    if answers:
        message["answers"] = list(answers)
    return message


def _read_probe(message: Mapping[str, Any]) -> RevealedProbe:
    probe = read_object(message, "probe")
    return RevealedProbe(read_hash(probe, "commitment", "probe"), read_salt(probe, "salt", "probe"))
