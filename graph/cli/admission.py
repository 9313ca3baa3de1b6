"""`a2ap admission`: the agents that may join a node and submit there, and the limits of their submissions in a day."""

import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from a2ap.client import Client
from a2ap.errors import FieldError
from a2ap.messages.admission_policy import AdmissionMode, AdmissionPolicy, build_admission_policy, invitation_hash
from a2ap.messages.quotas import DEFAULT_QUOTAS, Quotas
from graph.cli.errors import CommandError
from graph.cli.groups import command_group
from graph.cli.handing_in import send
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, SignerCommand, Url, open_client
from graph.cli.policy_changes import Rules, change_list, is_new_policy, policy_before, show_changes
from graph.cli.signing import fresh_id, now, open_key
from graph.cli.terminal import print_json, remark, say

# The rules that hold before a policy is set.
_DEFAULTS: Rules = {
    "mode": AdmissionMode.OPEN.value,
    "allow": (),
    "invitation": (),
    "quota": DEFAULT_QUOTAS.members,
}

_QUOTA = re.compile(r"([a-z]+)\.([a-z]+)=([0-9]{1,16}|default)")

app = command_group("Decide which agents may join a node.")


@app.command("set")
def set_policy(
    key: Key,
    mode: Annotated[
        AdmissionMode | None,
        typer.Argument(
            help="The mode of admission; with `endorsed`, any agent registers and only endorsed agents do more."
        ),
    ] = None,
    allow: Annotated[list[str] | None, typer.Option("--allow", help="Add an agent to the list; repeatable.")] = None,
    drop: Annotated[list[str] | None, typer.Option("--drop", help="Drop an agent from the list; repeatable.")] = None,
    invitations: Annotated[
        int, typer.Option("--invitations", min=0, max=1000, help="How many new invitations to make and print.")
    ] = 0,
    withdraw: Annotated[
        list[str] | None,
        typer.Option("--withdraw", help="Withdraw an invitation by its hash (sha256:…); repeatable."),
    ] = None,
    quota: Annotated[
        list[str] | None,
        typer.Option(
            "--quota",
            help="Set a quota of a day, as address.agents=50 or stranger.bytes=default; repeatable.",
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Start from empty lists instead of the policy in force; needs a mode.")
    ] = False,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Change the agents that may join, and their quotas.

    The node's key signs the change. Everything that is not named stays as the policy in force has it, lists,
    invitations and quotas included. New invitations are printed to standard error, here and nowhere else: the policy
    has their hashes.
    """
    if replace and mode is None:
        raise CommandError("--replace needs a mode")
    if replace and (drop or withdraw):
        raise CommandError("--drop and --withdraw are of the policy in force, which --replace leaves aside")
    key_file = open_key(key, signer)
    policy = policy_before(url, Client.admission_policy, AdmissionPolicy, replace=replace, print_only=print_only)
    in_force = _DEFAULTS if policy is None else _rules_of(policy)
    before = _DEFAULTS if replace else in_force
    after = before | ({} if mode is None else {"mode": mode.value})
    if invitations and after["mode"] != AdmissionMode.INVITATION:
        raise CommandError(f"--invitations is for the mode invitation, not {after['mode']}")
    made = [secrets.token_urlsafe(24) for _ in range(invitations)]
    after["allow"] = change_list(before["allow"], allow, drop, "agents on the list")
    hashes = [invitation_hash(secret) for secret in made]
    after["invitation"] = change_list(before["invitation"], hashes, withdraw, "invitations")
    quotas = _with_quotas({} if policy is None or replace else policy.envelope.document.get("quotas", {}), quota or ())
    after["quota"] = Quotas.from_members(quotas, "quota").members
    if not is_new_policy(policy, in_force, after, print_only=print_only):
        return
    message = build_admission_policy(
        policy_id=fresh_id(),
        issued_at=now(),
        issuing_agent=key_file.agent_id,
        mode=AdmissionMode(after["mode"]),
        allowed_agents=after["allow"],
        invitations=after["invitation"],
        quotas=quotas or None,
    )
    send(message, key_file, Client.set_admission, url, print_only=print_only, as_json=as_json)
    show_changes(in_force, after, print_only=print_only, as_json=as_json)
    for secret in made:
        remark(f"invitation {secret}")


@app.command("show")
def show(url: Url = DEFAULT_URL, as_json: AsJson = False) -> None:
    """Show the agents that may join, and their quotas."""
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
    for name, quota in policy["quotas"].items():
        limits = ", ".join(f"{number} {of}" for of, number in quota.items() if number is not None)
        say(f"quota       {name}: {limits} within a day")


def _rules_of(policy: AdmissionPolicy) -> Rules:
    return {
        "mode": policy.mode.value,
        "allow": policy.allowed_agents,
        "invitation": policy.invitations,
        "quota": policy.quotas.members,
    }


def _with_quotas(before: Mapping[str, Mapping[str, int]], stated: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return the quotas of a policy with the stated changes. Raises `CommandError`."""
    quotas: dict[str, dict[str, Any]] = {name: dict(quota) for name, quota in before.items()}
    for text in stated:
        parts = _QUOTA.fullmatch(text)
        if parts is None:
            raise CommandError(f"--quota {text} is not the name of a limit, = and a number or default")
        name, limit, number = parts.groups()
        if limit not in DEFAULT_QUOTAS.members.get(name, {}):
            known = ", ".join(f"{one}.{of}" for one, quota in DEFAULT_QUOTAS.members.items() for of in quota)
            raise CommandError(f"--quota {text} is none of {known}")
        quotas.setdefault(name, {}).pop(limit, None)
        if number != "default":
            quotas[name][limit] = int(number)
    found = {name: quota for name, quota in quotas.items() if quota}
    try:
        Quotas.from_members(found, "--quota")
    except FieldError as error:
        raise CommandError(str(error)) from error
    return found
