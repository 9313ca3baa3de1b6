"""The network that a client counts as, for each bound per address: an IPv6 address counts as its /64."""

from ipaddress import IPv6Address, ip_address

from starlette.requests import HTTPConnection


def client_network(connection: HTTPConnection) -> str:
    """Return the network that a request or WebSocket comes from; empty if the server does not know."""
    return network_of(connection.client.host if connection.client is not None else "")


def network_of(host: str) -> str:
    """Return the network of an address; a host that is not an address is returned as it is."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return f"{IPv6Address(address.packed[:8] + bytes(8))}/64"
