"""The confirmation of a signature by the user, which the client asks for (MCP elicitation)."""

from mcp.server.mcpserver import AcceptedElicitation, Context, DeclinedElicitation, Elicit, ElicitationResult
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from a2ap.mcp.access import Access


class Confirmation(BaseModel):
    """The user's answer."""

    sign: bool = Field(title="Sign", description="Sign this with the key of the agent, and publish it.")


UNASKED = Confirmation(sign=True)
"""The answer for a client that cannot ask, of a server that was started with --sign-without-confirmation."""


def asked(access: Access, context: Context, words: str) -> Confirmation | Elicit[Confirmation]:
    """Return the question for the user; raises `ToolError` if the client cannot ask it and nobody waived it."""
    capabilities = context.client_capabilities
    elicitation = None if capabilities is None else capabilities.elicitation
    if elicitation is not None and (elicitation.form is not None or elicitation.url is None):
        return Elicit(words, Confirmation)
    if access.without_confirmation:
        return UNASKED
    raise ToolError(
        "nothing was signed: this client cannot ask its user for confirmation, "
        "and the server was not started with --sign-without-confirmation"
    )


def check_confirmed(outcome: ElicitationResult[Confirmation]) -> None:
    """Raise `ToolError` unless the user has confirmed."""
    if isinstance(outcome, AcceptedElicitation) and outcome.data.sign:
        return
    if isinstance(outcome, AcceptedElicitation | DeclinedElicitation):
        raise ToolError("nothing was signed: the user declined")
    raise ToolError("nothing was signed: the user did not answer")
