"""`a2ap graph blast-radius`: everything that rests on a key, an agent, a source or a statement."""

from typing import Annotated, Any

import typer

from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, AsJson, Token, Url, open_client
from graph.cli.pages import Page, walk_pages
from graph.cli.terminal import print_json, remark, say


def blast_radius(
    key: Annotated[str | None, typer.Option("--of-key", help="The id of a key.")] = None,
    agent: Annotated[str | None, typer.Option("--of-agent", help="The id of an agent.")] = None,
    source: Annotated[str | None, typer.Option("--of-source", help="A source, by hash or by name.")] = None,
    statement: Annotated[str | None, typer.Option("--of-statement", help="A statement, by hash or by id.")] = None,
    as_of: Annotated[int | None, typer.Option("--as-of", min=1, help="As it was at this size of the log.")] = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Show all that rests on a key, agent or source.

    Statements that cite, support or revise, verdicts and the statements that they reach, and the agents vouched for.
    """
    given = {"key": key, "agent": agent, "source": source, "statement": statement}
    named = [(of, name) for of, name in given.items() if name is not None]
    if len(named) != 1:
        raise CommandError("give one of --of-key, --of-agent, --of-source and --of-statement")
    of, name = named[0]
    with open_client(url, token) as client:

        def read(size: int | None, after: str | None) -> Page:
            return client.blast_radius(of, name, as_of=size, after=after)

        walk = walk_pages(read, "items", as_of)
        if as_json:
            pages = list(walk)
            items = [item for page in pages for item in page["items"]["nodes"]]
            print_json({**pages[-1], "items": items})
            return
        for number, page in enumerate(walk):
            for item in page["items"]["nodes"]:
                say(line_of(item))
            if number == 0:
                remark(
                    f"{page['total']} as of {page['asOf']} log entries: {page['statements']} statements, "
                    f"{page['verifications']} verdicts, {page['keys']} keys, {page['vouchedFor']} agents vouched for"
                )
                if not page["complete"]:
                    remark("the walk was cut short: there is more")


def line_of(item: dict[str, Any]) -> str:
    """Return the line that shows an item: its distance, its kind and name, and the item that it rests on."""
    name = item["messageId"] if item["kind"] in ("STATEMENT", "VERIFICATION") else item["name"]
    kind, relation = (item[field].lower().replace("_", " ") for field in ("kind", "relation"))
    return f"{item['depth']}  {kind} {name}  {relation} {item['parent']}  (entry {item['logIndex']})"
