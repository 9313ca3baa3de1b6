"""`a2ap peer`: agreements with other nodes, and the messages that are taken from them."""

import asyncio
from typing import Annotated, Any

import typer

from a2ap.boundary import Boundary
from a2ap.errors import KeyFormatError
from a2ap.log.signed_note import VerifierKey
from a2ap.signing.keys import PublicKey
from graph.cli.errors import CommandError
from graph.cli.groups import command_group
from graph.cli.options import AsJson, Data, read_settings
from graph.cli.peer_platform import (
    BYTES_PER_DAY,
    ENTRIES_PER_PULL,
    agree_with_peer,
    listed_peers,
    prove_entry,
    pull_peers,
    suspend_peer,
)
from graph.cli.terminal import print_json, remark, say

FORKED_STATUS = 3
"""The exit status if the log of a peer contradicts itself, the same as that of `a2ap log audit`."""

MAX_PROBLEMS = 20
"""The most sources of one peer for which a pull prints why they were not fetched; --json has all."""

Origin = Annotated[str, typer.Argument(help="The peer's log, urn:agent:a2ap-node:….", show_default=False)]

app = command_group("Exchange log entries with other nodes.")


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
        Boundary | None,
        typer.Option("--clearance", help="The class up to which the peer reads here.", show_default="public"),
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
    """Agree with a peer, or change an agreement.

    Terms that no option names stay as agreed. A suspended peer is pulled again. The agreement is a message that the
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
    agreement, log_index = asyncio.run(agree_with_peer(data, key, url.rstrip("/"), changes))
    if agreement.clearance is not Boundary.PUBLIC and read_settings(data).public_url is None:
        remark(
            "A2AP_PUBLIC_URL is not set here: without it, a request that a peer signs is answered as an anonymous one"
        )
    if as_json:
        print_json({"origin": agreement.origin, "logIndex": log_index})
    else:
        say(f"{agreement.origin} is a peer by entry {log_index}, and is cleared for {agreement.clearance}")


@app.command("list")
def list_peers(data: Data = None, as_json: AsJson = False) -> None:
    """List the peers, the agreements, and how far each is read."""
    found = asyncio.run(listed_peers(data))
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
    """Take in the messages of peers that are missing here.

    The public sources that their statements cite are fetched as well.

    Exit status 1: a peer was not pulled to the end; the others were pulled all the same. 3: the log of a peer
    contradicts itself.
    """
    reports, failures, forked = asyncio.run(pull_peers(data, origin))
    if as_json:
        print_json({"pulled": reports, "failed": failures, "forked": forked})
    else:
        for report in reports:
            say(f"{report['origin']}: {report['taken']} taken, {report['waiting']} wait, {report['left']} not taken")
            if report["stopped"]:
                remark(f"{report['origin']}: {report['stopped']}; the rest comes with the next pull")
            _say_sources(report["sources"])
    for name, why in failures.items():
        if name in forked:
            remark(f"the log of {name} contradicts itself, and /log/equivocations shows it to everybody: {why}")
        else:
            remark(f"{name} was not pulled to the end: {why}")
    if forked:
        raise typer.Exit(FORKED_STATUS)
    if failures:
        raise typer.Exit(1)


def _say_sources(report: dict[str, Any]) -> None:
    """Print the results for the sources of one peer."""
    numbers = {name: report[name] for name in ("fetched", "skipped", "failed", "waiting")}
    if any(numbers.values()):
        fetched, skipped, failed, waiting = numbers.values()
        say(f"  sources: {fetched} fetched, {skipped} skipped, {failed} failed, {waiting} asked for again later")
    for reason in list(report["problems"].values())[:MAX_PROBLEMS]:
        remark(f"a source is not fetched: {reason}")
    if report["stopped"]:
        remark(f"{report['stopped']}; the other sources come with the next pull")


@app.command("remove")
def remove(origin: Origin, data: Data = None) -> None:
    """Suspend a peer.

    It is no longer pulled, and reads as anybody does. Messages that were taken stay.
    """
    log_index = asyncio.run(suspend_peer(data, origin))
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
    text = asyncio.run(prove_entry(data, origin, log_index))
    typer.echo(text, nl=False)


@app.command("key")
def key(data: Data = None) -> None:
    """Print this node's transport key, for a peer's operator."""
    from graph.federation.transport_key import load_transport_key
    from graph.keys.node_signers import open_node

    settings = read_settings(data)
    say(load_transport_key(settings, open_node(settings).origin).public_key.did_key)
