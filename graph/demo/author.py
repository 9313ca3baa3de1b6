"""The author: an agent that submits a source, makes signed statements about it and requests verification."""

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from http import HTTPStatus
from typing import Any

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.client import Client, ProblemError, Receipt, receipts
from a2ap.identifiers import generate_statement_id
from a2ap.messages.evidence import build_segment
from a2ap.messages.message import read_message
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.messages.source_registration import build_source_registration
from a2ap.messages.statement import ProvenanceStatement, build_statement
from a2ap.messages.verification_request import build_verification_request
from a2ap.pack.execution_log import ExecutionLog, LogContent, LogEnvironment, LogModel, LogStep
from a2ap.pack.packing import Pack, pack_log
from a2ap.times import parse_instant
from graph.demo.agent import Agent, new_id
from graph.demo.claims import EXTRACTIVE, Citation, DraftClaim
from graph.demo.source import DemoSource
from graph.verifier.pack_registration import hand_in_pack
from graph.verifier.run_pack import MAX_CONTENT

_INSTRUCTIONS = "Find what was said about each topic, and claim it with the exact bytes that carry it."

_WANTED_VERDICTS = 2
"""The number of the demonstration's verifiers: a request waits until both have answered it."""


def pack_claims(claims: Sequence[DraftClaim], source: DemoSource, at: str) -> Pack:
    """Return the pack of the run that drew these claims from a source; the same claims give the same pack."""
    carried = source.data if len(source.data) <= MAX_CONTENT else b""
    read = LogStep("tool_call", "read_captions", carried, {"documentHash": source.document_hash}, True, at)
    methods = sorted({claim.method for claim in claims})
    log = ExecutionLog(
        LogModel("a2ap-demo/author", {"methods": methods}),
        _INSTRUCTIONS,
        LogEnvironment(platform.system().lower(), f"python{platform.python_version()}"),
        inputs=[LogContent(source.file_name, carried)] if carried else [],
        steps=[read, *(_step(number, claim, at) for number, claim in enumerate(claims, start=1))],
        outputs=[LogContent(f"claim-{number}", claim.text) for number, claim in enumerate(claims, start=1)],
    )
    return pack_log(log, at)


def _step(number: int, claim: DraftClaim, at: str) -> LogStep:
    ranges = [[citation.cue.start, citation.cue.end] for citation in claim.citations]
    about = {"byteRanges": ranges, "confidence": claim.confidence}
    return LogStep("reasoning", claim.method, claim.text, about, claim.method == EXTRACTIVE, at, number)


@dataclass(frozen=True, slots=True)
class Said:
    """A statement that the platform has: its id and signed hash, and its claim."""

    claim: DraftClaim
    statement_id: str
    signed_hash: str


class Author:
    """An agent's work on one source."""

    def __init__(self, agent: Agent, source: DemoSource, client: Client, clock: Callable[[], datetime]) -> None:
        self._agent = agent
        self._source = source
        self._client = client
        self._clock = clock

    def hand_in(self) -> None:
        """Register the source as public and upload its bytes."""
        source = self._source
        self._client.register_source(self._signed_registration())
        self._client.put_source(source.document_hash, source.data, boundary=Boundary.PUBLIC)

    def say(self, claims: Sequence[DraftClaim]) -> tuple[Said, ...]:
        """Submit one signed statement for each claim; a claim made before about this source gives the same statement.

        The run is submitted before as a Context Pack, which the statements name.
        """
        # The time of the source's registration, so that the same run is the same pack when it is run again.
        at = self._signed_registration()["registeredAt"]
        pack = pack_claims(claims, self._source, at)
        hand_in_pack(self._client, pack, self._agent.id, Boundary.PUBLIC, parse_instant(at), self._agent.sign)
        statements = sign_statements(self._agent, claims, self._source, self._clock, generated_by=(pack.hash,))
        answers = self._client.submit_many(statements)
        return tuple(
            self._said(claim, statement, answer)
            for claim, statement, answer in zip(claims, statements, answers, strict=True)
        )

    def request_verification(self, said: Sequence[Said]) -> None:
        """Request verification of each statement by all criteria of A2AP §2.2."""
        requests = self._agent.sign_each_once(
            [(f"verification request {one.signed_hash}", partial(self._request, one)) for one in said]
        )
        list(receipts(self._client.submit_many(requests)))

    def _said(self, claim: DraftClaim, statement: dict[str, Any], answer: Receipt | ProblemError) -> Said:
        if isinstance(answer, Receipt):
            return Said(claim, answer.id, answer.signed_hash)
        if answer.status != HTTPStatus.CONFLICT:
            raise answer
        # This agent has lost its memory, not its key: its earlier claims stand if they were about this source.
        earlier = read_message(self._client.statement(statement["@id"]))
        if isinstance(earlier, ProvenanceStatement) and self._is_about_source(earlier):
            return Said(claim, earlier.envelope.id, earlier.envelope.signed_hash)
        (again,) = sign_statements(self._agent, [claim], self._source, self._clock, taken=frozenset({statement["@id"]}))
        receipt = self._client.submit(again)
        return Said(claim, receipt.id, receipt.signed_hash)

    def _is_about_source(self, statement: ProvenanceStatement) -> bool:
        return all(segment.document_hash == self._source.document_hash for segment in statement.evidence)

    def _signed_registration(self) -> dict[str, Any]:
        source = self._source
        purpose = f"source {source.source_id} {source.document_hash} {source.origin}"
        return self._agent.sign_once(purpose, self._registration)

    def _registration(self) -> dict[str, Any]:
        return build_source_registration(
            registration_id=new_id(),
            registered_at=self._clock(),
            registering_agent=self._agent.id,
            source_id=self._source.source_id,
            document_hash=self._source.document_hash,
            boundary=Boundary.PUBLIC,
            title=self._source.title,
            origin=self._source.origin,
            media_type=self._source.media_type,
            byte_length=len(self._source.data),
        )

    def _request(self, said: Said) -> dict[str, Any]:
        return build_verification_request(
            request_id=new_id(),
            requested_at=self._clock(),
            requesting_agent=self._agent.id,
            target_statement=said.statement_id,
            target_hash=said.signed_hash,
            criteria=DEFAULT_CRITERIA,
            wanted_verdicts=_WANTED_VERDICTS,
        )


def sign_statements(
    agent: Agent,
    claims: Sequence[DraftClaim],
    source: DemoSource,
    clock: Callable[[], datetime],
    *,
    taken: frozenset[str] = frozenset(),
    generated_by: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """Return one signed statement for each claim, in order.

    The id is derived from agent and claim (Appendix A). If the agent has signed the same id about another source, or
    the id is among those `taken`, it is a fresh one: one id cannot stand for two statements. `generated_by` are the
    hashes of the records that generated the statements.
    """
    derived = [generate_statement_id(agent.id, claim.text) for claim in claims]

    def build(claim: DraftClaim, statement_id: str) -> dict[str, Any]:
        fresh = statement_id in taken or agent.has_signed(statement_id)
        return build_statement(
            generated_at=clock(),
            agent=agent.description,
            claim=claim.text,
            confidence=claim.confidence,
            generation_method=claim.method,
            evidence=[_segment(citation, source) for citation in claim.citations],
            statement_id=new_id() if fresh else statement_id,
            generated_by=generated_by,
        )

    return agent.sign_each_once(
        [
            (
                f"statement {statement_id} on {source.document_hash}{' again' if statement_id in taken else ''}",
                partial(build, claim, statement_id),
            )
            for claim, statement_id in zip(claims, derived, strict=True)
        ]
    )


def _segment(citation: Citation, source: DemoSource) -> dict[str, Any]:
    cue = citation.cue
    content = source.data[cue.start : cue.end]
    return build_segment(
        source.source_id,
        cue.start,
        cue.end,
        document_hash=source.document_hash,
        content_hash=sha256_digest(content),
        quote=content.decode(),
        start_ms=cue.start_ms,
        end_ms=cue.end_ms,
        relevance_score=citation.relevance,
    )
