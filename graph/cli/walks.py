"""`a2ap graph path`, `impact` and `blast-radius`: how two things are connected, and the things that rest on one."""

from typing import Annotated, Any

import typer

from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, AsJson, Token, Url, open_client
from graph.cli.pages import Page, walk_pages
from graph.cli.terminal import counted, print_json, remark, say
from graph.lineage.path import DEFAULT_LENGTH, MAX_LENGTH
from graph.lineage.walk import Kind, Relation


def path(
    start: Annotated[str, typer.Argument(metavar="FROM", help="A thing in the graph, by its hash or its id.")],
    end: Annotated[str, typer.Argument(metavar="TO", help="Anything else.")],
    max_length: Annotated[
        int, typer.Option("--max-length", min=1, max=MAX_LENGTH, help="How many steps a path has at most.")
    ] = DEFAULT_LENGTH,
    relations: Annotated[
        list[Relation] | None, typer.Option("--relation", help="By which relations alone; repeatable.")
    ] = None,
    forward: Annotated[bool, typer.Option("--forward", help="Only to items that FROM itself rests on.")] = False,
    first: Annotated[int, typer.Option("--first", min=1, max=200, help="How many paths at most.")] = 5,
    as_of: Annotated[int | None, typer.Option("--as-of", min=1, help="As it was at this size of the log.")] = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Show how two things are connected, by the shortest paths.

    Agents, statements, verdicts, sources and their passages, passports, packs and packets.
    """
    with open_client(url, token) as client:
        found = client.paths(
            start,
            end,
            max_length=max_length,
            relations=[one.value for one in relations] if relations else None,
            direction="FORWARD" if forward else None,
            as_of=as_of,
            first=first,
        )
    if as_json:
        print_json(found)
        return
    for number, one in enumerate(found["paths"]):
        if number:
            say("")
        say(_name(one["start"]))
        for step in one["steps"]:
            say(f"{_arrow(step)} {_name(step['to'])}")
    remark(_told(found))


def _arrow(step: dict[str, Any]) -> str:
    relation = step["relation"].lower().replace("_", " ")
    return f"-- {relation} -->" if step["direction"] == "FORWARD" else f"<-- {relation} --"


def _name(thing: dict[str, Any]) -> str:
    return f"{thing['kind'].lower()} {thing['id'] or thing['name']}"


def _told(found: dict[str, Any]) -> str:
    if found["length"] is not None:
        total = "more than 10,000 paths" if found["total"] is None else counted(found["total"], "path")
        return f"{total} of {counted(found['length'], 'step')} as of {found['asOf']} log entries"
    if found["complete"]:
        return f"nothing connects them as of {found['asOf']} log entries"
    return f"nothing was found as of {found['asOf']} log entries, and not everything was looked at"


def impact(
    of: Annotated[str, typer.Argument(help="A thing in the graph, by its hash or its id.")],
    kind: Annotated[
        Kind | None, typer.Option("--kind", help="The type of the thing, if others have the same name.")
    ] = None,
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
        say(_line_of(item))
    counts = ", ".join(f"{one['count']} {one['kind'].lower().replace('_', ' ')}" for one in pages[0]["counts"])
    remark(f"{pages[0]['total']} as of {pages[0]['asOf']} log entries{': ' if counts else ''}{counts}")
    if not pages[0]["complete"]:
        remark("the walk was cut short: there is more")


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
                say(_line_of(item))
            if number == 0:
                remark(
                    f"{page['total']} as of {page['asOf']} log entries: {page['statements']} statements, "
                    f"{page['verifications']} verdicts, {page['keys']} keys, {page['vouchedFor']} agents vouched for"
                )
                if not page["complete"]:
                    remark("the walk was cut short: there is more")


def _line_of(item: dict[str, Any]) -> str:
    """Return the line that shows an item: its distance, its kind and name, and the item that it rests on."""
    name = item["messageId"] if item["kind"] in ("STATEMENT", "VERIFICATION") else item["name"]
    kind, relation = (item[field].lower().replace("_", " ") for field in ("kind", "relation"))
    return f"{item['depth']}  {kind} {name}  {relation} {item['parent']}  (entry {item['logIndex']})"
