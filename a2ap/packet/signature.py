"""Signatures of packets and of the records about them: Ed25519, in the namespaced member `ext["a2ap.signature"]`.

The text has no signature, so that anybody can claim governor, receipts and promotion (the threat of repudiation in
§17.1 is met by hashes only). The signature covers the RFC 8785 form of the document without the signature's `value`;
of a packet also without the members that change afterwards, `receipts` and `reproducibility.packet_hash`. A packet is
signed first and hashed then, so that its hash covers the signature.
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from a2ap.canonical import canonicalize
from a2ap.errors import KeyFormatError, SignatureError
from a2ap.packet.canon import packet_bytes
from a2ap.packet.document import part_of
from a2ap.packet.errors import PacketHashError, PacketSignatureError
from a2ap.packet.vocabulary import SPEC
from a2ap.signing.keys import SIGNATURE_BYTES, PublicKey, Signer, signature_from_text

SIGNATURE = "a2ap.signature"
ALGORITHM = "ed25519"

# In front of the signed bytes, so that no signature of another kind of document is one of these.
_TAG = b"a2ap.signature/1\n"


@dataclass(frozen=True, slots=True)
class Signature:
    """The signature in a document: the id of the key, the key, and the 64 bytes."""

    key_id: str
    public_key: PublicKey
    value: bytes


def sign_members(members: Mapping[str, Any], key: Signer, key_id: str) -> dict[str, Any]:
    """Return the members of a packet or record with a signature, in the place of any that it had.

    Raises PacketHashError if the document has no canonical form. A packet's hash must then be made anew.
    """
    block = {"algorithm": ALGORITHM, "key_id": key_id, "public_key": key.public_key.base64}
    unsigned = {**members, "ext": {**part_of(members, "ext"), SIGNATURE: block}}
    value = base64.b64encode(key.sign(signed_bytes(unsigned))).decode("ascii")
    return {**unsigned, "ext": {**unsigned["ext"], SIGNATURE: {**block, "value": value}}}


def verify_members(members: Mapping[str, Any], key: PublicKey) -> Signature:
    """Return the signature of a packet or record if this key made it; raises PacketSignatureError otherwise."""
    signature = read_signature(members)
    if signature.public_key != key:
        raise PacketSignatureError(f"the signature names the key {signature.public_key.did_key}, not {key.did_key}")
    try:
        key.verify(signed_bytes(members), signature.value)
    except (SignatureError, PacketHashError) as error:
        raise PacketSignatureError(f"the signature does not hold: {error}") from error
    return signature


def read_signature(members: Mapping[str, Any]) -> Signature:
    """Read the signature of a document. Raises PacketSignatureError if it has none in our form."""
    block = part_of(members, "ext").get(SIGNATURE)
    if not isinstance(block, dict):
        raise PacketSignatureError(f"the document is not signed: its ext has no {SIGNATURE}")
    if set(block) != {"algorithm", "key_id", "public_key", "value"} or block["algorithm"] != ALGORITHM:
        raise PacketSignatureError(f"{SIGNATURE} is not algorithm {ALGORITHM}, key_id, public_key and value")
    key_id, value = block["key_id"], signature_from_text(block["value"])
    if not isinstance(key_id, str) or not key_id:
        raise PacketSignatureError("the signature names no key")
    if value is None:
        raise PacketSignatureError(f"the signature is not {SIGNATURE_BYTES} bytes in padded standard base64")
    try:
        public_key = PublicKey.parse(block["public_key"] if isinstance(block["public_key"], str) else "")
    except KeyFormatError as error:
        raise PacketSignatureError("the signature names no Ed25519 key in a form that is read here") from error
    return Signature(key_id, public_key, value)


def signed_bytes(members: Mapping[str, Any]) -> bytes:
    """Return the bytes that a signature covers. Raises PacketHashError if there is no canonical form."""
    ext = part_of(members, "ext")
    block = {name: value for name, value in part_of(ext, SIGNATURE).items() if name != "value"}
    emptied = {**members, "ext": {**ext, SIGNATURE: block}}
    if members.get("spec") == SPEC:
        return _TAG + packet_bytes(emptied)
    try:
        return _TAG + canonicalize(emptied)
    except ValueError as error:
        raise PacketHashError(f"the document has no canonical form: {error}") from error
