"""`a2ap graph impact`: everything that rests on a named thing, and would fall with it."""

from typing import Annotated

import typer

from graph.cli.blast_radius import line_of
from graph.cli.options import DEFAULT_URL, AsJson, Token, Url, open_client
from graph.cli.pages import Page, walk_pages
from graph.cli.terminal import print_json, remark, say
from graph.lineage.walk import Kind


def impact(
    of: Annotated[str, typer.Argument(help="Anything, by its hash or by what it calls itself.")],
    kind: Annotated[Kind | None, typer.Option("--kind", help="What it is, where others have that name.")] = None,
    as_of: Annotated[int | None, typer.Option("--as-of", min=1, help="As it was at this size of the log.")] = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Show all that rests on something, nearest first.

    A key, an agent, a source, a passage, a statement, a verdict, a passport, a pack or a packet.
    """
    with open_client(url, token) as client:

        def read(size: int | None, after: str | None) -> Page:
            return client.impact(of, kind=kind, as_of=size, after=after)

        pages = list(walk_pages(read, "items", as_of))
    items = [item for page in pages for item in page["items"]["nodes"]]
    if as_json:
        print_json({**pages[-1], "items": items})
        return
    for item in items:
        say(line_of(item))
    counts = ", ".join(f"{one['count']} {one['kind'].lower().replace('_', ' ')}" for one in pages[0]["counts"])
    remark(f"{pages[0]['total']} as of {pages[0]['asOf']} log entries{': ' if counts else ''}{counts}")
    if not pages[0]["complete"]:
        remark("the walk was cut short: there is more")
