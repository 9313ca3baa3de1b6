"""`a2ap key generate`: a new key for an agent, in a file for its owner alone, or a file about a key elsewhere."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from a2ap.identifiers import agent_id_problem
from a2ap.key_file import KeyFile, KeyIdentity, write_key_file, write_key_identity
from a2ap.signing.keys import PublicKey, SigningKey
from graph.cli.errors import CommandError
from graph.cli.options import AsJson, SignerCommand
from graph.cli.signing import parse_key
from graph.cli.terminal import print_json, say
from graph.keys.external_signer import open_signer


def generate(
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent", help="The agent's id, such as urn:agent:clerk; without it, the key itself as did:key:…"
        ),
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="Where to write the key.")] = Path("agent.key"),
    name: Annotated[str, typer.Option("--name", help="The agent's name for the key.")] = "1",
    recovery: Annotated[
        bool, typer.Option("--recovery", help="Make a recovery key, which is to be kept apart from the others.")
    ] = False,
    signer: SignerCommand = None,
    public_key: Annotated[
        str | None,
        typer.Option("--public-key", help="The public key of the signer, instead of asking it.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a new Ed25519 key for an agent.

    An existing file is never overwritten. With --signer no key is made: the file then describes the command's key.
    """
    if agent is not None and (problem := agent_id_problem(agent)):
        raise CommandError(f"--agent {problem}")
    if recovery and agent is None:
        raise CommandError("--recovery needs --agent")
    if public_key is not None and signer is None:
        raise CommandError("--public-key needs --signer")
    try:
        identity = _write(agent, out, name, recovery, signer, None if public_key is None else parse_key(public_key))
    except FileExistsError as error:
        raise CommandError(f"{out} is there already") from error
    if as_json:
        print_json(
            {
                "agent": identity.agent_id,
                "keyId": identity.key_id,
                "publicKey": identity.public_key.did_key,
                "file": str(out),
            }
        )
        return
    say(f"agent       {identity.agent_id}")
    say(f"key id      {identity.key_id}")
    say(f"public key  {identity.public_key.did_key}")
    say(f"file        {out}")


def _write(
    agent: str | None, out: Path, name: str, recovery: bool, signer: str | None, stated: PublicKey | None
) -> KeyIdentity:
    key = SigningKey.generate(secrets.token_bytes(32)) if signer is None else open_signer(signer, stated)
    did_key = key.public_key.did_key
    agent_id = agent if agent is not None else did_key
    # A recovery key is registered nowhere: it is known by itself, and by the hash that the agent committed to.
    identity = KeyIdentity(agent_id, did_key if recovery else f"{agent_id}#{name}", key.public_key)
    if isinstance(key, SigningKey):
        write_key_file(out, KeyFile(identity.agent_id, identity.key_id, key))
    else:
        write_key_identity(out, identity)
    return identity
