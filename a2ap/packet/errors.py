"""Errors of Context Packets that cannot be read, hashed or made; a packet that does not conform has findings instead.

PacketError
├── PacketTextError       the bytes are not a JSON object with exactly one reading
├── PacketFormError       a document is not a packet, receipt, return or disposition; it names the broken rules
├── PacketHashError       a hash is in no known form, or is not that of the packet
├── PacketSignatureError  a packet or record is not signed, or its signature does not hold
└── PacketAuthorityError  the agent that signed a packet or record lacks the role that it needs
"""

from a2ap.errors import A2APError, RecordTextError


class PacketError(A2APError):
    """Base of the errors of Context Packets."""


class PacketTextError(PacketError, RecordTextError):
    """The bytes are not a JSON object with exactly one reading, within the limits."""


class PacketFormError(PacketError, RecordTextError):
    """A document does not have the form of a packet, receipt, return or disposition."""


class PacketHashError(PacketError):
    """A hash is in no known form, or is not that of the packet."""


class PacketSignatureError(PacketError):
    """A packet or record is not signed, or its signature does not hold."""


class PacketAuthorityError(PacketError):
    """The agent that signed a packet or record lacks the role that it needs, or is not the author in `by`."""
