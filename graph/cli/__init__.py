"""The command line, `a2ap`: one file for each group of commands."""

from graph.cli.main import main

__all__ = ["main"]
