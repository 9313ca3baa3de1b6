"""The operations of an agent as exchanges: the same for a blocking agent and an asynchronous one.

Each signed message is in the outbox before it is sent, under a purpose that names its content. Repeated with the same
content, an operation sends the same bytes, and the node answers with the first receipt.
"""

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import quote as percent_encoded

from a2ap.agent.drafts import Claim, Draft, DraftError, findings_of, segment_of
from a2ap.agent.exchange import Exchange, Request, read_object, send
from a2ap.agent.identity import Description, Identity
from a2ap.agent.known_logs import KnownLogs
from a2ap.agent.outbox import Outbox
from a2ap.agent.quotes import Quote, QuoteForm, Source
from a2ap.boundary import Boundary
from a2ap.bundle.bundle import BundleReport, verify_bundle
from a2ap.canonical import canonicalize, sha256_digest
from a2ap.client.answers import ProblemError, Receipt, UnreachableError, json_object, read_receipt
from a2ap.client.documents import path_for
from a2ap.client.possession import takes_no_proof
from a2ap.client.receipt_check import verify_answer
from a2ap.errors import A2APError, KeyFormatError, NoteError
from a2ap.json_text import read_json, write_json
from a2ap.log.log_key import LogKeys, follow_successions
from a2ap.log.signed_note import VerifierKey
from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.agent_registration import AgentRegistration, build_agent_registration
from a2ap.messages.endorsement import build_endorsement
from a2ap.messages.envelope import MessageType
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.message import read_message
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.messages.possession import possession_mac
from a2ap.messages.reference import Reference
from a2ap.messages.retraction import build_retraction
from a2ap.messages.source_registration import build_source_registration
from a2ap.messages.verdict import confidence_of, verdict_of
from a2ap.messages.verification_request import build_verification_request
from a2ap.messages.verification_response import build_verification_response
from a2ap.signing.signature import sign_message

Target = Receipt | Reference | str
"""A message: its receipt, a reference to it, or its id or signed hash."""

Message = dict[str, Any]

_WELL_KNOWN = "/.well-known/a2ap"


class Operations:
    """The operations of one agent at one node, without I/O but the files of `outbox` and `known_logs`.

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
        description: Description | None = None,
        log_key: VerifierKey | None = None,
    ) -> None:
        self.identity = identity
        self._node = node
        self._outbox = outbox
        self._known_logs = known_logs
        self._clock = clock
        self._fresh_id = fresh_id
        self._salt = salt
        self._description = None if description is None else description.of(identity.agent_id)
        self._log_keys = None if log_key is None else LogKeys(log_key)

    def register(self) -> Exchange[Receipt]:
        """Register the agent and its key."""
        described = yield from self._described()

        def build() -> Message:
            return build_agent_registration(
                registration_id=self._fresh_id(),
                registered_at=self._clock(),
                agent=described,
                key_id=self.identity.key_id,
                public_key=self.identity.key.public_key,
            )

        return (yield from self._submit_once("registration", build))

    def source(
        self,
        content: bytes,
        *,
        title: str,
        source_id: str | None = None,
        boundary: Boundary = Boundary.PUBLIC,
        **about: Any,
    ) -> Exchange[Source]:
        """Register a source with its bytes; `about` are further members of `build_source_registration`."""
        document_hash = sha256_digest(content)
        source = Source(source_id or f"urn:{document_hash}", content, title)
        stated = {"title": title, "boundary": boundary, **about}

        def registration(mac: str | None) -> Message:
            return build_source_registration(
                registration_id=self._fresh_id(),
                registered_at=self._clock(),
                registering_agent=self.identity.agent_id,
                source_id=source.id,
                document_hash=document_hash,
                byte_length=len(content),
                possession_mac=mac,
                **stated,
            )

        purpose = self._purpose(f"source {source.id} {_content_hash(stated, document_hash)}")
        mac = possession_mac(self.identity.agent_id, content)
        try:
            yield from self._put(source, purpose, lambda: registration(mac))
        except ProblemError as problem:
            # The node has the bytes from another agent, which owns them: they are registered without a proof.
            if not takes_no_proof(problem):
                raise
            without = f"source {source.id} {_content_hash(stated, document_hash)} without proof"
            yield from self._submit_once(without, lambda: registration(None))
        return source

    def draft(self, claim: Claim, statement_id: str | None = None) -> Exchange[Draft]:
        """Return the unsigned statement of a claim, with all problems of it."""
        agent = yield from self._described()
        return claim.draft(agent, self._clock(), self._salt, statement_id)

    def claim(self, claim: Claim) -> Exchange[Receipt]:
        """Submit the signed statement of a claim.

        Its id is derived from agent and claim; if that id is another statement's, and for a revision, it is random.
        """
        agent = yield from self._described()
        purpose = f"statement {_hash_of_claim(claim)}"

        def build(statement_id: str | None) -> Message:
            return claim.draft(agent, self._clock(), self._salt, statement_id).checked

        if claim.revises is not None:
            return (yield from self._submit_once(purpose, lambda: build(self._fresh_id())))
        try:
            return (yield from self._submit_once(purpose, lambda: build(None)))
        except ProblemError as problem:
            if problem.status != HTTPStatus.CONFLICT:
                raise
        return (yield from self._submit_once(f"{purpose} again", lambda: build(self._fresh_id())))

    def retract(self, target: Target, reason: str | None) -> Exchange[Receipt]:
        """Retract a statement or a verdict of the agent."""
        envelope = (yield from self._message_of(target)).envelope

        def build() -> Message:
            return build_retraction(
                retraction_id=self._fresh_id(),
                retracted_at=self._clock(),
                retracting_agent=self.identity.agent_id,
                target_message=envelope.id,
                target_hash=envelope.signed_hash,
                target_type=envelope.type,
                reason=reason,
            )

        return (yield from self._submit_once(f"retraction {envelope.signed_hash}", build))

    def endorse(self, agent_id: str) -> Exchange[Receipt]:
        """Endorse another agent, by the hash of its registration."""
        envelope = (yield from self._read(f"/agents/{_segment(agent_id)}")).envelope

        def build() -> Message:
            return build_endorsement(
                endorsement_id=self._fresh_id(),
                endorsed_at=self._clock(),
                endorsing_agent=self.identity.agent_id,
                endorsed_agent=agent_id,
                target_hash=envelope.signed_hash,
            )

        return (yield from self._submit_once(f"endorsement {envelope.signed_hash}", build))

    def request_verification(
        self, target: Target, criteria: Sequence[str] = DEFAULT_CRITERIA, **wanted: Any
    ) -> Exchange[Receipt]:
        """Request verdicts on a statement; `wanted` are further members of `build_verification_request`."""
        statement = yield from self.reference(target)

        def build() -> Message:
            return build_verification_request(
                request_id=self._fresh_id(),
                requested_at=self._clock(),
                requesting_agent=self.identity.agent_id,
                target_statement=statement.id,
                target_hash=statement.target_hash,
                criteria=criteria,
                **wanted,
            )

        stated = _content_hash({"criteria": list(criteria), **wanted})
        return (yield from self._submit_once(f"verification request {statement.target_hash} {stated}", build))

    def verdict(
        self,
        target: Target,
        findings: Mapping[str, FindingStatus | str | Finding],
        *,
        reason: str | None = None,
        quotes: Sequence[Quote] = (),
        counter_statement: Target | None = None,
        request: Target | None = None,
    ) -> Exchange[Receipt]:
        """Give the verdict on a statement that follows from findings (A2AP §4.2); quotes are given as pointers."""
        statement = yield from self.reference(target)
        found = findings_of(findings)
        counter = None if counter_statement is None else (yield from self.reference(counter_statement))
        answered = None if request is None else (yield from self.reference(request))
        try:
            evidence = [segment_of(replace(one, form=QuoteForm.POINTER), None, self._salt, []) for one in quotes]
        except A2APError as error:
            raise DraftError([str(error)]) from error

        def build() -> Message:
            return build_verification_response(
                response_id=self._fresh_id(),
                responded_at=self._clock(),
                responding_agent=self.identity.agent_id,
                target_statement=statement.id,
                target_hash=statement.target_hash,
                verdict=verdict_of(found),
                confidence=confidence_of(found),
                findings=found,
                reason=reason,
                request=answered,
                evidence=evidence,
                counter_statement=counter,
            )

        told = {"findings": [[one.criterion, one.status, one.evidence, one.confidence] for one in found]}
        related = [None if one is None else one.target_hash for one in (counter, answered)]
        stated = _content_hash({**told, "reason": reason, "evidence": evidence, "related": related})
        return (yield from self._submit_once(f"verdict {statement.target_hash} {stated}", build))

    def ask(self, question: str) -> Exchange[Message]:
        """Return the answer to a question, with the statements and quotes behind it."""
        return (yield from read_object(Request.post("/ask", write_json({"question": question}), "application/json")))

    def search(self, words: str, first: int) -> Exchange[Message]:
        """Return statements found by words and meaning, best first."""
        return (yield from read_object(Request.get(f"/search?q={percent_encoded(words, safe='')}&first={first}")))

    def bundle(self, target: Target) -> Exchange[bytes]:
        """Return the bundle of a statement: the proofs of it in one file."""
        name = target if isinstance(target, str) else (yield from self.reference(target)).target_hash
        return (yield from send(Request.get(f"/statements/{_segment(name)}/bundle"))).content

    def verify(self, bundle: bytes) -> Exchange[BundleReport]:
        """Verify a bundle by the node's log key, which is asked for if it is not known; raises `BundleError`."""
        keys = yield from self._keys()
        return verify_bundle(bundle, keys.first)

    def flush(self) -> Exchange[list[Receipt]]:
        """Send all messages to the node again whose receipts have not arrived; return the receipts.

        A source goes with its bytes, which the outbox has not: `source` sends it again.
        """
        receipts = []
        for purpose, message in self._outbox.pending():
            if purpose.startswith(self._purpose("")) and not _needs_bytes(message):
                receipts.append((yield from self._submit(purpose, message)))
        return receipts

    def reference(self, target: Target) -> Exchange[Reference]:
        """Return the reference to a message by its id and signed hash."""
        if isinstance(target, Reference):
            return target
        if isinstance(target, Receipt):
            return Reference(target.id, target.signed_hash)
        envelope = (yield from self._message_of(target)).envelope
        return Reference(envelope.id, envelope.signed_hash)

    def _message_of(self, target: Target) -> Exchange[Any]:
        """Return a statement or verdict of the node."""
        name = target if isinstance(target, str) else _hash_named(target)
        try:
            return (yield from self._read(f"/statements/{_segment(name)}"))
        except ProblemError as problem:
            if problem.status != HTTPStatus.NOT_FOUND:
                raise
        return (yield from self._read(f"/verifications/{_segment(name)}"))

    def _read(self, path: str) -> Exchange[Any]:
        return read_message((yield from send(Request.get(path))).content)

    def _described(self) -> Exchange[AgentDescription]:
        """Return the agent's description of itself, from its registration if it is not known."""
        if self._description is None:
            own = self._outbox.find(self._purpose("registration"))
            if own is not None:
                registration = read_message(write_json(own))
            else:
                registration = yield from self._read(f"/agents/{_segment(self.identity.agent_id)}")
            if not isinstance(registration, AgentRegistration):
                raise UnreachableError(f"{self._node} answered with something that is no registration")
            self._description = registration.agent
        return self._description

    def _put(self, source: Source, purpose: str, build: Callable[[], Message]) -> Exchange[Receipt]:
        """Send the bytes of a source with its registration."""
        document = self._signed(purpose, build)
        registration = base64.b64encode(write_json(document)).decode("ascii")
        boundary = document["source"]["boundary"]
        path = f"/sources/{_segment(source.document_hash)}?boundary={percent_encoded(boundary)}"
        headers = {"content-type": "application/octet-stream", "a2ap-registration": registration}
        answer = yield from read_object(Request("PUT", path, source.content, headers))
        receipt = answer.get("receipt")
        if not isinstance(receipt, dict):
            raise UnreachableError(f"{self._node} answered a source with no receipt")
        return (yield from self._received(purpose, document, receipt))

    def _submit_once(self, purpose: str, build: Callable[[], Message]) -> Exchange[Receipt]:
        full = self._purpose(purpose)
        return (yield from self._submit(full, self._signed(full, build)))

    def _purpose(self, purpose: str) -> str:
        return f"{self._node} {purpose}"

    def _submit(self, purpose: str, document: Message) -> Exchange[Receipt]:
        data = write_json(document)
        try:
            response = yield from send(Request.post(path_for(data), data))
        except ProblemError as problem:
            if problem.status in range(400, 500) and problem.status != HTTPStatus.TOO_MANY_REQUESTS:
                self._outbox.note_receipt(purpose)  # Refused: `flush` does not send it again.
            raise
        created = response.status_code == HTTPStatus.CREATED
        return (yield from self._received(purpose, document, json_object(response) | {"created": created}))

    def _signed(self, purpose: str, build: Callable[[], Message]) -> Message:
        def sign() -> Message:
            return sign_message(build(), self.identity.key, self.identity.key_id)

        return self._outbox.once(purpose, sign)

    def _received(self, purpose: str, document: Message, answer: Mapping[str, Any]) -> Exchange[Receipt]:
        """Return the verified receipt in an answer, and record that it has arrived."""
        receipt = read_receipt(answer, bool(answer.get("created", True)))
        message = read_json(write_json(document))
        keys = yield from self._keys()
        try:
            verify_answer(receipt, message, keys)
        except NoteError:
            # Another key may sign the log by now. That it was handed to that key, the keys before it say.
            self._log_keys = keys = follow_successions(keys.first, (yield from self._successions()))
            verify_answer(receipt, message, keys)
        self._outbox.note_receipt(purpose)
        return receipt

    def _keys(self) -> Exchange[LogKeys]:
        if self._log_keys is None:
            known = self._known_logs.find(self._node)
            if known is None:
                known = yield from self._stated_key()
                self._known_logs.keep(self._node, known)
            self._log_keys = LogKeys(known)
        return self._log_keys

    def _stated_key(self) -> Exchange[VerifierKey]:
        stated = (yield from read_object(Request.get(_WELL_KNOWN))).get("logKey")
        try:
            return VerifierKey.parse(stated if isinstance(stated, str) else "")
        except KeyFormatError as error:
            raise UnreachableError(f"{self._node} states no log key: {error}") from error

    def _successions(self) -> Exchange[list[str]]:
        notes = (yield from read_object(Request.get(_WELL_KNOWN))).get("logKeySuccessions", [])
        if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
            raise UnreachableError(f"{self._node} states no list of successions of its log key")
        return notes


def _needs_bytes(message: Message) -> bool:
    return message["@type"] == MessageType.SOURCE_REGISTRATION.wire and "possessionMac" in message["source"]


def _segment(name: str) -> str:
    return percent_encoded(name, safe=":")


def _hash_named(target: Receipt | Reference) -> str:
    return target.signed_hash if isinstance(target, Receipt) else target.target_hash


def _content_hash(stated: Mapping[str, Any], *more: str) -> str:
    """Return a hash of the content of a message, which tells one purpose from another."""
    text = json.dumps([stated, *more], sort_keys=True, default=str, ensure_ascii=False)
    return sha256_digest(text.encode())


def _hash_of_claim(claim: Claim) -> str:
    quotes = [
        [one.words, one.start, one.form.value, one.relevance, one.page, _document_of(one, claim)]
        for one in claim.quotes
    ]
    related = [[one.target_hash for one in group] for group in (claim.supports, claim.contradicts)]
    revised = None if claim.revises is None else claim.revises.target_hash
    stated = [claim.text, quotes, claim.confidence, claim.method, related, revised, list(claim.generated_by)]
    return sha256_digest(canonicalize({"claim": stated}))


def _document_of(quote: Quote, claim: Claim) -> list[str]:
    source = quote.source or claim.source
    return [] if source is None else [source.id, source.document_hash]
