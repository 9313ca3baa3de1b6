"""The identity of an agent: its id, the key that it signs with, and its description of itself."""

import os
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from a2ap.canonical import sha256_digest
from a2ap.errors import KeyFormatError
from a2ap.key_file import KeyFile, read_key_file, write_key_file
from a2ap.messages.agent_description import AgentDescription
from a2ap.signing.keys import KEY_BYTES, Signer, SigningKey

KEY_VARIABLE, PASSPHRASE_VARIABLE = "A2AP_KEY", "A2AP_KEY_PASSPHRASE"
NODE_VARIABLE, TOKEN_VARIABLE = "A2AP_URL", "A2AP_TOKEN"

_ID_DIGITS = 16  # of the hash of the public key


@dataclass(frozen=True, slots=True)
class Identity:
    """An agent, the key that speaks for it, and the reference under which the key is registered."""

    agent_id: str
    key_id: str
    key: Signer

    @classmethod
    def of(cls, key_file: KeyFile) -> "Identity":
        """Return the identity in a key file."""
        return cls(key_file.agent_id, key_file.key_id, key_file.key)


@dataclass(frozen=True, slots=True)
class Description:
    """An agent's description of itself, without its id."""

    name: str
    version: str
    publisher: str
    capabilities: tuple[str, ...] = ()

    def of(self, agent_id: str) -> AgentDescription:
        """Return the description with the id of the agent."""
        return AgentDescription(agent_id, self.name, self.version, self.publisher, self.capabilities)


def create_identity(path: Path, name: str) -> Identity:
    """Make a key, write its key file, and return its identity; raises `FileExistsError` rather than replace a key.

    The id is derived from the name and the public key: `urn:agent:council-clerk:6b86b273ff34fce1`.
    """
    key = SigningKey.generate(secrets.token_bytes(KEY_BYTES))
    digits = sha256_digest(key.public_key.data).removeprefix("sha256:")[:_ID_DIGITS]
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    agent_id = f"urn:agent:{slug or 'agent'}:{digits}"
    key_file = KeyFile(agent_id, f"{agent_id}#1", key)
    write_key_file(path, key_file)
    return Identity.of(key_file)


def load_identity(path: Path, passphrase: str | Callable[[], str] | None = None) -> Identity:
    """Return the identity in a key file; raises `KeyFormatError`, and `OSError` if there is no file."""
    asked = (lambda: passphrase) if isinstance(passphrase, str) else passphrase
    return Identity.of(read_key_file(path, asked))


@dataclass(frozen=True, slots=True)
class EnvironmentSettings:
    """The settings of an agent in the environment: key file, passphrase, node and token."""

    key: Path
    passphrase: str | None
    node: str | None
    token: str | None


def read_environment(environment: Mapping[str, str] | None = None) -> EnvironmentSettings:
    """Return the settings in the environment; raises `KeyFormatError` if it names no key file."""
    stated = os.environ if environment is None else environment
    if not stated.get(KEY_VARIABLE):
        raise KeyFormatError(f"{KEY_VARIABLE} is not set: it names the key file of the agent")
    return EnvironmentSettings(
        Path(stated[KEY_VARIABLE]),
        stated.get(PASSPHRASE_VARIABLE),
        stated.get(NODE_VARIABLE) or None,
        stated.get(TOKEN_VARIABLE) or None,
    )
