"""Errors of Context Packets: what cannot be read, hashed or made; what does not conform is a finding instead.

PacketError
├── PacketTextError       the bytes are no JSON object that one can read in only one way
├── PacketFormError       a document has not the form of a packet, receipt, return or disposition; it says which rules
├── PacketHashError       a hash is in no form that is known here, or is not that of the packet
├── PacketSignatureError  a packet or record is not signed, or its signature does not hold
└── PacketAuthorityError  the agent that signed a packet or record has not the role that it needs
"""

from a2ap.errors import A2APError, RecordTextError


class PacketError(A2APError):
    """Base of the errors of Context Packets."""


class PacketTextError(PacketError, RecordTextError):
    """The bytes are no JSON object that one can read in only one way, within the limits."""


class PacketFormError(PacketError, RecordTextError):
    """A document has not the form that it needs to be read as what it was taken for."""


class PacketHashError(PacketError):
    """A hash is in no form that is known here, or is not that of the packet."""


class PacketSignatureError(PacketError):
    """A packet or record is not signed, or its signature does not hold."""


class PacketAuthorityError(PacketError):
    """The agent that signed a packet or record has not the role that its words need, or is not their author."""
