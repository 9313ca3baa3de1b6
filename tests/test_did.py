"""DID documents: the published did:key vectors, and the did:web of a node."""

import base64
from typing import Any

import base58
import pytest
from builders import agent_key
from vectors_file import load_vectors

from a2ap.errors import FieldError
from a2ap.signing.did_document import build_did_document, did_key_document, did_web, multibase_key
from a2ap.signing.keys import PublicKey, SigningKey

DOCUMENTS = load_vectors("did_key_documents.json")
KEY = agent_key(1).public_key


@pytest.mark.parametrize("vector", DOCUMENTS, ids=[vector["seed"][-2:] for vector in DOCUMENTS])
def test_a_did_key_stands_for_the_published_document(vector: dict[str, Any]) -> None:
    document = did_key_document(SigningKey(bytes.fromhex(vector["seed"])).public_key)
    assert document["id"] == vector["did"]
    (method,), published = document["verificationMethod"], vector["verificationMethod"]
    assert (method["id"], method["controller"]) == (published["id"], published["controller"])
    # The vectors give keys as base58 or as a JWK; Multikey is base58btc of the same bytes behind a prefix.
    if "publicKeyBase58" in published:
        data = base58.b58decode(published["publicKeyBase58"])
    else:
        data = base64.urlsafe_b64decode(published["publicKeyJwk"]["x"] + "=")
    assert base58.b58decode(method["publicKeyMultibase"][1:]) == b"\xed\x01" + data
    for relationship in ("assertionMethod", "authentication", "capabilityInvocation", "capabilityDelegation"):
        assert document[relationship] == vector[relationship]


def test_a_document_names_the_contexts_that_its_terms_come_from() -> None:
    document = did_key_document(KEY)
    assert document["@context"] == ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"]
    assert document["verificationMethod"][0]["type"] == "Multikey"
    assert PublicKey.from_did_key(f"did:key:{multibase_key(KEY)}") == KEY
    assert build_did_document("did:web:example.org", []) == {
        "@context": document["@context"],
        "id": "did:web:example.org",
        "verificationMethod": [],
    }


@pytest.mark.parametrize(
    ("url", "did"),
    [
        ("https://example.org", "did:web:example.org"),
        ("https://example.org/", "did:web:example.org"),
        ("https://example.org:8443", "did:web:example.org%3A8443"),
        ("https://example.org/nodes/one/", "did:web:example.org:nodes:one"),
        ("https://EXAMPLE.org/a%20b", "did:web:example.org:a%20b"),
    ],
)
def test_an_address_has_a_did_web(url: str, did: str) -> None:
    assert did_web(url) == did


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org",
        "https://127.0.0.1",
        "https://[::1]:8000",
        "https://example.org?x",
        "https://example.org#x",
        "https://me@example.org",
        "example.org",
        "",
    ],
)
def test_an_address_without_a_name_of_its_own_has_none(url: str) -> None:
    with pytest.raises(FieldError, match="did:web needs"):
        did_web(url)
