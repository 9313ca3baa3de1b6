"""`verificationStatus`: empty in agents' messages, filled in the platform's responses (A2AP §2.1).

It stands inside the signed document and changes after signing, so it is not part of the signed bytes, and a
document that arrives may only have it in its initial state: nobody on the way can say "verified".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import shown
from a2ap.times import format_instant

_MEMBERS = {"verified", "validators", "challenges", "consensusScore"}


@dataclass(frozen=True, slots=True)
class VerificationStatus:
    """The result of the verdicts so far: `validators` and `challenges` are ids, the score is from 0 to 1.

    `key_trusted` is false if the key that signed is not trusted at the statement's place in the log. `retraction` is
    the id of its author's retraction, `superseded_by` the signed hash of its author's revision. `probe` is the label,
    PASS or FAIL, of a statement that was a probe of the operator's; `evidence_decayed_since` is None if its evidence
    has not decayed.
    """

    verified: bool = False
    validators: tuple[str, ...] = ()
    challenges: tuple[str, ...] = ()
    consensus_score: float = 0.0
    key_trusted: bool = True
    retraction: str | None = None
    superseded_by: str | None = None
    probe: str | None = None
    evidence_decayed_since: datetime | None = None


def check_verification_status(document: Mapping[str, Any]) -> None:
    """Raise `FieldError` unless `verificationStatus` is absent or in its initial state."""
    if "verificationStatus" not in document:
        return
    status = document["verificationStatus"]
    if type(status) is not dict or status.keys() != _MEMBERS:
        raise FieldError("verificationStatus", f"is {shown(status)}, not the initial state of A2AP §2.1")
    for name, initial in (("verified", False), ("validators", []), ("challenges", []), ("consensusScore", 0)):
        value = status[name]
        if value != initial or isinstance(value, bool) != isinstance(initial, bool):
            raise FieldError(f"verificationStatus.{name}", f"is {shown(value)}; only the platform sets it")


def fill_verification_status(document: Mapping[str, Any], status: VerificationStatus) -> dict[str, Any]:
    """Return a copy of a document with the derived state in it, for giving out; the signature still holds.

    Beside the members of §2.1 it has `keyTrusted`, false, if the key is not trusted, and `retraction` and
    `supersededBy` if the author has taken the statement back or revised it. A probe has `probe`, its label; a
    statement whose evidence can no longer be compared has `evidenceDecayedSince`.
    """
    filled: dict[str, Any] = {
        "verified": status.verified,
        "validators": list(status.validators),
        "challenges": list(status.challenges),
        "consensusScore": round(status.consensus_score, 4),
    }
    if not status.key_trusted:
        filled["keyTrusted"] = False
    if status.retraction is not None:
        filled["retraction"] = status.retraction
    if status.superseded_by is not None:
        filled["supersededBy"] = status.superseded_by
    if status.probe is not None:
        filled["probe"] = status.probe
    if status.evidence_decayed_since is not None:
        filled["evidenceDecayedSince"] = format_instant(status.evidence_decayed_since)
    return {**document, "verificationStatus": filled}
