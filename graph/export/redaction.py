"""Messages without the texts that a reader is not cleared for: for RDF, and for documents where signatures allow it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from a2ap.messages.challenge_answer import ChallengeAnswer
from a2ap.messages.evidence import EvidenceSegment
from a2ap.messages.gold_dispute import GoldDispute
from a2ap.messages.gold_label import GoldLabel
from a2ap.messages.message import Message
from a2ap.messages.retraction import Retraction
from a2ap.messages.source_registration import SourceRegistration
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.messages.verification_response import VerificationResponse
from a2ap.signing.disclosure import Redactable
from graph.export.documents import StoredMessage
from graph.withholding import Withheld


def redacted_message(stored: StoredMessage) -> Message:
    """Return the message with its withheld texts taken out, for `a2ap.rdf.provenance.triples`; its bytes stay whole."""
    message, withheld = stored.message, stored.withheld
    if withheld is None:
        return message
    if isinstance(message, ProvenanceStatement):
        evidence = tuple(_redacted_segment(one) if _is_withheld(one, withheld) else one for one in message.evidence)
        # The hash of the claim covers those of the passages.
        return replace(message, claim=replace(message.claim, content_hash=""), evidence=evidence)
    if isinstance(message, VerificationResponse):
        return _redacted_response(message)
    if isinstance(message, VerificationDecline):
        return replace(message, reason="")
    if isinstance(message, ChallengeAnswer):
        return replace(message, text="", evidence=_without_hashes(message.evidence))
    if isinstance(message, SourceRegistration):
        return replace(
            message, title=None, publisher=None, origin=None, media_type=None, licence=None, rights_holder=None
        )
    if isinstance(message, Retraction | GoldLabel):
        return replace(message, reason=None)
    if isinstance(message, GoldDispute):
        return replace(message, reason="")
    return message


def redacted_document(stored: StoredMessage) -> Mapping[str, Any] | None:
    """Return the document without its withheld texts; None if its signed part holds one.

    A disclosure can be taken away and the signature still holds (docs/how-to/retraction.md); a text signed in clear
    cannot, and neither can the hash of a passage, by which its words can be guessed.
    """
    message, withheld = stored.message, stored.withheld
    document = message.envelope.document
    if withheld is None:
        return document
    if isinstance(message, ProvenanceStatement):
        segments = [segment for segment in message.evidence if _is_withheld(segment, withheld)]
        quotes = [segment.quote for segment in segments if segment.quote is not None]
        if any(segment.content_hash for segment in segments):
            return None
        if any(quote.digest is None and quote.text for quote in quotes):
            return None
        return _without_disclosures(document, {quote.digest for quote in quotes})
    if isinstance(message, VerificationResponse):
        stated = [document.get("reason"), *(finding["evidence"] for finding in document["findings"])]
        if any(isinstance(text, str) and text for text in stated):
            return None
        if any(pointer.content_hash for pointer in message.evidence):
            return None
        return _without_disclosures(document, set(document.get("disclosures", ())))
    if isinstance(message, Retraction | GoldLabel | GoldDispute):
        return None if message.reason else document
    # The words of a reply are signed in clear, and so is the title that every registration has.
    return None if isinstance(message, VerificationDecline | ChallengeAnswer | SourceRegistration) else document


def is_whole(stored: StoredMessage) -> bool:
    """Return whether nothing of the message is withheld, so that its bytes may be given as received."""
    return stored.withheld is None or redacted_document(stored) == stored.message.envelope.document


def _redacted_response(response: VerificationResponse) -> VerificationResponse:
    findings = tuple(replace(finding, evidence="") for finding in response.findings)
    return replace(response, reason=None, findings=findings, evidence=_without_hashes(response.evidence))


def _redacted_segment(segment: EvidenceSegment) -> EvidenceSegment:
    quote = None if segment.quote is None else Redactable(None, segment.quote.digest)
    return replace(segment, quote=quote, content_hash=None)


def _without_hashes(pointers: Sequence[EvidenceSegment]) -> tuple[EvidenceSegment, ...]:
    return tuple(replace(pointer, content_hash=None) for pointer in pointers)


def _without_disclosures(document: Mapping[str, Any], digests: set[str | None]) -> dict[str, Any]:
    kept = {digest: entry for digest, entry in document.get("disclosures", {}).items() if digest not in digests}
    others = {name: value for name, value in document.items() if name != "disclosures"}
    return {**others, "disclosures": kept} if kept else others


def _is_withheld(segment: EvidenceSegment, withheld: Withheld) -> bool:
    document = segment.document_hash or segment.source_document
    return withheld.hides(document, segment.byte_range.start, segment.byte_range.end)
