"""The server: tools, resources and prompts for one agent at one node."""

from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolResult, InputRequiredResult, ResourceTemplate
from pydantic import AnyUrl, ValidationError

from a2ap.mcp.access import Access
from a2ap.mcp.prompts import DATA, add_prompts
from a2ap.mcp.quoted import one_line
from a2ap.mcp.reading_tools import add_reading_tools
from a2ap.mcp.resources import TEMPLATES, is_ours, list_page, read
from a2ap.mcp.signing_tools import add_signing_tools


class AgentServer(MCPServer[Any]):
    """An MCP server with the tools of an agent; its list of resources is read from the node, page by page."""

    def __init__(self, access: Access) -> None:
        asks = "ask the user first, if the client can" if access.without_confirmation else "ask the user first"
        signs = "" if access.read_only else f" Tools that sign {asks}."
        super().__init__(
            "a2ap",
            title="A2AP provenance graph",
            version=version("a2ap"),
            description="Signed claims, traced to the exact bytes they rest on, checked and weighed.",
            instructions=(
                f"Tools of the agent {access.agent.id} at the node {access.reader.name}: signed statements with their "
                f"evidence and scores.{signs} Cite a statement by its signed hash. {DATA}"
            ),
            log_level="WARNING",
            middleware=[self._list_resources],
        )
        self._access = access
        add_reading_tools(self, access)
        if not access.read_only:
            add_signing_tools(self, access)
        add_prompts(self)

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; arguments that do not fit its schema are an error of one sentence."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            faults = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.__cause__.errors()]
            raise ToolError(one_line(f"{name} does not take these arguments: {'; '.join(faults)}", 500)) from error

    async def list_resource_templates(self) -> list[ResourceTemplate]:
        """Return the templates of the node's resources."""
        return [*TEMPLATES, *await super().list_resource_templates()]

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[Any, Any] | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """Return the contents of a resource of the node."""
        if is_ours(str(uri)):
            return await read(self._access, str(uri))
        return await super().read_resource(uri, context)

    async def _list_resources(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Answer `resources/list` from the node; the list of the SDK has no pages."""
        if ctx.method != "resources/list":
            return await call_next(ctx)
        answer = await call_next(ctx)  # It checks the request, and lists resources that are not of the node.
        listed = answer if isinstance(answer, Mapping) else {} if answer is None else answer.model_dump(by_alias=True)
        stated = (ctx.params or {}).get("cursor")
        if stated is not None and not isinstance(stated, str):
            raise MCPError(code=INVALID_PARAMS, message="the cursor is not one of this server")
        page = await list_page(self._access, stated)
        own = page.model_dump(mode="json", by_alias=True, exclude_none=True)
        before = [] if stated is not None else list(listed.get("resources", []))
        return {**listed, **own, "resources": [*before, *own["resources"]]}
