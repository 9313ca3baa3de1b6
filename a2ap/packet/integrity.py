"""The integrity of a packet: its signature and its hash hold, if it has them.

`a2ap packet verify` refuses a packet that fails this check, and so does every other part that takes packets in. A
packet without either conforms to the text, and proves nothing.
"""

from a2ap.packet.canon import match_hash, packet_hash, read_hash
from a2ap.packet.document import PacketDocument
from a2ap.packet.errors import PacketHashError
from a2ap.packet.signature import SIGNATURE, read_signature, verify_members


def check_integrity(packet: PacketDocument) -> None:
    """Check the signature and the hash of a packet. Raises PacketSignatureError and PacketHashError."""
    check_signature(packet)
    check_own_hash(packet)


def check_signature(packet: PacketDocument) -> None:
    """Raise PacketSignatureError if a packet has a signature that does not hold under the key that it names."""
    if SIGNATURE in packet.part("ext"):
        verify_members(packet.members, read_signature(packet.members).public_key)


def check_own_hash(packet: PacketDocument) -> None:
    """Raise PacketHashError if a packet states a hash of 64 digits that is not its own in any known domain."""
    if read_hash(packet.packet_hash) is not None and match_hash(packet) is None:
        raise PacketHashError("packet_hash is not that of the packet in any domain that is known")


def own_hash(packet: PacketDocument) -> str | None:
    """Return the hash by which records know a packet, None if the one that it states is not its own."""
    try:
        if packet.packet_hash is None:
            return packet_hash(packet.members)
        return packet.packet_hash if match_hash(packet) is not None else None
    except PacketHashError:
        return None
