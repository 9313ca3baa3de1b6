"""The keys of a bundle: who signed each message, with a key that was in use where it stands in the log."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from a2ap.agent_registration import AgentRegistration, verify_possession
from a2ap.data_integrity import verify_proof
from a2ap.errors import BundleError
from a2ap.key_events import KeyMessage, key_event_of, recovery_key_of, subject_of
from a2ap.key_history import Authority, KeyEvent, KeyHistory, KeyRevoked, read_key_history
from a2ap.key_registration import KeyRegistration
from a2ap.key_registration import verify_possession as verify_new_key
from a2ap.key_revocation import KeyRevocation
from a2ap.keys import PublicKey
from a2ap.log.entry import LogEntry
from a2ap.message import Message
from a2ap.signature import verify_signature


@dataclass(frozen=True, slots=True)
class _Key:
    key_id: str
    agent_id: str
    public_key: PublicKey
    alias: str | None

    def is_called(self, reference: str) -> bool:
        return reference in (self.key_id, self.alias, self.public_key.did_key)


@dataclass(slots=True)
class BundleKeys:
    """The keys that the messages of a bundle register, in log order; `home` is the node whose log it is."""

    home: str
    _keys: list[_Key] = field(default_factory=list)
    _recovery: dict[str, str] = field(default_factory=dict)
    _events: list[tuple[KeyEvent, KeyMessage | AgentRegistration, LogEntry]] = field(default_factory=list)

    def verify(self, message: Message, entry: LogEntry) -> str:
        """Raise unless the message is signed as it must be at its place; return the id of the key that signed it."""
        key_id = self._verify(message, entry)
        if isinstance(message, (AgentRegistration, KeyRegistration)):
            self._keys.append(_Key(message.key_id, entry.agent, message.public_key, message.alias))
            if message.recovery_key_hash is not None:
                self._recovery[entry.agent] = message.recovery_key_hash
        return key_id

    def history(self, entries: Sequence[LogEntry] = (), before: int | None = None) -> KeyHistory:
        """Return what became of the keys, by all events or by those `before` a place.

        A revocation since a time, or since a place in a peer's log, means the first of the `entries` at hand that was
        received then or later, or stands there or after it: of others nothing is asked.
        """
        events = [
            _placed(event, message, entry, entries) if isinstance(message, KeyRevocation) else event
            for event, message, entry in self._events
            if before is None or event.log_index < before
        ]
        return read_key_history(events)

    def _verify(self, message: Message, entry: LogEntry) -> str:
        if isinstance(message, AgentRegistration):
            verify_possession(message)
            self._note(message, entry, message.key_id, Authority.KEY)
            return message.key_id
        envelope = message.envelope
        signature, agent_id = envelope.signature, envelope.agent_id
        if isinstance(message, KeyRegistration):
            verify_new_key(message)
        if isinstance(message, KeyMessage) and signature is not None:
            recovery = recovery_key_of(message, self._recovery.get(agent_id))
            if recovery is not None:
                verify_signature(signature, envelope.signed_bytes, recovery)
                self._note(message, entry, signature.public_key, Authority.RECOVERY)
                return signature.public_key
        used: list[_Key] = []
        if signature is not None:
            used.append(self._key_in_use(signature.public_key, agent_id, entry))
            verify_signature(signature, envelope.signed_bytes, used[-1].public_key)
        for proof in envelope.proofs:
            # Where there are both, both must hold (design §4.3).
            used.append(self._key_in_use(proof.key_reference, agent_id, entry))
            verify_proof(envelope.document, proof, used[-1].public_key)
        if not used:
            raise BundleError(f"{envelope.id} is not signed")
        key = used[0]
        if isinstance(message, KeyMessage):
            operator = agent_id != subject_of(message)
            if operator and agent_id not in (self.home, f"{entry.origin}@{entry.origin}"):
                raise BundleError(f"{agent_id} does not speak for the keys of {subject_of(message)}")
            self._note(message, entry, key.key_id, Authority.OPERATOR if operator else Authority.KEY)
        return key.key_id

    def _key_in_use(self, reference: str, agent_id: str, entry: LogEntry) -> _Key:
        known = [key for key in self._keys if key.agent_id == agent_id and key.is_called(reference)]
        if not known:
            raise BundleError(f"no key {reference} of {agent_id} is registered before it in the bundle")
        history = self.history(before=entry.log_index)
        for key in known:
            status = history.keys.get(key.key_id)
            if status is not None and status.speaks_at(entry.log_index):
                return key
        raise BundleError(f"key {reference} of {agent_id} is not in use there")

    def _note(
        self, message: KeyMessage | AgentRegistration, entry: LogEntry, key_id: str, authority: Authority
    ) -> None:
        since = message.not_trusted_since_index if isinstance(message, KeyRevocation) else None
        event = key_event_of(message, entry.log_index, signed_by=key_id, authority=authority, since=since)
        if event is not None:
            self._events.append((event, message, entry))


def _placed(event: KeyEvent, message: KeyRevocation, entry: LogEntry, entries: Sequence[LogEntry]) -> KeyEvent:
    """Return a revocation with the place in this log since which it means the key not to be trusted."""
    time, index = message.not_trusted_since_time, message.not_trusted_since_index
    if not isinstance(event, KeyRevoked) or (time is None and (index is None or entry.origin_index is None)):
        return event
    places = [event.log_index]
    if time is not None:
        places += [one.log_index for one in entries if one.received_at >= time]
    elif index is not None:
        theirs = [one for one in entries if one.origin == entry.origin and one.origin_index is not None]
        places += [one.log_index for one in theirs if (one.origin_index or 0) >= index]
    since = event.log_index if event.authority is Authority.KEY else min(places)
    return replace(event, not_trusted_since=since)
