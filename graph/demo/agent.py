"""An agent of the demonstration, with a key in a folder of its own, and a record of the messages that it has signed."""

import secrets
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from a2ap.agent.outbox import Outbox
from a2ap.canonical import sha256_digest
from a2ap.key_file import KeyFile, read_key_file, write_key_file
from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.agent_registration import build_agent_registration
from a2ap.signing.keys import SigningKey
from a2ap.signing.signature import sign_message

PUBLISHER = "A2AP demonstration"


@dataclass(frozen=True, slots=True)
class Role:
    """The role of an agent: the slug of its id and folder, and its description of itself."""

    slug: str
    name: str
    version: str
    capabilities: tuple[str, ...]


class Agent:
    """A key, its agent, and the messages that this agent has signed."""

    def __init__(self, description: AgentDescription, key_file: KeyFile, outbox: Outbox) -> None:
        self.description = description
        self.id = description.agent_id
        self._key_file = key_file
        self._outbox = outbox

    @classmethod
    def at(cls, folder: Path, role: Role) -> "Agent":
        """Return the agent of a folder; if there is none, create it with a new key."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / "agent.key"
        if not path.exists():
            key = SigningKey.generate(secrets.token_bytes(32))
            agent_id = f"urn:agent:{role.slug}:{sha256_digest(key.public_key.data).removeprefix('sha256:')[:16]}"
            write_key_file(path, KeyFile(agent_id, f"{agent_id}#1", key))
        key_file = read_key_file(path)
        description = AgentDescription(key_file.agent_id, role.name, role.version, PUBLISHER, role.capabilities)
        return cls(description, key_file, Outbox(folder / "signed.ndjson"))

    def sign_once(self, purpose: str, build: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return the message that this agent signed for a purpose; `build` makes it the first time."""
        return self._outbox.once(purpose, partial(self._sign_built, build))

    def sign_each_once(self, purposes: Sequence[tuple[str, Callable[[], dict[str, Any]]]]) -> list[dict[str, Any]]:
        """Do the same as `sign_once` for many purposes, in order."""
        return self._outbox.each_once([(purpose, partial(self._sign_built, build)) for purpose, build in purposes])

    def sign(self, message: dict[str, Any]) -> dict[str, Any]:
        """Return a message signed by this agent, without recording it."""
        return sign_message(message, self._key_file.key, self._key_file.key_id)

    def has_signed(self, message_id: str) -> bool:
        """Return whether this agent has signed a message with this id."""
        return self._outbox.has_id(message_id)

    def registration(self, now: datetime) -> dict[str, Any]:
        """Return this agent's signed registration of itself."""
        return self.sign_once(
            "registration",
            lambda: build_agent_registration(
                registration_id=new_id(),
                registered_at=now,
                agent=self.description,
                key_id=self._key_file.key_id,
                public_key=self._key_file.key.public_key,
            ),
        )

    def _sign_built(self, build: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        return self.sign(build())


def new_id() -> str:
    """Return a fresh id for a message."""
    return uuid.uuid4().urn
