"""Key revocations: a key no longer speaks for its agent, with a reason (docs/how-to/keys.md).

Without `notTrustedSince` the key is not trusted from this message's place in the log on. Only the recovery key and
the node may name a place in the past; the registry checks that, not this module.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import read_agent_id, read_choice, read_integer, read_key_id, read_object
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.times import format_instant, parse_instant
from contexts import A2AP_CONTEXT_URL


class RevocationReason(StrEnum):
    """The reasons for a revocation: the words of RFC 5280 §5.3.1 that fit a key without a certificate."""

    UNSPECIFIED = "unspecified"
    KEY_COMPROMISE = "keyCompromise"
    SUPERSEDED = "superseded"
    CESSATION_OF_OPERATION = "cessationOfOperation"
    AFFILIATION_CHANGED = "affiliationChanged"


@dataclass(frozen=True, slots=True)
class KeyRevocation:
    """The agent of the key, the key, and the place or time since which it is not trusted.

    At most one of `not_trusted_since_index` (a log index) and `not_trusted_since_time` (a time of receipt) is given.
    """

    envelope: Envelope
    agent: str
    key_id: str
    reason: RevocationReason
    not_trusted_since_index: int | None
    not_trusted_since_time: datetime | None

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "KeyRevocation":
        """Read a revocation out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.KEY_REVOCATION,
            time_member="revokedAt",
            agent_id=read_agent_id(message, "revokingAgent"),
        )
        agent = read_agent_id(message, "agent")
        index, time = _read_since(message) if "notTrustedSince" in message else (None, None)
        return cls(
            envelope=envelope,
            agent=agent,
            key_id=read_key_id(message, "key", agent_id=agent),
            reason=read_choice(message, "reason", RevocationReason),
            not_trusted_since_index=index,
            not_trusted_since_time=time,
        )


def build_key_revocation(
    *,
    revocation_id: str,
    revoked_at: datetime,
    revoking_agent: str,
    agent: str,
    key_id: str,
    reason: RevocationReason = RevocationReason.UNSPECIFIED,
    not_trusted_since: int | datetime | None = None,
) -> dict[str, Any]:
    """Return an unsigned revocation; `not_trusted_since` is a log index or a time of receipt."""
    message: dict[str, Any] = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.KEY_REVOCATION.wire,
        "@id": revocation_id,
        "revokedAt": format_instant(revoked_at),
        "revokingAgent": revoking_agent,
        "agent": agent,
        "key": key_id,
        "reason": reason.value,
    }
    if isinstance(not_trusted_since, datetime):
        message["notTrustedSince"] = {"receivedAt": format_instant(not_trusted_since)}
    elif not_trusted_since is not None:
        message["notTrustedSince"] = {"logIndex": not_trusted_since}
    return message


def _read_since(message: Mapping[str, Any]) -> tuple[int | None, datetime | None]:
    since = read_object(message, "notTrustedSince")
    if since.keys() == {"logIndex"}:
        return read_integer(since, "logIndex", "notTrustedSince"), None
    if since.keys() == {"receivedAt"}:
        return None, parse_instant(since["receivedAt"], "notTrustedSince.receivedAt")
    raise FieldError("notTrustedSince", "has neither logIndex nor receivedAt alone")
