"""This platform's own agent: its key, and the messages that it signs.

The key is a file in the data folder. A graph belongs to the node whose registration is entry 0 of its log;
servers that share a graph share the key.
"""

import hmac
import uuid
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from a2ap.canonical import sha256_digest
from a2ap.json_text import write_json
from a2ap.key_file import KeyFile
from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.agent_registration import build_agent_registration
from a2ap.messages.message import Message, read_message
from a2ap.messages.policy import build_policy
from a2ap.signing.keys import PublicKey, Signer, SigningKey
from a2ap.signing.signature import sign_message
from graph.kept_key import kept_key

SOFTWARE_VERSION = "0.1.0"

# No message begins like this: a signature over it is asked for here and nowhere else.
_ID_SECRET = b"a2ap.node-ids/v1\n"


@dataclass(frozen=True, slots=True)
class Node:
    """The node's identity: it registers itself, sets the policy and signs the machine's checks."""

    agent_id: str
    key_id: str
    key: Signer
    id_secret: bytes = field(repr=False)

    @property
    def origin(self) -> str:
        """The name of this node's log."""
        return self.agent_id

    def sign(self, message: dict[str, Any]) -> Message:
        """Return a message signed by the node, read back as any recipient reads it."""
        signed = sign_message(message, self.key, self.key_id)
        return read_message(write_json(signed))

    def registration(self, now: datetime, log_key: str | None = None) -> Message:
        """Return the node's registration of itself, and of the key that signs its log."""
        return self.sign(
            build_agent_registration(
                registration_id=self.derived_id("registration"),
                registered_at=now,
                agent=AgentDescription(
                    agent_id=self.agent_id,
                    name="A2AP node",
                    version=SOFTWARE_VERSION,
                    publisher="A2AP",
                    capabilities=("log", "machine-check", "policy"),
                ),
                key_id=self.key_id,
                public_key=self.key.public_key,
                log_key=log_key,
            )
        )

    def default_policy(self, now: datetime) -> Message:
        """Return the policy of a new node: no seeds, so that nothing counts as verified until it has some."""
        return self.sign(
            build_policy(policy_id=self.derived_id("policy|0"), issued_at=now, issuing_agent=self.agent_id)
        )

    def derived_id(self, name: str) -> str:
        """Return the message id that this node derives from `name`, always the same one.

        Nobody else can compute it: otherwise others could take the ids of the verdicts on a statement in advance.
        """
        digest = hmac.digest(self.id_secret, f"id|{name}".encode(), "sha256")
        return f"urn:uuid:{uuid.UUID(bytes=digest[:16], version=4)}"

    def derived_salt(self, name: str) -> bytes:
        """Return the 32 secret bytes under which this node seals the text that `name` stands for."""
        return hmac.digest(self.id_secret, f"salt|{name}".encode(), "sha256")


def node_from_key(key: Signer) -> Node:
    """Return the node with this key; the agent id is derived from the public key.

    The secret behind its message ids is a signature, so that it is the same wherever the key is kept (RFC 8032:
    deterministic).
    """
    agent_id = node_id(key.public_key)
    return Node(agent_id, f"{agent_id}#1", key, key.sign(_ID_SECRET))


def node_id(public_key: PublicKey) -> str:
    """Return the agent id of the node with this key, which is also the name of its log."""
    fingerprint = sha256_digest(public_key.data).removeprefix("sha256:")[:16]
    return f"urn:agent:a2ap-node:{fingerprint}"


def load_node(key_file: Path) -> Node:
    """Return the node of this key file, which is made if it does not exist and is complete once it exists.

    Raises `KeyFormatError` if the file holds no key or others may read it.
    """
    return node_from_key(kept_key(key_file, _described))


def _described(key: SigningKey) -> KeyFile:
    node = node_from_key(key)
    return KeyFile(node.agent_id, node.key_id, key)
