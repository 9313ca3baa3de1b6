"""The command line, `a2ap`: one file for each group of commands."""

import sys
from typing import NoReturn

__all__ = ["main"]

try:
    from graph.cli.main import main
except ModuleNotFoundError as error:
    if error.name is None or error.name.partition(".")[0] in ("a2ap", "contexts", "cypher", "graph"):
        raise
    _MISSING = error.name

    def main() -> NoReturn:
        """Name the library that is missing, and exit with status 1."""
        sys.exit(f"a2ap: {_MISSING} is not installed; the command line needs the extra: pip install 'a2ap[server]'")
