"""Errors of Context Packs that cannot be read or made; a pack that does not hold has findings instead.

PackError
├── PackTextError       the bytes are not JSON that can be read
├── ExecutionLogError   an execution log has members of another kind, unknown ones, or lacks some
├── ManifestError       a manifest or draft has members of another kind, or can be read in two ways
├── FieldError          a value is not of its kind
├── PackTimeError       a text is not a time, or is a time that Go does not write
├── SidecarError        the file beside an output cannot be read
└── PackReferenceError  a text is not a reference to a pack
"""

from a2ap.errors import A2APError, RecordTextError


class PackError(A2APError):
    """Base of the errors of Context Packs."""


class PackTextError(PackError, RecordTextError):
    """The bytes are no JSON, or JSON that would cost too much to read."""


class ExecutionLogError(PackError):
    """An execution log cannot be packed; the message names the surplus or missing members."""


class ManifestError(PackError, RecordTextError):
    """A manifest or draft cannot be read, or could be read in two ways."""


class FieldError(PackError):
    """A value is not of its kind; the message begins with its path."""


class PackTimeError(PackError):
    """A text is no time, or one whose zone cannot be written again."""


class SidecarError(PackError):
    """A sidecar is of another kind, or names no pack."""


class PackReferenceError(PackError):
    """A text is no reference to a pack or to content."""
