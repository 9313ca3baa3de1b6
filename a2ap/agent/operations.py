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

from a2ap.agent.content import Content, FileContent, Progress, digests_of
from a2ap.agent.drafts import Claim, Draft, DraftError, findings_of, segment_of
from a2ap.agent.exchange import Exchange, Request, read_object, send
from a2ap.agent.following import Follower, Selection, types_of
from a2ap.agent.identity import Description, Identity
from a2ap.agent.inbox import TYPES as INBOX_TYPES
from a2ap.agent.inbox import Inbox
from a2ap.agent.kept_packs import KeptPacks
from a2ap.agent.known_logs import KnownLogs
from a2ap.agent.outbox import Outbox
from a2ap.agent.quotes import Quote, QuoteError, QuoteForm, Source
from a2ap.agent.receipts import Receipts
from a2ap.agent.runs import Run
from a2ap.boundary import Boundary
from a2ap.bundle.bundle import BundleReport, verify_bundle
from a2ap.canonical import sha256_digest
from a2ap.client.answers import ProblemError, Receipt, UnreachableError, json_object
from a2ap.client.documents import path_for
from a2ap.client.possession import takes_no_proof
from a2ap.json_text import write_json
from a2ap.log.signed_note import VerifierKey
from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.agent_registration import AgentRegistration, build_agent_registration
from a2ap.messages.endorsement import build_endorsement
from a2ap.messages.envelope import MessageType
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.message import Message as AnyMessage
from a2ap.messages.message import read_message
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.messages.possession import possession_mac
from a2ap.messages.record_registration import RecordFormat, build_record_registration
from a2ap.messages.reference import Reference
from a2ap.messages.retraction import build_retraction
from a2ap.messages.source_registration import build_source_registration
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verdict import confidence_of, verdict_of
from a2ap.messages.verification_request import build_verification_request
from a2ap.messages.verification_response import Verdict, build_verification_response
from a2ap.pack.archive import write_archive
from a2ap.pack.packing import Pack
from a2ap.signing.signature import sign_message, signed_hash

Target = Receipt | Reference | str
"""A message: its receipt, a reference to it, or its id or signed hash."""

Message = dict[str, Any]

_REFUSALS = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.CONFLICT,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
)
"""The statuses that refuse a message for good; others may change, as a token does."""


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

    def source(
        self,
        content: Content,
        *,
        title: str,
        source_id: str | None = None,
        boundary: Boundary = Boundary.PUBLIC,
        progress: Progress | None = None,
        **about: Any,
    ) -> Exchange[Source]:
        """Register a source with its bytes; `about` are further members of `build_source_registration`."""
        document_hash, mac = digests_of(content, self.identity.agent_id)
        source = Source(source_id or f"urn:{document_hash}", content, title, document_hash)
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

        purpose = f"source {source.id} {_content_hash(stated, document_hash)}"
        try:
            yield from self._put(source, self._purpose(purpose), lambda: registration(mac), progress)
        except ProblemError as problem:
            # The node has the bytes from another agent, which owns them: they are registered without a proof.
            if not takes_no_proof(problem):
                raise
            self._outbox.note_answered(self._purpose(purpose), self._node)
            yield from self._submit_once(f"{purpose} without proof", lambda: registration(None))
        return source

    def record(self, pack: Pack, boundary: Boundary) -> Exchange[Receipt]:
        """Register a pack with its contents; it is kept on disk until the node has answered, for `flush`."""
        purpose = self._purpose(f"pack {pack.hash}")
        self._packs.keep(pack.hash, write_archive([pack]))
        mac = possession_mac(self.identity.agent_id, pack.data)
        document = self._signed(purpose, lambda: self._registration_of_pack(pack.hash, boundary, mac))
        try:
            return (yield from self._send_pack(purpose, document))
        except ProblemError as problem:
            if not takes_no_proof(problem):
                raise
        bare = f"{purpose} without proof"
        document = self._signed(bare, lambda: self._registration_of_pack(pack.hash, boundary, None))
        return (yield from self._send_pack(bare, document))

    def _registration_of_pack(self, name: str, boundary: Boundary, mac: str | None) -> Message:
        return build_record_registration(
            registration_id=self._fresh_id(),
            registered_at=self._clock(),
            registering_agent=self.identity.agent_id,
            format=RecordFormat.PACK,
            document_hash=name,
            boundary=boundary,
            possession_mac=mac,
        )

    def _send_pack(self, purpose: str, document: Message) -> Exchange[Receipt]:
        data, name = write_json(document), document["documentHash"]
        headers = {
            "content-type": "application/x-tar",
            "a2ap-registration": base64.b64encode(data).decode("ascii"),
        }
        self._outbox.note_sent(purpose, self._node)
        archive = self._packs.find(name)
        try:
            answer = yield from read_object(Request("POST", "/packs", archive, headers))
        except ProblemError as problem:
            if problem.status in _REFUSALS or takes_no_proof(problem):
                self._outbox.note_answered(purpose, self._node)
            raise
        (stated,) = answer["records"]
        receipt = yield from self._received(purpose, data, stated, created=bool(stated.get("created", True)))
        self._packs.drop(name)
        return receipt

    def message_of(self, receipt: Receipt) -> bytes | None:
        """Return a message that this agent signed, by its receipt; None if its bytes are not here."""
        for message in reversed(self._outbox.messages()):
            if message["@id"] == receipt.id and sha256_digest(data := write_json(message)) == receipt.document_hash:
                return data
        return None

    def draft(self, claim: Claim, run: Run | None = None) -> Exchange[Draft]:
        """Return the unsigned statement of a claim, with all problems of it."""
        agent = yield from self._described()
        return _within(claim, run).draft(agent, self._clock(), self._salt)

    def claim_within(self, claim: Claim, run: Run | None) -> Exchange[Receipt]:
        """Submit the signed statement of a claim; within a run, it names the pack of the run as it began."""
        if run is None:
            return (yield from self.claim(claim))
        claim = _within(claim, run)
        draft = yield from self.draft(claim)
        if draft.problems:
            raise DraftError(draft.problems)
        if not run.is_sent:
            yield from self.record(run.begun(), run.recorded.options.boundary)
            run.is_sent = True
        receipt = yield from self.claim(claim)
        run.add_claim(receipt, self.message_of(receipt), self._clock())
        return receipt

    def claim(self, claim: Claim) -> Exchange[Receipt]:
        """Submit the signed statement of a claim.

        Its id is derived from agent and claim. If that id is another statement's, of other evidence, the id is random,
        as it is for a revision and for a claim that the agent has retracted before.
        """
        agent = yield from self._described()
        derived = claim.draft(agent, self._clock(), self._salt).checked
        purpose = self._open_purpose(f"statement {claim.digest}")
        is_again = claim.revises is not None or not purpose.endswith(" 0")

        def anew() -> Message:
            return claim.draft(agent, self._clock(), self._salt, self._fresh_id()).checked

        try:
            return (yield from self._submit_once(purpose, anew if is_again else lambda: derived))
        except ProblemError as problem:
            if problem.status != HTTPStatus.CONFLICT or is_again:
                raise
        taken = yield from self._read(f"/statements/{_segment(derived['@id'])}")
        if _is_same(taken, derived):
            # The same statement, signed by this agent before it lost its outbox.
            return (yield from self._submit(self._purpose(f"{purpose} earlier"), taken.envelope.received))
        return (yield from self._submit_once(f"{purpose} again", anew))

    def _open_purpose(self, beginning: str) -> str:
        """Return the first purpose with this beginning, and a number behind it, whose statement is not retracted."""
        number = 0
        while (signed := self._outbox.find(self._purpose(f"{beginning} {number}"))) is not None:
            if self._outbox.find(self._purpose(f"retraction {signed_hash(signed)}")) is None:
                break
            number += 1
        return f"{beginning} {number}"

    def retract(self, target: Target, reason: str | None) -> Exchange[Receipt]:
        """Retract a statement or a verdict of the agent."""
        if isinstance(target, Receipt):
            stated, kind = Reference(target.id, target.signed_hash), MessageType(target.type)
        else:
            message = yield from self._message_of(target)
            envelope = message.envelope
            if envelope.agent_id != self.identity.agent_id:
                raise DraftError([f"{envelope.id} is by {envelope.agent_id}, and an agent retracts its own alone"])
            stated, kind = Reference(envelope.id, envelope.signed_hash), envelope.type

        def build() -> Message:
            return build_retraction(
                retraction_id=self._fresh_id(),
                retracted_at=self._clock(),
                retracting_agent=self.identity.agent_id,
                target_message=stated.id,
                target_hash=stated.target_hash,
                target_type=kind,
                reason=reason,
            )

        return (yield from self._submit_once(f"retraction {stated.target_hash}", build))

    def endorse(self, agent_id: str) -> Exchange[Receipt]:
        """Endorse another agent, by the hash of its registration."""
        envelope = (yield from self._registration_of(agent_id)).envelope

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
        stated: Verdict | None = None,
        reason: str | None = None,
        quotes: Sequence[Quote] = (),
        source: Source | None = None,
        counter_statement: Target | None = None,
        request: Receipt | Reference | None = None,
    ) -> Exchange[Receipt]:
        """Give a verdict on a statement: the `stated` one, or as it follows from the findings (A2AP §4.2).

        Quotes are given as pointers. A verdict that repeats the agent's last one on the statement is the same message.
        """
        found = findings_of(findings)
        verdict = stated or verdict_of(found)
        if verdict is Verdict.CHALLENGED and not reason and not any(one.evidence for one in found):
            raise DraftError(["a challenge says why: state a reason"])
        try:
            evidence = [segment_of(replace(one, form=QuoteForm.POINTER), source, self._salt, []) for one in quotes]
        except QuoteError as error:
            raise DraftError([str(error)]) from error
        statement = yield from self.reference(target)
        counter = None if counter_statement is None else (yield from self.reference(counter_statement))
        answered = Reference(request.id, request.signed_hash) if isinstance(request, Receipt) else request

        def build() -> Message:
            return build_verification_response(
                response_id=self._fresh_id(),
                responded_at=self._clock(),
                responding_agent=self.identity.agent_id,
                target_statement=statement.id,
                target_hash=statement.target_hash,
                verdict=verdict,
                confidence=confidence_of(found),
                findings=found,
                reason=reason,
                request=answered,
                evidence=evidence,
                counter_statement=counter,
            )

        told = [[one.criterion, one.status, one.evidence, one.confidence] for one in found]
        related = [None if one is None else one.target_hash for one in (counter, answered)]
        content = _content_hash({"findings": told, "verdict": verdict, "reason": reason}, str(evidence), str(related))
        earlier = self._outbox.purposes(self._purpose(f"verdict {statement.target_hash} "))
        is_last = bool(earlier) and earlier[-1].endswith(content)
        number = len(earlier) - 1 if is_last else len(earlier)
        return (yield from self._submit_once(f"verdict {statement.target_hash} {number} {content}", build))

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
        return verify_bundle(bundle, (yield from self._receipts.keys()).first)

    def follow(
        self, after: int | None, types: str | Sequence[str], agents: str | Sequence[str], *, inbox: bool
    ) -> Follower:
        """Return a follower of the node's log behind a log index, or from now on if it is None."""
        if after is not None and after < -1:
            raise ValueError(f"after is {after}, not a log index, nor -1 for the beginning of the log")
        wanted = (agents,) if isinstance(agents, str) else tuple(agents)
        selection = Selection(types_of(types) or (INBOX_TYPES if inbox else ()), wanted)
        return Follower(self._node, after, selection, self._inbox.narrow if inbox else None)

    def flush(self) -> Exchange[list[Receipt | ProblemError]]:
        """Send all messages to the node again that have no answer of it; return the receipts and refusals, in order.

        A source goes with its bytes, which the outbox has not: `source` sends it again.
        """
        answers: list[Receipt | ProblemError] = []
        for purpose, message in self._outbox.pending(self._node):
            is_pack = message["@type"] == MessageType.RECORD_REGISTRATION.wire
            if _needs_bytes(message) or (is_pack and self._packs.find(message["documentHash"]) is None):
                continue
            try:
                sent = self._send_pack(purpose, message) if is_pack else self._submit(purpose, message)
                answers.append((yield from sent))
            except ProblemError as problem:
                answers.append(problem)
        return answers

    def reference(self, target: Target) -> Exchange[Reference]:
        """Return the reference to a message by its id and signed hash."""
        if isinstance(target, Reference):
            return target
        if isinstance(target, Receipt):
            return Reference(target.id, target.signed_hash)
        envelope = (yield from self._message_of(target)).envelope
        return Reference(envelope.id, envelope.signed_hash)

    def _message_of(self, target: Reference | str) -> Exchange[AnyMessage]:
        """Return a statement or verdict of the node by its id or signed hash; raises `ProblemError`."""
        name = target if isinstance(target, str) else target.target_hash
        try:
            message = yield from self._read(f"/statements/{_segment(name)}")
        except ProblemError as problem:
            if problem.status != HTTPStatus.NOT_FOUND:
                raise
            message = yield from self._read(f"/verifications/{_segment(name)}")
        if name not in (message.envelope.id, message.envelope.signed_hash):
            raise UnreachableError(f"{self._node} answered {name} with another message, {message.envelope.id}")
        return message

    def _registration_of(self, agent_id: str) -> Exchange[AgentRegistration]:
        registration = yield from self._read(f"/agents/{_segment(agent_id)}")
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

    def _put(
        self, source: Source, purpose: str, build: Callable[[], Message], progress: Progress | None
    ) -> Exchange[Receipt]:
        """Send the bytes of a source with its registration; many bytes that the node has are not sent again."""
        document = self._signed(purpose, build)
        self._outbox.note_sent(purpose, self._node)
        registration = base64.b64encode(write_json(document)).decode("ascii")
        boundary = document["source"]["boundary"]
        path = f"/sources/{_segment(source.document_hash)}?boundary={percent_encoded(boundary)}"
        is_here = isinstance(source.content, FileContent) and (yield from self._has(source.document_hash))
        content = b"" if is_here else source.content
        headers = {
            "content-type": "application/octet-stream",
            "content-length": str(len(content)),
            "a2ap-registration": registration,
        }
        answer = yield from read_object(Request("PUT", path, content, headers, progress))
        if is_here and progress is not None:
            progress(len(source.content), len(source.content))
        receipt = answer.get("receipt")
        if not isinstance(receipt, dict):
            raise UnreachableError(f"{self._node} answered a source with no receipt")
        created = bool(receipt.get("created", True))
        return (yield from self._received(purpose, write_json(document), receipt, created=created))

    def _has(self, document_hash: str) -> Exchange[bool]:
        """Say whether the node has the bytes of a source, as far as this reader may know."""
        try:
            yield from send(Request("HEAD", f"/sources/{_segment(document_hash)}"))
        except ProblemError:
            return False
        return True

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
            if problem.status in _REFUSALS:
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
        return receipt


def _within(claim: Claim, run: Run | None) -> Claim:
    """Return a claim that names the pack of a run."""
    if run is None or run.begun().hash in claim.generated_by:
        return claim
    return replace(claim, generated_by=(*claim.generated_by, run.begun().hash))


def _is_same(taken: AnyMessage, derived: Message) -> bool:
    """Say if a message of the node is the statement of this draft: by its agent, with its claim and its evidence."""
    if not isinstance(taken, ProvenanceStatement):
        return False
    stated = taken.agent.agent_id, taken.claim.content_hash
    return stated == (derived["agent"]["@id"], derived["claim"]["contentHash"])


def _needs_bytes(message: Message) -> bool:
    return message["@type"] == MessageType.SOURCE_REGISTRATION.wire and "possessionMac" in message["source"]


def _segment(name: str) -> str:
    return percent_encoded(name, safe=":")


def _content_hash(stated: Mapping[str, Any], *more: str) -> str:
    """Return a hash of the content of a message, which tells one purpose from another."""
    text = json.dumps([stated, *more], sort_keys=True, default=str, ensure_ascii=False)
    return sha256_digest(text.encode())
