"""The share in which a subscription or connection counts: that of a token, or of the network that it comes from.

A token is the same in all spellings of the header.
"""

from hashlib import sha256

from starlette.requests import HTTPConnection

from graph.clearance import token_in
from graph.http.client_address import client_network
from graph.requests.share import Share


def share_of(connection: HTTPConnection, authorization: str | None) -> Share:
    """Return the share in which a connection counts.

    The caller must have found the token to be a reader's: any token that is named here has a share of its own.
    """
    if authorization:
        name = sha256(token_in(authorization).encode("utf-8", "surrogateescape")).hexdigest()
        return Share(name, has_token=True)
    return Share(client_network(connection), has_token=False)
