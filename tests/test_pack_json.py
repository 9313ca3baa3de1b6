"""Go's JSON: any bytes end in a value or one clear error, and what is written is read as the same again."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nothing_outside import nothing_outside
from packs import logs, texts, times, to_bytes, values
from patience import PATIENT

from a2ap.pack.errors import PackError, PackTextError, PackTimeError
from a2ap.pack.execution_log import read_log
from a2ap.pack.go_fields import read_any
from a2ap.pack.go_json import MAX_DEPTH, read_first, read_whole
from a2ap.pack.go_text import write_number, write_ordered, write_sorted, write_text
from a2ap.pack.go_time import rewrite_time, time_order
from a2ap.pack.packing import pack_log
from a2ap.pack.read_manifest import read_manifest


@PATIENT
@given(st.binary(max_size=60))
@nothing_outside()
def test_any_bytes_as_a_log_or_a_manifest(data: bytes):
    for read in (read_log, read_manifest):
        try:
            read(data)
        except PackError as error:
            assert str(error)


def _number(text: str) -> int | float:
    # Python reads an integer here, which has no sign without a value.
    return -0.0 if text == "-0" else int(text)


@PATIENT
@given(logs, st.booleans())
@nothing_outside()
def test_any_log_is_packed_or_refused_and_its_manifest_round_trips(log: dict[str, Any], ascii_only: bool):
    try:
        pack = pack_log(read_log(to_bytes(log, ascii_only=ascii_only)), "2026-01-01T00:00:00Z")
    except PackError as error:
        assert str(error)
        return
    try:
        found = read_manifest(pack.data)
    except PackError as error:
        # The one thing that upstream writes and does not read: an index that a double rounds up to 2^63.
        assert "64 bits" in str(error)
        return
    assert found.is_valid
    assert write_sorted(json.loads(pack.data, parse_int=_number)) == pack.data


@PATIENT
@given(values)
def test_what_is_written_is_read_and_written_the_same(value: Any):
    data = write_sorted(value)
    again = read_any(read_whole(data), "")
    assert write_sorted(again) == data
    assert json.loads(write_ordered(value, indent=2)) == json.loads(write_ordered(value))


@PATIENT
@given(texts)
def test_a_text_has_no_sign_that_go_escapes(text: str):
    written = write_text(text)
    assert not set(written) & set("<>&\u2028\u2029\x00\x1f")
    assert json.loads(written) == "".join("\ufffd" if "\ud800" <= mark <= "\udfff" else mark for mark in text)


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0, "0"),
        (-0.0, "-0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e-10, "1.5e-10"),
        (5e-324, "5e-324"),
        (1e100, "1e+100"),
        (2**53 + 1, "9007199254740992"),
        (12345678901234567890, "12345678901234567000"),
    ],
)
def test_numbers_as_go_writes_doubles(number: float, written: str):
    assert write_number(number) == written


@pytest.mark.parametrize("number", [float("inf"), float("nan"), 10**400])
def test_a_number_that_no_double_holds_is_not_written(number: float):
    with pytest.raises(PackError):
        write_number(number)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b'"\\ud800"', "\ufffd"),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b'"\\ud83d\\u0041"', "\ufffdA"),
        (b'"\xff\xfe"', "\ufffd\ufffd"),
        (b'"\xe2\x82"', "\ufffd\ufffd"),
        (b'"\xed\xa0\x80"', "\ufffd\ufffd\ufffd"),
        (b'"\\ud83d\xb8"', "\ufffd\ufffd"),
        (b'"\x7f"', "\x7f"),
    ],
)
def test_what_is_no_text_is_replaced_byte_by_byte(data: bytes, text: str):
    assert read_any(read_whole(data), "") == text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        b"NaN",
        b"-Infinity",
        b"01",
        b"1.",
        b"'a'",
        b'"\n"',
        b"\xef\xbb\xbf1",
        b"\xff",
        b"[1,]",
        b'{"a":1,}',
        b"1 2",
    ],
)
def test_what_is_no_json_is_refused(data: bytes):
    with pytest.raises(PackTextError):
        read_whole(data)


def test_after_the_first_value_a_log_may_have_anything():
    assert read_first(b'{"a": 1} \xff nonsense') == (("a", "1"),)
    assert read_first(b"[] []") == []


def test_depth_is_bounded():
    assert read_whole(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)
    for levels in (MAX_DEPTH + 1, 100_000):
        with pytest.raises(PackTextError, match="levels"):
            read_whole(b"[" * levels + b"]" * levels)


def test_names_are_sorted_by_their_bytes_and_not_by_utf_16():
    assert write_sorted({"\U0001f600": 1, "\uff01": 2, "é": 3, "10": 4, "9": 5}).decode() == (
        '{"10":4,"9":5,"é":3,"！":2,"😀":1}'
    )


@PATIENT
@example("2026-01-15T10:30:00.1000Z")
@given(times)
def test_a_time_that_was_written_is_written_the_same_again(text: str):
    try:
        written = rewrite_time(text)
    except PackTimeError:
        return
    assert rewrite_time(written) == written
    assert time_order(written)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2026-01-15T10:30:00.100Z", "2026-01-15T10:30:00.1Z"),
        ("2026-01-15T10:30:00.000Z", "2026-01-15T10:30:00Z"),
        ("2026-01-15T10:30:00.1234567899Z", "2026-01-15T10:30:00.123456789Z"),
        ("2026-01-15T10:30:00+02:00", "2026-01-15T10:30:00+02:00"),
        ("2026-01-15T10:30:00-00:00", "2026-01-15T10:30:00Z"),
        ("2026-01-15T10:30:00+01:60", "2026-01-15T10:30:00+02:00"),
        ("2026-01-15T9:30:00,5Z", "2026-01-15T09:30:00.5Z"),
        ("0000-02-29T00:00:00Z", "0000-02-29T00:00:00Z"),
    ],
)
def test_times_as_go_writes_them(text: str, written: str):
    assert rewrite_time(text) == written


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-01-15",
        "2026-01-15T10:30:00",
        "2026-01-15t10:30:00Z",
        "2026-02-30T10:30:00Z",
        "2026-01-15T10:30:60Z",
        "2026-01-15T10:30:00+24:00",
        "2026-01-15T24:00:00Z",
        "2026-01-15T10:30:00.Z",
        "2026-01-15T10:30:00Z\n",
    ],
)
def test_what_is_no_time_is_refused(text: str):
    with pytest.raises(PackTimeError):
        rewrite_time(text)


def test_times_sort_by_the_moment_that_they_name():
    rising = ["2026-01-15T12:30:00+02:00", "2026-01-15T10:30:00.5Z", "2026-01-15T10:30:00.51Z", "2026-01-15T11:30:00Z"]
    assert sorted(reversed(rising), key=time_order) == rising
