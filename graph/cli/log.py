"""`a2ap log`: the log as files, its entries of an agent, the key that signs it, and a change of that key."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

from a2ap.boundary import Boundary
from a2ap.key_file import read_key_file
from a2ap.log.checkpoint import read_checkpoint
from a2ap.log.signed_note import VerifierKey, read_note
from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, AsJson, Data, Url, open_client, read_settings
from graph.cli.terminal import print_json, progress, say
from graph.keys.node_signers import open_log_signer, open_node
from graph.settings import Settings

_PAGE = 100
_ENTRIES = """query ($agent: ID!, $first: Int!, $logFrom: Int!) {
  logEntries(filter: {agent: $agent, logFrom: $logFrom}, first: $first) {
    nodes { logIndex receivedAt type id key signedHash }
  }
}"""
_AGENT = "query ($agent: ID!) { agent(id: $agent) { id } }"


def export(
    folder: Annotated[Path, typer.Argument(help="The folder to write to; an export that is there is continued.")],
    documents: Annotated[
        bool, typer.Option("--documents", help="Also the documents and sources, for `a2ap log audit`.")
    ] = False,
    graph: Annotated[bool, typer.Option("--graph", help="Also the rows of the graph, for `a2ap log audit`.")] = False,
    clearance: Annotated[
        Boundary,
        typer.Option(
            "--clearance", help="The clearance of the reader: documents and rows of a stricter class are left out."
        ),
    ] = Boundary.PUBLIC,
    data: Data = None,
) -> None:
    """Write the log for a static file server.

    Checkpoint, tiles and entry bundles are laid out as C2SP tlog-tiles requires.
    """
    size = asyncio.run(_export(read_settings(data), folder, documents, graph, clearance))
    say(f"{size} entries are in {folder}")


def entries(
    agent: Annotated[str, typer.Argument(help="The agent whose messages they are.", show_default=False)],
    after: Annotated[int, typer.Option("--after", min=-1, help="Only those behind this place of the log.")] = -1,
    first: Annotated[int, typer.Option("--first", min=1, help="So many at most.")] = 1000,
    url: Url = DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """List the log's entries of an agent.

    Each line has the place in the log, the time of receipt, the type, the id and the key that signed. `a2ap key revoke
    --since` takes such a place.
    """
    found: list[dict[str, Any]] = []
    with open_client(url) as client:
        while len(found) < first:
            asked = {"agent": agent, "first": min(_PAGE, first - len(found)), "logFrom": after + 1}
            page = client.graphql(_ENTRIES, asked)["logEntries"]["nodes"]
            if not page:
                break
            found += page
            after = page[-1]["logIndex"]
        if not found and client.graphql(_AGENT, {"agent": agent})["agent"] is None:
            raise CommandError(f"{url} knows no agent {agent}")
    if as_json:
        print_json({"entries": found})
        return
    for entry in found:
        say(f"{entry['logIndex']}  {entry['receivedAt']}  {entry['type']}  {entry['id']}  {entry['key']}")


def key(
    data: Data = None,
    url: Annotated[
        str | None, typer.Option("--url", help="Ask a running platform instead of reading the key file.")
    ] = None,
) -> None:
    """Print the verifier key that the log is signed with.

    It is public: anybody can check receipts, checkpoints and the whole log with it.
    """
    if url is not None:
        with open_client(url) as client:
            typer.echo(client.graphql("{ log { key } }")["log"]["key"])
        return
    settings = read_settings(data)
    signer = open_log_signer(settings)
    if signer is not None:
        typer.echo(VerifierKey(open_node(settings).origin, signer.public_key).text)
        return
    file = settings.log_key or settings.data / "log.key"
    if not file.exists():
        raise CommandError(f"there is no log key {file}; `a2ap serve` makes one")
    found = read_key_file(file)
    typer.echo(VerifierKey(found.agent_id, found.key.public_key).text)


def rotate(data: Data = None) -> None:
    """Hand the log to a new key.

    The old key signs the new one and an entry of the log says so; then the new key replaces the old in its file.
    Servers of the same graph that read another copy of the file stop signing until it is replaced.
    """
    typer.echo(asyncio.run(_rotate(read_settings(data))))


async def _export(settings: Settings, folder: Path, documents: bool, graph: bool, clearance: Boundary) -> int:
    # The driver takes a while to load, and most commands need no database.
    from graph.audit.folder_export import export_documents, export_graph
    from graph.audit.folder_node import CHECKPOINT, LOG_KEY
    from graph.platform import open_platform
    from graph.transparency.static_export import export_log

    async with open_platform(settings) as platform:
        with progress(TextColumn("Exporting the log"), BarColumn(), MofNCompleteColumn()) as display:
            task = display.add_task("", total=None)
            async for done in export_log(platform.log, folder):
                display.update(task, completed=done)
        size = read_checkpoint(read_note((folder / CHECKPOINT).read_text(encoding="utf-8")).text).tree_size
        (folder / LOG_KEY).write_text(platform.log.verifier_key.text + "\n", encoding="utf-8")
        if documents:
            await export_documents(platform.store, platform.content, folder, size, clearance)
        if graph:
            await export_graph(platform.store, platform.content, folder, size, clearance)
        return size


async def _rotate(settings: Settings) -> str:
    from graph.platform import open_platform, utc_now
    from graph.submission.log_key_rotation import rotate_log_key

    async with open_platform(settings) as platform:
        await rotate_log_key(platform.node, platform.log, platform.append, utc_now)
        return platform.log.verifier_key.text
