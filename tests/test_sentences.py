"""Sentences made of cues: no word is lost, none is doubled, and every piece keeps its bytes."""

from hypothesis import given
from hypothesis import strategies as st

from graph.transcripts.captions import read_captions
from graph.transcripts.sentences import Sentence, read_sentences

PIECES = (
    "We vote. ", "Dr. Ito and St. Mary ", "cost $1.5 million. ", "Is it? ", "“Yes.” ", "No", ", said the chair",
    "über. Ähm ", "\n", "[Applause] ", "At 7 p.m. on Elm St. ", "好。是。 ",
)  # fmt: skip


def sentences_of(*cues: tuple[str, str]) -> tuple[Sentence, ...]:
    blocks = [
        f"00:{number:02}:00.000 --> 00:{number:02}:59.000\n<v {speaker}>{text}"
        for number, (speaker, text) in enumerate(cues)
    ]
    return read_sentences(read_captions(("WEBVTT\n\n" + "\n\n".join(blocks) + "\n").encode()))


def test_a_sentence_runs_on_through_cues_until_its_full_stop() -> None:
    sentences = sentences_of(("A", "The vote is"), ("A", "5 to 2. The motion"), ("A", "passes."))

    assert [sentence.text for sentence in sentences] == ["The vote is 5 to 2.", "The motion passes."]
    assert [part.text for part in sentences[0].parts] == ["The vote is", "5 to 2."]
    assert (sentences[0].start_ms, sentences[0].end_ms) == (0, 119_000)


def test_a_sentence_ends_where_somebody_else_speaks() -> None:
    assert [sentence.text for sentence in sentences_of(("A", "I move that"), ("B", "Second."))] == [
        "I move that",
        "Second.",
    ]


def test_abbreviations_and_decimals_end_no_sentence() -> None:
    (sentence,) = sentences_of(("A", "At 7 p.m. Dr. Ito of St. Mary paid $1.5 million."))

    assert sentence.text == "At 7 p.m. Dr. Ito of St. Mary paid $1.5 million."


def test_what_is_not_speech_is_left_out() -> None:
    assert [sentence.text for sentence in sentences_of(("A", "[Applause]"), ("A", "Thank you."))] == ["Thank you."]


def test_captions_without_punctuation_are_cut_at_cues() -> None:
    sentences = sentences_of(*[("A", f"so number {n} goes on and on without any end in sight") for n in range(9)])

    assert len(sentences) > 2
    assert all(len(sentence.text.split()) < 40 for sentence in sentences)


@given(
    st.lists(st.tuples(st.sampled_from("AB"), st.lists(st.sampled_from(PIECES), min_size=1, max_size=4)), max_size=8)
)
def test_every_piece_keeps_its_bytes_and_all_words_are_there_once(cues: list[tuple[str, list[str]]]) -> None:
    blocks = [
        f"00:{number:02}:00.000 --> 00:{number:02}:59.000\n<v {speaker}>{''.join(pieces).strip() or 'x'}"
        for number, (speaker, pieces) in enumerate(cues)
    ]
    data = ("WEBVTT\n\n" + "\n\n".join(block.replace("\n\n", "\n") for block in blocks) + "\n").encode()
    read = read_captions(data)

    sentences = read_sentences(read)

    position = 0
    for sentence in sentences:
        for part in sentence.parts:
            assert position <= part.start < part.end
            assert data[part.start : part.end].decode() == part.text
            assert part.speaker == sentence.speaker
            position = part.end
    spoken = "".join("".join(cue.text.split()) for cue in read).replace("[Applause]", "")
    assert "".join("".join(s.text.split()) for s in sentences).replace("[Applause]", "") == spoken
