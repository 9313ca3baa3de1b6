"""Findings about a record or a chain, each with a code for programs and words for people."""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """The result of a check, in the words of §03: computed here, and never taken from a record."""

    VALID = "valid"
    UNVERIFIED = "unverified"
    BROKEN = "broken"


class Severity(StrEnum):
    """The effect of a finding on the status of a record and of all that follow it."""

    ERROR = "error"  # something does not hold: broken
    GAP = "gap"  # something cannot be checked with the given documents: unverified
    WARNING = "warning"  # it holds, and somebody should look
    NOTE = "note"


class FindingCode(StrEnum):
    """The codes of findings. The path of the finding gives its place."""

    # One record, its members (§03).
    FIELD_MISSING = "field-missing"
    FIELD_TYPE = "field-type"
    FIELD_FORM = "field-form"
    FIELD_UNLISTED = "field-unlisted"
    FIELD_FORBIDDEN = "field-forbidden"
    MEMBER_UNKNOWN = "member-unknown"
    MEMBER_EXTENSION = "member-extension"
    MEMBER_TWICE = "member-twice"
    VERSION_UNKNOWN = "version-unknown"
    EVENT_CUSTOM = "event-custom"
    EVENT_UNKNOWN = "event-unknown"
    # One record, its hashes and signature.
    PAYLOAD_MISSING = "payload-missing"
    PAYLOAD_REDACTED = "payload-redacted"
    PAYLOAD_HASH_MISMATCH = "payload-hash-mismatch"
    PAYLOAD_NOT_COVERED = "payload-not-covered"
    PROFILE_OF_OTHER_VERSION = "profile-of-other-version"
    PROFILE_NOT_RFC8785 = "profile-not-rfc8785"
    INTEGRITY_HASH_MISMATCH = "integrity-hash-mismatch"
    HASH_BARE = "hash-bare"
    STATUS_CLAIMED = "status-claimed"
    NOT_BOUND = "not-bound"
    SIGNATURE_INVALID = "signature-invalid"
    SIGNATURE_ENCODING = "signature-encoding"
    SIGNATURE_UNCHECKED = "signature-unchecked"
    SIGNATURE_KEY_UNKNOWN = "signature-key-unknown"
    SIGNATURE_KEY_OTHER = "signature-key-other"
    SIGNATURE_AGENT_OTHER = "signature-agent-other"
    # A record among others.
    PARENT_HASH_MISMATCH = "parent-hash-mismatch"
    PARENT_MISSING = "parent-missing"
    PARENT_RENAMED = "parent-renamed"
    MERGED_PARENT_MISSING = "merged-parent-missing"
    MERGE_ONE_PARENT = "merge-one-parent"
    LISTED_BEFORE_PARENT = "listed-before-parent"
    TIME_RUNS_BACK = "time-runs-back"
    ID_TWICE = "id-twice"
    RECORD_TWICE = "record-twice"
    ID_OF_ANOTHER = "id-of-another"
    UNBOUND_ALTERED = "unbound-altered"
    LINEAGE_MISSING = "lineage-missing"
    LINEAGE_MISMATCH = "lineage-mismatch"
    TARGET_MISSING = "target-missing"
    ANCESTOR_BROKEN = "ancestor-broken"
    ANCESTOR_UNVERIFIED = "ancestor-unverified"
    # The chain.
    EMPTY = "empty"
    TRUNCATED = "truncated"
    CYCLE = "cycle"
    ROOTS = "roots"
    FORK = "fork"
    MERGE = "merge"
    REVERT = "revert"
    REDACTION = "redaction"
    HEAD_MISSING = "head-missing"
    HEAD_NOT_KNOWN = "head-not-known"


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding: its record (none for the chain), its place in the record, and its words."""

    code: FindingCode
    severity: Severity
    words: str
    passport: str | None = None
    path: str = ""

    def __str__(self) -> str:
        place = " ".join(part for part in (self.passport, self.path) if part)
        return f"{place}: {self.words}" if place else self.words


def worst(severities: "set[Severity]") -> Status:
    """Return the status that findings of these severities leave."""
    if Severity.ERROR in severities:
        return Status.BROKEN
    return Status.UNVERIFIED if Severity.GAP in severities else Status.VALID
