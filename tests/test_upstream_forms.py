"""What only the reference code of A2AP makes: it is as the vectors say, and this is what becomes of it here."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
from builders import sign, statement_message
from pyld import jsonld
from vectors_file import load_vectors

from a2ap.errors import ContentHashError, ContextError, FieldError, MessageError, TypeNameError
from a2ap.identifiers import generate_chunk_id, id_problem
from a2ap.json_text import write_json
from a2ap.messages.content_hash import compute_content_hash, compute_python_repr_hash, recognise_content_hash
from a2ap.messages.evidence import EvidenceSegment, build_segment, read_segment
from a2ap.messages.message import read_message
from a2ap.rdf.expansion import expand
from contexts import load_document

VECTORS = load_vectors("a2ap_upstream.json")
MESSAGES: dict[str, dict[str, Any]] = VECTORS["messages"]


def evidence_of(chunks: list[str]) -> list[EvidenceSegment]:
    segment = read_segment(build_segment("urn:doc:d", 0, 10), "evidence", {})
    return [replace(segment, chunk_id=chunk) for chunk in chunks]


@pytest.mark.parametrize("vector", VECTORS["doc_ids"], ids=lambda vector: vector["url"])
def test_its_name_of_a_document_is_the_hash_of_an_address_and_no_id_here(vector: dict[str, str]) -> None:
    assert hashlib.sha256(vector["normalized"].encode()).hexdigest() == vector["doc_id"]
    assert "not an absolute IRI" in str(id_problem(vector["doc_id"]))
    assert id_problem(vector["url"]) is None, "the address itself may name a document"


@pytest.mark.parametrize("vector", VECTORS["chunk_ids"], ids=lambda vector: vector["chunk_id_core_id_generator"])
def test_its_name_of_a_chunk_is_not_that_of_appendix_a(vector: dict[str, Any]) -> None:
    name = vector["chunk_id_core_id_generator"]

    assert name == f"{vector['doc_id']}_{vector['byte_offset']:010d}"
    assert name != generate_chunk_id(vector["doc_id"], vector["byte_offset"])


def test_a_statement_may_cite_a_chunk_by_the_name_that_the_reference_code_gives_it() -> None:
    (name, *_) = [vector["chunk_id_core_id_generator"] for vector in VECTORS["chunk_ids"]]
    segment = build_segment("urn:doc:youtube:XYZ", 1024, 1536, chunk_id=name)
    message = statement_message(evidence=[segment])

    assert read_message(sign(message, 1)).envelope.document["evidence"][0]["chunkId"] == name


@pytest.mark.parametrize("vector", VECTORS["content_hashes"]["vectors"], ids=lambda one: one["upstream_code_preimage"])
def test_its_content_hash_is_not_that_of_the_specification_and_is_refused(vector: dict[str, Any]) -> None:
    claim, chunks, found = vector["claim"], vector["evidence_chunks"], vector["upstream_code_sha256"]
    pieces = [claim, VECTORS["content_hashes"]["agent_id"], *[f"{chunk}:0-10" for chunk in chunks]]

    assert vector["upstream_code_preimage"] == "|".join(pieces)
    assert hashlib.sha256("|".join(pieces).encode()).hexdigest() == found
    assert found not in (compute_python_repr_hash(claim, chunks), compute_content_hash(claim, evidence_of(chunks))[7:])
    for prefix in ("", "sha256:"):
        with pytest.raises(ContentHashError):
            recognise_content_hash(prefix + found, claim, evidence_of(chunks))


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("agent", TypeNameError, "not the type of a message"),
        ("statement", FieldError, "agent.name is missing"),
        ("request", FieldError, "requestedAt is '2025-10-14T10:30:00', a time without a zone"),
        ("response", FieldError, "respondedAt is '2025-10-14T10:30:00', a time without a zone"),
    ],
)
def test_no_message_of_its_making_is_one_of_the_specification(name: str, error: type[MessageError], words: str) -> None:
    with pytest.raises(error, match=words):
        read_message(write_json(MESSAGES[name]))


def test_its_reader_does_not_take_the_message_that_the_specification_prints() -> None:
    printed = load_vectors("a2ap_2_1_provenance_statement.json")

    assert VECTORS["from_jsonld"] == "KeyError('prov:generatedAtTime')"
    assert "generatedAtTime" in printed and "prov:generatedAtTime" not in printed
    assert "prov:generatedAtTime" in MESSAGES["statement"]


@pytest.mark.parametrize("name", ["agent", "statement"])
def test_json_ld_at_its_word_makes_of_them_what_the_vectors_say(name: str) -> None:
    options = {"documentLoader": load_document}
    triples = jsonld.normalize(MESSAGES[name], {**options, "algorithm": "URDNA2015", "format": "application/n-quads"})

    assert jsonld.expand(MESSAGES[name], options) == VECTORS["json_ld"][name]["expanded"]
    assert triples == VECTORS["json_ld"][name]["nquads_urdna2015"]


def test_of_its_agent_nothing_becomes_rdf_here() -> None:
    with pytest.raises(ContextError, match="neither of the contexts of A2AP §2"):
        expand(MESSAGES["agent"])


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("2.2_request", "a2ap_2_2_verification_request.json"),
        ("2.3_response", "a2ap_2_3_verification_response.json"),
    ],
)
def test_the_context_that_nobody_serves_is_a_file_here(name: str, file: str) -> None:
    def nowhere(url: str, _options: object) -> dict[str, Any]:
        raise jsonld.JsonLdError(f"nobody answers at {url}", "jsonld.LoadDocumentError")

    message = load_vectors(file)
    with pytest.raises(jsonld.JsonLdError):
        jsonld.expand(message, {"documentLoader": nowhere})
    assert "Dereferencing a URL did not result in a valid JSON-LD object" in VECTORS["unresolved_contexts"][name]
    assert json.dumps(jsonld.expand(message, {"documentLoader": load_document})).count("williams-librarian") > 1
