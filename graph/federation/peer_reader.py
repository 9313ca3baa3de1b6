"""A peer's read access to this node: the signer of a request with an agreed transport key has the agreed clearance."""

from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlsplit

from starlette.datastructures import URL
from starlette.requests import HTTPConnection, Request

from a2ap.boundary import Boundary
from a2ap.signing.keys import PublicKey
from graph.clearance import ANONYMOUS, Reader
from graph.errors import UnauthenticatedError
from graph.federation.agreements import list_agreements
from graph.federation.request_signature import ReceivedRequest, verify_request
from graph.store import Store

MAX_BODY = 2**20
"""The maximum body of a signed request, in bytes: its digest is needed before the answer begins."""


def is_signed(request: HTTPConnection) -> bool:
    """Return whether a request claims to be a peer's."""
    return "signature-input" in request.headers


async def find_peer(
    request: HTTPConnection, store: Store, clock: Callable[[], datetime], public_url: str | None = None
) -> Reader:
    """Return the signer of a request as a reader; raises `UnauthenticatedError` if the signature does not hold.

    The signature must be for the authority of `public_url`, regardless of the Host header: another node could pass on a
    request that a peer signed for it. A node that does not know its address cannot tell, so it treats the signer as
    anonymous. A path of that address, which a proxy in front of the node may have removed, was signed with the rest.

    A key that is in no agreement, or in a suspended one, reads as anonymous. Of two agreements with one key the one
    with the lower clearance counts.
    """
    url = request.url if public_url is None else _as_sent(request.url, public_url)
    received = ReceivedRequest(str(request.scope.get("method", "GET")), str(url), dict(request.headers))
    key = verify_request(received, await _body(request), clock())
    if public_url is None:
        return ANONYMOUS
    return await peer_with(store, key)


async def peer_with(store: Store, key: PublicKey) -> Reader:
    """Return the owner of a transport key as a reader with the clearance that is agreed for the key now."""
    agreements = [one for one in await list_agreements(store) if not one.suspended and one.transport_key == key]
    agreed = min((one.clearance for one in agreements), key=lambda boundary: boundary.rank, default=Boundary.PUBLIC)
    return Reader(agreed, peer_key=key)


def _as_sent(url: URL, public_url: str) -> URL:
    """Return the address of a request as its sender knew it: the public one."""
    own = urlsplit(public_url)
    prefix, path = own.path.rstrip("/"), url.path
    if prefix and not f"{path}/".startswith(f"{prefix}/"):
        path = prefix + path
    return url.replace(scheme=own.scheme, netloc=own.netloc, path=path)


async def _body(request: HTTPConnection) -> bytes:
    if not isinstance(request, Request):
        return b""
    length = request.headers.get("content-length", "0")
    if "transfer-encoding" in request.headers or not length.isdigit() or len(length) > 9 or int(length) > MAX_BODY:
        raise UnauthenticatedError(f"the body of a signed request has a stated length of up to {MAX_BODY} bytes")
    return await request.body()
