"""`a2ap statement lineage`: the story of a statement, from the first input to its present state."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from graph.cli.options import DEFAULT_URL, AsJson, Token, Url, open_client
from graph.cli.pages import Page, walk_pages
from graph.cli.terminal import print_json, remark, say


def lineage(
    statement: Annotated[str, typer.Argument(help="A statement, by hash or by id.")],
    as_of: Annotated[int | None, typer.Option("--as-of", min=1, help="As it was at this size of the log.")] = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Tell the whole story of a statement, causes first.

    The inputs of its author, its steps, the sources that it cites, and its verdicts with their authors.
    """
    with open_client(url, token) as client:

        def read(size: int | None, after: str | None) -> Page:
            return client.lineage(statement, as_of=size, after=after)

        pages = list(walk_pages(read, "events", as_of))
    events = [event for page in pages for event in page["events"]["nodes"]]
    if as_json:
        print_json({**pages[-1], "events": events})
        return
    numbers = {(event["kind"], event["name"]): event["position"] + 1 for event in events}
    for event in events:
        for line in _lines(event, numbers):
            say(line)
    remark(f"{len(events)} parts as of {pages[0]['asOf']} log entries")
    if not pages[0]["complete"]:
        remark("the story was cut short: there is more")


def _lines(event: dict[str, Any], numbers: dict[tuple[str, str], int]) -> Iterator[str]:
    who = f" by {event['agent']}" if event["agent"] else ""
    place = "" if event["logIndex"] is None else f"  (entry {event['logIndex']}{who})"
    name = event["id"] or event["name"]
    yield f"{event['position'] + 1}  {_words(event['kind'])} {name}{place}"
    for cause in event["causes"]:
        number = numbers.get((cause["kind"], cause["name"]))
        what = f"{_words(cause['kind'])} {cause['name']}" if number is None else str(number)
        yield f"     {_words(cause['relation'])} {what}"


def _words(name: str) -> str:
    return name.lower().replace("_", " ")
