"""`a2ap pack`: Context Packs in a `.ctx` store: made, shown, verified, compared, forked and replayed."""

import asyncio
import platform
import sys
from pathlib import Path
from typing import Annotated

import typer

from a2ap.pack.archive import write_archive
from a2ap.pack.check_pack import held_as
from a2ap.pack.draft import draft_name, finalize_draft, fork_pack, upstream_hash
from a2ap.pack.drift import compare_packs
from a2ap.pack.execution_log import read_log
from a2ap.pack.finding import Finding, Severity
from a2ap.pack.go_time import time_at
from a2ap.pack.packing import pack_log
from a2ap.pack.read_manifest import read_manifest
from a2ap.pack.reference import pack_uri
from a2ap.pack.replay import Fidelity, Here, replay_pack
from graph.cli.errors import CommandError
from graph.cli.groups import command_group
from graph.cli.options import AsJson
from graph.cli.pack_store import (
    Ancestors,
    check_artifact,
    check_packs,
    check_store,
    lineage_of,
    open_store,
    other_packs,
    pack_beside,
    read_content,
    read_pack,
    read_versions,
)
from graph.cli.pack_text import print_drift, print_log, print_replay, print_reports, summary_of
from graph.cli.signing import now
from graph.cli.terminal import print_json, remark, say

app = command_group("Create, verify and submit Context Packs.")

# Upstream's exit statuses; the last is ours.
_STATUS = {Fidelity.EXACT: 0, Fidelity.DEGRADED: 1, Fidelity.FAILED: 2, Fidelity.UNCHECKED: 3}

Store = Annotated[
    Path | None,
    typer.Option(
        "--store", help="The folder with the .ctx store; without it, the nearest upwards.", show_default=False
    ),
]
Reference = Annotated[
    str, typer.Argument(metavar="PACK", help="sha256: or ctx:// and digits, or the first few.", show_default=False)
]
Created = Annotated[
    str | None, typer.Option("--created", help="The time of the pack, instead of now: the same again, the same hash.")
]


@app.command("create")
def create(
    log: Annotated[Path, typer.Argument(help="The execution log; - reads standard input.", allow_dash=True)],
    created: Created = None,
    parent: Annotated[str | None, typer.Option("--parent", help="The pack that this run follows.")] = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Make a pack of an execution log."""
    data = sys.stdin.buffer.read() if str(log) == "-" else log.read_bytes()
    folder = open_store(store, make=True)
    follows = folder.resolve(parent) if parent is not None else ""
    if follows:
        asyncio.run(read_pack(folder, follows))
    pack = pack_log(read_log(data), created or time_at(now()), follows)
    if not asyncio.run(folder.add(pack)):
        remark(f"{pack.hash} was here already")
    if as_json:
        print_json({"pack": pack.hash, "uri": pack_uri(pack.hash), "created": pack.manifest.created})
    else:
        say(pack_uri(pack.hash))


@app.command("show")
def show(
    pack: Reference,
    text: Annotated[bool, typer.Option("--text", help="Print the content of the pack in lines for people.")] = False,
    store: Store = None,
) -> None:
    """Print the manifest of a pack, byte for byte."""
    folder = open_store(store)
    name = folder.resolve(pack)
    data = asyncio.run(folder.manifest(name))
    if text:
        for line in summary_of(read_manifest(data).manifest, name):
            say(line)
        return
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


@app.command("cat")
def cat(
    reference: Annotated[str, typer.Argument(metavar="REF", help="The hash of content, as a manifest names it.")],
    store: Store = None,
) -> None:
    """Print content, byte for byte."""
    folder = open_store(store)
    sys.stdout.buffer.write(asyncio.run(folder.content.get(folder.resolve(reference))))
    sys.stdout.buffer.flush()


@app.command("verify")
def verify(
    pack: Annotated[list[str] | None, typer.Argument(metavar="[PACK]...", help="Without any, the whole store.")] = None,
    artifact: Annotated[
        Path | None,
        typer.Option("--artifact", help="A file that is to be an output of the pack; its .ctx.json may name the pack."),
    ] = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Hash a pack and its content again.

    Without a pack the whole store is verified. It ends with 1 if anything is missing or altered.
    """
    folder = open_store(store)
    named = pack_beside(artifact) if artifact is not None and not pack else pack
    if artifact is not None and len(named or ()) != 1:
        raise CommandError("--artifact is a file of one pack, and no .ctx.json beside it names one: name it")
    names = [folder.resolve(one) for one in named] if named else list(folder.names())
    reports = asyncio.run(check_packs(folder, names))
    general: list[Finding] = []
    if artifact is not None:
        general.extend(check_artifact(folder, artifact, reports[0]))
    if not named:
        general.extend(asyncio.run(check_store(folder)))
    print_reports(reports, general, as_json)
    broken = any(not report.holds for report in reports) or any(one.severity is Severity.ERROR for one in general)
    raise typer.Exit(1 if broken else 0)


@app.command("log")
def log_packs(
    first: Annotated[int, typer.Option("--first", min=1, help="How many to list.")] = 50,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """List the packs of a store, the newest first."""
    folder = open_store(store)
    print_log(asyncio.run(check_packs(folder, list(folder.names()), content=False)), first, as_json)


@app.command("diff")
def diff(pack_a: Reference, pack_b: Reference, store: Store = None, as_json: AsJson = False) -> None:
    """Compare two packs."""
    folder = open_store(store)
    first, second = folder.resolve(pack_a), folder.resolve(pack_b)
    found = [asyncio.run(read_pack(folder, name)) for name in (first, second)]
    print_drift(first, second, compare_packs(*(one.manifest for one in found)), as_json)


@app.command("fork")
def fork(pack: Reference, store: Store = None) -> None:
    """Write a draft that follows a pack, to be edited."""
    folder = open_store(store)
    name = folder.resolve(pack)
    found = asyncio.run(read_pack(folder, name))
    say(str(folder.write_draft(draft_name(name), fork_pack(found.manifest, name))))


@app.command("finalize")
def finalize(
    draft: Annotated[Path, typer.Argument(help="The draft, as `a2ap pack fork` writes it.")],
    created: Created = None,
    add: Annotated[
        list[Path] | None, typer.Option("--add", help="A file whose content the draft names by its hash; repeatable.")
    ] = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Make a pack of a draft.

    The draft is then removed, as upstream's tool does. The pack is in canonical form, which upstream's are not.
    """
    folder = open_store(store)
    data = draft.read_bytes()
    manifest = read_manifest(data).manifest
    blobs = {held_as(content).hash: content for content in (file.read_bytes() for file in add or ())}
    blobs |= asyncio.run(read_content(folder, [name for name in manifest.blobs if name not in blobs]))
    pack = finalize_draft(data, created or time_at(now()), blobs)
    asyncio.run(read_pack(folder, pack.manifest.parent))
    asyncio.run(folder.add(pack))
    draft.unlink()
    other = upstream_hash(pack)
    remark(f"upstream's tool would keep it as {pack_uri(other)}, which is not the hash of its canonical manifest")
    if as_json:
        print_json({"pack": pack.hash, "uri": pack_uri(pack.hash), "upstreamHash": other})
    else:
        say(pack_uri(pack.hash))


@app.command("replay")
def replay(
    pack: Reference,
    runtime: Annotated[str | None, typer.Option("--runtime", help="The runtime that is here.")] = None,
    tool: Annotated[
        list[str] | None, typer.Option("--tool", help="A tool that is here, NAME=VERSION; repeatable.")
    ] = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Check claims of determinism against all records.

    No tool is run and no file outside the store is opened. It ends with 0 if every claim is confirmed, 1 if one is
    refuted, 2 if recorded output is lost, and 3 if there is nothing to compare with.
    """
    folder = open_store(store)
    name = folder.resolve(pack)
    found = asyncio.run(read_pack(folder, name))
    held = asyncio.run(folder.held(found.manifest.blobs))
    others = asyncio.run(other_packs(folder, name))
    here = Here(platform.system().lower(), runtime, read_versions(tool or ()))
    replayed = replay_pack(found.manifest, held, others, here)
    print_replay(name, replayed, as_json)
    raise typer.Exit(_STATUS[replayed.fidelity])


@app.command("export")
def export(
    pack: Reference,
    out: Annotated[Path | None, typer.Option("--out", help="The tar file, instead of standard output.")] = None,
    ancestors: Annotated[
        Ancestors, typer.Option("--ancestors", help="Whether the packs that it follows go with it.")
    ] = Ancestors.NONE,
    store: Store = None,
) -> None:
    """Write a pack and its content as a tar file.

    It is a store in small: `tar x` unpacks it for upstream's tool, and `POST /packs` takes it.
    """
    folder = open_store(store)
    packs = asyncio.run(lineage_of(folder, folder.resolve(pack), ancestors))
    data = write_archive(packs)
    if out is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        out.write_bytes(data)
