"""The documents behind entries of a peer's log: fetched by their hashes, and compared with their entries."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from a2ap.canonical import sha256_digest
from a2ap.errors import MessageError, ScopeError
from a2ap.log.entry import LogEntry
from a2ap.messages.message import Message, read_message
from a2ap.messages.scoping import check_own_names, scope_message
from graph.audit.node_files import GivenMessage
from graph.content.content_store import ContentStore
from graph.errors import ContentMismatchError, ContentNotFoundError
from graph.federation.errors import PeerFaultError, PeerQuotaError
from graph.federation.peer_client import MAX_HASHES, PeerClient
from graph.log.entry import entry_of

_OF_THE_BYTES = ("signed_hash", "type", "id", "agent", "key")


@dataclass(slots=True)
class GivenDocuments:
    """The outcomes for the documents of some entries, by log index.

    `messages` have their names in this node's form. `withheld` may be given later, `left` may not be taken here; both
    with the reason. A document in none of the three was not reached before the quota was.
    """

    messages: dict[int, Message] = field(default_factory=dict)
    withheld: dict[int, str] = field(default_factory=dict)
    left: dict[int, str] = field(default_factory=dict)

    def has(self, entry: LogEntry) -> bool:
        """Return whether the document was requested and answered, in any way."""
        return any(entry.log_index in found for found in (self.messages, self.withheld, self.left))


class DocumentReader:
    """Gets documents of one peer's log for the node `home`."""

    def __init__(self, client: PeerClient, content: ContentStore, home: str) -> None:
        self._client = client
        self._content = content
        self._home = home

    async def read(self, entries: Sequence[LogEntry]) -> GivenDocuments:
        """Return the documents given for these entries, as far as the quota reaches.

        Raises `PeerFaultError` if bytes are not those in the log, `PeerQuotaError` if the quota ends before any of
        them, `PeerAnswerError` if the peer does not answer.
        """
        found = GivenDocuments()
        missing = [entry for entry in entries if not await self._take_held(entry, found)]
        try:
            for start in range(0, len(missing), MAX_HASHES):
                await self._fetch(missing[start : start + MAX_HASHES], found)
        except PeerQuotaError:
            if not any(map(found.has, entries)):
                raise
        return found

    async def _take_held(self, entry: LogEntry, found: GivenDocuments) -> bool:
        """Take the bytes that are stored here already, of a message that waits or that came in another way."""
        try:
            received = await self._content.get(entry.document_hash)
        except (ContentNotFoundError, ContentMismatchError):
            return False
        self._take(entry, received, found)
        return True

    async def _fetch(self, entries: Sequence[LogEntry], found: GivenDocuments) -> None:
        by_hash: dict[str, list[LogEntry]] = {}
        for entry in entries:
            by_hash.setdefault(entry.document_hash, []).append(entry)
        redacted: dict[str, list[LogEntry]] = {}
        async for given in self._client.messages(list(by_hash)):
            about = by_hash[given.document_hash]
            if given.content is None and given.redacted_hash is not None:
                redacted.setdefault(given.redacted_hash, []).extend(about)
            else:
                self._take_given(given, about, found)
        if redacted:
            # The texts that law took away are not in them; the signed bytes are, and are compared
            # (docs/how-to/retraction.md).
            async for given in self._client.messages(list(redacted)):
                self._take_given(given, redacted[given.document_hash], found)

    def _take_given(self, given: GivenMessage, entries: Sequence[LogEntry], found: GivenDocuments) -> None:
        for entry in entries:
            if given.content is None:
                found.withheld[entry.log_index] = given.withheld or "the peer does not give it"
            elif sha256_digest(given.content) != given.document_hash:
                raise PeerFaultError(f"{entry.origin} gives other bytes than those of {given.document_hash}")
            else:
                self._take(entry, given.content, found)

    def _take(self, entry: LogEntry, received: bytes, found: GivenDocuments) -> None:
        try:
            message = read_message(received)
        except MessageError as error:
            # Its log takes a message that ours does not: that is no lie.
            found.left[entry.log_index] = f"it cannot be read: {error}"
            return
        _check_entry(entry, message)
        try:
            check_own_names(message)
        except ScopeError as error:
            found.left[entry.log_index] = str(error)
            return
        found.messages[entry.log_index] = scope_message(message, entry.origin, self._home)


def _check_entry(entry: LogEntry, message: Message) -> None:
    """Raise `PeerFaultError` if an entry differs from its document's bytes."""
    made = entry_of(message, log_index=entry.log_index, origin=entry.origin, received_at=entry.received_at)
    for name in _OF_THE_BYTES:
        stated, is_ = getattr(entry, name), getattr(made, name)
        if stated != is_:
            raise PeerFaultError(
                f"entry {entry.log_index} of {entry.origin} has the {name} {stated!r}, its bytes have {is_!r}"
            )
