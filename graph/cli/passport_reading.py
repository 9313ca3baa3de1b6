"""`a2ap passport verify`, `show` and `replay`: the findings about a chain, its records and its states."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from a2ap.passport.check_chain import check_chain
from a2ap.passport.finding import Status
from a2ap.passport.replay import replay_chain
from graph.cli.errors import CommandError
from graph.cli.options import AsJson
from graph.cli.passport_file import find_passport, read_file, read_keys, read_seen
from graph.cli.passport_options import File, KnownKeys
from graph.cli.passport_text import print_replay, print_report, show_record


def verify(
    file: File,
    known_key: KnownKeys = None,
    seen: Annotated[
        list[Path] | None,
        typer.Option("--seen", help="A file with records that you have from elsewhere; repeatable."),
    ] = None,
    head: Annotated[
        str | None, typer.Option("--head", help="The integrity hash that the chain must end in, sha256:…")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Verify a chain, and print each finding.

    Ends with 0 only if the chain is valid: neither broken nor in part impossible to check.
    """
    report = check_chain(read_file(file), known_keys=read_keys(known_key), seen=read_seen(seen or ()), head=head)
    print_report(report, as_json)
    if report.status is not Status.VALID:
        raise typer.Exit(1)


def show(
    file: File,
    passport_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="One record; without it, all.")] = None,
    known_key: KnownKeys = None,
    raw: Annotated[bool, typer.Option("--raw", help="Print the bytes of the record as they were received.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the records of a chain, each with its findings."""
    chain = read_file(file)
    wanted = find_passport(chain, passport_id) if passport_id is not None else None
    if raw:
        if wanted is None:
            raise CommandError("--raw shows one record: name it")
        sys.stdout.buffer.write(wanted.data)
        sys.stdout.buffer.flush()
        return
    report = check_chain(chain, known_keys=read_keys(known_key))
    shown = [one for one in report.records if wanted is None or one.passport is wanted]
    show_record(shown, report.hidden, as_json)


def replay(
    file: File,
    at: Annotated[str | None, typer.Option("--at", help="Only the state at this record.")] = None,
    known_key: KnownKeys = None,
    as_json: AsJson = False,
) -> None:
    """Rebuild the state at each record of a chain."""
    chain = read_file(file)
    wanted = find_passport(chain, at) if at is not None else None
    steps = replay_chain(chain, check_chain(chain, known_keys=read_keys(known_key)))
    print_replay([step for step in steps if wanted is None or step.passport is wanted], as_json)
