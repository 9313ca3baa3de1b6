"""`a2ap graph path`: the shortest connections between two things."""

from typing import Annotated, Any

import typer

from graph.cli.options import DEFAULT_URL, AsJson, Token, Url, open_client
from graph.cli.terminal import counted, print_json, remark, say
from graph.lineage.path import DEFAULT_LENGTH, MAX_LENGTH
from graph.lineage.walk import Relation


def path(
    start: Annotated[str, typer.Argument(metavar="FROM", help="Anything, by its hash or by what it calls itself.")],
    end: Annotated[str, typer.Argument(metavar="TO", help="Anything else.")],
    max_length: Annotated[
        int, typer.Option("--max-length", min=1, max=MAX_LENGTH, help="How many steps a path has at most.")
    ] = DEFAULT_LENGTH,
    relations: Annotated[
        list[Relation] | None, typer.Option("--relation", help="By which relations alone; repeatable.")
    ] = None,
    forward: Annotated[bool, typer.Option("--forward", help="Only to what FROM itself rests on.")] = False,
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
