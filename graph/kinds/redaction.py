"""Redactions: the permission to erase, and the remainder made before the redaction is written.

See docs/how-to/retraction.md.

The node may erase anything stored here; an author, disclosures of its own messages. The redaction names the remainder
by its hash, so the node makes the remainder, compares the hash, and keeps it before anything is written.
"""

from a2ap.errors import DisclosureError
from a2ap.log.entry import LogEntry
from a2ap.messages.evidence import ByteRange
from a2ap.messages.message import Message, read_message
from a2ap.messages.redaction import Redaction, redacted_bytes
from a2ap.messages.verification_response import VerificationResponse
from graph.content.content_store import ContentStore
from graph.errors import ForbiddenError, RedactedError, TargetError
from graph.kinds.kind import Kind, StoredContent, Terms
from graph.kinds.record import blanking_rows
from graph.kinds.state import State
from graph.kinds.wanted_names import WantedNames
from graph.log.row_lists import Row, Rows
from graph.retention.blanking import blanked, hash_of_stream
from graph.retention.redactions import PASSAGE_QUERIES, redaction_rows


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


async def remainder_hash(content: ContentStore, name: str, byte_ranges: tuple[ByteRange, ...]) -> str:
    """Return the hash of the remainder of a source when these ranges are blank."""
    return await hash_of_stream(blanked(content.stream(name), byte_ranges))


def _names(message: Redaction, wanted: WantedNames) -> None:
    if message.target_hash is not None:
        wanted.hashes.add(message.target_hash)
        wanted.redacted.add(message.target_hash)
    if message.document_hash is not None:
        wanted.documents.add(message.document_hash)


def _check(message: Redaction, state: State, _terms: Terms) -> None:
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


def _add_rows(rows: Rows, message: Redaction, entry: LogEntry, state: State, _content: StoredContent) -> None:
    document_hash = _redacted_document(message, state)
    for query, row in (*redaction_rows(message, entry, document_hash), *blanking_rows(document_hash)):
        rows.add(query, row)


REDACTION = Kind(
    Redaction,
    agent_member="redactingAgent",
    mutation=("redact", "Erase disclosures of a message or text of a source (a2ap:Redaction)."),
    names=_names,
    check=_check,
    add_rows=_add_rows,
    writes=(
        "write_redactions",
        "write_redacted_sources",
        *PASSAGE_QUERIES,
        "write_redacted_quotes",
        "write_redacted_verdicts",
        "blank_passports",
        "blank_packs",
        "blank_packets",
        "blank_packet_records",
    ),
)


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


def _compare(message: Redaction, found: str) -> None:
    if message.redacted_document_hash != found:
        raise TargetError(f"the remainder is {found}, not {message.redacted_document_hash}", "redactedDocumentHash")


def _verdict_row(target_hash: str, message: Message) -> Row | None:
    if not isinstance(message, VerificationResponse):
        return None
    return {
        "signed_hash": target_hash,
        "reason": message.reason,
        "finding_evidence": [finding.evidence or "" for finding in message.findings],
    }


def _redacted_document(message: Redaction, state: State) -> str:
    """Return the hash of the bytes as they were first received; a redaction is the only message of its batch."""
    if message.document_hash is not None:
        return message.document_hash
    assert message.target_hash is not None
    return state.receipts[message.target_hash].entry.document_hash
