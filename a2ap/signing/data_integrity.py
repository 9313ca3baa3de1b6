"""W3C Data Integrity proofs, cryptosuite `eddsa-jcs-2022`, for any credential library to check.

See docs/reference/identity.md.

A proof is optional, made last, and covers the author's words: the document, its `signature` included, without `proof`
itself, `verificationStatus` and `disclosures`. Others fill in the second, and law may take away the third
(docs/decisions/0008). Several proofs are a proof set: each covers the document without any of them.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import base58

from a2ap.canonical import canonicalize
from a2ap.errors import FieldError, SignatureError
from a2ap.fields import check_distinct, member_path, read_id, read_text, shown
from a2ap.signing.keys import SIGNATURE_BYTES, PublicKey, Signer
from a2ap.times import format_instant, parse_instant

PROOF_TYPE = "DataIntegrityProof"
CRYPTOSUITE = "eddsa-jcs-2022"
PROOF_PURPOSE = "assertionMethod"
MAX_PROOFS = 5
UNPROVEN_MEMBERS = frozenset({"proof", "verificationStatus", "disclosures"})

_OPTIONS = {"type": PROOF_TYPE, "cryptosuite": CRYPTOSUITE, "proofPurpose": PROOF_PURPOSE}
_MEMBERS = _OPTIONS.keys() | {"@context", "created", "verificationMethod", "proofValue"}


@dataclass(frozen=True, slots=True)
class DataIntegrityProof:
    """One proof of a document.

    `key_reference` is the key as registrations name it: `did:key:z…` for the verification method `did:key:z…#z…`, the
    method itself elsewhere. `options` is the proof without `proofValue`, as it was hashed.
    """

    key_reference: str
    created: datetime
    value: bytes
    options: Mapping[str, Any]


def did_key_method(public_key: PublicKey) -> str:
    """Return the verification method of a key that needs no registry: `did:key:z…#z…`."""
    did = public_key.did_key
    return f"{did}#{did.removeprefix('did:key:')}"


def create_proof(
    document: Mapping[str, Any], signer: Signer, created: datetime, verification_method: str | None = None
) -> dict[str, Any]:
    """Return a proof of a document, which is not changed (vc-di-eddsa §3.3.1).

    The default verification method is the `did:key` of the signer, which every verifier can resolve.
    """
    options: dict[str, Any] = {
        **_OPTIONS,
        "created": format_instant(created),
        "verificationMethod": verification_method or did_key_method(signer.public_key),
    }
    # vc-di-eddsa §3.3.1 step 2: the proof repeats the document's context.
    if "@context" in document:
        options["@context"] = document["@context"]
    value = signer.sign(proven_bytes(document, options))
    return {**options, "proofValue": "z" + base58.b58encode(value).decode("ascii")}


def add_proof(
    document: Mapping[str, Any], signer: Signer, created: datetime, verification_method: str | None = None
) -> dict[str, Any]:
    """Return a signed message with a proof beside those that it has; `verificationStatus` is left out.

    A verifier that knows nothing of A2AP takes a proof to cover all members beside it.
    """
    proof = create_proof(document, signer, created, verification_method)
    others = document.get("proof", [])
    proofs = [*(others if isinstance(others, list) else [others]), proof]
    kept = {name: value for name, value in document.items() if name not in ("proof", "verificationStatus")}
    return {**kept, "proof": proofs if len(proofs) > 1 else proof}


def read_proofs(document: Mapping[str, Any]) -> tuple[DataIntegrityProof, ...]:
    """Read the `proof` member of a document, one or a list of up to `MAX_PROOFS`, in order.

    Raises `FieldError` for a proof of another cryptosuite or with members that are not hashed here: an unchecked proof
    must not look checked.
    """
    member = document.get("proof")
    if type(member) is not list:
        return (_read_proof(document, member, "proof"),)
    if not 1 <= len(member) <= MAX_PROOFS:
        raise FieldError("proof", f"has {len(member)} items, not 1 to {MAX_PROOFS}")
    proofs = tuple(_read_proof(document, value, f"proof[{index}]") for index, value in enumerate(member))
    check_distinct([proof.key_reference for proof in proofs], "proof")
    return proofs


def verify_proof(document: Mapping[str, Any], proof: DataIntegrityProof, public_key: PublicKey) -> None:
    """Raise `SignatureError` unless the proof of this document was made with this key (vc-di-eddsa §3.3.2)."""
    try:
        public_key.verify(proven_bytes(document, proof.options), proof.value)
    except SignatureError as error:
        raise SignatureError(
            f"the proof in the name of {proof.key_reference} is not by {public_key.did_key}"
        ) from error


def proven_bytes(document: Mapping[str, Any], options: Mapping[str, Any]) -> bytes:
    """Return the bytes that a proof signs: SHA-256 of the options, then of the document, in RFC 8785 form (§3.3.4)."""
    covered = {name: value for name, value in document.items() if name not in UNPROVEN_MEMBERS}
    return hashlib.sha256(canonicalize(dict(options))).digest() + hashlib.sha256(canonicalize(covered)).digest()


def _read_proof(document: Mapping[str, Any], proof: Any, path: str) -> DataIntegrityProof:
    if type(proof) is not dict:
        raise FieldError(path, f"is {shown(proof)}, not an object")
    if not proof.keys() <= _MEMBERS:
        unknown = next(name for name in proof if name not in _MEMBERS)
        raise FieldError(member_path(path, unknown), f"is no member of an {CRYPTOSUITE} proof here")
    for name, only in _OPTIONS.items():
        found = read_text(proof, name, path)
        if found != only:
            raise FieldError(member_path(path, name), f"is {shown(found)}, not {only}")
    # vc-di-eddsa §3.3.2 step 4: the signed document is the document under this context.
    if "@context" in document and proof.get("@context") != document["@context"]:
        raise FieldError(member_path(path, "@context"), "is not the context of the document")
    if "@context" in proof and "@context" not in document:
        raise FieldError(member_path(path, "@context"), "is there, and the document has none")
    return DataIntegrityProof(
        key_reference=_key_reference(
            read_id(proof, "verificationMethod", path), member_path(path, "verificationMethod")
        ),
        created=parse_instant(read_text(proof, "created", path), member_path(path, "created")),
        value=_decode(read_text(proof, "proofValue", path), member_path(path, "proofValue")),
        options={name: value for name, value in proof.items() if name != "proofValue"},
    )


def _key_reference(method: str, path: str) -> str:
    holder, separator, name = method.partition("#")
    if not separator or not name:
        raise FieldError(path, f"is {method!r}, not did:key:z…#z… or the id of a registered key")
    return holder if holder == f"did:key:{name}" else method


def _decode(text: str, path: str) -> bytes:
    # 64 bytes are at most 88 digits of base58btc; z is its multibase prefix.
    try:
        data = base58.b58decode(text[1:]) if text[:1] == "z" and len(text) <= 89 and text.isascii() else b""
    except ValueError as error:
        raise FieldError(path, "is not base58btc") from error
    if len(data) != SIGNATURE_BYTES or "z" + base58.b58encode(data).decode("ascii") != text:
        raise FieldError(path, f"is not z and {SIGNATURE_BYTES} bytes in base58btc")
    return data
