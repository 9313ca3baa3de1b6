"""The keys of this node as its settings name them: files of its own, or signers that keep them elsewhere."""

from functools import lru_cache
from pathlib import Path

from a2ap.signing.keys import PublicKey, Signer
from graph.keys.external_signer import open_signer
from graph.node import Node, load_node, node_from_key
from graph.settings import Settings


def open_node(settings: Settings) -> Node:
    """Return the node of these settings; a missing key file is made.

    Raises `SignerError`, and `KeyFormatError` for a text that is no key.
    """
    signer = _signer(settings.node_signer, settings.node_public_key)
    return node_from_key(signer) if signer is not None else load_node(node_key_file(settings))


def open_log_signer(settings: Settings) -> Signer | None:
    """Return the signer of the log, `None` if its key is a file."""
    return _signer(settings.log_signer, settings.log_public_key)


def open_next_log_signer(settings: Settings) -> Signer | None:
    """Return the signer that the log is to be handed to, if the settings name one."""
    return _signer(settings.log_next_signer, settings.log_next_public_key)


def open_transport_signer(settings: Settings) -> Signer | None:
    """Return the signer of requests to peers, `None` if its key is a file."""
    return _signer(settings.transport_signer, settings.transport_public_key)


def node_key_file(settings: Settings) -> Path:
    """Return the path of the node's key, for a key in a file."""
    return settings.node_key or settings.data / "node.key"


@lru_cache(maxsize=16)
def _signer(command: str | None, public_key: str | None) -> Signer | None:
    if command is None:
        return None
    return open_signer(command, None if public_key is None else PublicKey.parse(public_key))
