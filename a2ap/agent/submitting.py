"""The submission of an agent's messages as exchanges: each is signed once, sent, and its receipt verified.

Each signed message is in the outbox before it is sent, under a purpose that names its content. Repeated with the same
content, an operation sends the same bytes, and the node answers with the first receipt.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import quote as percent_encoded

from a2ap.agent.drafts import DraftError
from a2ap.agent.exchange import Exchange, Request, send
from a2ap.agent.identity import Description, Identity
from a2ap.agent.inbox import Inbox
from a2ap.agent.kept_packs import KeptPacks
from a2ap.agent.known_logs import KnownLogs
from a2ap.agent.outbox import Outbox
from a2ap.agent.receipts import Receipts
from a2ap.agent.span_event import note_statement
from a2ap.canonical import sha256_digest
from a2ap.client.answers import ProblemError, Receipt, UnreachableError, json_object
from a2ap.client.documents import path_for
from a2ap.json_text import write_json
from a2ap.log.signed_note import VerifierKey
from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.agent_registration import AgentRegistration, build_agent_registration
from a2ap.messages.message import Message as AnyMessage
from a2ap.messages.message import read_message
from a2ap.messages.reference import Reference
from a2ap.signing.signature import sign_message

Target = Receipt | Reference | str
"""A message: its receipt, a reference to it, or its id or signed hash."""

Targets = Target | Sequence[Target]

Message = dict[str, Any]

REFUSALS = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.CONFLICT,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
)
"""The statuses that refuse a message for good; others may change, as a token does."""


class Submitting:
    """The messages of one agent to one node, without I/O but the files of `outbox` and `known_logs`.

    `clock` gives the time, `fresh_id` a random id for a message, and `salt` random bytes for a redactable quote.
    `log_key` is the node's log key if the caller knows it; otherwise the first one that the node states is kept.
    """

    def __init__(
        self,
        identity: Identity,
        node: str,
        *,
        outbox: Outbox,
        known_logs: KnownLogs,
        clock: Callable[[], datetime],
        fresh_id: Callable[[], str],
        salt: Callable[[], bytes],
        packs: KeptPacks,
        description: Description | None = None,
        log_key: VerifierKey | None = None,
    ) -> None:
        self.identity = identity
        self._node = node
        self._outbox = outbox
        self._packs = packs
        self._clock = clock
        self._fresh_id = fresh_id
        self._salt = salt
        self._receipts = Receipts(node, known_logs, log_key)
        self._inbox = Inbox(identity.agent_id)
        self._description: AgentDescription | None = None
        if description is not None:
            self._sign_registration(description)

    def register(self) -> Exchange[Receipt]:
        """Register the agent and its key, with the registration that was signed when the agent was made.

        Raises `DraftError` if this agent was made elsewhere: no description of it is known here.
        """
        registration = self._outbox.find(self._purpose("registration"))
        if registration is None:
            raise DraftError([f"no description of {self.identity.agent_id} is here: Agent.create takes it"])
        return (yield from self._submit(self._purpose("registration"), registration))

    def _sign_registration(self, description: Description) -> None:
        def build() -> Message:
            return build_agent_registration(
                registration_id=self._fresh_id(),
                registered_at=self._clock(),
                agent=description.of(self.identity.agent_id),
                key_id=self.identity.key_id,
                public_key=self.identity.key.public_key,
            )

        self._signed(self._purpose("registration"), build)

    def reference(self, target: Target) -> Exchange[Reference]:
        """Return the reference to a message by its id and signed hash."""
        if isinstance(target, Reference):
            return target
        if isinstance(target, Receipt):
            return Reference(target.id, target.signed_hash)
        envelope = (yield from self._message_of(target)).envelope
        return Reference(envelope.id, envelope.signed_hash)

    def _references(self, targets: Targets) -> Exchange[tuple[Reference, ...]]:
        found = []
        for one in targets_of(targets):
            found.append((yield from self.reference(one)))
        return tuple(found)

    def _message_of(self, target: Reference | str) -> Exchange[AnyMessage]:
        """Return a statement or verdict of the node by its id or signed hash; raises `ProblemError`."""
        name = target if isinstance(target, str) else target.target_hash
        try:
            message = yield from self._read(f"/statements/{segment(name)}")
        except ProblemError as problem:
            if problem.status != HTTPStatus.NOT_FOUND:
                raise
            message = yield from self._read(f"/verifications/{segment(name)}")
        if name not in (message.envelope.id, message.envelope.signed_hash):
            raise UnreachableError(f"{self._node} answered {name} with another message, {message.envelope.id}")
        return message

    def _registration_of(self, agent_id: str) -> Exchange[AgentRegistration]:
        registration = yield from self._read(f"/agents/{segment(agent_id)}")
        if not isinstance(registration, AgentRegistration) or registration.agent.agent_id != agent_id:
            raise UnreachableError(f"{self._node} answered with something that is no registration of {agent_id}")
        return registration

    def _read(self, path: str) -> Exchange[AnyMessage]:
        return read_message((yield from send(Request.get(path))).content)

    def _described(self) -> Exchange[AgentDescription]:
        """Return the agent's description of itself, from its registration."""
        if self._description is None:
            own = self._outbox.find(self._purpose("registration"))
            registration = None if own is None else read_message(write_json(own))
            if not isinstance(registration, AgentRegistration):
                registration = yield from self._registration_of(self.identity.agent_id)
            self._description = registration.agent
        return self._description

    def message_of(self, receipt: Receipt) -> bytes | None:
        """Return a message that this agent signed, by its receipt; None if its bytes are not here."""
        for message in reversed(self._outbox.messages()):
            if message["@id"] == receipt.id and sha256_digest(data := write_json(message)) == receipt.document_hash:
                return data
        return None

    def _submit_once(self, purpose: str, build: Callable[[], Message]) -> Exchange[Receipt]:
        full = self._purpose(purpose)
        return (yield from self._submit(full, self._signed(full, build)))

    def _purpose(self, purpose: str) -> str:
        return f"{self.identity.agent_id} {purpose}"

    def _submit(self, purpose: str, message: Message | bytes) -> Exchange[Receipt]:
        data = message if isinstance(message, bytes) else write_json(message)
        self._outbox.note_sent(purpose, self._node)
        try:
            response = yield from send(Request.post(path_for(data), data))
        except ProblemError as problem:
            if problem.status in REFUSALS:
                self._outbox.note_answered(purpose, self._node)  # `flush` does not send it again.
            raise
        created = response.status_code == HTTPStatus.CREATED
        return (yield from self._received(purpose, data, json_object(response), created=created))

    def _signed(self, purpose: str, build: Callable[[], Message]) -> Message:
        def sign() -> Message:
            return sign_message(build(), self.identity.key, self.identity.key_id)

        return self._outbox.once(purpose, sign)

    def _received(self, purpose: str, data: bytes, answer: Mapping[str, Any], *, created: bool) -> Exchange[Receipt]:
        """Return the verified receipt in an answer, and record that it has arrived."""
        receipt = yield from self._receipts.verified(data, answer, created=created)
        self._outbox.note_answered(purpose, self._node)
        note_statement(receipt)
        return receipt


def segment(name: str) -> str:
    """Return a name as a segment of a path."""
    return percent_encoded(name, safe=":")


def content_hash(stated: Mapping[str, Any], *more: str) -> str:
    """Return a hash of the content of a message, which tells one purpose from another."""
    text = json.dumps([stated, *more], sort_keys=True, default=str, ensure_ascii=False)
    return sha256_digest(text.encode())


def targets_of(targets: Targets) -> tuple[Target, ...]:
    """Return one or more targets as a tuple."""
    if isinstance(targets, Sequence) and not isinstance(targets, str):
        return tuple(targets)
    return (targets,)


def texts_of(texts: str | Sequence[str]) -> tuple[str, ...]:
    """Return one or more texts as a tuple."""
    return (texts,) if isinstance(texts, str) else tuple(texts)
