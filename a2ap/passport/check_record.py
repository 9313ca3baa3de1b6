"""The check of one record by itself: its members, payload hash and signature, and the members that neither binds."""

from collections.abc import Iterator
from dataclasses import dataclass

from a2ap.passport.field_rules import check_fields, major_version
from a2ap.passport.finding import Finding, FindingCode, Severity
from a2ap.passport.hashing import PayloadMatch, match_payload
from a2ap.passport.passport import Passport
from a2ap.passport.profile import MAX_PATHS, PayloadProfile
from a2ap.passport.signature import KnownKeys, SignatureCheck, Signing, check_signature

# The members that the two hashes bind: the payload, and the parent by its integrity hash.
_BOUND = frozenset({"payload", "integrity"})


@dataclass(frozen=True, slots=True)
class RecordCheck:
    """The findings in a record without a look at any other."""

    match: PayloadMatch | None
    signature: SignatureCheck
    not_bound: tuple[str, ...]
    findings: tuple[Finding, ...]


def check_record(passport: Passport, known: KnownKeys, redacted_by: str | None = None) -> RecordCheck:
    """Check a record by itself; `redacted_by` is the record in its chain that hides its payload."""
    match = match_payload(passport) if passport.has_payload else None
    signature = check_signature(passport, known)
    not_bound = () if signature.signing is Signing.HOLDS else unbound_members(passport)
    findings = (
        *check_fields(passport),
        *_check_redaction(passport, redacted_by),
        *_check_payload(passport, match),
        *_check_coverage(passport, match, signature.signing),
        *signature.findings,
        *_say_not_bound(passport, not_bound, signature.signing),
    )
    return RecordCheck(match, signature, not_bound, findings)


def unbound_members(passport: Passport) -> tuple[str, ...]:
    """Return the members that can be changed without changing a hash, in their order."""
    names = [name for name in passport.members if name not in _BOUND and name != "signature"]
    return (*names, "integrity.verification_status")


def _check_redaction(passport: Passport, redacted_by: str | None) -> Iterator[Finding]:
    if redacted_by is None:
        if not passport.has_payload:
            words = "is not here, so that its hash cannot be compared"
            yield Finding(FindingCode.PAYLOAD_MISSING, Severity.GAP, words, passport.label, "payload")
        return
    kept = "is still here" if passport.has_payload else "is not here, and its hash is kept"
    severity = Severity.WARNING if passport.has_payload else Severity.NOTE
    words = f"was redacted by {redacted_by} and {kept}"
    yield Finding(FindingCode.PAYLOAD_REDACTED, severity, words, passport.label, "payload")


def _check_payload(passport: Passport, match: PayloadMatch | None) -> Iterator[Finding]:
    if not passport.has_payload or passport.payload_hash is None:
        return
    if match is None:
        words, path = "is not the hash of the payload under any profile", "integrity.payload_hash"
        yield Finding(FindingCode.PAYLOAD_HASH_MISMATCH, Severity.ERROR, words, passport.label, path)
    else:
        yield from _check_profile(passport, match.profile)


def _check_coverage(passport: Passport, match: PayloadMatch | None, signing: Signing) -> Iterator[Finding]:
    signed = signing is Signing.HOLDS
    if match is None:
        return
    left_out = f"is not covered by the hash: the profile {match.profile} leaves it out"
    words, severity = (f"{left_out}; the signature covers it", Severity.NOTE) if signed else (left_out, Severity.GAP)
    for path in match.uncovered:
        yield Finding(FindingCode.PAYLOAD_NOT_COVERED, severity, words, passport.label, path)
    if len(match.uncovered) >= MAX_PATHS:
        words = f"may have more that is not covered: the first {MAX_PATHS} paths are told"
        yield Finding(FindingCode.PAYLOAD_NOT_COVERED, severity, words, passport.label, "payload")


def _check_profile(passport: Passport, profile: PayloadProfile) -> Iterator[Finding]:
    version, place = major_version(passport), (passport.label, "integrity.payload_hash")
    if version is not None and profile.major != version:
        # Version 1 has no one form, and this one covers everything; version 2 has one, which this is not.
        severity = Severity.WARNING if version == 1 else Severity.ERROR
        words = f"is that of profile {profile}, and the record says that it follows {passport.version}"
        yield Finding(FindingCode.PROFILE_OF_OTHER_VERSION, severity, words, *place)
    elif profile in (PayloadProfile.V2_PYTHON, PayloadProfile.V2_TYPESCRIPT):
        words = f"is that of profile {profile}, which is not RFC 8785 for this payload"
        yield Finding(FindingCode.PROFILE_NOT_RFC8785, Severity.WARNING, words, *place)


def _say_not_bound(passport: Passport, names: tuple[str, ...], signing: Signing) -> Iterator[Finding]:
    if not names:
        return
    why = {
        Signing.HOLDS_FOR_SOMEBODY: "bound only by a signature under a key for which nobody vouches",
        Signing.FAILS: "not bound by the hash, and the signature does not hold",
        Signing.UNCHECKED: "not bound by the hash, and the signature was not checked",
    }.get(signing, "not bound by the hash, and not signed")
    yield Finding(FindingCode.NOT_BOUND, Severity.NOTE, f"{why}: {', '.join(names)}", passport.label)
