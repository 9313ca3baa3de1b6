"""Speakers in words: labels, roles, and names that numbered speakers give themselves."""

import pytest

from graph.transcripts.captions import read_captions
from graph.transcripts.sentences import read_sentences
from graph.transcripts.speakers import attribution, find_introductions, name_given


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("My name is Ada Quill.", "Ada Quill"),
        ("Good morning, my name is Ada van Quill, and I live on Elm Street.", "Ada van Quill"),
        ("I'm Ada Quill, president of the Elm Street Club.", "Ada Quill"),
        ("I am Council member Ada Quill.", "Ada Quill"),
        ("I'm Jewish American, and I live here.", None),
        ("I'm here to support Ada Quill.", None),
        ("My name is Ada.", None),
    ],
)
def test_a_name_is_what_somebody_gives_as_their_own(text: str, name: str | None) -> None:
    assert name_given(text) == name


def test_a_numbered_speaker_has_the_name_for_one_turn_only() -> None:
    lines = ["<v Speaker 2>My name is Ada Quill.", "<v Speaker 2>Build the homes.", "<v Speaker 1>Thank you."]
    lines += ["<v Speaker 1>Next."] * 15 + ["<v Speaker 2>No homes on my street."]
    blocks = [f"00:00:{n:02}.000 --> 00:00:{n + 1:02}.000\n{line}" for n, line in enumerate(lines)]
    sentences = read_sentences(read_captions(("WEBVTT\n\n" + "\n\n".join(blocks)).encode()))

    introductions = find_introductions(sentences)

    assert introductions[1].name == "Ada Quill"
    assert introductions[1].sentence.position == 0
    assert sentences[-1].position not in introductions


def test_people_with_a_label_keep_it() -> None:
    data = b"WEBVTT\n\n00:01.000 --> 00:02.000\n<v Clerk>My name is Ada Quill."

    assert find_introductions(read_sentences(read_captions(data))) == {}


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("Planning Director", "the Planning Director"),
        ("Speaker 12", "Speaker 12"),
        ("Ada Quill", "Ada Quill"),
        ("COUNCIL PRESIDENT", "the Council President"),
        (None, "a speaker"),
    ],
)
def test_speakers_are_named_as_in_a_sentence(label: str | None, words: str) -> None:
    assert attribution(label) == words
