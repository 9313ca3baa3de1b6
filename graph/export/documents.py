"""The accepted documents in log order, read from their stored bytes, with the texts that their reader may not see."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

from a2ap.boundary import Boundary
from a2ap.log.entry import LogEntry
from a2ap.messages.challenge_answer import ChallengeAnswer
from a2ap.messages.gold_dispute import GoldDispute
from a2ap.messages.gold_label import GoldLabel
from a2ap.messages.message import Message, read_message
from a2ap.messages.retraction import Retraction
from a2ap.messages.source_registration import SourceRegistration
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.messages.verification_response import VerificationResponse
from graph.content.content_store import ContentStore
from graph.log.entry import entry_from_row
from graph.log.imported import as_named_here
from graph.retention.standing import read_standing
from graph.store import Store
from graph.withholding import Withheld, Withholding

_ENTRIES = 50
"""Documents in memory at once; one has a mebibyte at most."""


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """An accepted message at its place in the log; `withheld` is set if some of its text is withheld."""

    entry: LogEntry
    message: Message
    withheld: Withheld | None


async def stored_messages(
    store: Store, content: ContentStore, size: int, clearance: Boundary
) -> AsyncIterator[list[StoredMessage]]:
    """Yield the messages of the first `size` log entries, some at a time. Raises ContentError."""
    withholding = Withholding(store, clearance)
    for start in range(0, size, _ENTRIES):
        rows = await store.read("log_entries_from", start=start, first=min(_ENTRIES, size - start))
        yield await stored_page(store, content, [entry_from_row(row) for row in rows], withholding)


async def stored_page(
    store: Store, content: ContentStore, entries: Sequence[LogEntry], withholding: Withholding
) -> list[StoredMessage]:
    """Return the messages of these entries, in order, with the texts that the reader of `withholding` may not see."""
    contents = await read_standing(store, content, [entry.document_hash for entry in entries])
    messages = [as_named_here(read_message(received), entry) for entry, received in zip(entries, contents, strict=True)]
    withheld = await withheld_of(store, messages, withholding)
    return [
        StoredMessage(entry, message, withheld.get(entry.signed_hash))
        for entry, message in zip(entries, messages, strict=True)
    ]


async def withheld_of(store: Store, messages: Sequence[Message], withholding: Withholding) -> Mapping[str, Withheld]:
    """Return the withheld texts of each message, by signed hash; most messages have none, and are left out.

    A message about a statement is withheld as the statement's evidence is, a source's registration as its source is.
    """
    about = await _statements_about(store, messages)
    sources = {one.envelope.signed_hash: one.document_hash for one in messages if isinstance(one, SourceRegistration)}
    of_statements = await withholding.of_statements(set(about.values()))
    of_sources = await withholding.of_sources(set(sources.values()))
    return {name: of_statements[statement] for name, statement in about.items() if statement in of_statements} | {
        name: of_sources[source] for name, source in sources.items() if source in of_sources
    }


async def _statements_about(store: Store, messages: Sequence[Message]) -> dict[str, str]:
    """Return the signed hash of the statement that each message is about, by its own, if it is about one."""
    statements = [message for message in messages if isinstance(message, ProvenanceStatement)]
    responses = [message for message in messages if isinstance(message, VerificationResponse)]
    about = {message.envelope.signed_hash: message.envelope.signed_hash for message in statements}
    if responses:
        hashes = [message.envelope.signed_hash for message in responses]
        about |= {row["verification"]: row["statement"] for row in await store.read("targets_of", hashes=hashes)}
    if replies := [
        one.envelope.signed_hash for one in messages if isinstance(one, VerificationDecline | ChallengeAnswer)
    ]:
        about |= {row["reply"]: row["statement"] for row in await store.read("targets_of_replies", hashes=replies)}
    if gold := [message.envelope.signed_hash for message in messages if isinstance(message, GoldLabel | GoldDispute)]:
        about |= {row["gold"]: row["statement"] for row in await store.read("targets_of_gold", hashes=gold)}
    if taken := [message.envelope.signed_hash for message in messages if isinstance(message, Retraction)]:
        rows = await store.read("targets_of_retractions", hashes=taken)
        about |= {row["retraction"]: row["statement"] for row in rows}
    return about
