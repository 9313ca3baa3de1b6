"""The errors of the MCP server.

    A2APError
    ├── MissingError     the node does not have a thing, or this reader may not know of it
    └── ServerError      the server cannot be started as its settings say

While it runs, a tool ends in a `ToolError` and a resource in a `ResourceError` of the SDK, each with one sentence.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError

from a2ap.client.answers import ProblemError
from a2ap.errors import A2APError
from a2ap.mcp.quoted import literal, one_line

_MOST = 1000  # characters of an error
_NOT_FOUND = (404, 410)


class ServerError(A2APError):
    """The server cannot be started as its settings say."""


class MissingError(A2APError):
    """The node does not have a thing, or this reader may not know of it."""


@contextmanager
def tool_errors() -> Iterator[None]:
    """Raise `ToolError` with one sentence for an error of the protocol, of the node or of a file."""
    try:
        yield
    except (A2APError, OSError, ValueError) as error:
        raise ToolError(sentence(error)) from error


@contextmanager
def resource_errors() -> Iterator[None]:
    """Raise `ResourceError` with one sentence, `ResourceNotFoundError` if the node does not have the resource."""
    try:
        yield
    except (A2APError, ValueError) as error:
        is_missing = isinstance(error, MissingError) or (isinstance(error, ProblemError) and error.status in _NOT_FOUND)
        kind = ResourceNotFoundError if is_missing else ResourceError
        raise kind(sentence(error)) from error


def sentence(error: Exception) -> str:
    """Return an error in one line, with hidden characters named."""
    if isinstance(error, OSError):
        # The path may be one of the agent's own files.
        return f"a file of the agent cannot be used: {error.strerror or type(error).__name__}"
    if isinstance(error, ProblemError):
        # The details of a refusal may repeat words of agents, such as the reason of a redaction.
        return f"the node refuses with status {error.status}, and says {literal(error.detail or error.title, _MOST)}"
    return one_line(str(error), _MOST)
