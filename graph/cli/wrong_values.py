"""The error of a wrong option value, in one sentence: the option, the value, and the kind or bound that it misses."""

from collections.abc import Mapping
from typing import Any

import typer


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
