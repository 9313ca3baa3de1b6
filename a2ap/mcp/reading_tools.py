"""The tools that read: verification, evidence, consensus, questions, search, and the things that rest on one."""

import json
from collections import Counter
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import AfterValidator, Field

from a2ap.client.queries import BLAST_RADIUS
from a2ap.errors import BundleError
from a2ap.mcp.access import Access
from a2ap.mcp.answers import (
    Consensus,
    Criterion,
    Dependent,
    Found,
    Radius,
    Reply,
    Sentence,
    Trace,
    Verification,
)
from a2ap.mcp.errors import MissingError, tool_errors
from a2ap.mcp.queries import ASK, CONSENSUS, SEARCH, TRACE
from a2ap.mcp.quoted import Quoted, identifier, one_line
from a2ap.mcp.statements import Brief, Cited

MOST_VERDICTS = 200
"""The most verdicts on a statement that are read, newest first."""

MOST_SUPPORTING = 20
"""The most statements that support another in an answer, oldest first."""

MOST_ITEMS = 50
"""The most rows, records or reasons of an answer."""

_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
_TOPIC = "questions/statements_about"

Name = Annotated[
    str,
    Field(
        min_length=1, max_length=500, description="The statement: its signed hash (sha256:…) or its id (urn:uuid:…)."
    ),
    AfterValidator(lambda name: name.removeprefix("statement://")),  # the address of its resource is as good
]


def add_reading_tools(server: MCPServer, access: Access) -> None:
    """Add the tools that sign nothing."""

    @server.tool(title="Verify a statement", annotations=_READS)
    async def verify_statement(statement: Name) -> Annotated[CallToolResult, Verification]:
        """Fetch the bundle of a statement and verify it off-line: the points that are proved, and those that are not.

        It proves that the author signed these words, that the log has them, and that the quotes stand in the source;
        not that the claim is true.
        """
        with tool_errors():
            return (await _verified(access, statement)).result()

    @server.tool(title="Trace the evidence of a statement", annotations=_READS)
    async def trace_evidence(statement: Name) -> Annotated[CallToolResult, Trace]:
        """Follow a statement upstream: its quotes with their sources, its records, the statements that support it."""
        with tool_errors():
            return (await trace_of(access, statement)).result()

    @server.tool(title="Consensus on a statement", annotations=_READS)
    async def consensus_on(statement: Name) -> Annotated[CallToolResult, Consensus]:
        """Return the standing of a statement: its score with interval, its verdicts by kind, and its status."""
        with tool_errors():
            return (await _consensus(access, statement)).result()

    @server.tool(title="Ask a question", annotations=_READS)
    async def ask(
        question: Annotated[str, Field(min_length=1, max_length=1000, description="A question in plain English.")],
        first: Annotated[int, Field(ge=1, le=20, description="The most sentences of each kind.")] = 5,
    ) -> Annotated[CallToolResult, Reply]:
        """Answer a question from statements of the node: claims accepted and not yet accepted, with their sources."""
        with tool_errors():
            return (await _reply(access, question, first)).result()

    @server.tool(title="Search statements", annotations=_READS)
    async def search(
        words: Annotated[
            str, Field(min_length=1, max_length=1000, description='Words, "phrases", beginnings*, AND, OR, NOT.')
        ],
        first: Annotated[int, Field(ge=1, le=50, description="The most statements.")] = 10,
    ) -> Annotated[CallToolResult, Found]:
        """Find statements by words and by meaning, best first, with their quotes and sources."""
        with tool_errors():
            data = await access.reader.graphql(SEARCH, words=words, first=first)
            hits = [Cited.in_list(one["statement"]) for one in data["search"]["hits"]]
            found = Found(log_size=data["log"]["size"], by_meaning=data["search"]["byMeaning"], hits=hits)
            return found.result()

    @server.tool(title="Blast radius", annotations=_READS)
    async def blast_radius(
        of: Annotated[Literal["source", "statement", "agent", "key"], Field(description="The kind of the thing.")],
        name: Annotated[str, Field(min_length=1, max_length=500, description="Its hash or its id.")],
        first: Annotated[int, Field(ge=1, le=200, description="The most items.")] = 50,
        after: Annotated[str | None, Field(max_length=500, description="The cursor of the answer before.")] = None,
    ) -> Annotated[CallToolResult, Radius]:
        """Show everything downstream that rests on a source, statement, agent or key, nearest first."""
        with tool_errors():
            return (await _radius(access, of, name, first, after)).result()


async def statement_in(access: Access, query: str, name: str, **variables: Any) -> tuple[dict[str, Any], int]:
    """Return a statement as a query reads it, and the size of the log; raises `MissingError` if there is none."""
    data = await access.reader.graphql(query, name=name, **variables)
    found = data["statement"]
    if found is None:
        raise MissingError(f"the node has no statement {name}")
    return found, data["log"]["size"]


async def trace_of(access: Access, name: str) -> Trace:
    """Return the way from a statement to its sources."""
    found, size = await statement_in(access, TRACE, name, first=MOST_SUPPORTING)
    method, supporting = found["generationMethod"], found["supportedBy"]
    return Trace(
        statement=Cited.of(found),
        log_size=size,
        confidence=found["confidence"],
        method=Quoted.of(method, "method", found["generatedBy"]["id"], 500) if method else None,
        records=[identifier(one["recordHash"]) for one in found["records"][:MOST_ITEMS]],
        records_left_out=max(len(found["records"]) - MOST_ITEMS, 0),
        supported_by=[Brief.of(one) for one in supporting["nodes"]],
        supported_by_left_out=None
        if supporting["totalCount"] is None
        else supporting["totalCount"] - len(supporting["nodes"]),
        revision_of=None if found["revisionOf"] is None else Brief.of(found["revisionOf"]),
    )


async def bundle_of(access: Access, name: str) -> bytes:
    """Return the bundle of a statement, as the node gives it."""
    return (await access.reader.fetch("statements", name, "bundle")).content


async def _verified(access: Access, name: str) -> Verification:
    report = await access.agent.verify(await bundle_of(access, name))
    envelope = report.statement.envelope
    if name not in (envelope.signed_hash, envelope.id):
        raise BundleError(f"the bundle is of {envelope.signed_hash}, not of {name}")
    return Verification.of(report)


async def _consensus(access: Access, name: str) -> Consensus:
    found, size = await statement_in(access, CONSENSUS, name, first=MOST_VERDICTS)
    consensus = found["consensus"]
    given = found["verificationsConnection"]
    counted = Counter(
        one["verdict"]
        for one in given["nodes"]
        if not one["machine"] and one["retraction"] is None and one["supersededBy"] is None
    )
    return Consensus(
        statement=Brief.of(found),
        log_size=size,
        claim_kind=found["claimKind"],
        verdicts=dict(sorted(counted.items())),
        verdicts_read=len(given["nodes"]),
        verdicts_in_all=given["totalCount"],
        criteria=[
            Criterion(
                criterion=one_line(one["criterion"]),
                score=one["score"],
                quorum_met=one["quorumMet"],
                passed_by=[identifier(name) for name in one["operatorsFor"]],
                failed_by=[identifier(name) for name in one["operatorsAgainst"]],
            )
            for one in consensus["perCriterion"]
        ],
        reasons=[one_line(reason, 500) for reason in consensus["reasons"][:MOST_ITEMS]],
        reasons_left_out=max(len(consensus["reasons"]) - MOST_ITEMS, 0),
        machine_check=one_line(found["machineCheck"]),
        evidence_state=one_line(found["evidenceState"]),
        key_status=one_line(found["keyStatus"]),
        retraction=_retraction(found),
        superseded_by=found["supersededBy"] and identifier(found["supersededBy"]["signedHash"]),
    )


def _retraction(found: dict[str, Any]) -> Quoted | None:
    reason = found["retraction"] and found["retraction"]["reason"]
    return Quoted.of(reason, "reason", found["generatedBy"]["id"], 500) if reason else None


async def _reply(access: Access, question: str, first: int) -> Reply:
    data = await access.reader.graphql(ASK, question=question, first=first)
    found, query = data["ask"], data["ask"]["query"]
    shown = [query["columns"], *query["rows"][:MOST_ITEMS]]
    # The rows of a question about a topic are its statements once more.
    has_rows = bool(query["rows"]) and found["template"] != _TOPIC
    rows = Quoted.of(json.dumps(shown, ensure_ascii=False, default=str), "rows", None) if has_rows else None
    return Reply(
        log_size=data["log"]["size"],
        answered_by=one_line(found["answeredBy"]),
        accepted=[_sentence(one) for one in found["accepted"][:first]],
        not_yet_accepted=[_sentence(one) for one in found["notYetAccepted"][:first]],
        cypher=one_line(query["cypher"], 4000),
        rows=rows,
        rows_left_out=max(len(query["rows"]) - MOST_ITEMS, 0) if has_rows else 0,
        truncated=query["truncated"],
        note=found["note"] and one_line(found["note"], 500),
        withheld=query["withheld"],
    )


def _sentence(node: dict[str, Any]) -> Sentence:
    author = node["statement"]["generatedBy"]["id"]
    missing = [one_line(one) for one in node["missing"]]
    return Sentence(
        text=Quoted.of(node["text"], "sentence", author), missing=missing, statement=Cited.in_list(node["statement"])
    )


async def _radius(access: Access, of: str, name: str, first: int, after: str | None) -> Radius:
    found = (await access.reader.graphql(BLAST_RADIUS, **{of: name}, first=first, after=after))["blastRadius"]
    page = found["items"]["pageInfo"]
    return Radius(
        of=identifier(name),
        log_size=found["asOf"],
        total=found["total"],
        statements=found["statements"],
        verifications=found["verifications"],
        complete=found["complete"],
        items=[
            Dependent(
                kind=one["kind"].lower().replace("_", " "),
                name=identifier(one["messageId"] if one["kind"] in ("STATEMENT", "VERIFICATION") else one["name"]),
                relation=one["relation"].lower().replace("_", " "),
                rests_on=identifier(one["parent"]),
                depth=one["depth"],
                log_index=one["logIndex"],
            )
            for one in found["items"]["nodes"]
        ],
        next_cursor=page["endCursor"] if page["hasNextPage"] else None,
    )
