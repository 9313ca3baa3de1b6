"""The podcast: a paragraph an item, every sentence with its statement and its cue, and nothing that is not verified."""

import re

from demo_statements import shipped

from graph.demo.claims import Citation, DraftClaim
from graph.demo.generator import TopicClaims, generate_claims
from graph.demo.podcast import Recording, Spoken, write_podcast
from graph.transcripts.captions import Cue

BASE = "http://127.0.0.1:8000"
HASH = "sha256:" + "ab" * 32
SENTENCE = re.compile(r"\[((?:[^\]\\]|\\.)+)\]\((http://127[^)]+/statements/[^)]+)\) \(\[([^\]]+)\]\(([^)]+)\)\)")


def claim(text: str, speaker: str | None = "the Chair") -> DraftClaim:
    cue = Cue(62_400, 65_000, "Chair", 10, 20, "0123456789")
    return DraftClaim(text, speaker, 0.9, "test", (Citation(cue, 1.0),))


def podcast(*claims: DraftClaim, media: str | None = None, verified: bool = True, title: str = "Meeting") -> str:
    statements = {one.text: Spoken(f"urn:uuid:{number}", verified) for number, one in enumerate(claims)}
    return write_podcast(Recording(title, HASH, media, BASE), [TopicClaims("Item 1: Fence", claims)], statements)


def test_the_whole_meeting_is_one_paragraph_an_item_of_linked_sentences() -> None:
    _, transcript = shipped()
    topics = generate_claims(transcript.sentences)
    claims = [one for topic in topics for one in topic.claims]
    statements = {one.text: Spoken(f"urn:uuid:{number}", True) for number, one in enumerate(claims)}

    text = write_podcast(Recording("Meeting", HASH, None, BASE), topics, statements)

    paragraphs = [block for block in text.split("\n\n") if block.strip() and not block.startswith("#")]
    assert len(paragraphs) == len(re.findall("^## Item ", text, re.MULTILINE)) == 12
    assert sum(len(SENTENCE.findall(paragraph)) for paragraph in paragraphs) == len(claims)
    # Nothing is said outside the links.
    assert all(not SENTENCE.sub("", paragraph).strip() for paragraph in paragraphs)
    assert len({address for _, address, _, _ in SENTENCE.findall(text)}) == len(claims)


def test_a_sentence_names_the_speaker_and_leads_to_statement_and_moment() -> None:
    text = podcast(claim("On item 1, the fence, the Chair said: “It falls.”"), media="https://youtu.be/abc")

    assert SENTENCE.findall(text) == [
        ("The Chair said: “It falls.”", f"{BASE}/statements/urn:uuid:0", "00:01:02", "https://youtu.be/abc?t=62")
    ]


def test_without_a_recording_the_cue_is_a_passage_of_the_source() -> None:
    assert f"([00:01:02]({BASE}/sources/{HASH}#bytes=10-20))" in podcast(claim("The Chair said: “It falls.”"))


def test_somebody_who_goes_on_speaking_is_not_introduced_in_the_same_words() -> None:
    text = podcast(claim("The Chair said: “One.”"), claim("The Chair said: “Two.”"), claim("In other words.", None))

    assert [sentence for sentence, _, _, _ in SENTENCE.findall(text)] == [
        "The Chair said: “One.”",
        "The Chair added: “Two.”",
        "In other words.",
    ]


def test_what_is_not_verified_is_not_spoken() -> None:
    assert podcast(claim("The Chair said: “It falls.”"), verified=False).strip() == "# Meeting"


def test_captions_cannot_write_markdown() -> None:
    text = podcast(
        claim("The Chair said: “[click](http://evil.example) <script> *now*.”"), title="A [title](http://evil.example)"
    )

    assert not re.search(r"(?<!\\)\]\(http://evil", text)
    assert "\\<script\\>" in text
    assert SENTENCE.search(text)
