"""The conditions for accepting a redaction, and the remainder made before it is written (docs/retraction.md).

The node may erase anything stored here; an author, disclosures of its own messages. The redaction names the remainder
by its hash, so the node makes the remainder, compares the hash, and keeps it before anything is written.
"""

from a2ap.errors import DisclosureError
from a2ap.messages.evidence import ByteRange
from a2ap.messages.message import Message, read_message
from a2ap.messages.redaction import Redaction, redacted_bytes
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_response import VerificationResponse
from graph.content.content_store import ContentStore
from graph.errors import ForbiddenError, RedactedError, TargetError
from graph.kinds.state import State
from graph.retention.blanking import blanked, hash_of_stream

Row = dict[str, object]


def check_redaction(message: Redaction, state: State) -> None:
    """Raise unless the target is stored here, and the agent may erase it."""
    agent = message.envelope.agent_id
    if message.document_hash is not None:
        if agent != state.node_agent:
            raise ForbiddenError(f"redactingAgent is {agent}; only {state.node_agent} erases sources", "redactingAgent")
        if message.document_hash not in state.documents:
            raise TargetError(f"no document {message.document_hash} is known here", "documentHash")
        for known in state.redactions.get(message.document_hash, ()):
            if not known.byte_ranges:
                raise RedactedError(f"{message.document_hash} was {known.sentence}", "documentHash")
        return
    assert message.target_hash is not None
    target = state.receipts.get(message.target_hash)
    if target is None:
        raise TargetError(f"no message {message.target_hash} is here", "targetHash")
    if agent not in (state.node_agent, target.entry.agent):
        raise ForbiddenError(f"{target.entry.id} is by {target.entry.agent}, and {agent} redacts it", "redactingAgent")


def check_quotes(message: ProvenanceStatement, state: State) -> None:
    """Raise `RedactedError` if a statement quotes a passage that was erased: that would bring it back."""
    for index, segment in enumerate(message.evidence):
        if segment.quote_text is None:
            continue
        for known in state.redactions.get(segment.document_hash or segment.source_document, ()):
            if known.covers(segment.byte_range.start, segment.byte_range.end):
                raise RedactedError(f"the passage was {known.sentence}", f"evidence[{index}].quoteText")


async def keep_remainder(message: Redaction, state: State, content: ContentStore) -> Row | None:
    """Make and keep the remainder of a redaction; return the row of a verdict that loses words.

    Raises `TargetError` if the remainder has another hash than the redaction states, or there is nothing to erase.
    """
    if message.document_hash is not None:
        await _keep_source(message, state, content)
        return None
    assert message.target_hash is not None
    entry = state.receipts[message.target_hash].entry
    known = state.redactions.get(message.target_hash, ())
    name = (known[-1].redacted_document_hash if known else None) or entry.document_hash
    try:
        remainder = redacted_bytes(await content.get(name), message.disclosure_digests)
    except DisclosureError as error:
        raise TargetError(f"{entry.id} has no such disclosure: {error}", "disclosureDigests") from error
    left = read_message(remainder)
    _compare(message, left.envelope.document_hash)
    await content.put_many([remainder])
    return _verdict_row(message.target_hash, left)


async def _keep_source(message: Redaction, state: State, content: ContentStore) -> None:
    assert message.document_hash is not None
    document = state.documents[message.document_hash]
    known = state.redactions.get(message.document_hash, ())
    # After a first redaction of passages the bytes that it left stand for the source.
    name = known[-1].redacted_document_hash if known else (message.document_hash if document.held else None)
    if not message.byte_ranges or name is None:
        if message.redacted_document_hash is not None:
            raise TargetError(f"nothing is left of {message.document_hash}", "redactedDocumentHash")
        return
    length = await content.size(name)
    if message.byte_ranges[-1].end > length:
        raise TargetError(f"{message.document_hash} has {length} bytes", f"byteRanges[{len(message.byte_ranges) - 1}]")
    found = await remainder_hash(content, name, message.byte_ranges)
    _compare(message, found)
    await content.put_stream(blanked(content.stream(name), message.byte_ranges), expected=found)


async def remainder_hash(content: ContentStore, name: str, byte_ranges: tuple[ByteRange, ...]) -> str:
    """Return the hash of the remainder of a source when these ranges are blank."""
    return await hash_of_stream(blanked(content.stream(name), byte_ranges))


def _compare(message: Redaction, found: str) -> None:
    if message.redacted_document_hash != found:
        raise TargetError(f"what is left is {found}, not {message.redacted_document_hash}", "redactedDocumentHash")


def _verdict_row(target_hash: str, message: Message) -> Row | None:
    if not isinstance(message, VerificationResponse):
        return None
    return {
        "signed_hash": target_hash,
        "reason": message.reason,
        "finding_evidence": [finding.evidence or "" for finding in message.findings],
    }
