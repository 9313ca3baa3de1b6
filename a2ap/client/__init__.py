"""An agent's client of a platform: signed documents go out over HTTP, receipts and answers come back.

    with Client("http://localhost:8000") as client:
        message = build_statement(agent=me, claim="…", evidence=[…], generated_at=now, confidence=0.9)
        receipt = client.submit(sign_message(message, key, key_id))

The client holds no key and signs nothing: documents are signed before they are passed to it. All calls raise
`ProblemError` when the platform refuses and `UnreachableError` when it does not answer. A client that is given the key
of the platform's log verifies every receipt, and raises `LogError` for one that does not hold.

    people = frame("{ agents { nodes { id name reputation } } }")

is for a notebook: it returns one answer as a data frame, over a connection of its own.
"""

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import httpx

from a2ap.boundary import Boundary
from a2ap.client.answers import ProblemError, Receipt, UnreachableError, json_object, read_receipt, receipts
from a2ap.client.connection import is_loopback
from a2ap.client.documents import PATHS, Document, bytes_of
from a2ap.client.events import Event, follow_events
from a2ap.client.reading import FrameWarning, Reading
from a2ap.json_text import read_json
from a2ap.messages.envelope import MessageType

__all__ = [
    "Client",
    "Document",
    "Event",
    "FrameWarning",
    "ProblemError",
    "Receipt",
    "UnreachableError",
    "frame",
    "is_loopback",
    "receipts",
]

DEFAULT_URL = "http://127.0.0.1:8000"
"""The platform that `frame` queries unless it is given another URL."""

_LEASE_PATIENCE = 30.0  # seconds beyond those that a lease request waits


class Client(Reading):
    """A connection to one platform. `token` is for operators and cleared readers; agents need none.

    `log_key` is the verifier key of the platform's log, now or earlier: with it, receipts are verified. Documents are
    given as built and signed, or as the exact bytes to send. Times out after `timeout` seconds.
    """

    def register(self, registration: Document) -> Receipt:
        """Register an agent and its key, with a registration signed by that key."""
        return self._post("/agents", registration)

    def endorse(self, endorsement: Document) -> Receipt:
        """Endorse another agent."""
        return self._post("/endorsements", endorsement)

    def announce_version(self, announcement: Document) -> Receipt:
        """Announce the family of one's own agent, or accept an agent into one's own family."""
        return self._post("/agent-versions", announcement)

    def register_key(self, registration: Document) -> Receipt:
        """Register another key of an agent, signed by a key that speaks for it or by its recovery key."""
        return self._post("/key-registrations", registration)

    def revoke_key(self, revocation: Document) -> Receipt:
        """Revoke a key."""
        return self._post("/key-revocations", revocation)

    def deactivate(self, deactivation: Document) -> Receipt:
        """Deactivate an agent; its earlier messages stay."""
        return self._post("/deactivations", deactivation)

    def set_admission(self, policy: Document) -> Receipt:
        """Set the admission policy; only the node's own key can sign it."""
        return self._post("/admission-policies", policy)

    def follow(
        self, query: str, variables: Mapping[str, Any] | None = None, *, after: str | None = None, pause: float = 1.0
    ) -> Iterator[Event]:
        """Yield the events of a GraphQL subscription, from now on or behind the cursor of an event.

        This ends when the platform says that the subscription is complete. A lost connection is opened again after
        `pause` seconds, and then longer ones, behind the last event.
        """
        return follow_events(self._http, query, variables or {}, after, pause)

    def set_policy(self, policy: Document) -> Receipt:
        """Set the rules of consensus; only the node's own key can sign them."""
        return self._post("/policies", policy)

    def register_source(self, registration: Document) -> Receipt:
        """Register a source: its name, its hash, and its boundary class."""
        return self._post("/sources", registration)

    def put_source(
        self,
        document_hash: str,
        data: bytes | Iterable[bytes],
        length: int | None = None,
        boundary: Boundary | None = None,
    ) -> None:
        """Upload the bytes of a registered source; `document_hash` is `sha256:…` of them.

        They come whole or in pieces; for pieces, `length` is their total length in bytes. `boundary` is the mildest
        class under which they are given: the platform refuses them if the class of the source is milder.
        """
        self._put_bytes(document_hash, data, length, boundary, {})

    def add_source(self, registration: Document, data: bytes | Iterable[bytes], length: int | None = None) -> Receipt:
        """Register a source together with its bytes; the registration proves possession of them.

        The bytes come whole or in pieces; for pieces, `length` is their total length in bytes. Bytes that the platform
        has already need not come again: `data` may be empty then. The agent then owns the source, unless the operator
        of the platform answers for another agent that registered it: no stranger closes it.
        """
        document = bytes_of(registration)
        source = read_json(document)["source"]
        headers = {"a2ap-registration": base64.b64encode(document).decode("ascii")}
        # A platform of an earlier version takes the bytes alone: it refuses them below this class.
        response = self._put_bytes(source["documentHash"], data, length, source["boundary"], headers)
        receipt = json_object(response).get("receipt")
        if not isinstance(receipt, dict):
            return self.register_source(registration)
        return self._verified(read_receipt(receipt, bool(receipt.get("created", True))), document)

    def _put_bytes(
        self,
        document_hash: str,
        data: bytes | Iterable[bytes],
        length: int | None,
        boundary: str | None,
        headers: Mapping[str, str],
    ) -> httpx.Response:
        query = "" if boundary is None else f"?boundary={quote(boundary)}"
        return self._send(
            "PUT",
            f"/sources/{quote(document_hash, safe=':')}{query}",
            content=data,
            media_type="application/octet-stream",
            headers={**headers, **({} if length is None else {"content-length": str(length)})},
        )

    def submit(self, statement: Document) -> Receipt:
        """Submit a signed statement."""
        return self._post("/statements", statement)

    def request_verification(self, request: Document) -> Receipt:
        """Ask the other agents to check a statement."""
        return self._post("/verification-requests", request)

    def respond(self, response: Document) -> Receipt:
        """Give a verdict on a statement."""
        return self._post("/verifications", response)

    def lease(self, message: bytes, wait: float = 0.0) -> list[dict[str, Any]]:
        """Lease verification requests by a signed lease request; wait up to `wait` seconds if there are none.

        Each lease is an object with `lease`, `expiresAt`, `request` and `statement`, as the platform gives it.
        """
        response = self._send(
            "POST",
            f"/leases?wait={wait:g}",
            content=message,
            media_type="application/ld+json",
            timeout=wait + _LEASE_PATIENCE,
        )
        leases = json_object(response).get("leases")
        if not isinstance(leases, list) or not all(isinstance(lease, dict) for lease in leases):
            raise UnreachableError("the platform answered with something that is no list of leases")
        return leases

    def decline(self, decline: Document) -> Receipt:
        """Decline a verification request, with a reason."""
        return self._post(PATHS[MessageType.VERIFICATION_DECLINE], decline)

    def answer(self, answer: Document) -> Receipt:
        """Answer a challenge of one's own statement."""
        return self._post(PATHS[MessageType.CHALLENGE_ANSWER], answer)

    def label_gold(self, label: Document) -> Receipt:
        """Label a statement as right or wrong under a criterion; only the node's own key can sign it."""
        return self._post("/gold-labels", label)

    def dispute_gold(self, dispute: Document) -> Receipt:
        """Say that a gold label is wrong."""
        return self._post("/gold-disputes", dispute)

    def commit_probes(self, probe: Document) -> Receipt:
        """Commit to the answers of claims before verifiers are asked; only the node's own key can sign it."""
        return self._post("/probes", probe)

    def retract(self, retraction: Document) -> Receipt:
        """Take back a statement or a verdict of one's own."""
        return self._post("/retractions", retraction)

    def redact(self, redaction: Document) -> Receipt:
        """Erase disclosures of a message, or text of a source."""
        return self._post("/redactions", redaction)

    def register_records(
        self, path: str, content: bytes, *, boundary: str | None = None, registration: Document | None = None
    ) -> list[Receipt]:
        """Register records of another format at a path, as `/passports`; unsigned, or with an agent's signed message.

        Without a `boundary` only the operator may read them; with a registration, the registration gives the boundary.
        """
        headers = {} if boundary is None else {"a2ap-boundary": boundary}
        if registration is not None:
            headers["a2ap-registration"] = base64.b64encode(bytes_of(registration)).decode("ascii")
        response = self._send("POST", path, content=content, media_type="application/json", headers=headers)
        records = json_object(response).get("records")
        if not isinstance(records, list) or not all(isinstance(one, dict) for one in records):
            raise UnreachableError(f"{self._address} answered with no list of records")
        return [read_receipt(one, bool(one.get("created", True))) for one in records]

    def assemble_packet(self, order: bytes) -> bytes:
        """Assemble a Context Packet from the graph, as an order in JSON says.

        Only the delivery of an audited packet is registered.
        """
        return self._send("POST", "/packets/assemble", content=order, media_type="application/json").content


def frame(
    query: str | None = None,
    variables: Mapping[str, Any] | None = None,
    *,
    name: str | None = None,
    cypher: str | None = None,
    explode: str | Sequence[str] = (),
    limit: int | None = None,
    library: str = "pandas",
    url: str = DEFAULT_URL,
    token: str | None = None,
) -> Any:
    """Return the answer to a query as a data frame: `Client.frame`, on a connection for this one query."""
    with Client(url, token) as client:
        return client.frame(query, variables, name=name, cypher=cypher, explode=explode, limit=limit, library=library)
