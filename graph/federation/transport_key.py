"""The key with which this node signs its requests to peers: neither an agent's nor the log's (design §4.6)."""

from pathlib import Path

from a2ap.key_file import KeyFile
from a2ap.keys import SigningKey
from graph.kept_key import kept_key

FILE = "transport.key"


def load_transport_key(data: Path, origin: str) -> SigningKey:
    """Return the transport key of the node with this data folder; it is made where there is none."""
    return kept_key(data / FILE, lambda key: KeyFile(origin, key.public_key.did_key, key))
