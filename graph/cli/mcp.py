"""`a2ap mcp`: the agent's tools for language models; the command of `a2ap.mcp`, which needs its extra alone."""

from graph.cli.errors import CommandError

try:
    from a2ap.mcp.command import mcp
except ModuleNotFoundError as error:
    if error.name is None or error.name.partition(".")[0] not in ("mcp", "mcp_types"):
        raise
    raise CommandError(
        "the package mcp is not installed; this command needs the extra: pip install 'a2ap[mcp]'"
    ) from error

__all__ = ["mcp"]
