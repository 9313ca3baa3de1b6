"""Signing for commands: the key file, the clock, fresh ids, and a last check of the signed message."""

import getpass
import os
import sys
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from a2ap.client import Receipt
from a2ap.json_text import write_json
from a2ap.key_file import read_key_file, read_key_identity
from a2ap.messages.lease_request import LEASE_REQUEST_TYPE, read_lease_request
from a2ap.messages.message import Message, read_message
from a2ap.signing.data_integrity import add_proof
from a2ap.signing.keys import PublicKey, Signer
from a2ap.signing.signature import sign_message
from graph.cli.errors import CommandError
from graph.cli.terminal import print_json, say
from graph.keys.external_signer import open_signer


def now() -> datetime:
    """Return the time of day, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


def fresh_id() -> str:
    """Return a random id for a message."""
    return uuid.uuid4().urn


@dataclass(frozen=True, slots=True)
class AgentKey:
    """The signer of an agent, and the reference under which its key is known."""

    agent_id: str
    key_id: str
    key: Signer


def open_key(path: Path, signer: str | None = None) -> AgentKey:
    """Read a key file, or the identity of the key with which the command `signer` signs.

    Raises KeyFormatError, SignerError, and OSError if there is no file.
    """
    if signer is None:
        found = read_key_file(path, lambda: _passphrase(path))
        return AgentKey(found.agent_id, found.key_id, found.key)
    identity = read_key_identity(path)
    return AgentKey(identity.agent_id, identity.key_id, open_signer(signer, identity.public_key))


def _passphrase(path: Path) -> str:
    stated = os.environ.get("A2AP_KEY_PASSPHRASE")
    if stated is not None:
        return stated
    if not sys.stdin.isatty():
        raise CommandError(f"{path} is encrypted: A2AP_KEY_PASSPHRASE states its passphrase")
    return getpass.getpass(f"Passphrase of {path}: ", sys.stderr)


def sign(message: Mapping[str, Any], key_file: AgentKey, *, proof: bool = False) -> dict[str, Any]:
    """Return a message signed by the holder of a key, with a W3C proof on request, once it reads as one of that agent.

    Raises MessageError, and CommandError if another agent is its author.
    """
    signed = sign_message(message, key_file.key, key_file.key_id)
    if proof:
        signed = add_proof(signed, key_file.key, now())
    agent = _agent_of(signed)
    if agent != key_file.agent_id:
        raise CommandError(f"the document is by {agent}, and the key is that of {key_file.agent_id}")
    return signed


def _agent_of(document: Mapping[str, Any]) -> str:
    # A lease request is signed like a message and is none.
    if document.get("@type") == LEASE_REQUEST_TYPE:
        return read_lease_request(write_json(dict(document))).agent_id
    return read_signed(document).envelope.agent_id


def read_signed(document: Mapping[str, Any]) -> Message:
    """Return a signed document as any recipient will read it."""
    return read_message(write_json(dict(document)))


def print_receipt(receipt: Receipt, as_json: bool) -> None:
    """Print the place of a document in the log."""
    if as_json:
        print_json({name: getattr(receipt, name) for name in Receipt.__slots__})
    else:
        already = "" if receipt.created else " already"
        say(f"{receipt.id} is log entry {receipt.log_index}{already}")


def parse_key(text: str) -> PublicKey:
    """Return a public key from `did:key:…` or base64. Raises KeyFormatError."""
    return PublicKey.parse(text)
