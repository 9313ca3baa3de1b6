"""Requests that a node signs with its transport key, by HTTP Message Signatures (RFC 9421) over Ed25519.

The signature covers method, authority, path and query, and the digest of the body if there is one (RFC 9530). The key
is named by its `did:key`; the tag names the purpose of the signature. PyNaCl signs and verifies, as everywhere else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import httpx
from http_message_signatures import (
    HTTPMessageSignaturesException,
    HTTPMessageSigner,
    HTTPMessageVerifier,
    HTTPSignatureAlgorithm,
    HTTPSignatureKeyResolver,
    InvalidSignature,
)

from a2ap.signing.keys import PublicKey, Signer
from graph.errors import UnauthenticatedError

TAG = "a2ap-peer"
LABEL = "a2ap"
MAX_AGE = timedelta(minutes=5)

_COVERED = ("@method", "@authority", "@path", "@query")


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """A request as it arrived."""

    method: str
    url: str
    headers: Mapping[str, str]


class _Ed25519(HTTPSignatureAlgorithm):
    """`ed25519` of RFC 9421 §3.3.6 with this project's keys."""

    algorithm_id = "ed25519"

    def __init__(self, public_key: PublicKey | None = None, private_key: Signer | None = None) -> None:
        self._public_key = public_key
        self._signer = private_key

    def sign(self, message: bytes) -> bytes:
        assert self._signer is not None
        return self._signer.sign(message)

    def verify(self, signature: bytes, message: bytes) -> None:
        assert self._public_key is not None
        self._public_key.verify(message, signature)


class _NamedKey(HTTPSignatureKeyResolver):
    """The key that a signature names; its owner is stated by the agreements."""

    def resolve_public_key(self, key_id: str) -> PublicKey:
        return PublicKey.from_did_key(key_id)


def sign_request(request: httpx.Request, body: bytes, signer: Signer, now: datetime) -> None:
    """Sign the request, and add the headers with the signature and its key."""
    messages = HTTPMessageSigner(signature_algorithm=_Ed25519)
    prepared = messages.prepare(
        request,
        key_id=signer.public_key.did_key,
        created=now,
        label=LABEL,
        tag=TAG,
        covered_component_ids=_COVERED,
        body=body or None,
    )
    messages.apply(request, prepared, signer.sign(prepared.signature_base))


def verify_request(request: ReceivedRequest, body: bytes, now: datetime) -> PublicKey:
    """Return the key that signed the request, up to `MAX_AGE` from `now`; raises `UnauthenticatedError` if none did."""
    verifier = HTTPMessageVerifier(signature_algorithm=_Ed25519, key_resolver=_NamedKey())
    try:
        (found,) = verifier.verify(request, max_age=None, expect_tag=TAG, require_components=_COVERED, body=body)
        created = datetime.fromtimestamp(int(found.parameters["created"]), UTC)
        key_id = str(found.parameters["keyid"])
    except (InvalidSignature, HTTPMessageSignaturesException, KeyError, ValueError, OverflowError, OSError) as error:
        raise UnauthenticatedError(f"the signature of the request does not hold: {error}") from error
    if abs(now - created) > MAX_AGE:
        raise UnauthenticatedError(f"the request was signed at {created:%Y-%m-%dT%H:%M:%SZ}, too far from now")
    return PublicKey.from_did_key(key_id)
