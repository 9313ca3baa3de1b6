"""`python -m a2ap.mcp`: the same as `a2ap mcp`, for an installation without the command line of the platform."""

import sys

import typer

from a2ap.errors import A2APError
from a2ap.mcp.command import mcp


def main() -> None:
    """Run the command; an error ends it with one line and status 1."""
    try:
        typer.run(mcp)
    except (A2APError, OSError) as error:
        sys.exit(f"a2ap: {error}")


if __name__ == "__main__":
    main()
