"""Errors of Context Passports that cannot be read, hashed or made; a chain that does not hold has findings instead.

PassportError
├── PassportTextError   the bytes are not a JSON document with records in it
├── NoFormError         a payload has no bytes under a profile, and so no hash
└── BuildError          a record cannot be made from the arguments
"""

from a2ap.errors import A2APError, RecordTextError


class PassportError(A2APError):
    """Base of the errors of Context Passports."""


class PassportTextError(PassportError, RecordTextError):
    """The bytes are no JSON document with Context Passports in it."""


class NoFormError(PassportError):
    """A value has no bytes under a profile: the program whose form that is refuses it."""


class BuildError(PassportError):
    """A record cannot be made from the arguments."""
