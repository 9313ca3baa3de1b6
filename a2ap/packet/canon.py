"""`cpk-canon/1`: the bytes of a packet that are hashed, which the text names but does not define.

Ours is RFC 8785 over the packet without `reproducibility.packet_hash`, which cannot be in its own hash, and without
`receipts`, which are added after hashing and echo the hash (docs/decisions/0061). Others may have read the name in
another way: a hash that is right for one of the other three domains is recognised, and said to be of that domain.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from a2ap.canonical import canonicalize
from a2ap.packet.document import PacketDocument, part_of
from a2ap.packet.errors import PacketHashError
from a2ap.packet.vocabulary import HashAlgorithm

_HASH = re.compile(r"(?:(b2|blake2b|blake2b-256|sha256|sha-256):)?([0-9a-fA-F]{64})")
_OF_PREFIX = {
    "b2": HashAlgorithm.BLAKE2B_256,
    "blake2b": HashAlgorithm.BLAKE2B_256,
    "blake2b-256": HashAlgorithm.BLAKE2B_256,
    "sha256": HashAlgorithm.SHA_256,
    "sha-256": HashAlgorithm.SHA_256,
}


class HashDomain(StrEnum):
    """The part of a packet that is hashed; the first is ours."""

    MINUS_PACKET_HASH_AND_RECEIPTS = "minus_packet_hash_and_receipts"
    MINUS_PACKET_HASH = "minus_packet_hash"
    PACKET_HASH_EMPTY_STRING = "packet_hash_empty_string"
    MINUS_REPRODUCIBILITY = "minus_reproducibility"


@dataclass(frozen=True, slots=True)
class HashMatch:
    """The domain and algorithm under which a packet has the hash that it states."""

    domain: HashDomain
    algorithm: HashAlgorithm

    @property
    def is_ours(self) -> bool:
        """Say whether the domain is that of `cpk-canon/1` as we read it."""
        return self.domain is HashDomain.MINUS_PACKET_HASH_AND_RECEIPTS


def packet_bytes(members: Mapping[str, Any], domain: HashDomain = HashDomain.MINUS_PACKET_HASH_AND_RECEIPTS) -> bytes:
    """Return the bytes of a packet that are hashed. Raises PacketHashError if they have no canonical form."""
    left = dict(members)
    block = left.get("reproducibility")
    if domain is HashDomain.MINUS_REPRODUCIBILITY:
        left.pop("reproducibility", None)
    elif isinstance(block, dict):
        emptied = {name: value for name, value in block.items() if name != "packet_hash"}
        if domain is HashDomain.PACKET_HASH_EMPTY_STRING:
            emptied["packet_hash"] = ""
        left["reproducibility"] = emptied
    if domain is HashDomain.MINUS_PACKET_HASH_AND_RECEIPTS:
        left.pop("receipts", None)
    try:
        return canonicalize(left)
    except ValueError as error:
        raise PacketHashError(f"the packet has no canonical form: {error}") from error


def packet_hash(
    members: Mapping[str, Any],
    algorithm: HashAlgorithm = HashAlgorithm.BLAKE2B_256,
    domain: HashDomain = HashDomain.MINUS_PACKET_HASH_AND_RECEIPTS,
) -> str:
    """Return the hash of a packet, `b2:` or `sha256:` and 64 digits. Raises PacketHashError."""
    return algorithm.prefix + _digest(packet_bytes(members, domain), algorithm)


def read_hash(value: Any) -> tuple[HashAlgorithm | None, str] | None:
    """Return the algorithm that a hash names, if any, and its 64 digits; `None` if it is not a whole hash."""
    match = _HASH.fullmatch(value) if isinstance(value, str) else None
    return None if match is None else (_OF_PREFIX.get(match[1] or ""), match[2].lower())


def same_hash(one: Any, other: Any) -> bool:
    """Say whether two hashes are the same, however their prefixes and digits are spelled."""
    if not isinstance(one, str) or not isinstance(other, str):
        return False
    first, second = read_hash(one), read_hash(other)
    if first is None or second is None:
        return one == other
    return first[1] == second[1] and (first[0] == second[0] or None in (first[0], second[0]))


def match_hash(document: PacketDocument) -> HashMatch | None:
    """Find the domain and algorithm under which a packet has its hash; `None` if there are none, or no hash."""
    found = read_hash(document.packet_hash)
    if found is None:
        return None
    for domain in HashDomain:
        data = packet_bytes(document.members, domain)
        for algorithm in HashAlgorithm:
            if found[0] in (None, algorithm) and _digest(data, algorithm) == found[1]:
                return HashMatch(domain, algorithm)
    return None


def verify_hash(document: PacketDocument) -> HashMatch:
    """Return the domain and algorithm of the hash that a packet states. Raises PacketHashError if it is not its own."""
    stated = document.packet_hash
    if stated is None:
        raise PacketHashError("the packet states no hash")
    if read_hash(stated) is None:
        raise PacketHashError("packet_hash is not a hash of 64 digits")
    match = match_hash(document)
    if match is None:
        raise PacketHashError("packet_hash is not that of the packet in any domain that is known")
    named = part_of(document.members, "reproducibility").get("hash_algorithm")
    if isinstance(named, str) and named in frozenset(HashAlgorithm) and named != match.algorithm:
        raise PacketHashError(f"packet_hash is {match.algorithm}, and hash_algorithm says {named}")
    return match


def _digest(data: bytes, algorithm: HashAlgorithm) -> str:
    if algorithm is HashAlgorithm.BLAKE2B_256:
        return hashlib.blake2b(data, digest_size=32).hexdigest()
    return hashlib.sha256(data).hexdigest()
