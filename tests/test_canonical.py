"""RFC 8785 bytes: the published documents, and both ways of writing them equal on anything."""

import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENT
from vectors_file import load_vectors

from a2ap.canonical import canonicalize, sha256_digest
from a2ap.errors import JsonTextError
from a2ap.json_text import read_json

SUITE = load_vectors("rfc8785.json")
PAYLOADS = load_vectors("jcs_payloads.json")


@pytest.mark.parametrize("name", SUITE)
def test_the_documents_of_rfc_8785_give_their_bytes(name: str) -> None:
    document = json.loads(bytes.fromhex(SUITE[name]["input_hex"]))
    assert canonicalize(document).hex() == SUITE[name]["output_hex"]


@pytest.mark.parametrize("vector", PAYLOADS, ids=[vector["name"] for vector in PAYLOADS])
def test_a_payload_gives_its_bytes_or_is_refused(vector: dict[str, str]) -> None:
    # read_json takes objects only; the payload is one member of it.
    wrapped = b'{"p":' + vector["raw_json"].encode() + b"}"
    if vector["expect"] == "reject":
        with pytest.raises(JsonTextError):
            read_json(wrapped)
        return
    canonical = canonicalize(read_json(wrapped)["p"])
    assert canonical.hex() == vector["utf8_hex"]
    assert sha256_digest(canonical) == "sha256:" + vector["sha256"]


NUMBERS = st.integers(1 - 2**53, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
DECIMALS = st.decimals(-100, 100, places=3).map(float)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | DECIMALS | st.text(),
    lambda values: st.lists(values, max_size=4) | st.dictionaries(st.text(), values, max_size=4),
    max_leaves=20,
)


@PATIENT
@given(VALUES)
def test_the_fast_way_writes_what_rfc8785_writes(value: Any) -> None:
    assert canonicalize(value) == rfc8785.dumps(value)


@PATIENT
@given(st.dictionaries(st.text(st.characters(max_codepoint=127)), st.text() | DECIMALS))
def test_the_fast_way_writes_plain_documents_as_rfc8785_does(value: dict[str, Any]) -> None:
    assert canonicalize(value) == rfc8785.dumps(value)


@PATIENT
@given(st.dictionaries(st.text(), NUMBERS | st.text(), max_size=5))
def test_members_in_another_order_give_the_same_bytes(value: dict[str, Any]) -> None:
    assert canonicalize(dict(reversed(value.items()))) == canonicalize(value)


@PATIENT
@given(VALUES)
def test_canonical_bytes_read_back_give_themselves(value: Any) -> None:
    # JCS writes the double 2^53 without a point, and an integer of that size has no canonical form.
    read = json.loads(canonicalize(value), parse_int=float)
    assert canonicalize(read) == canonicalize(value)


def test_names_are_ordered_by_utf_16_and_not_by_code_point() -> None:
    assert canonicalize({"\uffff": 1, "\U00010000": 2}) == '{"\U00010000":2,"\uffff":1}'.encode()


UNWRITABLE = {
    "NaN": float("nan"),
    "infinity": float("inf"),
    "a big integer": 2**53,
    "a lone surrogate": "\ud800",
    "a lone surrogate in a name": {"\ud800": 1},
    "a name that is a number": {1: "a"},
    "a name that is None": {None: 1, "a": 2},
    "bytes": b"a",
    "a set": {"a": {1}},
}


@pytest.mark.parametrize("value", UNWRITABLE.values(), ids=UNWRITABLE.keys())
def test_what_has_no_canonical_form_is_a_value_error(value: Any) -> None:
    with pytest.raises(ValueError):
        canonicalize([value])


def test_a_bottomless_value_is_a_value_error() -> None:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(ValueError, match="nested this deep"):
        canonicalize(value)
    while value:  # without this, the interpreter recurses to take the value apart
        value = value.pop()
