"""The tools that sign: a statement and a challenge, each after its user has confirmed the words."""

from typing import Annotated

from mcp.server.mcpserver import Context, Elicit, ElicitationResult, MCPServer, Resolve
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import Field

from a2ap.agent.drafts import CONFIDENCE
from a2ap.boundary import Boundary
from a2ap.mcp.access import Access
from a2ap.mcp.answers import Published
from a2ap.mcp.confirmation import Confirmation, asked, check_confirmed
from a2ap.mcp.drafting import ChallengeDraft, QuoteWords, StatementDraft, draft_challenge, draft_statement
from a2ap.mcp.errors import tool_errors
from a2ap.mcp.reading_tools import Name

# The log only grows: a signed message destroys nothing, and the same call is the same message.
_SIGNS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=True)

Words = Annotated[str, Field(min_length=1, max_length=2000)]


def add_signing_tools(server: MCPServer, access: Access) -> None:
    """Add the tools that sign with the agent's key."""
    _add_publish_statement(server, access)
    _add_challenge(server, access)


def _add_publish_statement(server: MCPServer, access: Access) -> None:
    async def draft(
        claim: str,
        quotes: list[str | QuoteWords],
        source: str | None,
        path: str | None,
        title: str | None,
        boundary: Boundary,
        confidence: float,
        method: str | None,
    ) -> StatementDraft:
        with tool_errors():
            return await draft_statement(access, claim, quotes, source, path, title, boundary, confidence, method)

    async def confirm(
        context: Context, drafted: Annotated[StatementDraft, Resolve(draft)]
    ) -> Confirmation | Elicit[Confirmation]:
        return asked(access, context, drafted.question)

    @server.tool(title="Publish a statement", annotations=_SIGNS)
    async def publish_statement(
        claim: Annotated[str, Field(min_length=1, max_length=4000, description="The claim, in a sentence.")],
        quotes: Annotated[
            list[Words | QuoteWords],
            Field(min_length=1, max_length=10, description="Words that stand in the source exactly so, once."),
        ],
        drafted: Annotated[StatementDraft, Resolve(draft)],
        confirmed: Annotated[ElicitationResult[Confirmation], Resolve(confirm)],
        source: Annotated[
            str | None, Field(max_length=500, description="A source of the node, by its hash (sha256:…) or its id.")
        ] = None,
        path: Annotated[
            str | None, Field(max_length=4000, description="Or a file in a folder that the server was started with.")
        ] = None,
        title: Annotated[
            str | None, Field(max_length=300, description="The title of a file; its name if omitted.")
        ] = None,
        boundary: Annotated[
            Boundary, Field(description="The class that readers of the file must be cleared for.")
        ] = Boundary.PUBLIC,
        confidence: Annotated[float, Field(ge=0, le=1, description="Your confidence in the claim.")] = CONFIDENCE,
        method: Annotated[str | None, Field(max_length=200, description="How the claim was made.")] = None,
    ) -> Annotated[CallToolResult, Published]:
        """Sign a claim that quotes of a source support, and publish it in the log. The user confirms it first.

        Quotes are taken exactly; an error shows the nearest passage. Repeated, it sends the same statement.
        """
        check_confirmed(confirmed)
        with tool_errors():
            return (await _publish(access, drafted)).result()


def _add_challenge(server: MCPServer, access: Access) -> None:
    async def draft(statement: str, criterion: str, reason: str, confidence: float) -> ChallengeDraft:
        with tool_errors():
            return await draft_challenge(access, statement, criterion, reason, confidence)

    async def confirm(
        context: Context, drafted: Annotated[ChallengeDraft, Resolve(draft)]
    ) -> Confirmation | Elicit[Confirmation]:
        return asked(access, context, drafted.question)

    @server.tool(title="Challenge a statement", annotations=_SIGNS)
    async def challenge(
        statement: Name,
        criterion: Annotated[
            str,
            Field(
                min_length=1,
                max_length=100,
                description="The criterion that it fails: source-accuracy, evidence-sufficiency, logical-consistency …",
            ),
        ],
        reason: Annotated[Words, Field(description="The reason, in a sentence.")],
        drafted: Annotated[ChallengeDraft, Resolve(draft)],
        confirmed: Annotated[ElicitationResult[Confirmation], Resolve(confirm)],
        confidence: Annotated[float, Field(ge=0, le=1, description="Your confidence in the challenge.")] = CONFIDENCE,
    ) -> Annotated[CallToolResult, Published]:
        """Sign a verdict that challenges a statement under one criterion, with a reason. The user confirms it first."""
        check_confirmed(confirmed)
        with tool_errors():
            receipt = await access.agent.challenge(
                drafted.signed_hash, drafted.criterion, drafted.reason, confidence=drafted.confidence
            )
            return Published.of(receipt, access.reader.name, drafted.signed_hash).result()


async def _publish(access: Access, drafted: StatementDraft) -> Published:
    source = drafted.source
    if drafted.file is not None:
        source = await access.agent.source(
            source.content,
            title=source.title,
            boundary=drafted.boundary,
            media_type=drafted.file.media_type,
        )
    receipt = await access.agent.claim(
        drafted.claim,
        quote=drafted.quotes,
        source=source,
        confidence=drafted.confidence,
        method=drafted.method,
    )
    return Published.of(receipt, access.reader.name, receipt.signed_hash)
