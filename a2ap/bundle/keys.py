"""The keys of a bundle: each message is signed with a key of its agent that was in use at its place in the log.

Messages about keys are checked by the rules of a node, as far as a bundle shows them:

1. An agent registers once, and a key once.
2. The recovery key is the first registration's, or the one that the recovery key itself has named since.
3. An agent speaks for its own keys only; the node speaks for all, and a peer for those of its agents.
4. A deactivated agent makes no further messages; its recovery key may still revoke its keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from a2ap.errors import BundleError
from a2ap.log.entry import LogEntry
from a2ap.messages.agent_registration import AgentRegistration, verify_possession
from a2ap.messages.key_events import KeyMessage, key_event_of, recovery_key_of, subject_of
from a2ap.messages.key_history import Authority, KeyEvent, KeyHistory, KeyRevoked, read_key_history
from a2ap.messages.key_registration import KeyRegistration
from a2ap.messages.key_registration import verify_possession as verify_new_key
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.message import Message
from a2ap.messages.scoping import operator_of
from a2ap.signing.data_integrity import verify_proof
from a2ap.signing.keys import PublicKey
from a2ap.signing.signature import verify_signature


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
    """The keys that the messages of a bundle register, in log order; `home` is the node that keeps the log.

    A revocation since a time, or since a place in a peer's log, means the first of the `entries` that was received
    then or later, or stands there or after it: these are all that the bundle has, and others are not checked. A
    time in a peer's revocation is one of receipt by that peer.
    """

    home: str
    entries: Sequence[LogEntry]
    _keys: list[_Key] = field(default_factory=list)
    _recovery: dict[str, str] = field(default_factory=dict)
    _events: list[KeyEvent] = field(default_factory=list)
    _history: KeyHistory | None = None

    def verify(self, message: Message, entry: LogEntry) -> str:
        """Raise unless the next message of the log is signed as it must be; return the id of the key that signed it."""
        if isinstance(message, AgentRegistration | KeyRegistration):
            self._check_new(message, entry)
        key_id = self._verify(message, entry)
        if isinstance(message, AgentRegistration | KeyRegistration):
            self._keys.append(_Key(message.key_id, entry.agent, message.public_key, message.alias))
            if message.recovery_key_hash is not None:
                self._recovery[entry.agent] = message.recovery_key_hash
        return key_id

    @property
    def history(self) -> KeyHistory:
        """Return the history of the keys, as the messages verified so far give it."""
        if self._history is None:
            self._history = read_key_history(self._events)
        return self._history

    def _check_new(self, message: AgentRegistration | KeyRegistration, entry: LogEntry) -> None:
        own = [key for key in self._keys if key.agent_id == entry.agent]
        if own and isinstance(message, AgentRegistration):
            raise BundleError(f"agent {entry.agent} is already registered")
        for key in own:
            if key.is_called(message.key_id) or key.is_called(message.public_key.did_key):
                raise BundleError(f"key {message.key_id} is already registered as {key.key_id}")

    def _verify(self, message: Message, entry: LogEntry) -> str:
        if isinstance(message, AgentRegistration):
            return self._verify_registration(message, entry)
        if isinstance(message, KeyRegistration):
            verify_new_key(message)
        envelope = message.envelope
        signature, agent_id = envelope.signature, envelope.agent_id
        recovery = self._recovery_key(message)
        if recovery is None or not isinstance(message, KeyRevocation):
            self._check_active(agent_id)
        signers: list[str] = []
        if signature is not None:
            if recovery is None:
                key = self._key_in_use(signature.public_key, agent_id, entry)
                verify_signature(signature, envelope.signed_bytes, key.public_key)
                signers.append(key.key_id)
            else:
                verify_signature(signature, envelope.signed_bytes, recovery)
                signers.append(signature.public_key)
        for proof in envelope.proofs:
            # Where there are both, both must hold (docs/reference/identity.md).
            key = self._key_in_use(proof.key_reference, agent_id, entry)
            verify_proof(envelope.document, proof, key.public_key)
            signers.append(key.key_id)
        if not signers:
            raise BundleError(f"{envelope.id} is not signed")
        if isinstance(message, KeyMessage):
            authority = self._authority(message) if recovery is None else Authority.RECOVERY
            self._note(message, entry, signers[0], authority)
        return signers[0]

    def _recovery_key(self, message: Message) -> PublicKey | None:
        """Return the recovery key if an agent's message about its own keys is signed in its name, None otherwise."""
        if not isinstance(message, KeyMessage) or message.envelope.agent_id != subject_of(message):
            return None
        return recovery_key_of(message, self._recovery.get(message.envelope.agent_id))

    def _verify_registration(self, message: AgentRegistration, entry: LogEntry) -> str:
        verify_possession(message)
        for proof in message.envelope.proofs:
            if proof.key_reference not in (message.key_id, message.public_key.did_key):
                raise BundleError(f"the proof is in the name of {proof.key_reference}, not of {message.key_id}")
            verify_proof(message.envelope.document, proof, message.public_key)
        self._note(message, entry, message.key_id, Authority.KEY)
        return message.key_id

    def _authority(self, message: KeyMessage) -> Authority:
        """Return the authority of an ordinary key over a message about keys; raises `BundleError` if it has none."""
        speaker, agent_id = message.envelope.agent_id, subject_of(message)
        if speaker == agent_id:
            if isinstance(message, KeyRegistration) and message.recovery_key_hash is not None:
                raise BundleError("recoveryKeyHash is for the recovery key to change")
            return Authority.KEY
        if speaker not in (self.home, operator_of(agent_id)):
            raise BundleError(f"{speaker} does not speak for the keys of {agent_id}")
        return Authority.OPERATOR

    def _check_active(self, agent_id: str) -> None:
        ended = self.history.deactivated_at.get(agent_id)
        if ended is not None:
            raise BundleError(f"agent {agent_id} was deactivated by log entry {ended}")

    def _key_in_use(self, reference: str, agent_id: str, entry: LogEntry) -> _Key:
        known = [key for key in self._keys if key.agent_id == agent_id and key.is_called(reference)]
        if not known:
            raise BundleError(f"no key {reference} of {agent_id} is registered before it in the bundle")
        for key in known:
            status = self.history.keys.get(key.key_id)
            if status is not None and status.speaks_at(entry.log_index):
                return key
        raise BundleError(f"key {reference} of {agent_id} is not in use there")

    def _note(
        self, message: KeyMessage | AgentRegistration, entry: LogEntry, key_id: str, authority: Authority
    ) -> None:
        since = message.not_trusted_since_index if isinstance(message, KeyRevocation) else None
        event = key_event_of(message, entry.log_index, signed_by=key_id, authority=authority, since=since)
        if event is not None:
            self._events.append(_placed(event, message, entry, self.entries))
            self._history = None


def _placed(event: KeyEvent, message: Message, entry: LogEntry, entries: Sequence[LogEntry]) -> KeyEvent:
    """Return a revocation with the place in this log since which it means the key not to be trusted; others as is."""
    if not isinstance(event, KeyRevoked) or not isinstance(message, KeyRevocation):
        return event
    time, index = message.not_trusted_since_time, message.not_trusted_since_index
    if time is None and (index is None or entry.origin_index is None):
        return event
    places = [event.log_index]
    if time is not None and entry.origin_index is None:
        places += [one.log_index for one in entries if one.received_at >= time]
    elif time is not None:
        later = [one for one in entries if one.first_received_at >= time]
        places += [one.log_index for one in later if one.origin == entry.origin or one.agent == event.agent_id]
    elif index is not None:
        theirs = [one for one in entries if one.origin == entry.origin and one.origin_index is not None]
        places += [one.log_index for one in theirs if (one.origin_index or 0) >= index]
    since = event.log_index if event.authority is Authority.KEY else min(places)
    return replace(event, not_trusted_since=since)
