"""The confirmation of a signature by the user, which the client asks for (MCP elicitation)."""

from mcp.server.mcpserver import AcceptedElicitation, Context, DeclinedElicitation, Elicit, ElicitationResult
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp.types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    ClientCapabilities,
    ElicitationCapability,
    FormElicitationCapability,
    MissingRequiredClientCapabilityErrorData,
)
from mcp.types.version import is_version_at_least
from pydantic import BaseModel, Field

from a2ap.mcp.access import Access

_OWN_ERROR = "2026-07-28"
_FORMS = ClientCapabilities(elicitation=ElicitationCapability(form=FormElicitationCapability()))
_UNASKED = (
    "nothing was signed: this client cannot ask its user for confirmation, "
    "and the server was not started with --sign-without-confirmation"
)


class Confirmation(BaseModel):
    """The user's answer."""

    sign: bool = Field(title="Sign", description="Sign this with the key of the agent, and publish it.")


WAIVED = Confirmation(sign=True)
"""The answer for a client that cannot ask, of a server that was started with --sign-without-confirmation."""


def asked(access: Access, context: Context, words: str) -> Confirmation | Elicit[Confirmation]:
    """Return the question for the user; raises `ToolError` or `MCPError` if the client cannot ask it, and must."""
    capabilities = context.client_capabilities
    elicitation = None if capabilities is None else capabilities.elicitation
    if elicitation is not None and (elicitation.form is not None or elicitation.url is None):
        return Elicit(words, Confirmation)
    if access.without_confirmation:
        return WAIVED
    # Since that revision a request that needs a capability of the client that it lacks has an error of its own.
    if context.protocol_version is not None and is_version_at_least(context.protocol_version, _OWN_ERROR):
        missing = MissingRequiredClientCapabilityErrorData(required_capabilities=_FORMS)
        data = missing.model_dump(by_alias=True, mode="json", exclude_none=True)
        raise MCPError(code=MISSING_REQUIRED_CLIENT_CAPABILITY, message=_UNASKED, data=data)
    raise ToolError(_UNASKED)


def check_confirmed(outcome: ElicitationResult[Confirmation]) -> None:
    """Raise `ToolError` unless the user has confirmed."""
    if isinstance(outcome, AcceptedElicitation) and outcome.data.sign:
        return
    if isinstance(outcome, AcceptedElicitation | DeclinedElicitation):
        raise ToolError("nothing was signed: the user declined")
    raise ToolError("nothing was signed: the user did not answer")
