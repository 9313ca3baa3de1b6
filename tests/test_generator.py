"""Claims of the generator: each quotes its source exactly, and says who speaks about what."""

from demo_statements import claims_of, shipped

from graph.demo.claim_words import take_apart
from graph.demo.generator import generate_claims
from graph.transcripts.transcript import Transcript


def test_every_quotation_is_made_of_the_cited_bytes() -> None:
    source, transcript = shipped()

    for claim in claims_of(transcript):
        words = [citation for citation in claim.citations if citation.relevance == 1.0]
        cited = " ".join(" ".join(source.data[c.cue.start : c.cue.end].decode().split()) for c in words)
        assert take_apart(claim.text).quote == cited
        assert claim.speaker is not None and claim.speaker.lower().endswith((words[0].cue.speaker or "").lower())


def test_no_two_claims_have_the_same_text() -> None:
    _, transcript = shipped()
    texts = [claim.text for claim in claims_of(transcript)]

    assert len(set(texts)) == len(texts) > 60


def test_each_item_opens_with_its_call_and_has_something_to_say() -> None:
    _, transcript = shipped()

    topics = generate_claims(transcript.sentences)

    assert len(topics) == 12
    for number, topic in enumerate(topics, start=1):
        assert f"Item {number} is" in topic.claims[0].text
        assert len(topic.claims) >= 4


def test_claims_of_an_item_cite_its_call_too() -> None:
    _, transcript = shipped()
    claim = next(claim for claim in claims_of(transcript) if "420 homes and 38,000 square feet" in claim.text)

    assert claim.text.startswith("On item 3, the zoning map change for Foundry Street, the Planning Director said: “")
    assert [citation.relevance for citation in claim.citations] == [1.0, 1.0, 0.4]
    assert "Item 3 is the public hearing" in claim.citations[-1].cue.spoken


def test_a_numbered_speaker_is_quoted_by_the_name_given_and_its_evidence() -> None:
    lines = [
        "<v Speaker 4>My name is Ada Quill, and I own a shop on Elm Street.",
        "<v Speaker 4>The parking plan takes 12 spaces away from the shops on Elm Street.",
    ]
    blocks = [f"00:00:{n:02}.000 --> 00:00:{n + 1:02}.000\n{line}" for n, line in enumerate(lines)]
    transcript = Transcript.read(("WEBVTT\n\n" + "\n\n".join(blocks)).encode())

    claims = claims_of(transcript)

    (claim,) = [claim for claim in claims if "12 spaces" in claim.text]
    assert claim.text.startswith("Ada Quill said: “The parking plan")
    assert "My name is Ada Quill" in claim.citations[-1].cue.text


def test_nothing_is_claimed_where_nothing_is_said() -> None:
    assert generate_claims(Transcript.read(b"WEBVTT\n\n").sentences) == ()
