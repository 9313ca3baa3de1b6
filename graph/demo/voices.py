"""Speakers of the words that an answer cites, as the captions name them."""

from collections.abc import Callable

from a2ap.client import Client
from a2ap.errors import A2APError
from graph.demo.answer import Quotation
from graph.transcripts.errors import CaptionError
from graph.transcripts.payloads import CaptionKind
from graph.transcripts.transcript import Transcript

SpeakerOf = Callable[[Quotation], str | None]
"""Returns the speaker of a passage, None if unknown."""

MAX_CAPTIONS = 4 * 2**20
"""Maximum size in bytes of a caption file that is read for its speakers; a day of talk has fewer."""

_CAPTIONS = (CaptionKind.WEBVTT.value, CaptionKind.SUBRIP.value)


def speakers_by(client: Client) -> SpeakerOf:
    """Return a function that finds the speaker of a passage in captions that this reader may read, each file once."""
    read: dict[str, Transcript | None] = {}

    def speaker_of(quotation: Quotation) -> str | None:
        named = quotation.document_hash
        if named is None or quotation.media_type not in _CAPTIONS or (quotation.byte_length or 0) > MAX_CAPTIONS:
            return None
        if named not in read:
            read[named] = _transcript(client, named)
        transcript = read[named]
        return transcript.speaker_at(quotation.start, quotation.end) if transcript is not None else None

    return speaker_of


def _transcript(client: Client, document_hash: str) -> Transcript | None:
    """Return captions as a transcript; None if this reader may not read them, or they are not captions."""
    try:
        return Transcript.read(client.source(document_hash))
    except (A2APError, CaptionError):
        return None
