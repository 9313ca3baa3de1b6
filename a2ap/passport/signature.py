"""The signature of a record (upstream 2.0 §3.2.7): Ed25519 over the whole record, with `signature.signature` emptied.

The signed bytes are those of the record's version: RFC 8785 for 2.x, the form of the libraries of 1.x before. A form
that would leave a member out is never taken. No record proves the holder of its key: the key that it carries proves
only that somebody holds that key, so known keys come from elsewhere, by their `key_id`, and an agent that is named
by its own key (`did:key:…`) needs nothing else.
"""

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from a2ap.errors import KeyFormatError, SignatureError
from a2ap.identifiers import key_agent
from a2ap.passport.errors import NoFormError
from a2ap.passport.field_rules import major_version
from a2ap.passport.finding import Finding, FindingCode, Severity
from a2ap.passport.passport import Passport
from a2ap.passport.profile import PayloadProfile, covers_all, payload_bytes
from a2ap.signing.keys import SIGNATURE_BYTES, PublicKey, Signer, signature_from_text

ALGORITHM = "ed25519"

_FORMS = {
    1: (PayloadProfile.V1_PYTHON, PayloadProfile.V1_TYPESCRIPT),
    2: (PayloadProfile.V2, PayloadProfile.V2_PYTHON, PayloadProfile.V2_TYPESCRIPT),
}

KnownKeys = Mapping[str, PublicKey]
"""Keys by the key id that signatures name, or by `name_of_key`, since an agent may give several the same id."""


class Signing(StrEnum):
    """The value of a record's signature as proof."""

    NONE = "none"
    HOLDS = "holds"  # under a key that is known
    HOLDS_FOR_SOMEBODY = "holds-for-somebody"  # under the key that the record carries, for which nobody vouches
    FAILS = "fails"
    UNCHECKED = "unchecked"  # of a kind that is not checked here, or without a key


@dataclass(frozen=True, slots=True)
class SignatureCheck:
    """The result of the check of a signature."""

    signing: Signing
    findings: tuple[Finding, ...] = ()


def name_of_key(agent_id: str, key: PublicKey) -> str:
    """Return the name under which a key of this agent is known, for any key id in signatures."""
    return f"{agent_id} {key.did_key}"


def signed_bytes(members: Mapping[str, Any], profile: PayloadProfile) -> bytes:
    """Return the bytes that the signature of a record covers. Raises NoFormError."""
    signature = members.get("signature")
    emptied = {**signature, "signature": ""} if isinstance(signature, dict) else signature
    return payload_bytes(profile, {**members, "signature": emptied})


def sign_passport(members: Mapping[str, Any], key: Signer, key_id: str, profile: PayloadProfile) -> dict[str, Any]:
    """Return the members of a record with its signature. Raises NoFormError."""
    block = {"algorithm": ALGORITHM, "key_id": key_id, "public_key": key.public_key.base64, "signature": ""}
    unsigned = {**members, "signature": block}
    value = base64.b64encode(key.sign(signed_bytes(unsigned, profile))).decode("ascii")
    return {**unsigned, "signature": {**block, "signature": value}}


def verify_signature(passport: Passport, key: PublicKey, signature: bytes) -> PayloadProfile:
    """Return the form under which a signature over a record holds. Raises SignatureError if there is none."""
    for profile in _FORMS.get(major_version(passport) or 0, ()):
        if not covers_all(profile, passport.members):
            continue
        try:
            key.verify(signed_bytes(passport.members, profile), signature)
        except (NoFormError, SignatureError):
            continue
        return profile
    raise SignatureError(f"the signature over {passport.label} is not by {key.did_key}")


def check_signature(passport: Passport, known: KnownKeys) -> SignatureCheck:
    """Check the signature of a record, if it has one, with the keys that are known."""
    if "signature" not in passport.members:
        return SignatureCheck(Signing.NONE)
    block = passport.part("signature")

    def said(code: FindingCode, severity: Severity, words: str, name: str) -> Finding:
        return Finding(code, severity, words, passport.label, f"signature.{name}")

    # (1) An algorithm that is checked here; the others of upstream are not.
    algorithm = block.get("algorithm")
    if algorithm != ALGORITHM:
        words = f"is {str(algorithm)[:32]!r}; {ALGORITHM} is checked here"
        return SignatureCheck(
            Signing.UNCHECKED, (said(FindingCode.SIGNATURE_UNCHECKED, Severity.GAP, words, "algorithm"),)
        )
    # (2) 64 bytes in padded standard base64, and in no other spelling.
    value = signature_from_text(block.get("signature"))
    if value is None:
        words = f"is not {SIGNATURE_BYTES} bytes in padded standard base64"
        return SignatureCheck(
            Signing.FAILS, (said(FindingCode.SIGNATURE_ENCODING, Severity.ERROR, words, "signature"),)
        )
    # (3) A key: one that is known, or else the one that the record carries.
    key_id, carried = block.get("key_id"), _parse_key(block.get("public_key"))
    of_agent = _parse_key(passport.agent_id) if (passport.agent_id or "").startswith("did:key:") else None
    trusted = known.get(key_id) if isinstance(key_id, str) else None
    if trusted is None and carried is not None:
        trusted = known.get(name_of_key(passport.agent_id or "", carried))
    key = trusted or of_agent or carried
    if key is None:
        words = "is no key that is read here, and none is known under its name"
        return SignatureCheck(
            Signing.UNCHECKED, (said(FindingCode.SIGNATURE_UNCHECKED, Severity.GAP, words, "public_key"),)
        )
    # (4) The signature itself.
    findings = list(_doubts(passport, trusted, of_agent, carried))
    try:
        verify_signature(passport, key, value)
    except SignatureError:
        words = f"does not hold under {key.did_key}"
        findings.append(said(FindingCode.SIGNATURE_INVALID, Severity.ERROR, words, "signature"))
        return SignatureCheck(Signing.FAILS, tuple(findings))
    if any(finding.severity is Severity.ERROR for finding in findings):
        return SignatureCheck(Signing.FAILS, tuple(findings))
    vouched = trusted is not None or of_agent is not None
    return SignatureCheck(Signing.HOLDS if vouched else Signing.HOLDS_FOR_SOMEBODY, tuple(findings))


def _doubts(
    passport: Passport, trusted: PublicKey | None, of_agent: PublicKey | None, carried: PublicKey | None
) -> Iterator[Finding]:
    key_id = passport.part("signature").get("key_id")
    known = trusted or of_agent
    if known is None:
        words = "is not known here: a changed record can be signed again with another key"
        yield Finding(
            FindingCode.SIGNATURE_KEY_UNKNOWN, Severity.WARNING, words, passport.label, "signature.public_key"
        )
    elif carried is not None and carried != known:
        words = f"is not the key known as {str(key_id)[:80]}"
        yield Finding(FindingCode.SIGNATURE_KEY_OTHER, Severity.ERROR, words, passport.label, "signature.public_key")
    agent = key_agent(key_id) if trusted is not None and isinstance(key_id, str) else None
    if agent is not None and agent != passport.agent_id:
        words = f"is a key of {agent[:80]}, and the record says that another agent made it"
        yield Finding(FindingCode.SIGNATURE_AGENT_OTHER, Severity.ERROR, words, passport.label, "signature.key_id")


def _parse_key(value: Any) -> PublicKey | None:
    try:
        return PublicKey.parse(value) if isinstance(value, str) else None
    except KeyFormatError:
        return None
