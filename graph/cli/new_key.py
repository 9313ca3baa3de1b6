"""The new key of `a2ap key add`, `rotate` and `recover`: in a file, or with a command."""

import secrets
from pathlib import Path

from a2ap.key_file import KeyFile, KeyIdentity, read_key_identity, write_key_file, write_key_identity
from a2ap.signing.keys import SigningKey
from graph.cli.errors import CommandError
from graph.cli.signing import AgentKey, open_key
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
