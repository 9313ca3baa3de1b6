"""DID documents: of a key (`did:key`, made from the key alone) and of a host (`did:web`), with Multikey methods.

Both are written as JSON-LD with the two contexts that Controlled Identifiers and Multikey require. A `did:key` of
Ed25519 has every relationship but key agreement: no X25519 key is derived from it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import quote, urlsplit

from a2ap.errors import FieldError
from a2ap.signing.keys import PublicKey

DID_CONTEXTS = ("https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1")

ASSERTION_METHOD = "assertionMethod"
AUTHENTICATION = "authentication"

_KEY_RELATIONSHIPS = (ASSERTION_METHOD, AUTHENTICATION, "capabilityInvocation", "capabilityDelegation")


@dataclass(frozen=True, slots=True)
class VerificationMethod:
    """A key of a DID document: its name behind `#`, and its verification relationships."""

    name: str
    public_key: PublicKey
    relationships: tuple[str, ...]


def multibase_key(public_key: PublicKey) -> str:
    """Return a key in the form of Multikey, `z6Mk…`: the part behind `did:key:`."""
    return public_key.did_key.removeprefix("did:key:")


def did_key_document(public_key: PublicKey) -> dict[str, Any]:
    """Return the DID document that a `did:key` of Ed25519 stands for."""
    method = VerificationMethod(multibase_key(public_key), public_key, _KEY_RELATIONSHIPS)
    return build_did_document(public_key.did_key, [method])


def build_did_document(
    did: str,
    methods: Sequence[VerificationMethod],
    *,
    also_known_as: Sequence[str] = (),
    services: Mapping[str, tuple[str, str]] | None = None,
) -> dict[str, Any]:
    """Return the DID document of `did`; `services` are pairs of type and address by name."""
    document: dict[str, Any] = {"@context": list(DID_CONTEXTS), "id": did}
    if also_known_as:
        document["alsoKnownAs"] = list(also_known_as)
    document["verificationMethod"] = [
        {
            "id": f"{did}#{method.name}",
            "type": "Multikey",
            "controller": did,
            "publicKeyMultibase": multibase_key(method.public_key),
        }
        for method in methods
    ]
    for relationship in _KEY_RELATIONSHIPS:
        names = [f"{did}#{method.name}" for method in methods if relationship in method.relationships]
        if names:
            document[relationship] = names
    if services:
        document["service"] = [
            {"id": f"{did}#{name}", "type": kind, "serviceEndpoint": address}
            for name, (kind, address) in services.items()
        ]
    return document


def did_web(url: str) -> str:
    """Return the `did:web` of an https address (did:web method §3.1); raises `FieldError`.

    The document of an address with a path lies at `<path>/did.json`, of one without at `/.well-known/did.json`.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname or parts.query or parts.fragment or "@" in parts.netloc:
        raise FieldError("url", f"is {url!r}; did:web needs an https address without query and fragment")
    if _is_ip_address(parts.hostname):
        raise FieldError("url", f"is {url!r}; did:web needs the name of a host, not its number")
    port = f"%3A{parts.port}" if parts.port is not None else ""
    segments = [quote(segment, safe="-._~%") for segment in parts.path.split("/") if segment]
    return ":".join(["did:web", parts.hostname + port, *segments])


def _is_ip_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
