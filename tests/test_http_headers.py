"""Reading the headers that choose an answer: Accept and Range."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.http.accept import choose_type
from graph.http.byte_ranges import read_range

OFFERED = ("application/json", "application/ld+json", "text/turtle")


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, "application/json"),
        ("", "application/json"),
        ("*/*", "application/json"),
        ("application/ld+json", "application/ld+json"),
        ("text/turtle, application/json;q=0.9", "text/turtle"),
        ("application/*", "application/json"),
        ("text/*", "text/turtle"),
        ("TEXT/Turtle", "text/turtle"),
        ("*/*, application/json;q=0", "application/ld+json"),
        ("application/json;q=0.1, */*;q=0.5", "application/ld+json"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "application/json"),
        ('application/ld+json;profile="x"', "application/ld+json"),
        ("text/html", None),
        ("*/*;q=0", None),
        ("application/json;q=nan", None),
        ("application/json;q=high", None),
    ],
)
def test_the_most_wanted_form_is_chosen(accept: str | None, chosen: str | None) -> None:
    assert choose_type(accept, OFFERED) == chosen


@pytest.mark.parametrize(
    ("header", "asked"),
    [
        (None, None),
        ("bytes=0-0", (0, 1)),
        ("bytes=2-5", (2, 6)),
        ("bytes=5-", (5, 10)),
        ("bytes=-3", (7, 10)),
        ("bytes=-30", (0, 10)),
        ("bytes=8-99999", (8, 10)),
        ("Bytes = 1-2", (1, 3)),
        ("bytes=5-2", None),
        ("bytes=0-1,4-5", None),
        ("bytes=-", None),
        ("lines=1-2", None),
        ("bytes=a-b", None),
    ],
)
def test_one_range_of_bytes_is_read(header: str | None, asked: tuple[int, int] | None) -> None:
    assert read_range(header, 10) == asked


@pytest.mark.parametrize(
    ("header", "length"), [("bytes=10-", 10), ("bytes=11-12", 10), ("bytes=-0", 10), ("bytes=0-", 0)]
)
def test_a_range_beyond_the_content_is_an_error(header: str, length: int) -> None:
    with pytest.raises(LookupError):
        read_range(header, length)


@given(st.text(max_size=40) | st.from_regex(r"bytes=[0-9]{0,20}-[0-9]{0,20}", fullmatch=True), st.integers(0, 100))
def test_whatever_the_header_says_a_range_lies_within(header: str, length: int) -> None:
    try:
        asked = read_range(header, length)
    except LookupError:
        return
    assert asked is None or 0 <= asked[0] < asked[1] <= length


@given(st.text(max_size=60))
def test_any_accept_header_gives_an_offered_form_or_none(header: str) -> None:
    assert choose_type(header, OFFERED) in (*OFFERED, None)
