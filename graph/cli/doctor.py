"""`a2ap doctor`: the health of a node: its settings, its data folder, its log, and its answers."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from graph.cli.options import AsJson, Data, check_url, read_settings
from graph.cli.signing import now
from graph.cli.terminal import counted, in_words, print_json, say
from graph.doctor.finding import Finding, Level, problem
from graph.settings import SettingsError

_MEBIBYTE = 2**20


def doctor(
    url: Annotated[
        str | None,
        typer.Option(
            "--url",
            envvar="A2AP_URL",
            help="Where the node answers, instead of A2AP_HOST and A2AP_PORT.",
            show_default=False,
        ),
    ] = None,
    least_free: Annotated[
        int, typer.Option("--least-free", min=1, help="The MiB that should be free in the data folder.")
    ] = 1024,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Examine a node, and list its problems.

    Each line is a check: ok, warning or problem, with the cause and the remedy. Nothing is changed, and requests go
    only to the node and its database. Exit status 0: there is no problem. 1: there is at least one.
    """
    findings = asyncio.run(_findings(url, least_free * _MEBIBYTE, data))
    problems, warnings = (
        sum(finding.level is level for finding in findings) for level in (Level.PROBLEM, Level.WARNING)
    )
    if as_json:
        members = [finding.members for finding in findings]
        print_json({"problems": problems, "warnings": warnings, "findings": members})
    else:
        for finding in findings:
            say(finding.line)
        say(in_words([counted(problems, "problem"), counted(warnings, "warning")]))
    if problems:
        raise typer.Exit(1)


async def _findings(url: str | None, wanted_space: int, data: Path | None) -> list[Finding]:
    # The driver takes a while to load, and most commands need no database.
    from graph.doctor.examination import examine

    try:
        settings = read_settings(data)
    except SettingsError as error:
        return [problem("settings", str(error), "correct that setting (docs/reference/settings.md)")]
    return await examine(settings, None if url is None else check_url(url), wanted_space, now())
