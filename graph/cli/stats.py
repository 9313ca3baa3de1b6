"""`a2ap log stats`: counts of the log over time."""

from typing import Annotated, Any

import typer

from graph.cli.options import DEFAULT_URL, AsJson, Token, Url, open_client
from graph.cli.table import print_table
from graph.cli.terminal import print_json, remark
from graph.lists.over_time import TimeBucket

_COLUMNS = ("statements", "verdicts", "validated", "challenged", "agents", "sources", "requests", "retractions")


def stats(
    by: Annotated[
        TimeBucket, typer.Option("--by", case_sensitive=False, help="How long each bucket of time is.")
    ] = TimeBucket.DAY,
    start: Annotated[str | None, typer.Option("--from", help="The first has this time, as RFC 3339 writes it.")] = None,
    end: Annotated[str | None, typer.Option("--to", help="The last ends here or later.")] = None,
    total: Annotated[bool, typer.Option("--total", help="Count from the first entry of the log on.")] = False,
    as_of: Annotated[int | None, typer.Option("--as-of", min=1, help="As it was at this size of the log.")] = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Count the entries of the log by buckets of time.

    Hours, days, weeks or months, by the time at which the log took an entry in, not by the times that messages state.
    """
    with open_client(url, token) as client:
        found = client.stats_over_time(by.value, start, end, as_of=as_of)
    if as_json:
        print_json(found)
        return
    print_table(("from", *_COLUMNS), [_row(one, "total" if total else "counts") for one in found["buckets"]])
    remark(f"as of {found['asOf']} log entries; times are UTC")


def _row(bucket: dict[str, Any], counted: str) -> list[Any]:
    return [bucket["start"], *(bucket[counted][column] for column in _COLUMNS)]
