"""Drafts of the messages that a tool is asked to sign, with the words that the user confirms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from a2ap.agent.drafts import DraftError
from a2ap.agent.quotes import Quote, Source
from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.client.answers import UnreachableError
from a2ap.mcp.access import Access
from a2ap.mcp.errors import MissingError
from a2ap.mcp.folders import File
from a2ap.mcp.queries import SOURCE
from a2ap.mcp.quoted import literal, one_line, visible
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement

_SHOWN_PART = 40  # characters of a text that is refused


class QuoteWords(BaseModel):
    """Words that stand in the source exactly so."""

    words: str = Field(min_length=1, max_length=2000)
    start: int | None = Field(
        None, ge=0, description="The byte at which they begin, if they stand there several times."
    )


@dataclass(frozen=True, slots=True)
class StatementDraft:
    """A statement that is ready to be signed; `file` is its source if the source is new to the node."""

    claim: str
    quotes: tuple[Quote, ...]
    source: Source
    confidence: float
    method: str | None
    file: File | None
    boundary: Boundary
    question: str


@dataclass(frozen=True, slots=True)
class ChallengeDraft:
    """A challenge that is ready to be signed, of the statement with that hash."""

    signed_hash: str
    criterion: str
    reason: str
    confidence: float
    question: str


async def draft_statement(
    access: Access,
    claim: str,
    quotes: Sequence[str | QuoteWords],
    source: str | None,
    path: str | None,
    title: str | None,
    boundary: Boundary,
    confidence: float,
    method: str | None,
) -> StatementDraft:
    """Return a draft in which each quote stands in the source; raises `DraftError` with all problems."""
    _check_shown({"claim": claim, "method": method, "title": title})
    if (source is None) == (path is None):
        raise DraftError(["name either a source of the node or a path: one of the two"])
    file = None if path is None else access.folders.read(path)
    if file is not None:
        _check_shown({"path of the file": str(file.folder / file.path)})
        found = Source(f"urn:{sha256_digest(file.content)}", file.content, title or file.path.name)
        origin = (
            f"The source is the file {_exact(str(file.path))} in the folder {_exact(str(file.folder))}: all of its "
            f"{len(file.content)} bytes are registered as {boundary.value} and sent to the node."
        )
    else:
        found, held_as = await _source_of(access, source or "")
        _check_shown({"id of the source": found.id})
        origin = f"The source is one of the node, and {one_line(held_as)} there."
    words = tuple(Quote(one) if isinstance(one, str) else Quote(one.words, start=one.start) for one in quotes)
    draft = await access.agent.claim(
        claim, quote=words, source=found, confidence=confidence, method=method, dry_run=True
    )
    places = [segment["byteRange"] for segment in draft.checked["evidence"]]
    return StatementDraft(
        claim,
        words,
        found,
        confidence,
        method,
        file,
        boundary,
        _statement_question(access, claim, words, places, found, origin, confidence, method),
    )


async def draft_challenge(
    access: Access, statement: str, criterion: str, reason: str, confidence: float
) -> ChallengeDraft:
    """Return a draft of a challenge; its statement is read from the signed bytes that the node has."""
    _check_shown({"criterion": criterion, "reason": reason})
    message = read_message((await access.reader.fetch("statements", statement, accept="application/json")).content)
    if not isinstance(message, ProvenanceStatement):
        raise DraftError([f"{statement} is no statement"])
    signed_hash = message.envelope.signed_hash
    if statement not in (signed_hash, message.envelope.id):
        raise UnreachableError(f"{access.reader.name} answered {statement} with another message, {signed_hash}")
    question = [
        "Sign and publish this challenge?",
        f"It says that the statement fails the criterion {literal(criterion)}, because {literal(reason)}.",
        f"Statement: {signed_hash}",
        f"Its claim: {literal(message.claim.text)}",
        f"Its author: {literal(message.agent.agent_id)}",
        *_signer(access, confidence),
    ]
    return ChallengeDraft(signed_hash, criterion, reason, confidence, "\n".join(question))


async def _source_of(access: Access, name: str) -> tuple[Source, str]:
    """Return a source of the node with its bytes, and its class; raises `MissingError` if there is none."""
    nodes = (await access.reader.graphql(SOURCE, name=name))["documents"]["nodes"]
    if not nodes or nodes[0]["hash"] is None:
        raise MissingError(f"the node has no source {name}")
    if len(nodes) > 1:
        raise DraftError([f"several sources of the node have the name {name}: name one by its hash"])
    found, document_hash = nodes[0], nodes[0]["hash"]
    content = (await access.reader.fetch("sources", document_hash)).content
    if sha256_digest(content) != document_hash or (name.startswith("sha256:") and name != document_hash):
        raise UnreachableError(f"{access.reader.name} gave bytes that are not those of {document_hash}")
    return Source(found["id"], content, found["title"] or ""), found["boundary"]


def _statement_question(
    access: Access,
    claim: str,
    quotes: Sequence[Quote],
    places: Sequence[dict[str, Any]],
    source: Source,
    origin: str,
    confidence: float,
    method: str | None,
) -> str:
    told = ["Sign and publish this statement?", f"Claim: {literal(claim)}"]
    for number, (quote, place) in enumerate(zip(quotes, places, strict=True), 1):
        told.append(
            f"Quote {number}: {literal(quote.words)} (bytes {place['start']} to {place['end']}{_hash_of(quote)})"
        )
    told += [f"Source: {literal(source.title)}, {_exact(source.id)}, {source.document_hash}", origin]
    if method is not None:
        told.append(f"Method: {literal(method)}")
    return "\n".join([*told, *_signer(access, confidence)])


def _check_shown(stated: Mapping[str, str | None]) -> None:
    """Raise `DraftError` for texts that the question could not show as they are: the user reads all that is signed."""
    problems = []
    for name, text in stated.items():
        shown = visible(text or "")
        if text and shown != text:
            place = next(at for at, (one, other) in enumerate(zip(text, shown, strict=False)) if one != other)
            part = literal(shown[place:], _SHOWN_PART)
            problems.append(f"the {name} has characters that no question can show as they are, from {place} on: {part}")
    if problems:
        raise DraftError(problems)


def _exact(text: str) -> str:
    """Return a text that is shown as it is as a JSON string, all of it."""
    return literal(text, len(text))


def _hash_of(quote: Quote) -> str:
    """Return the hash of a quote whose characters the question cannot show: the source may have any."""
    return (
        ""
        if visible(quote.words) == quote.words
        else f", with hidden characters, {sha256_digest(quote.words.encode())}"
    )


def _signer(access: Access, confidence: float) -> list[str]:
    return [
        f"Confidence: {confidence}",
        f"Signed by: {one_line(access.agent.id)}",
        f"Node: {access.reader.name}",
        "A signed message stays in the log for good.",
    ]
