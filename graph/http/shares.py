"""In whose share of the subscriptions and connections one more counts: a token's, or that of the network it comes from.

A token is the same in however many ways a header may write it. Of IPv6 whoever has an address has all of a /64.
"""

from hashlib import sha256
from ipaddress import IPv6Address, ip_address

from starlette.requests import HTTPConnection

from graph.clearance import token_in
from graph.requests.share import Share


def share_of(connection: HTTPConnection, authorization: str | None) -> Share:
    """Return the share in which a connection counts.

    What is authorized must have been found to be a reader's: any token that is named here has a share of its own.
    """
    if authorization:
        name = sha256(token_in(authorization).encode("utf-8", "surrogateescape")).hexdigest()
        return Share(name, has_token=True)
    return Share(_network(connection.client.host if connection.client is not None else ""), has_token=False)


def _network(host: str) -> str:
    """Return the network of an address, or a host that is no address as it is."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(address.packed[:8] + bytes(8))}/64"
