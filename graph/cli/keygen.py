"""`a2ap keygen`: a new key for an agent, in a file that only its owner may read."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from a2ap.identifiers import agent_id_problem
from a2ap.key_file import KeyFile, write_key_file
from a2ap.keys import SigningKey
from graph.cli.errors import CommandError
from graph.cli.options import AsJson
from graph.cli.terminal import print_json, say


def keygen(
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent", help="The agent's id, such as urn:agent:clerk; without it, the key itself as did:key:…"
        ),
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="Where to write the key.")] = Path("agent.key"),
    as_json: AsJson = False,
) -> None:
    """Make a new Ed25519 key for an agent.

    An existing file is never overwritten.
    """
    if agent is not None and (problem := agent_id_problem(agent)):
        raise CommandError(f"--agent {problem}")
    key = SigningKey.generate(secrets.token_bytes(32))
    agent_id = agent if agent is not None else key.public_key.did_key
    key_file = KeyFile(agent_id, f"{agent_id}#1", key)
    try:
        write_key_file(out, key_file)
    except FileExistsError as error:
        raise CommandError(f"{out} is there already") from error
    if as_json:
        print_json({"agent": agent_id, "keyId": key_file.key_id, "publicKey": key.public_key.did_key, "file": str(out)})
        return
    say(f"agent       {agent_id}")
    say(f"key id      {key_file.key_id}")
    say(f"public key  {key.public_key.did_key}")
    say(f"file        {out}")
