"""Drafts of statements and verdicts: messages built from an agent's words, with all problems found at once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.agent.quotes import Quote, QuoteError, QuoteForm, Source, find_quote
from a2ap.canonical import canonicalize, sha256_digest
from a2ap.errors import A2APError, MessageError
from a2ap.identifiers import hash_problem
from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.evidence import build_segment
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.reference import Reference
from a2ap.messages.statement import build_statement
from a2ap.signing.disclosure import Disclosure, make_disclosure

CONFIDENCE = 0.9
"""The confidence of a claim or finding whose author states none."""


class DraftError(A2APError):
    """A message is not signed, for one or more `problems`."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Draft:
    """An unsigned statement, and the problems for which it would not be signed; `message` is None if there are any."""

    message: dict[str, Any] | None
    problems: tuple[str, ...] = ()

    @property
    def checked(self) -> dict[str, Any]:
        """Return the message; raise `DraftError` if there are problems."""
        if self.message is None:
            raise DraftError(self.problems)
        return self.message


@dataclass(frozen=True, slots=True)
class Claim:
    """The content of a statement: a claim, the quotes that it rests on, and its relations to other statements.

    `confidence` is a share from 0 to 1. `generated_by` are hashes of records, such as the pack of a run.
    """

    text: str
    quotes: tuple[Quote, ...]
    source: Source | None
    confidence: float = CONFIDENCE
    method: str | None = None
    supports: tuple[Reference, ...] = ()
    contradicts: tuple[Reference, ...] = ()
    revises: Reference | None = None
    generated_by: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Return the hash of the content, which tells one claim of an agent from another; the claim has no problem."""
        quotes = [
            [one.words, one.start, one.form.value, one.relevance, one.page, *_document_of(one.source or self.source)]
            for one in self.quotes
        ]
        related = [[one.target_hash for one in group] for group in (self.supports, self.contradicts)]
        revised = None if self.revises is None else self.revises.target_hash
        stated = [self.text, quotes, self.confidence, self.method, related, revised, list(self.generated_by)]
        return sha256_digest(canonicalize({"claim": stated}))

    def draft(
        self, agent: AgentDescription, at: datetime, salt: Callable[[], bytes], statement_id: str | None = None
    ) -> Draft:
        """Return the statement of an agent; each redactable quote takes a `salt` of its own.

        The id is derived from agent and claim unless it is given (A2AP Appendix A).
        """
        problems = list(self._problems())
        evidence: list[dict[str, Any]] = []
        disclosures: list[Disclosure] = []
        for number, quote in enumerate(self.quotes):
            try:
                evidence.append(segment_of(quote, self.source, salt, disclosures))
            except QuoteError as error:
                problems.append(f"quote {number + 1}: {error}" if len(self.quotes) > 1 else str(error))
        if problems:
            return Draft(None, tuple(problems))
        try:
            message = build_statement(
                generated_at=at,
                agent=agent,
                claim=self.text,
                confidence=self.confidence,
                evidence=evidence,
                generation_method=self.method,
                statement_id=statement_id,
                supports=self.supports,
                contradicts=self.contradicts,
                was_revision_of=self.revises,
                generated_by=self.generated_by,
                disclosures=disclosures,
            )
        except MessageError as error:
            return Draft(None, (str(error),))
        return Draft(message)

    def _problems(self) -> Iterator[str]:
        if not self.text.strip():
            yield "the claim has no text"
        if not self.quotes:
            yield "the claim has no quote: a claim rests on the words of a source"
        if not 0 <= self.confidence <= 1:
            yield f"confidence is {self.confidence}, not a number from 0 to 1"
        if not _is_text(self.text):
            yield "the claim is no text: it has a lone surrogate"
        for number, quote in enumerate(self.quotes):
            if quote.relevance is not None and not 0 <= quote.relevance <= 1:
                yield f"relevance of quote {number + 1} is {quote.relevance}, not a number from 0 to 1"
        for name in self.generated_by:
            if problem := hash_problem(name):
                yield f"generated_by {problem}"


def _document_of(source: Source | None) -> list[str]:
    return [] if source is None else [source.id, source.document_hash]


def _is_text(text: str) -> bool:
    return text.isascii() or text.encode("utf-8", "ignore").decode() == text


def segment_of(
    quote: Quote, source: Source | None, salt: Callable[[], bytes], disclosures: list[Disclosure]
) -> dict[str, Any]:
    """Return a quote as evidence; the disclosure of a redactable one is appended to `disclosures`.

    Raises `QuoteError`.
    """
    cited = quote.source or source
    if cited is None:
        raise QuoteError(f"the quote {quote.words!r} names no source")
    place = find_quote(cited.content, quote)
    words: str | Disclosure | None = quote.words if quote.form is QuoteForm.WORDS else None
    if quote.form is QuoteForm.REDACTABLE:
        words = make_disclosure(quote.words, salt())
        disclosures.append(words)
    return build_segment(
        cited.id,
        place.start,
        place.end,
        document_hash=cited.document_hash,
        content_hash=sha256_digest(cited.content[place.start : place.end]),
        quote=words,
        relevance_score=quote.relevance,
        page=quote.page,
    )


def findings_of(stated: Mapping[str, FindingStatus | str | Finding]) -> list[Finding]:
    """Return the findings of a verdict by criterion; raises `DraftError` for a status that is none."""
    found, problems = [], []
    for criterion, one in stated.items():
        if isinstance(one, Finding):
            found.append(one)
            if one.criterion != criterion:
                problems.append(f"the finding under {criterion} is about {one.criterion}")
        elif one in [status.value for status in FindingStatus]:
            found.append(Finding(criterion, FindingStatus(one), "", CONFIDENCE))
        else:
            problems.append(f"{criterion} is {one!r}, none of {', '.join(FindingStatus)}")
    if not stated:
        problems.append("the verdict has no finding")
    if problems:
        raise DraftError(problems)
    return found
