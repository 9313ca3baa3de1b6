"""The JSON Schema of a statement says what the code says: what is read fits it, and what it asks for is needed."""

import copy
import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from builders import (
    QUOTE,
    TIME,
    agent_id,
    agent_key,
    key_id,
    message_id,
    reference_to,
    segment,
    signed_statement,
    statement_message,
)
from hypothesis import given
from hypothesis import strategies as st
from schema_fit import fits

from a2ap.errors import MessageError
from a2ap.messages.message import read_message
from a2ap.signing.data_integrity import create_proof
from a2ap.signing.disclosure import make_disclosure
from a2ap.signing.signature import sign_message
from contexts import A2AP_CONTEXT_URL, A2AP_INLINE_CONTEXT

SCHEMA: dict[str, Any] = json.loads((files("a2ap.messages") / "provenance-statement.schema.json").read_text("utf-8"))
HIDDEN = make_disclosure(QUOTE, b"0123456789abcdef")


def whole() -> dict[str, Any]:
    """Return a statement with every member that a statement may have, before it is signed."""
    other, third = signed_statement(2, claim="Another."), signed_statement(2, claim="A third.")
    message = statement_message(
        evidence=[{**segment(), "quoteText": HIDDEN.reference}],
        statement_id=message_id("whole"),
        supports=[reference_to(other)],
        contradicts=[reference_to(third)],
        was_revision_of=reference_to(signed_statement(1)),
        generated_by=["sha256:" + "ab" * 32],
        disclosures=[HIDDEN],
    )
    message["agent"]["prov:specializationOf"] = {"@id": agent_id(3)}
    return message


def signed(message: dict[str, Any]) -> dict[str, Any]:
    return dict(sign_message(message, agent_key(1), key_id(1)))


def proven(message: dict[str, Any]) -> dict[str, Any]:
    document = signed(message)
    return {**document, "proof": create_proof(document, agent_key(1), TIME)}


STATUS = {"verified": False, "validators": [], "challenges": [], "consensusScore": 0.0}
GOOD = {
    "plain": signed(statement_message()),
    "whole": signed(whole()),
    "proven": proven(whole()),
    "with a status": {**signed(statement_message()), "verificationStatus": STATUS},
    "inline context": signed({**statement_message(), "@context": dict(A2AP_INLINE_CONTEXT)}),
    "more": signed({**statement_message(), "prov:atLocation": "Newark"}),
}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of everything inside a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inner:
        yield (*path, name)
        yield from places(one, (*path, name))


def changed(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """Return a document with something else at a place, or nothing where that is `...`."""
    made = copy.deepcopy(document)
    at: Any = made
    for step in path[:-1]:
        at = at[step]
    if value is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return made


def is_read(document: dict[str, Any]) -> bool:
    try:
        read_message(json.dumps(document).encode())
    except MessageError:
        return False
    return True


@pytest.mark.parametrize("name", GOOD)
def test_a_statement_that_is_read_fits(name: str):
    assert is_read(GOOD[name])
    assert fits(SCHEMA, GOOD[name])


def required(schema: dict[str, Any], value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of the members that a schema asks for, in a document that has them."""
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    if isinstance(value, list):
        for index, one in enumerate(value):
            yield from required(schema.get("items", {}), one, (*path, index))
    if isinstance(value, dict):
        yield from ((*path, name) for name in schema.get("required", ()))
        for name, inner in schema.get("properties", {}).items():
            if name in value:
                yield from required(inner, value[name], (*path, name))


@pytest.mark.parametrize("path", list(required(SCHEMA, GOOD["whole"])), ids=lambda path: ".".join(map(str, path)))
def test_what_the_schema_asks_for_is_needed(path: tuple[Any, ...]):
    without = changed(GOOD["whole"], path, ...)
    assert not fits(SCHEMA, without)
    assert not is_read(without)


OTHER = st.one_of(
    st.sampled_from(
        [..., None, True, False, 0, 1, -1, 0.5, 2, "", "x", "urn:x:y", "sha256:" + "0" * 64, [], {}, [1], {"digest": 1}]
    ),
    st.sampled_from([value for value in GOOD["proven"].values()]),
    st.text(max_size=5),
    st.floats(0, 2),
)


@given(st.data())
def test_nothing_that_is_read_fails_the_schema(data: st.DataObject):
    document = GOOD[data.draw(st.sampled_from(sorted(GOOD)))]
    path = data.draw(st.sampled_from(list(places(document))))
    made = changed(document, path, data.draw(OTHER))
    if is_read(made):
        assert fits(SCHEMA, made)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("@context",), "https://example.org/context"),
        (("@type",), "a2ap:VerificationRequest"),
        (("@id",), "urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
        (("generatedAtTime",), "2025-10-14T10:30:00"),
        (("agent", "@id"), "urn:agent:x#key"),
        (("claim", "confidence"), 1.01),
        (("claim", "confidence"), True),
        (("evidence",), []),
        (("evidence", 0, "byteRange", "end"), 2**31),
        (("evidence", 0, "timestamp", "start"), "1:02"),
        (("evidence", 0, "quoteText"), {"digest": "sha256:" + "0" * 64, "text": "x"}),
        (("prov:wasGeneratedBy",), []),
        (("signature", "algorithm"), "rsa"),
        (("signature", "by"), "me"),
        (("verificationStatus",), {**STATUS, "verified": True}),
    ],
)
def test_what_is_refused_for_its_form_does_not_fit(path: tuple[Any, ...], value: Any):
    made = changed(GOOD["whole"], path, value)
    assert not fits(SCHEMA, made)
    assert not is_read(made)


def test_the_schema_has_the_contexts_and_the_words_of_the_code():
    forms = [one["const"] for one in SCHEMA["properties"]["@context"]["anyOf"]]
    assert forms == [A2AP_CONTEXT_URL, dict(A2AP_INLINE_CONTEXT)]
    assert set(SCHEMA["properties"]) >= set(GOOD["proven"])
