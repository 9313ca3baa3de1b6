"""Instants with a zone, and cue times that contain what they name."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENT

from a2ap.errors import FieldError
from a2ap.times import (
    format_cue_end,
    format_cue_start,
    format_cue_time,
    format_instant,
    instant_of,
    micros_of,
    parse_cue_time,
    parse_instant,
)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2025-10-14T10:30:00Z", datetime(2025, 10, 14, 10, 30, tzinfo=UTC)),
        ("2025-10-14T10:30:00.5Z", datetime(2025, 10, 14, 10, 30, 0, 500_000, tzinfo=UTC)),
        ("2025-10-14T10:30:00.123456789Z", datetime(2025, 10, 14, 10, 30, 0, 123_456, tzinfo=UTC)),
        ("2025-10-14T06:30:00-04:00", datetime(2025, 10, 14, 10, 30, tzinfo=UTC)),
        ("2025-10-14T16:00:00+05:30", datetime(2025, 10, 14, 10, 30, tzinfo=UTC)),
    ],
)
def test_an_instant_is_read_in_utc(text: str, instant: datetime) -> None:
    read = parse_instant(text)
    assert read == instant
    assert read.tzinfo is UTC


def test_a_time_without_a_zone_is_refused_as_such() -> None:
    with pytest.raises(FieldError, match="generatedAtTime is '2025-10-14T10:30:00', a time without a zone"):
        parse_instant("2025-10-14T10:30:00", "generatedAtTime")


@pytest.mark.parametrize(
    "value",
    [
        "2025-10-14",
        "2025-10-14 10:30:00Z",
        "2025-10-14T10:30Z",
        "2025-10-14t10:30:00z",
        "2025-02-30T10:30:00Z",
        "2025-10-14T24:00:00Z",
        "2025-10-14T10:30:60Z",
        "2025-10-14T10:30:00+25:00",
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "٢٠٢٥-10-14T10:30:00Z",
        "2025-10-14T10:30:00Z\n",
        "20251014T103000Z",
        "",
        1_760_000_000,
        None,
        True,
    ],
)
def test_what_is_no_time_is_refused(value: object) -> None:
    with pytest.raises(FieldError):
        parse_instant(value)


@PATIENT
@given(st.datetimes(timezones=st.just(UTC)))
def test_an_instant_written_is_read_again(instant: datetime) -> None:
    assert parse_instant(format_instant(instant)) == instant


def test_an_instant_is_written_in_utc() -> None:
    zone = timezone(timedelta(hours=-4))
    assert format_instant(datetime(2025, 10, 14, 6, 30, tzinfo=zone)) == "2025-10-14T10:30:00Z"


def test_an_instant_without_a_zone_is_not_written() -> None:
    with pytest.raises(ValueError):
        format_instant(datetime(2025, 10, 14))


@PATIENT
@given(st.integers(0, 999 * 3_600_000))
def test_a_cue_written_contains_the_cue(milliseconds: int) -> None:
    start = parse_cue_time(format_cue_start(milliseconds))
    end = parse_cue_time(format_cue_end(milliseconds))
    assert start <= milliseconds <= end
    assert end - start in (0, 1000)


@PATIENT
@given(st.integers(0, 999 * 3_600_000))
def test_an_exact_cue_time_is_read_again(milliseconds: int) -> None:
    assert parse_cue_time(format_cue_time(milliseconds)) == milliseconds


def test_cue_times_are_written_as_in_the_specification() -> None:
    assert format_cue_start(135_999) == "00:02:15"
    assert format_cue_end(166_001) == "00:02:47"
    assert parse_cue_time("100:00:01.250") == 360_001_250


@pytest.mark.parametrize("value", ["2:15", "00:02", "00:60:00", "00:00:60", "00:00:00.5", "-1:00:00", "00:02:15 ", 135])
def test_what_is_no_cue_time_is_refused(value: object) -> None:
    with pytest.raises(FieldError):
        parse_cue_time(value)


@PATIENT
@given(st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)).map(lambda time: time.replace(tzinfo=UTC)))
def test_an_instant_is_kept_to_the_microsecond(instant: datetime) -> None:
    assert instant_of(micros_of(instant)) == instant
    assert micros_of(instant + timedelta(microseconds=1)) == micros_of(instant) + 1
