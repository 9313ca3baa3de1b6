"""A verifier: an agent that reads verification requests and answers with signed verdicts (A2AP §4.2)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.client import Client
from a2ap.errors import SignatureError
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.reference import Reference
from a2ap.messages.verdict import confidence_of, verdict_of
from a2ap.messages.verification_response import Verdict, build_verification_response
from a2ap.times import format_instant
from a2ap.verifier.fetching import Fetching
from a2ap.verifier.findings import ACCURACY, reason_of
from a2ap.verifier.packs import JudgedRun
from graph.demo.agent import Agent, new_id
from graph.demo.model_judge import ModelJudge
from graph.verifier.judging import Judge
from graph.verifier.material import Material, Source
from graph.verifier.pack_registration import hand_in_pack
from graph.verifier.run_pack import pack_run

_REQUESTS = """
query OpenRequests($author: ID!, $first: Int!, $after: String) {
  statements(filter: {agent: $author}, first: $first, after: $after) {
    nodes {
      id
      signedHash
      verificationRequests { nodes { id signedHash criteria } }
      verifications { agent { id } }
    }
    pageInfo { hasNextPage endCursor }
  }
}
"""
_PAGE = 50


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A request on a statement that this verifier has not judged, with the criteria of all requests on it."""

    statement_id: str
    target_hash: str
    request: Reference
    criteria: tuple[str, ...]


class Verifier:
    """An agent with a judge. It fetches everything it needs itself, and checks it."""

    def __init__(self, agent: Agent, judge: Judge, client: Client, clock: Callable[[], datetime]) -> None:
        self._agent = agent
        self._judge = judge
        self._client = client
        self._clock = clock
        self._fetching = Fetching(client, Source.of)

    def open_requests(self, author: str) -> list[OpenRequest]:
        """Return the unanswered verification requests on an author's statements, oldest first."""
        found: list[OpenRequest] = []
        after: str | None = None
        while True:
            page = self._client.graphql(_REQUESTS, {"author": author, "first": _PAGE, "after": after})["statements"]
            for row in page["nodes"]:
                requests = row["verificationRequests"]["nodes"]
                criteria = {name: None for request in requests for name in request["criteria"]}
                answered = any(given["agent"]["id"] == self._agent.id for given in row["verifications"])
                if criteria and not answered:
                    oldest = Reference(requests[0]["id"], requests[0]["signedHash"])
                    found.append(OpenRequest(row["id"], row["signedHash"], oldest, tuple(criteria)))
            if not page["pageInfo"]["hasNextPage"]:
                return found[::-1]
            after = page["pageInfo"]["endCursor"]

    def respond(self, request: OpenRequest) -> dict[str, Any]:
        """Return the signed verdict on the statement of a request."""
        return self._agent.sign_once(f"verdict on {request.target_hash}", lambda: self._response(request))

    def _response(self, request: OpenRequest) -> dict[str, Any]:
        # 1. Fetch the statement and make sure that it is the one meant.
        statement = self._fetching.statement(request.statement_id, request.target_hash)
        material = Material(statement, {})
        findings: tuple[Finding, ...] = ()
        # 2. Check its signature with the key that its author registered.
        try:
            self._fetching.check_signature(statement)
        except SignatureError as error:
            verdict, findings = Verdict.INVALID_SIGNATURE, (_invalid_signature(error),)
        else:
            # 3. Read the source again, and judge.
            material = Material.of(self._fetching.material(statement))
            findings = tuple(one for one in self._findings(material) if one.criterion in request.criteria)
            verdict = verdict_of(findings)
        # 4. Put the run on record.
        now = self._clock()
        pack = self._pack(material, findings, verdict, now)
        # 5. Say so.
        return build_verification_response(
            response_id=new_id(),
            responded_at=now,
            responding_agent=self._agent.id,
            target_statement=request.statement_id,
            target_hash=request.target_hash,
            verdict=verdict,
            confidence=confidence_of(findings),
            findings=findings,
            reason=None if verdict is Verdict.VALIDATED else reason_of(findings),
            request=request.request,
            generated_by=(pack,),
        )

    def _pack(self, material: Material, findings: tuple[Finding, ...], verdict: Verdict, now: datetime) -> str:
        """Submit the Context Pack of a run, and return its hash."""
        judge, statement = self._judge, material.statement
        versions = {finding.criterion: f"{judge.name} {judge.version}" for finding in findings}
        certain = not isinstance(judge, ModelJudge)
        confidence = confidence_of(findings)
        pack = pack_run(
            JudgedRun(format_instant(now), judge.name, material, versions, (), findings, verdict, confidence, certain)
        )
        boundary = self._fetching.boundary(statement)
        hand_in_pack(self._client, pack, self._agent.id, boundary, now, self._agent.sign)
        return pack.hash

    def _findings(self, material: Material) -> tuple[Finding, ...]:
        if not material.transcripts:
            told = f"{', '.join(material.missing) or 'the source'} could not be read"
            return (Finding(ACCURACY, FindingStatus.INCONCLUSIVE, told, 0.0),)
        return self._judge.judge(material.statement, material.transcripts[0])


def _invalid_signature(error: SignatureError) -> Finding:
    return Finding(ACCURACY, FindingStatus.FAIL, str(error), 1.0)
