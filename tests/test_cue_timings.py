"""Cue times are read as the demonstration reads captions, and in linear time, whatever strangers hand in."""

from pathlib import Path

import pytest
from builders import SOURCE
from cost import seconds_of
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENT

import graph.demo
from a2ap.messages.evidence import ByteRange
from a2ap.times import format_cue_time
from graph.evidence.cited_bytes import CueTiming, cite
from graph.evidence.cue_timings import MAX_CUES, cue_timings
from graph.transcripts.captions import read_captions

DEMO = Path(graph.demo.__file__).with_name("city_council.vtt").read_bytes()
HEAD = b"WEBVTT\n\n"
TIMES = b"00:00:01.000 --> 00:00:02.000\n"
MEGABYTE = 1_000_000

SUBRIP = (
    b"1\r\n00:00:01,000 --> 00:00:02,500\r\nGood evening.\r\n\r\n"
    b"2\r\n00:00:02,500 --> 00:00:04,000\r\nCLERK: Item <i>one</i>.\r\n"
    b"3\r\n00:00:04,000 --> 00:00:05,000\r\nThank you.\r\n"
)
ROLLING = (
    b"WEBVTT\nKind: captions\n\n00:00:01.000 --> 00:00:03.000 align:start\n \nso<00:00:01.500><c> this is</c>\n\n"
    b"00:00:03.000 --> 00:00:03.010 align:start\nso this is\n \n\n"
    b"00:00:03.010 --> 00:00:05.000 align:start\nso this is\nthe<00:00:03.500><c> plan</c>\n\n"
    b"00:00:05.000 --> 00:00:05.010 align:start\nthe plan\n \n"
)
VOICES = (
    b"WEBVTT\n\nNOTE a comment\n\nchapter 1\n01:00.000 --> 01:02.000\n<v Ann>Hello &amp; welcome.\n<v Bob>Thanks.\n\n"
    b"01:02.000 --> 01:03.000 line:0\n>> ANN: First item.\n>> Second item."
)


@pytest.mark.parametrize(
    "document", [SOURCE, SUBRIP, ROLLING, VOICES, DEMO, b"\xef\xbb\xbf" + SUBRIP, b"\xef\xbb\xbf" + VOICES]
)
def test_every_caption_has_the_time_that_the_demonstration_reads(document: bytes) -> None:
    timings, captions = cue_timings(document), read_captions(document)
    assert captions
    for cue in captions:
        assert cite(document, ByteRange(cue.start, cue.end), timings).cue == (cue.start_ms, cue.end_ms)


def texts_of_cues() -> st.SearchStrategy[str]:
    lines = st.text(st.characters(categories=("L", "N", "P", "Zs")), min_size=1, max_size=20)
    sayable = lines.filter(lambda line: line.strip() and "-->" not in line and not line.strip().isdecimal())
    return st.lists(sayable, min_size=1, max_size=3).map("\n".join)


@PATIENT
@given(
    st.lists(st.tuples(st.integers(0, 10**8), st.integers(0, 10**5), texts_of_cues()), min_size=1, max_size=8),
    st.sampled_from(["WEBVTT\n\n", "1\n"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_times_of_any_captions_are_those_that_the_demonstration_reads(
    cues: list[tuple[int, int, str]], head: str, line_end: str
) -> None:
    blocks = (f"{format_cue_time(at)} --> {format_cue_time(at + long)}\n{text}\n" for at, long, text in cues)
    document = (head + "\n".join(blocks)).replace("\n", line_end).encode()
    timings = cue_timings(document)
    for cue in read_captions(document):
        assert cite(document, ByteRange(cue.start, cue.end), timings).cue == (cue.start_ms, cue.end_ms)


def test_what_stands_between_the_captions_has_no_time() -> None:
    timings = cue_timings(SUBRIP)
    for words in (b"1\r\n0", b"00:00:02,500 --> ", b"\r\n3\r\n00"):
        start = SUBRIP.index(words)
        assert cite(SUBRIP, ByteRange(start, start + len(words)), timings).cue is None


def test_a_cue_is_the_range_of_its_text() -> None:
    start = SUBRIP.index(b"Thank you.")
    assert cue_timings(SUBRIP) is not None
    assert (cue_timings(SUBRIP) or ())[-1] == CueTiming(start, start + len("Thank you."), 4000, 5000)


def test_captions_without_a_cue_have_no_times() -> None:
    assert cue_timings(b"WEBVTT\n\nNOTE Nothing was said.\n") == ()


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"Just words.",
        b"WEBVTTS\n\n",
        b"words --> words\n" * 9,
        b"x" * 65_537 + b"\n" + TIMES + b"late",
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9,
        "WEBVTT\n\n00:01.000 --> 00:02.000\nx".encode("utf-16"),
    ],
)
def test_any_other_document_has_no_times(document: bytes) -> None:
    assert cue_timings(document) is None


@pytest.mark.parametrize(
    "line",
    [
        b"00:00:02.000 --> 00:00:01.000",
        b"0:00:0.000 --> 00:00:01.000",
        b"00:00:01.000 -->",
        b"-->",
        b"00:00:01.000 --> 00:00:02.000x",
        b"9" * 5000 + b":00:00.000 --> " + b"9" * 5000 + b":00:01.000",
        "٠٠:٠٠:٠١.٠٠٠ --> ٠٠:٠٠:٠٢.٠٠٠".encode(),
    ],
)
def test_a_line_that_is_no_time_begins_no_cue_and_ends_the_one_before(line: bytes) -> None:
    timings = cue_timings(HEAD + TIMES + b"first\n" + line + b"\nsecond\n\n" + TIMES + b"third\n")
    assert timings is not None
    assert [cue.text_end - cue.text_start for cue in timings] == [5, 5]


HOSTILE = {
    "less-than signs": HEAD + TIMES + b"<" * MEGABYTE,
    "labels": HEAD + TIMES + b"a:" * (MEGABYTE // 2),
    "labels with spaces": HEAD + TIMES + b"a: " * (MEGABYTE // 3),
    "arrows": HEAD + b"-->" * (MEGABYTE // 3),
    "lines of an arrow": HEAD + b"-->\n" * (MEGABYTE // 4),
    "lines of an arrow after a time": TIMES + b"-->\n" * (MEGABYTE // 4),
    "a time after lines of an arrow": b"-->\n" * 16_000 + TIMES + b"-->\n" * (MEGABYTE // 4),
    "ampersands": HEAD + TIMES + b"&" * MEGABYTE,
    "tags that never end": HEAD + TIMES + b"<v " * (MEGABYTE // 3),
    "voices": HEAD + TIMES + b"<v A>x" * (MEGABYTE // 6),
    "many tiny cues": HEAD + b"00:00.000-->00:00.001\nx\n\n" * (MEGABYTE // 26),
    "spaces before an arrow": HEAD + b" " * MEGABYTE + b"-->",
    "spaces within a time": HEAD + b"00:00.000" + b" " * MEGABYTE + b"-->" + b" " * MEGABYTE,
    "digits before an arrow": HEAD + b"1" * MEGABYTE + b":00:00.000 --> 1",
    "line ends": HEAD + TIMES + b"x" + b"\r" * MEGABYTE,
    "lines of spaces": HEAD + TIMES + (b" " * 1000 + b"x\n") * (MEGABYTE // 1000),
    "numbers": b"1\n" + TIMES + b"1\n" * (MEGABYTE // 2),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_read_in_linear_time(name: str) -> None:
    document = HOSTILE[name]
    assert seconds_of(lambda: cue_timings(document)) < 5.0  # none takes half of one, and quadratic time takes minutes
    timings = cue_timings(document)
    assert timings is None or len(timings) <= MAX_CUES


def test_times_of_more_cues_than_any_recording_has_are_not_compared() -> None:
    assert len(cue_timings(HEAD + b"00:00.000-->00:00.001\nx\n\n" * MAX_CUES) or ()) == MAX_CUES
    assert cue_timings(HEAD + b"00:00.000-->00:00.001\nx\n\n" * (MAX_CUES + 1)) is None
