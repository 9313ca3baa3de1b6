"""Findings about a pack or a store, each with a code for programs and words for people."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """The severity of a finding."""

    ERROR = "error"  # something does not hold
    WARNING = "warning"  # it holds, and somebody should look
    NOTE = "note"


class FindingCode(StrEnum):
    """The codes of findings. The path of the finding gives its place."""

    # The manifest.
    MANIFEST_MISSING = "manifest-missing"
    MANIFEST_ALTERED = "manifest-altered"
    MANIFEST_UNREADABLE = "manifest-unreadable"
    HASH_POPULATED = "hash-populated"
    HASH_OF_OTHER = "hash-of-other"
    FORM_UPSTREAM_FORK = "form-upstream-fork"
    FORM_NOT_CANONICAL = "form-not-canonical"
    MEMBER_MISSING = "member-missing"
    MEMBER_UNKNOWN = "member-unknown"
    VERSION_UNKNOWN = "version-unknown"
    CREATED_MISSING = "created-missing"
    STEP_INDEX = "step-index"
    TIME_RUNS_BACK = "time-runs-back"
    NAME_UNSAFE = "name-unsafe"
    NAME_TWICE = "name-twice"
    REFERENCE_FORM = "reference-form"
    OUTPUT_OF_OTHER = "output-of-other"
    PARENT_MISSING = "parent-missing"
    # The content.
    BLOB_MISSING = "blob-missing"
    BLOB_ALTERED = "blob-altered"
    BLOB_EXTRA = "blob-extra"
    SIZE_DIFFERS = "size-differs"
    # The store.
    INDEX_DAMAGED = "index-damaged"
    OBJECT_ALTERED = "object-altered"
    # A file beside it.
    ARTIFACT_MODIFIED = "artifact-modified"
    ARTIFACT_OF_OTHER = "artifact-of-other"
    SIDECAR_OF_OTHER = "sidecar-of-other"
    SIDECAR_DIFFERS = "sidecar-differs"
    SIDECAR_SAYS = "sidecar-says"


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding: its place in a manifest or store, and its words."""

    code: FindingCode
    severity: Severity
    path: str
    words: str

    def __str__(self) -> str:
        return f"{self.path}: {self.words}" if self.path else self.words
