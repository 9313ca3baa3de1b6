"""A verifier: an agent that takes up verification requests and answers with signed verdicts (A2AP §4.2)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean
from typing import Any

from a2ap.agent_registration import AgentRegistration, verify_possession
from a2ap.canonical import sha256_digest
from a2ap.client import Client
from a2ap.errors import A2APError, SignatureError
from a2ap.message import read_message
from a2ap.signature import verify_signature
from a2ap.statement import ProvenanceStatement
from a2ap.verification_response import Finding, FindingStatus, Verdict, build_verification_response
from graph.demo.agent import Agent, new_id
from graph.demo.errors import DemoError
from graph.transcripts.errors import CaptionError
from graph.transcripts.transcript import Transcript
from graph.verifier.judging import Judge, verdict_of
from graph.verifier.source_check import ACCURACY as SOURCE_ACCURACY

_REQUESTS = """
query OpenRequests($author: ID!, $first: Int!, $after: Int) {
  agent(id: $author) {
    statements(first: $first, after: $after) {
      id
      signedHash
      logIndex
      verificationRequests { criteria }
      verifications { agent { id } }
    }
  }
}
"""
_PAGE = 50


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A statement that somebody wants verified and this verifier has not judged: id, signed hash, criteria."""

    statement_id: str
    target_hash: str
    criteria: tuple[str, ...]


class Verifier:
    """An agent with a way of judging. Whatever it needs it fetches itself, and believes nobody about it."""

    def __init__(self, agent: Agent, judge: Judge, client: Client, clock: Callable[[], datetime]) -> None:
        self._agent = agent
        self._judge = judge
        self._client = client
        self._clock = clock
        self._authors: dict[str, AgentRegistration] = {}
        self._transcripts: dict[str, Transcript | None] = {}

    def open_requests(self, author: str) -> list[OpenRequest]:
        """Return what this verifier has been asked about an author's statements and not answered, oldest first."""
        found: list[OpenRequest] = []
        after: int | None = None
        while True:
            data = self._client.graphql(_REQUESTS, {"author": author, "first": _PAGE, "after": after})
            statements = data["agent"]["statements"] if data["agent"] is not None else []
            for row in statements:
                criteria = {name: None for request in row["verificationRequests"] for name in request["criteria"]}
                answered = any(given["agent"]["id"] == self._agent.id for given in row["verifications"])
                if criteria and not answered:
                    found.append(OpenRequest(row["id"], row["signedHash"], tuple(criteria)))
            if len(statements) < _PAGE:
                return found[::-1]
            after = statements[-1]["logIndex"]

    def respond(self, request: OpenRequest) -> dict[str, Any]:
        """Return the signed verdict on the statement that a request names."""
        return self._agent.sign_once(f"verdict on {request.target_hash}", lambda: self._response(request))

    def _response(self, request: OpenRequest) -> dict[str, Any]:
        # 1. Fetch the statement and make sure that it is the one meant.
        statement = read_message(self._client.statement(request.statement_id))
        if not isinstance(statement, ProvenanceStatement) or statement.envelope.signed_hash != request.target_hash:
            raise DemoError(f"{request.statement_id} is not the statement that {request.target_hash} stands for")
        findings: tuple[Finding, ...]
        # 2. Check its signature with the key that its author registered.
        try:
            self._check_signature(statement)
        except SignatureError as error:
            verdict, findings = Verdict.INVALID_SIGNATURE, (_invalid_signature(error),)
        else:
            # 3. Read the source again, and judge.
            findings = tuple(finding for finding in self._findings(statement) if finding.criterion in request.criteria)
            verdict = verdict_of(findings)
        # 4. Say so (§4.2: the confidence of a verdict is the mean of its findings).
        return build_verification_response(
            response_id=new_id(),
            responded_at=self._clock(),
            responding_agent=self._agent.id,
            target_statement=request.statement_id,
            target_hash=request.target_hash,
            verdict=verdict,
            confidence=round(fmean(finding.confidence for finding in findings), 4) if findings else 0.0,
            findings=findings,
            reason=None if verdict is Verdict.VALIDATED else _reason(findings),
        )

    def _check_signature(self, statement: ProvenanceStatement) -> None:
        author = statement.agent.agent_id
        if author not in self._authors:
            registration = read_message(self._client.agent(author))
            if not isinstance(registration, AgentRegistration) or registration.agent.agent_id != author:
                raise SignatureError(f"{author} is not registered")
            verify_possession(registration)
            self._authors[author] = registration
        registration = self._authors[author]
        signature = statement.envelope.signature
        if signature is None or signature.public_key != registration.key_id:
            raise SignatureError(f"{statement.envelope.id} is not signed with {registration.key_id}")
        verify_signature(signature, statement.envelope.signed_bytes, registration.public_key)

    def _findings(self, statement: ProvenanceStatement) -> tuple[Finding, ...]:
        document_hash = next((segment.document_hash for segment in statement.evidence if segment.document_hash), None)
        transcript = self._transcript(document_hash) if document_hash is not None else None
        if transcript is None:
            told = f"{document_hash or 'the source'} could not be read"
            return (Finding(SOURCE_ACCURACY, FindingStatus.INCONCLUSIVE, told, 0.0),)
        return self._judge.judge(statement, transcript)

    def _transcript(self, document_hash: str) -> Transcript | None:
        if document_hash not in self._transcripts:
            self._transcripts[document_hash] = self._read(document_hash)
        return self._transcripts[document_hash]

    def _read(self, document_hash: str) -> Transcript | None:
        try:
            data = self._client.source(document_hash)
            return Transcript.read(data) if sha256_digest(data) == document_hash else None
        except (A2APError, CaptionError):
            return None


def _invalid_signature(error: SignatureError) -> Finding:
    return Finding(SOURCE_ACCURACY, FindingStatus.FAIL, str(error), 1.0)


def _reason(findings: Sequence[Finding]) -> str:
    told = [finding.evidence for finding in findings if finding.status is not FindingStatus.PASS]
    return "; ".join(dict.fromkeys(told))
