"""The `a2ap` program: its commands, and how their errors end: one line, and an exit status that is not zero.

Status 1: it could not be done. 2: the command was not understood. 130: interrupted.
"""

import os
import sys
from collections.abc import Mapping
from importlib.metadata import version
from typing import Annotated, Any, NoReturn

import typer

from a2ap.errors import A2APError
from graph.cli.command_table import CommandTable
from graph.cli.errors import CommandError
from graph.cli.terminal import remark
from graph.demo.errors import DemoError
from graph.errors import GraphError
from graph.models.errors import ModelError
from graph.settings import SettingsError


def explain(error: typer.TyperException) -> str:
    """Return the reason why a command line was not understood; the parser's own words if they are clear."""
    # Pydantic reads the values, and its words are about input and errors of its own.
    problem = _problem_of(error.__cause__)
    if problem is None:
        return error.format_message()
    parameter = getattr(error, "param", None)
    name = _name_of(parameter) if parameter is not None else "a value"
    return f"{name} is {problem.get('input')!r}, {_what_it_is_not(problem)}"


def _problem_of(cause: BaseException | None) -> Mapping[str, Any] | None:
    errors = getattr(cause, "errors", None)
    found = errors() if callable(errors) else None
    return found[0] if found else None


def _name_of(parameter: Any) -> str:
    options = [name for name in getattr(parameter, "opts", ()) if name.startswith("-")]
    return max(options, key=len) if options else str(parameter.name).upper()


def _what_it_is_not(problem: Mapping[str, Any]) -> str:
    context = problem.get("ctx", {})
    match problem["type"]:
        case "int_parsing" | "int_from_float" | "int_type" | "int_parsing_size":
            return "not a whole number"
        case "float_parsing" | "float_type" | "finite_number":
            return "not a number"
        case "less_than_equal" | "greater_than_equal" if str(problem.get("input")).strip().lower() == "nan":
            return "not a number"
        case "less_than_equal":
            return f"which is more than {context['le']:g}"
        case "greater_than_equal":
            return f"which is less than {context['ge']:g}"
        case "value_error" if " is not one of " in str(context.get("error")):
            known = str(context["error"]).partition(" is not one of ")[2].rstrip(".").replace("'", "")
            return f"not one of {known}"
        case _:
            words = str(context.get("error") or problem["msg"]).rstrip(".")
            return words[:1].lower() + words[1:]


_EXPECTED = (A2APError, CommandError, DemoError, GraphError, ModelError, SettingsError)

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
        _fail(_extra_missing(error) or f"internal error, {type(error).__name__}: {error} (A2AP_DEBUG=1 shows where)")
    sys.exit(status if isinstance(status, int) else 0)


def _extra_missing(error: Exception) -> str | None:
    """Return the library that a command lacks, with the extra that brings it; None for other errors."""
    library = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    if library in ("", "a2ap", "contexts", "cypher", "graph"):
        return None
    extra = "demo" if library == "sklearn" else "server"
    return f"{library} is not installed; it comes with the extra: pip install 'a2ap[{extra}]'"


def _fail(message: str, status: int = 1) -> NoReturn:
    remark(f"a2ap: {message}")
    sys.exit(status)
