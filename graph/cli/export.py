"""`a2ap export`: the graph, a selection of it or its changes, in many formats; `a2ap export verify` checks one."""

import asyncio
import os
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.filesize import decimal
from rich.progress import BarColumn, TaskProgressColumn, TextColumn

from a2ap.boundary import Boundary
from a2ap.durable_files import is_private
from a2ap.log.signed_note import VerifierKey
from a2ap.times import parse_instant
from graph.cli.errors import CommandError
from graph.cli.export_source import Asked, ExportSource, Local, Remote
from graph.cli.options import AsJson, Clearance, Data, Token, check_clearance, check_url, read_settings
from graph.cli.terminal import print_json, progress, remark, say
from graph.errors import InputError
from graph.export.format import ExportFormat
from graph.export.selection import Selection

KEY_BYTES = 32


def open_pseudonym_key(file: Path | None) -> bytes:
    """Return the key in a file, which is made if it does not exist; without a file, a new key."""
    if file is None:
        return secrets.token_bytes(KEY_BYTES)
    if not file.exists():
        key = secrets.token_bytes(KEY_BYTES)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as opened:
            opened.write(f"{key.hex()}\n")
        return key
    if not is_private(file):
        raise CommandError(f"others can read {file}; chmod 600 it")
    try:
        key = bytes.fromhex(file.read_text(encoding="ascii").strip())
    except ValueError as error:
        raise CommandError(f"{file} is not a key of pseudonyms: {2 * KEY_BYTES} hexadecimal digits") from error
    if len(key) != KEY_BYTES:
        raise CommandError(f"{file} is not a key of pseudonyms: {2 * KEY_BYTES} hexadecimal digits")
    return key


@contextmanager
def shown_progress() -> Iterator[Callable[[float, int], None]]:
    """Yield a function that is told the part that was read, from 0 to 1, and the number of bytes written."""
    columns = (TextColumn("Exporting"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[written]}"))
    with progress(*columns) as display:
        task = display.add_task("", total=1.0, written="")

        def report(part: float, written: int) -> None:
            display.update(task, completed=part, written=decimal(written))

        yield report


app = typer.Typer(
    help="Export messages and the graph, or check an export.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def export_graph(
    context: typer.Context,
    format: Annotated[ExportFormat, typer.Option("--format", help="The format.")] = ExportFormat.CYPHER,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The file to write, or the folder for several; without it, standard output."),
    ] = None,
    clearance: Clearance = Boundary.PUBLIC,
    size: Annotated[int | None, typer.Option("--size", min=0, help="Of the first so many entries of the log.")] = None,
    since: Annotated[
        int, typer.Option("--since", min=0, help="Only the changes since the log had this many entries.")
    ] = 0,
    query: Annotated[
        str | None, typer.Option("--query", "--topic", help="Only statements that a search for these words finds.")
    ] = None,
    agent: Annotated[
        list[str] | None, typer.Option("--agent", help="Only statements of this agent; repeatable.")
    ] = None,
    statement: Annotated[
        list[str] | None, typer.Option("--statement", help="Only this statement, by id or hash; repeatable.")
    ] = None,
    source_name: Annotated[
        str | None, typer.Option("--source", help="Only statements that cite this source, by its hash or a name of it.")
    ] = None,
    verified: Annotated[
        bool | None,
        typer.Option("--verified/--unverified", help="Only statements that are verified now, or that are not."),
    ] = None,
    received_from: Annotated[
        str | None, typer.Option("--from", help="Only statements received at this time or later (RFC 3339).")
    ] = None,
    received_until: Annotated[
        str | None, typer.Option("--until", help="Only statements received before this time (RFC 3339).")
    ] = None,
    entries: Annotated[
        str | None,
        typer.Option("--entries", help="Only statements among these entries of the log: FIRST:END, either left out."),
    ] = None,
    pseudonymize: Annotated[
        bool, typer.Option("--pseudonymize", help="Replace the names of agents and messages, for publication.")
    ] = False,
    pseudonym_key: Annotated[
        Path | None,
        typer.Option(
            "--pseudonym-key", help="The file with the key behind the pseudonyms, made where it is not there."
        ),
    ] = None,
    checked: Annotated[
        bool,
        typer.Option(
            "--checked", help="Compare the triples of each message with its JSON-LD expansion (turtle, trig, n-quads)."
        ),
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an export to --out that broke off.")] = False,
    data: Data = None,
    url: Annotated[
        str | None, typer.Option("--url", help="Ask a running platform instead of opening its database.")
    ] = None,
    token: Token = None,
) -> None:
    """Export the accepted messages and the graph.

    The export is read from the database that the settings name, or, with --url, from a running platform as far as
    --token is cleared. Beside the files of --out stands a manifest that the node signed.
    """
    if context.invoked_subcommand is not None:
        return
    check_clearance(clearance, url)
    if url is not None and pseudonym_key is not None:
        raise CommandError("with --url the platform takes a new key for pseudonyms, not --pseudonym-key")
    if resume and out is None:
        raise CommandError("--resume continues the files in --out, which is not named")
    selection = Selection(
        topic=query,
        agents=tuple(agent or ()),
        statements=tuple(statement or ()),
        source=source_name,
        verified=verified,
        received_from=parse_instant(received_from, "--from") if received_from else None,
        received_until=parse_instant(received_until, "--until") if received_until else None,
        **_entries(entries),
    )
    key = open_pseudonym_key(pseudonym_key) if pseudonymize or pseudonym_key is not None else None
    source: ExportSource = (
        Remote(check_url(url), token, pseudonymize=pseudonymize)
        if url is not None
        else Local(read_settings(data), clearance, key)
    )
    asyncio.run(_export(source, Asked(format, selection, size, since, checked), out, resume=resume))


async def _export(source: ExportSource, asked: Asked, out: Path | None, *, resume: bool) -> None:
    if out is None:
        async for piece in source.stream(asked):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    with shown_progress() as report:
        written = await source.write(asked, out, resume=resume, report=report)
    remark(f"{written.out} has the graph of {written.size} log entries; {written.manifest} says so")
    if not written.is_signed:
        remark("the manifest is not signed: the node's key is not here")


@app.command("verify")
def verify_export(
    path: Annotated[Path, typer.Argument(help="The exported file or folder, or its manifest.", show_default=False)],
    log_key: Annotated[
        str | None,
        typer.Option("--log-key", help="The verifier key of the log; the manifest's checkpoint is verified with it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check the files of an export against its manifest.

    Its signature is checked too, and with --log-key the log that it is of. Each fact, shown or not shown, is a line.
    """
    from graph.export.check_manifest import check_export

    checked = check_export(path, VerifierKey.parse(log_key) if log_key is not None else None)
    if as_json:
        print_json({"manifest": checked.manifest, "shown": list(checked.shown)})
        return
    for line in checked.shown:
        say(line)


def _entries(text: str | None) -> dict[str, int | None]:
    """Return the bounds that `FIRST:END` states. Raises InputError."""
    if text is None:
        return {}
    first, colon, end = text.partition(":")
    if not colon or not all(part == "" or (part.isascii() and part.isdigit()) for part in (first, end)):
        raise InputError(f"--entries is {text!r}, not FIRST:END", "entries")
    return {"entries_from": int(first) if first else None, "entries_until": int(end) if end else None}
