"""`a2ap peer`: agreements with other nodes, and what is taken from them."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from a2ap.boundary import Boundary
from a2ap.errors import KeyFormatError
from a2ap.keys import PublicKey
from a2ap.log.entry import entry_bytes
from a2ap.log.signed_note import VerifierKey
from a2ap.peer_agreement import PeerQuota
from graph.cli.errors import CommandError
from graph.cli.groups import command_group
from graph.cli.options import AsJson, Data, read_settings
from graph.cli.terminal import print_json, remark, say

if TYPE_CHECKING:
    from graph.federation.agreements import Agreement
    from graph.federation.here import Here

ENTRIES_PER_PULL = 100_000
BYTES_PER_DAY = 2**30
FORKED_STATUS = 3
"""The exit status where the log of a peer contradicts itself, as that of `a2ap audit`."""

Origin = Annotated[str, typer.Argument(help="The peer's log, urn:agent:a2ap-node:….", show_default=False)]

app = command_group("Other nodes: what is agreed with them, and what is taken from them.")


@app.command("add")
def add(
    url: Annotated[str, typer.Argument(help="Where the peer answers.", show_default=False)],
    log_key: Annotated[
        str, typer.Option("--log-key", help="The verifier key of its log, from its operator.", show_default=False)
    ],
    transport_key: Annotated[
        str | None,
        typer.Option("--transport-key", help="The did:key that signs its requests, or `none`: it reads as anybody."),
    ] = None,
    clearance: Annotated[
        Boundary | None, typer.Option("--clearance", help="What it may read here.", show_default="public")
    ] = None,
    entries_per_pull: Annotated[
        int | None,
        typer.Option(
            "--entries-per-pull",
            min=0,
            help="How many entries of its log are taken in one pull.",
            show_default=f"{ENTRIES_PER_PULL}",
        ),
    ] = None,
    bytes_per_day: Annotated[
        int | None,
        typer.Option(
            "--bytes-per-day", min=0, help="How many bytes it may give in a day.", show_default=f"{BYTES_PER_DAY}"
        ),
    ] = None,
    private: Annotated[
        bool | None,
        typer.Option("--private/--public", help="Let its name lead into a private network.", show_default="public"),
    ] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Agree with a peer, or change what is agreed.

    What no option names stays as it was agreed. A suspended peer is pulled again. The agreement is a message that the
    node signs, and stands in its log.
    """
    try:
        key = VerifierKey.parse(log_key)
        transport = PublicKey.from_did_key(transport_key) if transport_key not in (None, "none") else None
    except KeyFormatError as error:
        raise CommandError(str(error)) from error
    stated: dict[str, Any] = {"clearance": clearance, "private_address": private}
    stated |= {"entries_per_pull": entries_per_pull, "bytes_per_day": bytes_per_day}
    changes = {name: value for name, value in stated.items() if value is not None}
    if transport_key is not None:
        changes["transport_key"] = transport
    agreement, log_index = asyncio.run(_agree(data, key, url.rstrip("/"), changes))
    if agreement.clearance is not Boundary.PUBLIC and read_settings(data).public_url is None:
        remark("A2AP_PUBLIC_URL is not set here: a node without it gives what peers sign no more than anybody gets")
    if as_json:
        print_json({"origin": agreement.origin, "logIndex": log_index})
    else:
        say(f"{agreement.origin} is a peer by entry {log_index}, and reads what is {agreement.clearance}")


@app.command("list")
def list_peers(data: Data = None, as_json: AsJson = False) -> None:
    """List the peers, what is agreed, and how far each is read."""
    found = asyncio.run(_list(data))
    if as_json:
        print_json({"peers": found})
        return
    for peer in found:
        state = "suspended" if peer["suspended"] else "pulled"
        say(f"{peer['origin']}  {peer['url']}  {peer['clearance']}  {state}")
        say(f"  {peer['position']} of {peer['checked']} entries gone through, {peer['waiting']} wait")
        if peer["fault"]:
            say(f"  {peer['fault']}")


@app.command("pull")
def pull(
    origin: Annotated[str | None, typer.Argument(help="The peer; without it, all of them.", show_default=False)] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Take in what peers have that is not here.

    Exit status 1: a peer was not pulled to the end; the others were pulled all the same. 3: the log of a peer
    contradicts itself.
    """
    reports, failures, forked = asyncio.run(_pull(data, origin))
    if as_json:
        print_json({"pulled": reports, "failed": failures, "forked": forked})
    else:
        for report in reports:
            say(f"{report['origin']}: {report['taken']} taken, {report['waiting']} wait, {report['left']} not taken")
            if report["stopped"]:
                remark(f"{report['origin']}: {report['stopped']}; the rest comes with the next pull")
    for name, why in failures.items():
        if name in forked:
            remark(f"the log of {name} contradicts itself, and /log/equivocations shows it to everybody: {why}")
        else:
            remark(f"{name} was not pulled to the end: {why}")
    if forked:
        raise typer.Exit(FORKED_STATUS)
    if failures:
        raise typer.Exit(1)


@app.command("remove")
def remove(origin: Origin, data: Data = None) -> None:
    """Suspend a peer.

    It is not pulled any more, and reads as anybody does. What was taken stays.
    """
    log_index = asyncio.run(_suspend(data, origin))
    say(f"{origin} is suspended by entry {log_index}")


@app.command("proof")
def proof(
    origin: Origin,
    log_index: Annotated[int, typer.Argument(min=0, help="The place in the peer's log.", show_default=False)],
    data: Data = None,
) -> None:
    """Print the proof that an entry is in a peer's log.

    The entry comes first; below an empty line follows the proof (C2SP tlog-proof).
    """
    text = asyncio.run(_prove(data, origin, log_index))
    typer.echo(text, nl=False)


@app.command("key")
def key(data: Data = None) -> None:
    """Print this node's transport key, for a peer's operator."""
    from graph.federation.transport_key import load_transport_key
    from graph.keys.node_signers import open_node

    settings = read_settings(data)
    say(load_transport_key(settings, open_node(settings).origin).public_key.did_key)


@asynccontextmanager
async def _here(data: Path | None) -> "AsyncIterator[Here]":
    # The driver takes a while to load, and most commands need no database.
    from graph.federation.here import Here
    from graph.platform import open_platform

    async with open_platform(read_settings(data)) as platform:
        yield Here.of(platform)


async def _append(here: "Here", agreement: "Agreement") -> int:
    from graph.log.batch_plan import Submission

    (outcome,) = await here.append([Submission(agreement.message(here.node, here.clock()))])
    if isinstance(outcome, Exception):
        raise outcome
    return outcome.entry.log_index


async def _agree(data: Path | None, key: VerifierKey, url: str, changes: Mapping[str, Any]) -> "tuple[Agreement, int]":
    """Agree with a peer on what is agreed with it already, as far as nothing of it is changed."""
    from graph.errors import NotFoundError
    from graph.federation.agreements import Agreement, agreement_with

    terms = dict(changes)
    limits = {name: terms.pop(name) for name in ("entries_per_pull", "bytes_per_day") if name in terms}
    async with _here(data) as here:
        try:
            known = await agreement_with(here.store, key.name)
        except NotFoundError:
            quota = PeerQuota(ENTRIES_PER_PULL, BYTES_PER_DAY)
            known = Agreement(key.name, url, key, None, Boundary.PUBLIC, quota)
        quota = replace(known.quota, **limits)
        agreement = replace(known, url=url, log_key=key, quota=quota, suspended=False, **terms)
        return agreement, await _append(here, agreement)


async def _suspend(data: Path | None, origin: str) -> int:
    from graph.federation.agreements import agreement_with, suspended

    async with _here(data) as here:
        return await _append(here, suspended(await agreement_with(here.store, origin)))


async def _list(data: Path | None) -> list[dict[str, Any]]:
    from graph.federation.agreements import list_agreements
    from graph.federation.peer_folder import folder_of, read_progress

    found = []
    async with _here(data) as here:
        for agreement in await list_agreements(here.store):
            progress = read_progress(folder_of(here.data, agreement.origin))
            found.append(
                {
                    "origin": agreement.origin,
                    "url": agreement.url,
                    "logKey": agreement.log_key.text,
                    "transportKey": agreement.transport_key.did_key if agreement.transport_key else None,
                    "clearance": agreement.clearance.value,
                    "entriesPerPull": agreement.quota.entries_per_pull,
                    "bytesPerDay": agreement.quota.bytes_per_day,
                    "suspended": agreement.suspended,
                    "privateAddress": agreement.private_address,
                    "checked": progress.size,
                    "position": progress.position,
                    "waiting": len(progress.waiting) + len(progress.withheld),
                    "left": progress.left,
                    "leftNumber": progress.left_number,
                    "fault": progress.fault,
                }
            )
    return found


async def _pull(data: Path | None, origin: str | None) -> tuple[list[dict[str, Any]], dict[str, str], list[str]]:
    """Return the reports of the pulls, of peers that were not pulled to the end why, and those whose log forked."""
    from graph.errors import GraphError, PeerFaultError
    from graph.federation.agreements import list_agreements
    from graph.federation.pull import pull as pull_peer

    reports, failures, forked = [], {}, []
    async with _here(data) as here:
        listed = [one.origin for one in await list_agreements(here.store) if not one.suspended and one.url is not None]
        for name in [origin] if origin is not None else listed:
            try:
                reports.append(asdict(await pull_peer(here, name)))
            except GraphError as error:
                failures[name] = str(error)
                if isinstance(error, PeerFaultError) and error.contradiction is not None:
                    forked.append(name)
    return reports, failures, forked


async def _prove(data: Path | None, origin: str, log_index: int) -> str:
    from graph.federation.agreements import agreement_with
    from graph.federation.peer_folder import PeerFolder
    from graph.federation.peer_proof import proof_of

    async with _here(data) as here:
        await agreement_with(here.store, origin)
        with PeerFolder(here.data, origin) as folder:
            entry, found = await proof_of(here.store, folder, origin, log_index)
    return f"{entry_bytes(entry).decode()}\n\n{found.text}"
