"""The input and the result of the demonstration."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph.demo.answer import Answer, Quotation
from graph.demo.source import DemoSource
from graph.demo.traceability import Traceability
from graph.models.chat_model import ChatModel
from graph.transcripts.transcript import Transcript

DEFAULT_QUESTION = "What did they say about zoning?"


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """The input; `folder` holds the agents' keys, the messages they signed, and the podcast.

    `source` is a caption file, the shipped one if it is None; `media` the address of the recording.
    """

    folder: Path
    source: Path | None = None
    media: str | None = None
    question: str = DEFAULT_QUESTION
    model: ChatModel | None = None


@dataclass(frozen=True, slots=True)
class DemoResult:
    """The result: the answers, best first, the counts, and the path of the podcast.

    `reported` of the `verified` claims only report that something was said.
    """

    question: str
    answers: tuple[Answer, ...]
    traceability: Traceability
    verified: int
    reported: int
    source: DemoSource
    transcript: Transcript
    podcast: Path

    def as_json(self) -> dict[str, Any]:
        """Return the output of `a2ap demo --json`."""
        return {
            "question": self.question,
            "answers": [answer.as_json() for answer in self.answers],
            "traceable": self.traceability.as_json(),
            "verified": {"saidAsQuoted": self.reported, "holds": self.verified - self.reported},
        }

    def speaker_of(self, quotation: Quotation) -> str | None:
        """Return the speaker of the cited words, None if they are not of this demonstration's source."""
        ours = quotation.document_hash == self.source.document_hash
        return self.transcript.speaker_at(quotation.start, quotation.end) if ours else None
