"""Errors of Context Passports: what cannot be read, hashed or made; what does not hold is a finding instead.

PassportError
├── PassportTextError   the bytes are no JSON document with records in it
├── NoFormError         a payload has no bytes under a profile, and so no hash
└── BuildError          a record cannot be made from what was given
"""

from a2ap.errors import A2APError, RecordTextError


class PassportError(A2APError):
    """Base of the errors of Context Passports."""


class PassportTextError(PassportError, RecordTextError):
    """The bytes are no JSON document with Context Passports in it."""


class NoFormError(PassportError):
    """A value has no bytes under a profile: the program whose form that is refuses it."""


class BuildError(PassportError):
    """A record cannot be made from what was given."""
