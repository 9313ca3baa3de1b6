"""`a2ap graph cypher`: a query in Cypher by its name, or a query of your own, which may only read."""

import json
from typing import Annotated, Any

import typer

from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, AsJson, Token, Url, open_client
from graph.cli.table import print_table
from graph.cli.terminal import counted, print_json, remark, say, waiting

_QUERY = """
query Cypher($name: String, $text: String, $parameters: JSON) {
  cypher(name: $name, text: $text, parameters: $parameters) { cypher parameters columns rows truncated withheld }
}
"""


def cypher(
    name: Annotated[str | None, typer.Argument(help="The name of a query, such as examples/agreements.")] = None,
    text: Annotated[str | None, typer.Option("--text", help="A query of your own, instead of a name.")] = None,
    parameters: Annotated[
        list[str] | None, typer.Option("--parameter", help="NAME=VALUE, for each parameter; JSON or a text.")
    ] = None,
    show_names: Annotated[bool, typer.Option("--list", help="Print the names of the queries that there are.")] = False,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Run a query in Cypher on the platform, and print its rows."""
    if show_names:
        _print_names()
        return
    if (name is None) == (text is None):
        raise CommandError("give the name of a query, or --text with your own")
    values = dict(_parameter(one) for one in parameters or ())
    with open_client(url, token) as client, waiting("Asking"):
        found = client.graphql(_QUERY, {"name": name, "text": text, "parameters": values})["cypher"]
    if as_json:
        print_json(found)
        return
    print_table(found["columns"], found["rows"])
    remark(counted(len(found["rows"]), "row") + (", and there are more" if found["truncated"] else ""))
    if found["withheld"]:
        remark("Words of sources are withheld from you.")


def _print_names() -> None:
    from cypher import load_query
    from graph.answers.own_query import own_query_names

    for name in own_query_names():
        query = load_query(name)
        names = "".join(f" ${one}" for one in sorted(query.parameters))
        say(f"{name}{names}: {query.doc}")


def _parameter(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise CommandError(f"--parameter {text!r} is not NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
