"""The addresses at which a peer may be: those in its operator's URL, and none that its name leads to in secret.

Rules:

- The form of the URL is checked when the agreement is accepted (`graph.kinds.peer`). Redirects are not followed.
- A peer is on this machine or in a private network only if the operator says so: by an address in the URL, `localhost`,
  or the agreement (`a2ap peer add --private`). Link-local addresses, at which clouds give out secrets, are allowed only
  by an address in the URL.
- A name is looked up and its addresses are checked before anything is sent, and the connection is made to a checked
  address, so that a name cannot lead elsewhere in between.
"""

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from graph.federation.errors import PeerAnswerError

_NAT64 = IPv6Network("64:ff9b::/96")


async def addresses_of(url: str, *, private: bool) -> list[str]:
    """Return the addresses of the host of a peer's URL, each of which may be connected to.

    `private` states that the operator has agreed to an address in a private network. Raises `PeerAnswerError` if the
    name has no address, or one at which no peer may be.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    try:
        return [str(ip_address(host))]
    except ValueError:
        pass
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, parts.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise PeerAnswerError(f"{host} has no address: {error}") from error
    addresses = list(dict.fromkeys(str(info[4][0]) for info in found))
    if host != "localhost":
        for address in addresses:
            check_address(host, address, private=private)
    return addresses


def check_address(host: str, address: str, *, private: bool) -> None:
    """Raise `PeerAnswerError` if a name leads to an address at which no peer may be."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        raise PeerAnswerError(f"{host} leads to {address!r}, which is no address") from None
    found = _embedded(found) or found
    nowhere = found.is_link_local or found.is_unspecified or found.is_multicast
    if nowhere or not (private or found.is_global):
        raise PeerAnswerError(f"{host} leads to {found}, which is not where a peer is")


def _embedded(address: IPv4Address | IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address embedded in an IPv6 address: RFC 4291 §2.5.5.2, RFC 3056, RFC 6052."""
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour
