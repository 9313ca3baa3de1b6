"""The `a2ap` program: its commands, and how their errors end: one line, and an exit status that is not zero.

Status 1: it could not be done. 2: the command was not understood. 130: interrupted.
"""

import os
import sys
from importlib.metadata import version
from typing import Annotated, NoReturn

import typer

from a2ap.errors import A2APError
from graph.cli.command_table import CommandTable
from graph.cli.errors import CommandError
from graph.cli.terminal import remark
from graph.cli.wrong_values import explain
from graph.demo.errors import DemoError
from graph.errors import GraphError
from graph.models.errors import ModelError
from graph.settings import SettingsError
from graph.verifier.errors import VerifierError

_EXPECTED = (A2APError, CommandError, DemoError, GraphError, ModelError, SettingsError, VerifierError)

app = typer.Typer(
    name="a2ap",
    cls=CommandTable,
    help="Signed claims, traced to the exact bytes they rest on, checked and weighed.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _about(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if show_version:
        typer.echo(f"a2ap {version('a2ap')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


def main() -> NoReturn:
    """Run the command that the arguments of the process name, and exit."""
    try:
        status = app(prog_name="a2ap", standalone_mode=False)
    except typer.TyperException as error:
        _fail(explain(error), error.exit_code)
    except typer.Abort:
        _fail("interrupted", 130)
    except _EXPECTED as error:
        _fail(str(error))
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python would complain once more when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))
    except Exception as error:
        if os.environ.get("A2AP_DEBUG"):
            raise
        _fail(f"internal error, {type(error).__name__}: {error} (A2AP_DEBUG=1 shows where)")
    sys.exit(status if isinstance(status, int) else 0)


def _fail(message: str, status: int = 1) -> NoReturn:
    remark(f"a2ap: {message}")
    sys.exit(status)
