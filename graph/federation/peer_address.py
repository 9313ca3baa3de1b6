"""Where a peer may be: what its operator's URL says, and nowhere that its name leads to in secret.

Rules:

- http or https, with a host, without user, query or fragment. Redirects are not followed.
- This machine is a peer's address only where the URL itself says so: `localhost` or a loopback address. A name that
  leads to loopback, link-local (where clouds give out secrets) or no real address is refused when the connection is
  there, so that a name cannot lead elsewhere between a look-up and the connection.
"""

from ipaddress import ip_address
from urllib.parse import urlsplit

from graph.errors import InputError, PeerAnswerError

MAX_URL = 512


def check_peer_url(url: str) -> str:
    """Return the base URL of a peer without a slash at its end; raises `InputError`."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or len(url) > MAX_URL:
        raise InputError(f"{url[:MAX_URL]!r} is not an http or https address", "url")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise InputError("the address of a peer has no user, query or fragment", "url")
    return url.rstrip("/")


def check_connection(url: str, address: str) -> None:
    """Raise `PeerAnswerError` where the connection to a peer has led to an address that its URL does not name."""
    host = urlsplit(url).hostname or ""
    if host == address or host == "localhost":
        return
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        raise PeerAnswerError(f"{host} leads to {address!r}, which is no address") from None
    # RFC 4291 §2.5.5.2: ::ffff:127.0.0.1 is 127.0.0.1 as well.
    found = getattr(found, "ipv4_mapped", None) or found
    if found.is_loopback or found.is_link_local or found.is_unspecified or found.is_multicast:
        raise PeerAnswerError(f"{host} leads to {found}, which is not where a peer is")
