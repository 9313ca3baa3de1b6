"""The contexts that come with us: served by their exact URL, and nothing else ever."""

import json
import socket
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from pyld import jsonld

from a2ap.messages.message import MessageType
from a2ap.rdf.vocabulary import PROV_NAMESPACE
from contexts import (
    A2AP_CONTEXT_URL,
    A2AP_INLINE_CONTEXT,
    CONTEXT_FILES,
    DATA_INTEGRITY_CONTEXT_URL,
    ContextLoadError,
    load_document,
)

ROOT = Path(__file__).resolve().parent.parent


def terms(context: Any) -> set[tuple[str, str]]:
    """Return every term of a context and of the contexts inside it, with its IRIs: one name may be several terms."""
    found = set()
    for name, definition in context.items():
        if not name.startswith("@") and definition is not None and not isinstance(definition, bool):
            found.add((name, definition if isinstance(definition, str) else definition["@id"]))
            if isinstance(definition, dict):
                found |= terms(definition.get("@context", {}))
    return found


def a2ap_context() -> dict[str, Any]:
    context = load_document(A2AP_CONTEXT_URL)["document"]["@context"]
    assert isinstance(context, dict)
    return context


@pytest.mark.parametrize("url", CONTEXT_FILES)
def test_context_is_served_by_its_url(url: str) -> None:
    loaded = load_document(url, {})

    assert loaded["documentUrl"] == url
    assert loaded["contextUrl"] is None
    assert "@context" in loaded["document"]


@pytest.mark.parametrize(
    "url",
    [
        "https://schema.org/",
        "https://www.w3.org/ns/credentials/v2",
        "http://127.0.0.1:9/context.jsonld",
        "file:///etc/passwd",
        "a2ap-v0.1.jsonld",
        "",
        A2AP_CONTEXT_URL + "/",
        A2AP_CONTEXT_URL + "#",
        A2AP_CONTEXT_URL + "?",
        A2AP_CONTEXT_URL.replace("https", "http"),
        A2AP_CONTEXT_URL.upper(),
    ],
)
def test_every_other_url_is_refused_and_named(url: str) -> None:
    with pytest.raises(ContextLoadError, match="contexts are never fetched") as raised:
        load_document(url, {})

    assert raised.value.url == url


def test_remote_context_is_refused_without_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any) -> None:
        raise AssertionError("a connection was attempted")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    document = {"@context": "http://127.0.0.1:9/context.jsonld", "name": "x"}

    with pytest.raises(jsonld.JsonLdError) as raised:
        jsonld.expand(document, {"documentLoader": load_document})
    assert isinstance(raised.value.__cause__, ContextLoadError)


def test_list_of_contexts_and_their_names_cannot_be_changed() -> None:
    for constant in (CONTEXT_FILES, A2AP_INLINE_CONTEXT):
        with pytest.raises(TypeError):
            constant["https://example.org/"] = "other.jsonld"  # type: ignore[index]


def test_each_caller_gets_a_context_of_its_own() -> None:
    load_document(A2AP_CONTEXT_URL)["document"]["@context"]["prov"] = "https://example.org/"

    assert a2ap_context()["prov"] == PROV_NAMESPACE


def test_every_file_beside_the_loader_is_served_and_has_its_source_named() -> None:
    sources = files("contexts").joinpath("SOURCES.md").read_text(encoding="utf-8")
    names = {entry.name for entry in files("contexts").iterdir() if entry.name.endswith(".jsonld")}

    assert names == set(CONTEXT_FILES.values())
    assert all(f"`{name}`" in sources for name in names)


def test_data_integrity_context_is_the_one_of_the_w3c() -> None:
    loaded = load_document(DATA_INTEGRITY_CONTEXT_URL)["document"]["@context"]

    assert loaded["DataIntegrityProof"]["@context"]["proofPurpose"]["@id"] == "https://w3id.org/security#proofPurpose"


def test_inline_context_is_the_one_that_the_specification_prints() -> None:
    printed = json.loads((ROOT / "tests/vectors/a2ap_2_1_provenance_statement.json").read_text(encoding="utf-8"))

    assert printed["@context"] == A2AP_INLINE_CONTEXT


@pytest.mark.parametrize("message_type", MessageType)
def test_every_type_of_message_has_a_mapping(message_type: MessageType) -> None:
    definition = a2ap_context()[message_type.wire]

    assert definition["@id"] == message_type.wire
    assert definition["@context"]


def test_nothing_is_mapped_by_default() -> None:
    # With @vocab, a member that nobody knows would become a triple about the statement.
    assert "@vocab" not in (ROOT / "contexts/a2ap-v0.1.jsonld").read_text(encoding="utf-8")


def test_every_term_is_explained() -> None:
    page = (ROOT / "docs/reference/provenance.md").read_text(encoding="utf-8")
    context = a2ap_context()
    for name, definition in context.items():
        if isinstance(definition, dict):
            for term in (name, *(inner for inner, _ in terms(definition.get("@context", {})))):
                assert f"`{term}`" in page, term


def test_no_term_of_a_message_that_schema_org_does_not_have_is_left_to_it() -> None:
    borrowed = {iri for _, iri in terms(a2ap_context()) if iri.startswith("https://schema.org/")}

    assert {iri.removeprefix("https://schema.org/") for iri in borrowed} == {
        "name",
        "version",
        "publisher",
        "text",
        "encodingFormat",
        "license",
        "copyrightHolder",
    }
