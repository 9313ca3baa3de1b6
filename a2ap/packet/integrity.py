"""What a packet shows of itself: a signature and a hash that hold, where it has them.

`a2ap packet verify` refuses what fails here, and so does everything else that takes a packet in. A packet without
either is what the text asks for, and shows nothing.
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
    """Raise PacketSignatureError where a packet has a signature that does not hold under the key that it names."""
    if SIGNATURE in packet.part("ext"):
        verify_members(packet.members, read_signature(packet.members).public_key)


def check_own_hash(packet: PacketDocument) -> None:
    """Raise PacketHashError where a packet states a hash of 64 digits, and it is not its own in any known domain."""
    if read_hash(packet.packet_hash) is not None and match_hash(packet) is None:
        raise PacketHashError("packet_hash is not that of the packet in any domain that is known")


def own_hash(packet: PacketDocument) -> str | None:
    """Return the hash by which records know a packet, None where the one that it states is not its own."""
    try:
        if packet.packet_hash is None:
            return packet_hash(packet.members)
        return packet.packet_hash if match_hash(packet) is not None else None
    except PacketHashError:
        return None
