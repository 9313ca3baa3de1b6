"""The hashes of a record (§03, Integrity model), and which of their known forms a record has.

    payload_hash   = sha256(payload under a profile)
    integrity_hash = sha256(payload_hash + (the parent's integrity_hash or "root"))

The published libraries join the hashes with `sha256:` before each; DarkMatter's server joined bare digits.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from a2ap.passport.errors import NoFormError
from a2ap.passport.field_rules import major_version
from a2ap.passport.passport import Passport
from a2ap.passport.profile import PayloadProfile, payload_bytes, uncovered_paths

ROOT = "root"

# For a version, the profiles in the order in which they are tried: those that cover most come first.
_TRIED = {
    1: (
        PayloadProfile.V1_PYTHON,
        PayloadProfile.V1_TYPESCRIPT,
        PayloadProfile.V1_DARKMATTER,
        PayloadProfile.V2,
        PayloadProfile.V1_LITERAL,
    ),
    2: tuple(sorted(PayloadProfile, key=lambda profile: -profile.major)),
}


class Chaining(StrEnum):
    """How the two hashes are joined."""

    PREFIXED = "prefixed"
    BARE = "bare"


@dataclass(frozen=True, slots=True)
class PayloadMatch:
    """The profiles under which a payload has the hash that its record states.

    `profile` is the one that covers most of the payload, and `uncovered` are the paths that even it does not cover.
    """

    profiles: tuple[PayloadProfile, ...]
    profile: PayloadProfile
    uncovered: tuple[str, ...]


def hash_payload(profile: PayloadProfile, payload: object) -> str:
    """Return the digits of the hash of a payload under a profile. Raises NoFormError."""
    return hashlib.sha256(payload_bytes(profile, payload)).hexdigest()


def chain_hash(payload: str, parent: str | None, chaining: Chaining = Chaining.PREFIXED) -> str:
    """Return the digits of an integrity hash from those of a payload hash and of the parent's, `None` for a root."""
    prefix = "sha256:" if chaining is Chaining.PREFIXED else ""
    joined = f"{prefix}{payload}{ROOT if parent is None else prefix + parent}"
    return hashlib.sha256(joined.encode("ascii")).hexdigest()


def match_payload(passport: Passport) -> PayloadMatch | None:
    """Find the profiles under which the payload of a record has the hash stated in it; `None` if there is none."""
    profiles = tuple(one for one in _profiles_of(passport) if _hash_or_none(one, passport) == passport.payload_hash)
    if not profiles or passport.payload_hash is None:
        return None
    uncovered = {profile: uncovered_paths(profile, passport.payload) for profile in profiles}
    best = min(profiles, key=lambda profile: len(uncovered[profile]))
    return PayloadMatch(profiles, best, uncovered[best])


def match_chaining(passport: Passport, parents: Iterable[str | None]) -> Chaining | None:
    """Find how the integrity hash of a record was made from its payload hash and one of these parents' hashes."""
    payload, found = passport.payload_hash, passport.integrity_hash
    if payload is None or found is None:
        return None
    for parent in parents:
        for chaining in Chaining:
            if chain_hash(payload, parent, chaining) == found:
                return chaining
    return None


def _profiles_of(passport: Passport) -> tuple[PayloadProfile, ...]:
    return _TRIED.get(major_version(passport) or 0, tuple(PayloadProfile))


def _hash_or_none(profile: PayloadProfile, passport: Passport) -> str | None:
    try:
        return hash_payload(profile, passport.payload)
    except NoFormError:
        return None
