"""Strict JSON: one reading of every text, or an error that names the place, quickly."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENT

from a2ap.errors import JsonTextError
from a2ap.json_text import MAX_BYTES, MAX_DEPTH, read_json, write_json

REFUSED = {
    "not UTF-8": (b'{"a":"\xff"}', "", "is not UTF-8 at byte 6"),
    "a surrogate in UTF-8": (b'{"a":"\xed\xa0\x80"}', "", "is not UTF-8 at byte 6"),
    "UTF-16": ('{"a":1}'.encode("utf-16"), "", "is not UTF-8 at byte 0"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "", "begins with a byte order mark"),
    "nothing": (b"", "", "is not JSON: Expecting value at character 0"),
    "not an object": (b"[1]", "", "is not a JSON object"),
    "two values": (b"{} {}", "", "is not JSON: Extra data at character 3"),
    "a duplicate name": (b'{"a":{"b":[{"c":1,"c":1}]}}', "a.b[0].c", "is there twice in one object"),
    "a duplicate name, escaped": (b'{"a":1,"\\u0061":2}', "a", "is there twice in one object"),
    "NaN": (b'{"a":[0,NaN]}', "a[1]", "is NaN, which is not JSON"),
    "Infinity": (b'{"a":-Infinity}', "a", "is -Infinity, which is not JSON"),
    "an overflow": (b'{"a":1e400}', "a", "is 1e400, a number beyond a double"),
    "a big integer": (b'{"a":9007199254740992}', "a", "is 9007199254740992, an integer beyond 2^53 - 1"),
    "a huge integer": (b'{"a":-' + b"9" * 100_000 + b"}", "a", "an integer beyond 2^53 - 1"),
    "a lone surrogate": (b'{"a":{"b":"x\\uD800y"}}', "a.b", "has a lone surrogate"),
    "a lone surrogate in a name": (b'{"a":{"\\udfff":1}}', "a", "has a lone surrogate"),
    "surrogates in the wrong order": (b'{"a":"\\ude00\\ud83d"}', "a", "has a lone surrogate"),
    "a control character": (b'{"a":"\n"}', "", "is not JSON: Invalid control character"),
    "single quotes": (b"{'a':1}", "", "is not JSON"),
    "a comment": (b'{"a":1}//', "", "is not JSON"),
    "a fault, then bad syntax": (b'{"a":NaN', "", "is not JSON"),
}


@pytest.mark.parametrize(("data", "path", "problem"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_strict_json_is_refused_at_its_place(data: bytes, path: str, problem: str) -> None:
    with pytest.raises(JsonTextError) as caught:
        read_json(data)
    assert caught.value.path == path
    assert problem in caught.value.problem


def test_a_surrogate_pair_is_one_character() -> None:
    assert read_json(b'{"a":"\\ud83d\\ude00"}') == {"a": "😀"}


def test_an_escaped_backslash_before_a_u_is_no_escape() -> None:
    assert read_json(b'{"a":"\\\\ud800"}') == {"a": "\\ud800"}


def test_whole_numbers_are_integers_however_they_are_written() -> None:
    value = read_json(b'{"a":1.0,"b":-0.0,"c":1e3,"d":0.5,"e":1e300}')
    assert [(member, type(member)) for member in value.values()] == [
        (1, int),
        (0, int),
        (1000, int),
        (0.5, float),
        (1e300, float),
    ]


def test_the_largest_exact_integers_are_read() -> None:
    assert read_json(b'{"a":[9007199254740991,-9007199254740991]}')["a"] == [2**53 - 1, 1 - 2**53]


def test_a_document_over_the_size_limit_is_refused() -> None:
    assert read_json(b'{"a":"' + b"x" * (MAX_BYTES - 8) + b'"}')
    with pytest.raises(JsonTextError, match="has 1048577 bytes, more than 1048576"):
        read_json(b'{"a":"' + b"x" * (MAX_BYTES - 7) + b'"}')


def test_a_document_may_be_64_levels_deep_and_no_deeper() -> None:
    def nested(depth: int) -> bytes:
        return b'{"a":' * depth + b"1" + b"}" * depth

    assert read_json(nested(MAX_DEPTH))
    with pytest.raises(JsonTextError, match="is nested more than 64 levels deep"):
        read_json(nested(MAX_DEPTH + 1))


def test_brackets_in_texts_are_not_levels() -> None:
    assert read_json(json.dumps({"a": '[{"\\' * 1000}).encode())


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 10_000,
        b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
        b"[" * MAX_BYTES,
        b'["\\"' + b'\\"' * 500_000,
        b'"' * MAX_BYTES,
        b'{"a":' + b"1" * 1_000_000 + b"}",
        b'{"a":1' + b"0" * 1_000_000 + b".5}",
    ],
)
@pytest.mark.timeout(120)  # a linear scan takes milliseconds, and a quadratic one many minutes
def test_a_hostile_document_is_refused_before_it_costs_anything(data: bytes) -> None:
    with pytest.raises(JsonTextError):
        read_json(data)


@PATIENT
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        assert isinstance(read_json(data), dict)
    except JsonTextError as error:
        assert str(error)


JSON_TEXTS = st.text(alphabet=st.sampled_from('{}[]":,\\/u0aDd8-1.eE \x00NIntf😀'), max_size=60)


@PATIENT
@given(JSON_TEXTS)
def test_any_text_that_is_nearly_json_is_read_or_refused(text: str) -> None:
    try:
        value = read_json(text.encode())
    except JsonTextError:
        return
    assert value == json.loads(text)


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(1 - 2**53, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda values: st.lists(values, max_size=4) | st.dictionaries(st.text(), values, max_size=4),
    max_leaves=20,
)


@PATIENT
@given(st.dictionaries(st.text(), JSON_VALUES, max_size=4))
def test_what_is_written_is_read_again(value: dict[str, Any]) -> None:
    assert read_json(write_json(value)) == value
