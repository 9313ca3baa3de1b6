"""Who speaks what an answer rests on: read in captions that the platform gives, and known of nothing else."""

import httpx
import pytest

from a2ap.canonical import sha256_digest
from a2ap.client import Client
from graph.demo.answer import Quotation
from graph.demo.voices import MAX_CAPTIONS, speakers_by

CAPTIONS = (
    b"WEBVTT\n\n00:01.000 --> 00:02.000\n<v City Clerk>The vote is 5 to 2.\n\n00:02.000 --> 00:03.000\nHear, hear.\n"
)
WORDS = CAPTIONS.index(b"The vote")


class Sources:
    """A platform that gives one source, or refuses it, and counts how often it was asked."""

    def __init__(self, data: bytes = CAPTIONS, status: int = 200) -> None:
        self.asked = 0
        self._answer = httpx.Response(status, content=data)

    def client(self) -> Client:
        return Client("http://a2ap.test", transport=httpx.MockTransport(self._give))

    def _give(self, request: httpx.Request) -> httpx.Response:
        assert request.url.path == f"/sources/{sha256_digest(CAPTIONS)}"
        self.asked += 1
        return self._answer


def quotation(
    start: int = WORDS,
    *,
    document_hash: str | None = sha256_digest(CAPTIONS),
    media_type: str | None = "text/vtt",
    byte_length: int | None = len(CAPTIONS),
) -> Quotation:
    return Quotation(
        "urn:doc:m", document_hash, "The meeting", start, start + 5, None, None, "", 1.0, media_type, byte_length
    )


def test_the_speaker_of_a_passage_is_the_one_that_the_captions_name() -> None:
    speaker_of = speakers_by(Sources().client())
    assert speaker_of(quotation()) == "City Clerk"
    assert speaker_of(quotation(CAPTIONS.index(b"Hear"))) is None


def test_captions_are_fetched_once_however_many_passages_are_of_them() -> None:
    sources = Sources()
    speaker_of = speakers_by(sources.client())
    assert [speaker_of(quotation(WORDS + place)) for place in range(3)] == ["City Clerk"] * 3
    assert sources.asked == 1


@pytest.mark.parametrize(
    "passage",
    [quotation(media_type="text/plain"), quotation(document_hash=None), quotation(byte_length=MAX_CAPTIONS + 1)],
    ids=["no captions", "unknown bytes", "too long"],
)
def test_what_is_no_captions_or_too_long_is_not_fetched(passage: Quotation) -> None:
    sources = Sources()
    assert speakers_by(sources.client())(passage) is None
    assert sources.asked == 0


@pytest.mark.parametrize("sources", [Sources(b"", 403), Sources(b"\xff\xfe")], ids=["refused", "unreadable"])
def test_captions_that_are_refused_or_cannot_be_read_name_nobody(sources: Sources) -> None:
    assert speakers_by(sources.client())(quotation()) is None
