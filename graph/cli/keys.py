"""`a2ap key`: adds, replaces, recovers, revokes and lists the keys of an agent."""

import secrets
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from a2ap.client import Client
from a2ap.errors import MessageError
from a2ap.identifiers import key_agent
from a2ap.key_file import KeyFile, KeyIdentity, read_key_identity, write_key_file, write_key_identity
from a2ap.messages.key_registration import build_key_registration
from a2ap.messages.key_revocation import RevocationReason, build_key_revocation
from a2ap.signing.keys import SigningKey
from a2ap.times import parse_instant
from graph.cli.errors import CommandError
from graph.cli.handing_in import send
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, SignerCommand, Url, open_client
from graph.cli.signing import AgentKey, fresh_id, now, open_key, parse_key
from graph.cli.terminal import print_json, say
from graph.keys.external_signer import open_signer


def new_key(key: Path, new: Path, name: str | None, new_signer: str | None) -> AgentKey:
    """Return the new key, whose file is made if there is none: a command that failed after that can be tried again."""
    if not new.exists():
        agent = read_key_identity(key).agent_id
        made = SigningKey.generate(secrets.token_bytes(32)) if new_signer is None else open_signer(new_signer)
        did_key = made.public_key.did_key
        key_id = f"{agent}#{name or did_key[-8:]}"
        if isinstance(made, SigningKey):
            write_key_file(new, KeyFile(agent, key_id, made))
        else:
            write_key_identity(new, KeyIdentity(agent, key_id, made.public_key))
    elif name is not None:
        raise CommandError(f"{new} is there already, and names its key itself")
    return open_key(new, new_signer)


New = Annotated[
    Path, typer.Option("--new", help="The file of the new key, which is made where there is none.", show_default=False)
]
NewSigner = Annotated[
    str | None,
    typer.Option("--new-signer", help="A command that keeps the new key and signs with it.", show_default=False),
]
Name = Annotated[
    str | None, typer.Option("--name", help="The agent's name for a new key; without it, part of its public key.")
]
Alias = Annotated[str | None, typer.Option("--alias", help="Another name for the key, in the form agent:NAME:pubkey.")]


def add(
    key: Key,
    new: New,
    name: Name = None,
    alias: Alias = None,
    new_signer: NewSigner = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Register another key beside the one that signs."""
    _register(open_key(key, signer), new_key(key, new, name, new_signer), (), alias, None, url, print_only, as_json)


def rotate(
    key: Key,
    new: New,
    name: Name = None,
    alias: Alias = None,
    replaces: Annotated[
        list[str] | None, typer.Option("--replaces", help="A further key that it takes the place of; repeatable.")
    ] = None,
    new_signer: NewSigner = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Put another key in the place of the one that signs.

    Messages that the old key signed stay as they are; no further ones are taken from it.
    """
    old = open_key(key, signer)
    retired = tuple(dict.fromkeys((old.key_id, *(replaces or ()))))
    _register(old, new_key(key, new, name, new_signer), retired, alias, None, url, print_only, as_json)


def recover(
    key: Annotated[Path, typer.Option("--key", help="The file of the recovery key.", show_default=False)],
    new: New,
    name: Name = None,
    alias: Alias = None,
    replaces: Annotated[
        list[str] | None, typer.Option("--replaces", help="A key that it takes the place of; repeatable.")
    ] = None,
    recovery_key: Annotated[
        str | None, typer.Option("--recovery-key", help="Public key that is to be the recovery key from now on.")
    ] = None,
    new_signer: NewSigner = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Register a key with the recovery key.

    The recovery key is valid in any state of the others. Revoke a stolen key first: `a2ap key revoke`.
    """
    made = new_key(key, new, name, new_signer)
    _register(open_key(key, signer), made, tuple(replaces or ()), alias, recovery_key, url, print_only, as_json)


def revoke(
    revoked: Annotated[str, typer.Argument(metavar="KEY-ID", help="The id of the key, AGENT#NAME.")],
    key: Key,
    reason: Annotated[RevocationReason, typer.Option("--reason", help="Why.")] = RevocationReason.UNSPECIFIED,
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            help="Since when it is not to be trusted: a log index, or a time of receipt. The past is for the recovery "
            "key and the node; without it, from now on.",
        ),
    ] = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Revoke a key.

    The revocation is signed by another key of its agent, the recovery key, or the node's key. A key may revoke itself.
    """
    agent = key_agent(revoked)
    if agent is None:
        raise CommandError(f"{revoked} is not the id of a key, AGENT#NAME")
    key_file = open_key(key, signer)
    message = build_key_revocation(
        revocation_id=fresh_id(),
        revoked_at=now(),
        revoking_agent=key_file.agent_id,
        agent=agent,
        key_id=revoked,
        reason=reason,
        not_trusted_since=None if since is None else _place_or_time(since),
    )
    send(message, key_file, Client.revoke_key, url, print_only=print_only, as_json=as_json)


def list_keys(
    agent: Annotated[str, typer.Argument(help="The id of the agent.")], url: Url = DEFAULT_URL, as_json: AsJson = False
) -> None:
    """List the keys of an agent, and the state of each."""
    with open_client(url) as client:
        keys = client.keys(agent)
    if as_json:
        print_json({"agent": agent, "keys": keys})
        return
    if not keys:
        raise CommandError(f"no agent {agent} is registered")
    for one in keys:
        say(f"{one['id']}  {one['publicKey']}  since entry {one['logIndex']}, {_became(one)}")


def _register(
    holder: AgentKey,
    made: AgentKey,
    replaces: tuple[str, ...],
    alias: str | None,
    recovery_key: str | None,
    url: str,
    print_only: bool,
    as_json: bool,
) -> None:
    if made.agent_id != holder.agent_id:
        raise CommandError(
            f"the new key is that of {made.agent_id}, and the one that signs is that of {holder.agent_id}"
        )
    message = build_key_registration(
        registration_id=fresh_id(),
        registered_at=now(),
        registering_agent=holder.agent_id,
        key_id=made.key_id,
        new_key=made.key,
        alias=alias,
        replaces=replaces,
        recovery_key=None if recovery_key is None else parse_key(recovery_key),
    )
    send(message, holder, Client.register_key, url, print_only=print_only, as_json=as_json)


def _place_or_time(text: str) -> int | datetime:
    if text.isascii() and text.isdigit():
        return int(text)
    try:
        return parse_instant(text, "--since")
    except MessageError as error:
        raise CommandError(
            f"--since is {text!r}, neither a log index nor a time such as 2026-01-31T12:00:00Z"
        ) from error


def _became(key: dict[str, object]) -> str:
    if key["notTrustedSince"] is not None:
        return f"not trusted since entry {key['notTrustedSince']}: {key['revokedReason']}, by {key['revokedBy']}"
    return "valid" if key["retiredAt"] is None else f"replaced by entry {key['retiredAt']}"
