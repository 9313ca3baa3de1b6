"""The key with which this node signs its requests to peers: neither an agent's nor the log's (docs/how-to/keys.md).

It is a file in the data folder, or stays with a signer that the settings name.
"""

from a2ap.key_file import KeyFile
from a2ap.signing.keys import Signer
from graph.kept_key import kept_key
from graph.keys.node_signers import open_transport_signer
from graph.settings import Settings

FILE = "transport.key"


def load_transport_key(settings: Settings, origin: str) -> Signer:
    """Return the transport key of the node with these settings; a missing key file is made."""
    signer = open_transport_signer(settings)
    if signer is not None:
        return signer
    return kept_key(settings.data / FILE, lambda key: KeyFile(origin, key.public_key.did_key, key))
