"""Contexts: the specification's two forms, and nothing that could change what signed names mean."""

from typing import Any

import pytest
from builders import sign, statement_message

from a2ap.errors import ContextError, VersionError
from a2ap.messages.context import ContextForm
from a2ap.messages.message import read_message
from contexts import A2AP_CONTEXT_URL, A2AP_INLINE_CONTEXT


def with_context(context: Any) -> bytes:
    return sign({**statement_message(), "@context": context}, 1)


def test_the_url_of_the_specification_is_read() -> None:
    assert A2AP_CONTEXT_URL == "https://williams-librarian.njit.edu/a2ap/v0.1"
    assert read_message(with_context(A2AP_CONTEXT_URL)).envelope.context is ContextForm.URL


def test_the_inline_context_of_the_specification_is_read_in_any_order() -> None:
    reordered = dict(reversed(list(A2AP_INLINE_CONTEXT.items())))
    assert read_message(with_context(reordered)).envelope.context is ContextForm.INLINE


@pytest.mark.parametrize(
    "context",
    [
        None,
        "",
        {},
        [],
        [A2AP_CONTEXT_URL],
        [A2AP_CONTEXT_URL, {"claim": "https://example.org/other"}],
        A2AP_CONTEXT_URL + "/",
        A2AP_CONTEXT_URL + "#",
        "https://example.org/context",
        "http://williams-librarian.njit.edu/a2ap/v0.1",
        "file:///etc/passwd",
        "http://169.254.169.254/latest/meta-data",
        {**A2AP_INLINE_CONTEXT, "claim": "https://example.org/other"},
        {**A2AP_INLINE_CONTEXT, "@vocab": "https://example.org/"},
        {**A2AP_INLINE_CONTEXT, "@import": "https://example.org/"},
    ],
)
def test_any_other_context_is_refused(context: Any) -> None:
    with pytest.raises(ContextError, match=r"@context is .*, neither of the contexts of A2AP §2"):
        read_message(with_context(context))


@pytest.mark.parametrize(
    "context",
    [
        "https://williams-librarian.njit.edu/a2ap/v0.2",
        "https://williams-librarian.njit.edu/a2ap/v1",
        {**A2AP_INLINE_CONTEXT, "a2ap": "https://williams-librarian.njit.edu/a2ap/v0.2#"},
    ],
)
@pytest.mark.parametrize("type_name", ["a2ap:ProvenanceStatement", "a2ap:SomethingNew"])
def test_a_document_of_another_version_is_refused_by_the_name_of_the_version(context: Any, type_name: str) -> None:
    with pytest.raises(VersionError, match=r"@context is that of A2AP (0\.2|1); the versions spoken here: 0\.1"):
        read_message(sign({**statement_message(), "@context": context, "@type": type_name}, 1))


def test_a_missing_context_is_refused() -> None:
    message = statement_message()
    del message["@context"]
    with pytest.raises(ContextError, match="@context is missing"):
        read_message(sign(message, 1))


KEYWORDS = ["@context", "@graph", "@reverse", "@value", "@language", "@list", "@set", "@nest", "@included", "@import"]


@pytest.mark.parametrize("keyword", [*KEYWORDS, "@vocab", "@base", "@version", "@anything", "@", "@Type"])
def test_a_keyword_is_refused_wherever_it_stands(keyword: str) -> None:
    nested = statement_message()
    nested["evidence"][0]["byteRange"][keyword] = "x"
    with pytest.raises(ContextError) as caught:
        read_message(sign(nested, 1))
    assert caught.value.path == f"evidence[0].byteRange.{keyword}"
    extra = {**statement_message(), "note": [[{"deep": {keyword: {}}}]]}
    with pytest.raises(ContextError) as caught:
        read_message(sign(extra, 1))
    assert caught.value.path == f"note[0][0].deep.{keyword}"
    if keyword != "@context":
        with pytest.raises(ContextError) as caught:
            read_message(sign({**statement_message(), keyword: {}}, 1))
        assert caught.value.path == keyword


@pytest.mark.parametrize(
    ("keyword", "value"), [("@id", 5), ("@id", "no iri"), ("@id", {}), ("@id", None), ("@type", ["a"]), ("@type", None)]
)
def test_a_nested_id_or_type_is_a_text_that_can_be_one(keyword: str, value: Any) -> None:
    message = {**statement_message(), "note": {keyword: value}}
    with pytest.raises(ContextError, match="which cannot stand there") as caught:
        read_message(sign(message, 1))
    assert caught.value.path == f"note.{keyword}"


def test_an_escaped_keyword_is_a_keyword() -> None:
    data = sign({**statement_message(), "note": {"key": 1}}, 1).replace(b'"key"', b'"\\u0040reverse"')
    with pytest.raises(ContextError, match=r"note\.@reverse"):
        read_message(data)


def test_unknown_members_that_are_no_keywords_are_carried_and_signed() -> None:
    extra = {"note": {"@type": "x:Note", "@id": "urn:note:1", "a@b": "@context"}, "ext:thing": [1, None, True]}
    envelope = read_message(sign({**statement_message(), **extra}, 1)).envelope
    assert envelope.document["note"] == extra["note"]
    assert b"ext:thing" in envelope.signed_bytes
