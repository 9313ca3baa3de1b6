"""The history of the keys that sign the log: the node's registration names the first, later entries hand the log on.

A graph that existed before its log was signed has no key in its registration. Its first key is named by a rotation with
none before it: the note is signed by the key that it names, the message, as always, by the node.
"""

from a2ap.errors import A2APError, SuccessionError
from a2ap.log.entry import LogEntry
from a2ap.log.log_key import LogKeys, Succession, follow_successions, open_succession, read_succession
from a2ap.log.signed_note import VerifierKey
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.envelope import MessageType
from a2ap.messages.log_key_rotation import LogKeyRotation
from a2ap.messages.message import Message, read_message
from graph.content.content_store import ContentStore
from graph.errors import LogMismatchError, RefusedError


def names_key(entry: LogEntry, origin: str) -> bool:
    """Return whether an entry may name a key of the log of this origin."""
    return entry.log_index == 0 or (entry.type == MessageType.LOG_KEY_ROTATION.value and entry.agent == origin)


class KeyHistory:
    """The keys of one log, from the entries learnt so far; `notes` are the successions from key to key."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.keys: LogKeys | None = None
        self.notes: tuple[str, ...] = ()

    async def learn(self, entry: LogEntry, content: ContentStore) -> None:
        """Learn the next entry, whose bytes are stored; raises as `take` does."""
        if names_key(entry, self.origin):
            self.take(entry, read_message(await content.get(entry.document_hash)))

    def take(self, entry: LogEntry, message: Message) -> None:
        """Learn the next entry; raises `LogMismatchError` if it names a key that it may not name."""
        if not names_key(entry, self.origin):
            return
        try:
            self._take(message)
        except A2APError as error:
            raise LogMismatchError(
                f"entry {entry.log_index} names no key of this log: {error}", entry.log_index
            ) from error

    def _take(self, message: Message) -> None:
        match message:
            case AgentRegistration(log_key=str() as text):
                self.keys = LogKeys(VerifierKey.parse(text))
            case LogKeyRotation() if self.keys is not None:
                notes = (*self.notes, message.note)
                self.keys, self.notes = follow_successions(self.keys.first, notes), notes
            case LogKeyRotation():
                self.keys = LogKeys(open_succession(message.note, read_succession(message.note).new_key).new_key)
            case _:
                pass


def check_rotation(message: LogKeyRotation, keys: LogKeys | None, log_index: int) -> None:
    """Raise `RefusedError` unless the rotation hands over this whole log, at the rotation's own place."""
    try:
        succession = _succession(message, keys)
    except A2APError as error:
        raise RefusedError(f"the log key cannot be changed: {error}", "note") from error
    if message.origin != succession.origin or succession.origin != message.envelope.agent_id:
        raise RefusedError(f"the log of {message.envelope.agent_id} is not that of {succession.origin}", "origin")
    if succession.tree_size != log_index:
        raise RefusedError(
            f"the note hands over a log of {succession.tree_size} entries; it has {log_index} now", "note"
        )


def _succession(message: LogKeyRotation, keys: LogKeys | None) -> Succession:
    if keys is None:
        return open_succession(message.note, read_succession(message.note).new_key)
    succession = open_succession(message.note, keys.newest)
    if succession.new_key in (keys.first, *(earlier.new_key for earlier in keys.successions)):
        raise SuccessionError(f"{succession.new_key.text} is a key of this log already")
    return succession
