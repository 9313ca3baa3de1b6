"""The operations of an agent as exchanges: the same for a blocking agent and an asynchronous one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any
from urllib.parse import quote as percent_encoded

from a2ap.agent.drafts import Claim, Draft, DraftError, findings_of, segment_of
from a2ap.agent.exchange import Exchange, Request, read_object, send
from a2ap.agent.following import Follower, Selection, types_of
from a2ap.agent.inbox import TYPES as INBOX_TYPES
from a2ap.agent.quotes import QuoteError, QuoteForm, Quotes, Source, quotes_of
from a2ap.agent.registering import Registering
from a2ap.agent.runs import Run
from a2ap.agent.submitting import Message, Target, Targets, content_hash, segment, texts_of
from a2ap.bundle.bundle import BundleReport, verify_bundle
from a2ap.client.answers import ProblemError, Receipt
from a2ap.json_text import read_json, write_json
from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.endorsement import build_endorsement
from a2ap.messages.envelope import MessageType
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.generated_by import MEMBER as GENERATED_BY
from a2ap.messages.message import Message as AnyMessage
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.messages.reference import Reference
from a2ap.messages.retraction import build_retraction
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verdict import confidence_of, verdict_of
from a2ap.messages.verification_request import build_verification_request
from a2ap.messages.verification_response import Verdict, build_verification_response
from a2ap.signing.signature import signed_hash

_RELATIONS = ("supports", "contradicts", "prov:wasRevisionOf", GENERATED_BY)  # members of a statement


class Operations(Registering):
    """The statements, verdicts and queries of one agent at one node."""

    def compose(
        self,
        text: str,
        quote: Quotes,
        source: Source | None,
        *,
        confidence: float,
        method: str | None,
        supports: Targets,
        contradicts: Targets,
        generated_by: str | Sequence[str],
        revises: Target | None = None,
    ) -> Exchange[Claim]:
        """Return a claim as an agent states it, with the references to the messages that it names."""
        return Claim(
            text,
            quotes_of(quote),
            source,
            confidence,
            method,
            (yield from self._references(supports)),
            (yield from self._references(contradicts)),
            None if revises is None else (yield from self.reference(revises)),
            texts_of(generated_by),
        )

    def draft(self, composed: Exchange[Claim], run: Run | None) -> Exchange[Draft]:
        """Return the unsigned statement of a claim, with all problems of it."""
        claim = _within((yield from composed), run)
        agent = yield from self._described()
        return claim.draft(agent, self._clock(), self._salt)

    def claim(self, composed: Exchange[Claim], run: Run | None) -> Exchange[Receipt]:
        """Submit the signed statement of a claim; within a run, it names the pack of the run as it began."""
        claim = _within((yield from composed), run)
        agent = yield from self._described()
        if run is None:
            return (yield from self._claim(claim, agent))
        if problems := claim.draft(agent, self._clock(), self._salt).problems:
            raise DraftError(problems)
        if not run.is_sent:
            yield from self.record(run.begun(), run.recorded.options.boundary)
            run.is_sent = True
        receipt = yield from self._claim(claim, agent)
        run.add_claim(receipt, self.message_of(receipt), self._clock())
        return receipt

    def _claim(self, claim: Claim, agent: AgentDescription) -> Exchange[Receipt]:
        """Submit the signed statement of a claim.

        Its id is derived from agent and claim. If that id is another statement's, of other evidence, confidence, method
        or relations, the id is random, as it is for a revision and for a claim that the agent has retracted before.
        """
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
        taken = yield from self._read(f"/statements/{segment(derived['@id'])}")
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

        stated = content_hash({"criteria": list(criteria), **wanted})
        return (yield from self._submit_once(f"verification request {statement.target_hash} {stated}", build))

    def verdict(
        self,
        target: Target,
        findings: Mapping[str, FindingStatus | str | Finding],
        *,
        stated: Verdict | None = None,
        reason: str | None = None,
        quote: Quotes = (),
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
            evidence = [
                segment_of(replace(one, form=QuoteForm.POINTER), source, self._salt, []) for one in quotes_of(quote)
            ]
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
        content = content_hash({"findings": told, "verdict": verdict, "reason": reason}, str(evidence), str(related))
        earlier = self._outbox.purposes(self._purpose(f"verdict {statement.target_hash} "))
        is_last = bool(earlier) and earlier[-1].endswith(content)
        number = len(earlier) - 1 if is_last else len(earlier)
        return (yield from self._submit_once(f"verdict {statement.target_hash} {number} {content}", build))

    def challenge(
        self, target: Target, criterion: str, reason: str, *, confidence: float, **grounds: Any
    ) -> Exchange[Receipt]:
        """Challenge a statement under one criterion; `grounds` are quotes and a counter-statement, as of `verdict`."""
        found = {criterion: Finding(criterion, FindingStatus.FAIL, reason, confidence)}
        return (yield from self.verdict(target, found, stated=Verdict.CHALLENGED, reason=reason, **grounds))

    def ask(self, question: str) -> Exchange[Message]:
        """Return the answer to a question, with the statements and quotes behind it."""
        return (yield from read_object(Request.post("/ask", write_json({"question": question}), "application/json")))

    def search(self, words: str, first: int) -> Exchange[Message]:
        """Return statements found by words and meaning, best first."""
        return (yield from read_object(Request.get(f"/search?q={percent_encoded(words, safe='')}&first={first}")))

    def bundle(self, target: Target) -> Exchange[bytes]:
        """Return the bundle of a statement: the proofs of it in one file."""
        name = target if isinstance(target, str) else (yield from self.reference(target)).target_hash
        return (yield from send(Request.get(f"/statements/{segment(name)}/bundle"))).content

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


def _within(claim: Claim, run: Run | None) -> Claim:
    """Return a claim that names the pack of a run."""
    if run is None or run.begun().hash in claim.generated_by:
        return claim
    return replace(claim, generated_by=(*claim.generated_by, run.begun().hash))


def _is_same(taken: AnyMessage, derived: Message) -> bool:
    """Say if a message of the node is the statement of this draft, with another time and signature.

    The words of redactable quotes have another salt in each draft: the claim's content hash covers their places.
    """
    if not isinstance(taken, ProvenanceStatement) or taken.agent.agent_id != derived["agent"]["@id"]:
        return False
    return _stated(taken.envelope.document) == _stated(read_json(write_json(derived)))


def _stated(statement: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the claim, the evidence without the words of quotes, and the relations of a statement."""
    evidence = [
        {name: value for name, value in segment.items() if name != "quoteText"} for segment in statement["evidence"]
    ]
    return statement["claim"], evidence, *(statement.get(name) for name in _RELATIONS)
