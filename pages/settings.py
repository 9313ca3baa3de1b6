"""The page of settings: names, forms and defaults from `graph.settings`, meanings from `settings.toml` here."""

import ast
import inspect
import textwrap
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from graph.settings import Settings

_MEANINGS = Path(__file__).with_name("settings.toml")

_FORMS = {
    "bytes": "bytes",
    "data_folder": "folder",
    "heap": "size such as `1g`",
    "names": "list",
    "networks": "list",
    "number": "whole number",
    "options": "words",
    "path": "path",
    "port": "port",
    "public_url": "URL",
    "seconds": "seconds",
    "share": "0 to 1",
    "signer": "command",
    "small_number": "whole number",
    "text": "text",
    "url": "URL",
}
"""The form of a value, by the method of `graph.environment.Environment` that reads it; `choice` lists its values."""

_INTRODUCTION = """\
# Settings

Environment variables, read once when a command starts. An empty variable counts as absent. Secrets have no default.
`a2ap doctor` examines them. `make pages` writes this page from the code.

Compose passes all of them on from `.env`, except the data folder, the address to listen on, the connection to Neo4j
and `A2AP_ENGINE_OPTIONS`. There `A2AP_BIND` and `A2AP_PORT` are the address and port of the host.

Commands that talk to a platform read `A2AP_URL` (its address), `A2AP_TOKEN` (a bearer token), `A2AP_KEY` (a key file),
`A2AP_KEY_PASSPHRASE` (the passphrase of an encrypted key file, which is asked for otherwise) and `A2AP_SIGNER` (a
signing command). `a2ap mcp --http` reads `A2AP_MCP_TOKEN` (the bearer token of its clients, 16 characters or more).
Commands that read the database itself, as `a2ap export` and `a2ap graph sparql` do without `--url`,
read none of these.
"""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable that the code reads, with the form of its value and its default as the page shows them."""

    name: str
    form: str
    default: str


def settings_page() -> str:
    """Return the page. Raises ValueError for a variable without a meaning, and for a meaning without a variable."""
    groups: dict[str, dict[str, Any]] = tomllib.loads(_MEANINGS.read_text(encoding="utf-8"))
    variables = read_variables()
    named = [name for group in groups.values() for name in group]
    if sorted(named) != sorted(variables):
        raise ValueError(f"{_MEANINGS.name} and the settings differ in {sorted(set(named) ^ set(variables))}")
    parts = [_INTRODUCTION]
    for title, group in groups.items():
        rows = [_row(variables[name], entry) for name, entry in group.items()]
        parts.append(
            f"## {title}\n\n| variable | form | default | meaning |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"
        )
    return "\n".join(parts)


def read_variables() -> dict[str, Variable]:
    """Return the variables that `Settings.from_environment` reads, from its own text."""
    defaults = {field.name: field.default for field in fields(Settings)}
    body = ast.parse(textwrap.dedent(inspect.getsource(Settings.from_environment)))
    found: dict[str, Variable] = {}
    for call in ast.walk(body):
        if isinstance(call, ast.keyword) and call.arg is not None:
            for reader in ast.walk(call.value):
                for name in _names(reader):
                    default = None if name.startswith("AWS_") else defaults[call.arg]
                    found[name] = Variable(name, _form(reader), _shown(default, _method(reader)))
    for reader in ast.walk(body):  # one that is read into a variable first
        for name in _names(reader):
            found.setdefault(name, Variable(name, _form(reader), ""))
    return found


def _names(node: ast.AST) -> tuple[str, ...]:
    """Return the variables that one expression reads: the first argument of a call of the environment's methods."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name("env"), attr="data_folder")):
            return ("A2AP_DATA",)
        case ast.Call(func=ast.Attribute(value=ast.Name("env")), args=[ast.Constant(value=str(name)), *_]):
            return (name,)
        case ast.comprehension(iter=ast.Name("OBJECT_OPTIONS")):
            from graph.settings import OBJECT_OPTIONS

            return OBJECT_OPTIONS
        case _:
            return ()


def _method(node: ast.AST) -> str:
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else "text"


def _form(node: ast.AST) -> str:
    method = _method(node)
    if method != "choice":
        return _FORMS[method]
    assert isinstance(node, ast.Call)
    choices = node.args[1]
    if isinstance(choices, ast.Tuple):
        return " or ".join(f"`{value}`" for value in ast.literal_eval(choices))
    return "boundary class"


def _shown(default: object, method: str) -> str:
    if default in (None, ()) or not isinstance(default, str | int | float):
        return ""
    if method == "bytes" and isinstance(default, int):
        return f"{default // 2**30} GiB" if default % 2**30 == 0 else f"{default // 2**20} MiB"
    return f"`{default:g}`" if isinstance(default, float) else f"`{default}`"


def _row(variable: Variable, entry: str | dict[str, str]) -> str:
    stated = {"means": entry} if isinstance(entry, str) else entry
    default = stated.get("default", variable.default)
    return f"| `{variable.name}` | {variable.form} | {default} | {stated['means']} |"
