"""`a2ap admission`: who may join a node, and who may speak there."""

import secrets
from typing import Annotated

import typer

from a2ap.admission_policy import AdmissionMode, build_admission_policy, invitation_hash
from a2ap.client import Client
from graph.cli.errors import CommandError
from graph.cli.groups import command_group
from graph.cli.handing_in import send
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, SignerCommand, Url, open_client
from graph.cli.signing import fresh_id, now, open_key
from graph.cli.terminal import print_json, remark, say

app = command_group("Who may join a node.")


@app.command("set")
def set_policy(
    mode: Annotated[AdmissionMode, typer.Argument(help="Who may register; endorsed: who may do more than that.")],
    key: Key,
    allow: Annotated[list[str] | None, typer.Option("--allow", help="An agent on the list; repeatable.")] = None,
    invitations: Annotated[
        int, typer.Option("--invitations", min=0, max=1000, help="How many new invitations to make and print.")
    ] = 0,
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", help="The hash (sha256:…) of an invitation that stays good; repeatable."),
    ] = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Set who may join, with the node's key.

    It takes the place of the policy before, lists included. New invitations are printed to standard error, here and
    nowhere else: the policy has their hashes.
    """
    if invitations and mode is not AdmissionMode.INVITATION:
        raise CommandError(f"--invitations is for the mode invitation, not {mode}")
    key_file = open_key(key, signer)
    made = [secrets.token_urlsafe(24) for _ in range(invitations)]
    message = build_admission_policy(
        policy_id=fresh_id(),
        issued_at=now(),
        issuing_agent=key_file.agent_id,
        mode=mode,
        allowed_agents=allow or (),
        invitations=[*(keep or ()), *(invitation_hash(secret) for secret in made)],
    )
    send(message, key_file, Client.set_admission, url, print_only=print_only, as_json=as_json)
    for secret in made:
        remark(f"invitation {secret}")


@app.command("show")
def show(url: Url = DEFAULT_URL, as_json: AsJson = False) -> None:
    """Show who may join."""
    with open_client(url) as client:
        policy = client.admission()
    if as_json:
        print_json(policy)
        return
    set_by = "as a new node is" if policy["logIndex"] is None else f"by entry {policy['logIndex']}"
    say(f"{policy['mode'].lower().replace('_', '-')}, {set_by}")
    for agent in policy["allowedAgents"]:
        say(f"allowed     {agent}")
    if policy["invitations"]:
        say(f"invitations {policy['invitations']}, used ones included")
