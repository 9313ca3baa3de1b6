"""Probes: the operator binds itself to the answers to claims before verifiers are asked about them.

See docs/how-to/gold.md.

Each commitment is a salted digest: nobody can tell the claims or the answers until a gold label reveals the salt. It is
the SHA-256 of the RFC 8785 bytes of `[salt, targetHash, criterion, label]`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.canonical import canonicalize, sha256_digest
from a2ap.errors import FieldError
from a2ap.fields import check_distinct, member_path, read_agent_id, read_text, read_texts
from a2ap.identifiers import hash_problem
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.signing.disclosure import MAX_SALT_BYTES, MIN_SALT_BYTES, is_salt
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL


@dataclass(frozen=True, slots=True)
class Probe:
    """The digests of claims with known answers; some may be of nothing, so that their number discloses little."""

    envelope: Envelope
    commitments: tuple[str, ...]

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "Probe":
        """Read a probe out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.PROBE,
            time_member="committedAt",
            agent_id=read_agent_id(message, "committingAgent"),
        )
        return cls(envelope, read_hashes(message, "commitments"))


def build_probe(
    *, probe_id: str, committed_at: datetime, committing_agent: str, commitments: Sequence[str]
) -> dict[str, Any]:
    """Return an unsigned probe; `commitments` are made by `commit`."""
    return {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.PROBE.wire,
        "@id": probe_id,
        "committedAt": format_instant(committed_at),
        "committingAgent": committing_agent,
        "commitments": list(commitments),
    }


def commit(salt: str, target_hash: str, criterion: str, label: str) -> str:
    """Return the commitment to the label, PASS or FAIL, of a statement under a criterion; `salt` is base64."""
    return sha256_digest(canonicalize([salt, target_hash, criterion, label]))


def read_hashes(members: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return a required list of hashes, at least one, each once."""
    found = read_texts(members, name)
    for index, value in enumerate(found):
        if problem := hash_problem(value):
            raise FieldError(f"{name}[{index}]", problem)
    if not found:
        raise FieldError(name, "is empty")
    check_distinct(found, name)
    return found


def read_salt(members: Mapping[str, Any], name: str, path: str = "") -> str:
    """Return a required salt: 16 to 64 bytes in padded standard base64."""
    salt = read_text(members, name, path)
    if not is_salt(salt):
        raise FieldError(member_path(path, name), f"is not {MIN_SALT_BYTES} to {MAX_SALT_BYTES} bytes in base64")
    return salt
