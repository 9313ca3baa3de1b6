"""Caption files of all kinds: every cue knows the bytes that it was read from."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.demo.source import open_source
from graph.transcripts.captions import Cue, read_captions
from graph.transcripts.errors import CaptionError
from graph.transcripts.payloads import CaptionKind, caption_kind

BOM = "\ufeff"
TAGS = ("<i>", "</i>", "<b.loud>", "</b>", "<c>", "<lang en>")


@dataclass(frozen=True)
class Written:
    """A caption to be written: who speaks, and text between tags, a list of lines each."""

    voice: str
    runs: tuple[tuple[str, ...], ...]
    tags: tuple[str, ...]
    start_ms: int
    end_ms: int

    def payload(self, newline: str) -> str:
        texts = [newline.join(run) for run in self.runs]
        return "".join(text + tag for text, tag in zip(texts, (*self.tags, ""), strict=False))

    def expected(self, newline: str) -> list[str]:
        return [text for run in self.runs if (text := newline.join(run).strip())]


# No markup, no colon and no dash, which would make labels and turns; letters of every script are there.
words = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="<>{}:-–—&\ufeff"), min_size=1, max_size=30
)
plain_words = words.filter(str.strip)
times = st.integers(0, 359_999_000)


@st.composite
def captions(draw: st.DrawFn, text: st.SearchStrategy[str] = words) -> Written:
    count = draw(st.integers(1, 3))
    runs = tuple(tuple(draw(st.lists(text, min_size=1, max_size=2))) for _ in range(count))
    tags = tuple(draw(st.sampled_from(TAGS)) for _ in range(count - 1))
    start = draw(times)
    return Written(
        draw(st.sampled_from(("Mayor", "Speaker 12", "Zoë"))), runs, tags, start, start + draw(st.integers(1, 9999))
    )


newlines = st.sampled_from(("\n", "\r\n", "\r"))


@given(st.lists(captions(), max_size=5), newlines, st.booleans(), st.booleans())
def test_every_cue_of_a_webvtt_file_decodes_from_its_bytes(
    written: list[Written], newline: str, bom: bool, extras: bool
) -> None:
    blocks = ["WEBVTT some title"]
    if extras:
        blocks += [newline.join(("NOTE", "a comment", "of two lines")), newline.join(("STYLE", "::cue { color: red }"))]
    for number, caption in enumerate(written):
        timing = f"{_vtt_time(caption.start_ms)} --> {_vtt_time(caption.end_ms)} align:start"
        lines = [timing, f"<v {caption.voice}>{caption.payload(newline)}"]
        blocks.append(newline.join([f"id {number}", *lines] if extras else lines))
    text = BOM * bom + (newline * 2).join(blocks) + newline
    data = text.encode()

    cues = read_captions(data)

    _check_bytes(cues, data)
    assert [cue.text for cue in cues] == [run for caption in written for run in caption.expected(newline)]
    assert [(cue.speaker, cue.start_ms, cue.end_ms) for cue in cues] == [
        (caption.voice, caption.start_ms, caption.end_ms) for caption in written for _ in caption.expected(newline)
    ]


@given(st.lists(captions(plain_words), max_size=5), newlines, st.booleans())
def test_every_cue_of_a_subrip_file_decodes_from_its_bytes(written: list[Written], newline: str, bom: bool) -> None:
    blocks = [
        newline.join(
            (
                str(number),
                f"{_srt_time(caption.start_ms)} --> {_srt_time(caption.end_ms)}",
                caption.payload(newline),
            )
        )
        for number, caption in enumerate(written, start=1)
    ]
    data = (BOM * bom + (newline * 2).join(blocks) + newline).encode()

    cues = read_captions(data)

    _check_bytes(cues, data)
    if written:
        assert [cue.text for cue in cues] == [run for caption in written for run in caption.expected(newline)]
        assert {(cue.start_ms, cue.end_ms) for cue in cues} <= {(c.start_ms, c.end_ms) for c in written}


@given(st.text(max_size=300), st.sampled_from(("", "WEBVTT\n\n")))
def test_no_text_makes_a_cue_that_its_bytes_do_not_hold(text: str, head: str) -> None:
    data = (head + text).encode()

    _check_bytes(read_captions(data), data)


FRAGMENTS = (
    "00:00:01.000 --> 00:00:02.000\n", "00:01 --> ", "\n", "\n\n", "\r\n", "<v A>", "<v B>", "</v>", "<i>", "é",
    "&amp;", "Hello", "MAYOR: ", ">> ", "- ", " ", "12\n", "<00:00:01.500>", "{\\an8}", "字",
)  # fmt: skip


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=40), st.sampled_from(("WEBVTT\n\n", "1\n", "")))
def test_broken_files_are_read_as_far_as_they_make_sense(fragments: list[str], head: str) -> None:
    data = (head + "".join(fragments)).encode()

    _check_bytes(read_captions(data), data)


def test_a_caption_cut_by_markup_gives_one_cue_for_each_run_of_text() -> None:
    data = b"WEBVTT\n\n00:01.000 --> 00:02.500\n<v.loud Chair>It is <i>re</i>zoned, by 5 &lt; 7.\n"

    cues = read_captions(data)

    assert [(cue.text, cue.glued, cue.speaker) for cue in cues] == [
        ("It is", False, "Chair"),
        ("re", False, "Chair"),
        ("zoned, by 5 &lt; 7.", True, "Chair"),
    ]
    assert cues[2].spoken == "zoned, by 5 < 7."
    assert (cues[0].start_ms, cues[0].end_ms) == (1000, 2500)


def test_two_voices_in_one_caption_are_two_cues() -> None:
    data = b"WEBVTT\n\n00:01.000 --> 00:02.500\n<v A>Second.</v> <v B>All in favor?\n"

    assert [(cue.speaker, cue.text) for cue in read_captions(data)] == [("A", "Second."), ("B", "All in favor?")]


def test_labels_in_front_of_the_words_name_the_speaker_until_the_next_one() -> None:
    data = (
        b"1\n00:00:01,000 --> 00:00:02,000\nMAYOR: Good evening.\n\n"
        b"2\n00:00:02,000 --> 00:00:03,000\nThe time is 7: we begin.\n\n"
        b"3\n00:00:03,000 --> 00:00:04,000\n>> Clerk: Here.\n>> Here too.\n\n"
        b"4\n00:00:04,000 --> 00:00:05,000\nNote: this is no speaker.\n"
    )

    assert [(cue.speaker, cue.text) for cue in read_captions(data)] == [
        ("MAYOR", "Good evening."),
        ("MAYOR", "The time is 7: we begin."),
        ("Clerk", "Here."),
        (None, "Here too."),
        (None, "Note: this is no speaker."),
    ]


def test_rolling_captions_are_read_once_where_they_stand_without_stamps() -> None:
    data = (
        b"WEBVTT\nKind: captions\n\n"
        b"00:00:00.160 --> 00:00:02.390 align:start\n \ngood<00:00:00.400><c> morning</c>\n\n"
        b"00:00:02.390 --> 00:00:02.400 align:start\ngood morning\n \n\n"
        b"00:00:02.400 --> 00:00:04.870 align:start\ngood morning\nand<00:00:02.560><c> welcome</c>\n\n"
        b"00:00:04.870 --> 00:00:04.880 align:start\nand welcome\n \n"
    )

    cues = read_captions(data)

    assert [(cue.text, cue.start_ms) for cue in cues] == [("good morning", 2390), ("and welcome", 4870)]
    _check_bytes(cues, data)


def test_plain_text_is_read_by_paragraphs_without_times() -> None:
    data = "CLERK: Zwölf\r\nPunkte.\r\n\r\nKeine Frage.\r\nCHAIR: Good.\r\n".encode()

    cues = read_captions(data)

    assert [(cue.speaker, cue.text, cue.start_ms) for cue in cues] == [
        ("CLERK", "Zwölf\r\nPunkte.", None),
        ("CLERK", "Keine Frage.", None),
        ("CHAIR", "Good.", None),
    ]


def test_plain_text_without_full_stops_is_read_by_lines() -> None:
    assert [cue.text for cue in read_captions(b"we come to order\nall are here\n\nso we begin\n")] == [
        "we come to order",
        "all are here",
        "so we begin",
    ]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"WEBVTT\n", CaptionKind.WEBVTT),
        (BOM.encode() + b"WEBVTT - title\r\n", CaptionKind.WEBVTT),
        (b"1\r\n00:00:01,000 --> 00:00:02,000\r\nHi\r\n", CaptionKind.SUBRIP),
        (b"WEBVTTX\n", CaptionKind.TEXT),
        (b"", CaptionKind.TEXT),
    ],
)
def test_the_kind_of_a_file_is_in_its_bytes(data: bytes, kind: CaptionKind) -> None:
    assert caption_kind(data) is kind


def test_a_file_that_is_not_utf_8_is_refused_with_the_place() -> None:
    with pytest.raises(CaptionError, match="not UTF-8 at byte 8"):
        read_captions(b"WEBVTT\n\n\xff\xfe")


def test_the_meeting_that_ships_with_the_project_is_twenty_minutes_of_cues() -> None:
    source = open_source(None)
    cues = read_captions(source.data)

    assert len(cues) >= 250
    assert max(cue.end_ms or 0 for cue in cues) >= 20 * 60 * 1000
    assert all(3000 <= (cue.end_ms or 0) - (cue.start_ms or 0) <= 6000 for cue in cues)
    assert all(cue.speaker for cue in cues)
    assert source.title == "Port Alder City Council, regular meeting of March 18"


def _check_bytes(cues: Sequence[Cue], data: bytes) -> None:
    position = 0
    for cue in cues:
        assert position <= cue.start < cue.end <= len(data)
        assert data[cue.start : cue.end].decode() == cue.text
        position = cue.end


def _vtt_time(milliseconds: int) -> str:
    seconds = milliseconds // 1000
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{milliseconds % 1000:03}"


def _srt_time(milliseconds: int) -> str:
    return _vtt_time(milliseconds).replace(".", ",")
