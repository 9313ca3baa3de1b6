"""An agent's client of a platform: signed documents go out over HTTP, receipts and answers come back.

    with Client("http://localhost:8000") as client:
        message = build_statement(agent=me, claim="…", evidence=[…], generated_at=now, confidence=0.9)
        receipt = client.submit(sign_message(message, key, key_id))

It holds no key and signs nothing: what it sends was signed before. All calls raise `ProblemError` when the platform
refuses and `UnreachableError` when it does not answer. A client that is given the key of the platform's log verifies
every receipt, and raises `LogError` for one that does not hold.
"""

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote, urlsplit

import httpx

from a2ap.envelope import MessageType, read_type
from a2ap.errors import A2APError, MessageError, NoteError, ProofError
from a2ap.json_text import read_json, write_json
from a2ap.log.log_key import LogKeys, follow_successions
from a2ap.log.receipt import verify_receipt
from a2ap.log.signed_note import VerifierKey
from a2ap.times import format_instant

T = TypeVar("T")

Document = dict[str, Any] | bytes
"""A signed document: the message, or the exact bytes to send."""

_DOCUMENTS_AT_ONCE = 200
_LEASE_PATIENCE = 30.0  # seconds beyond those that a lease request waits
_PATHS = {
    MessageType.AGENT_REGISTRATION: "/agents",
    MessageType.SOURCE_REGISTRATION: "/sources",
    MessageType.ENDORSEMENT: "/endorsements",
    MessageType.POLICY: "/policies",
    MessageType.STATEMENT: "/statements",
    MessageType.VERIFICATION_REQUEST: "/verification-requests",
    MessageType.VERIFICATION_RESPONSE: "/verifications",
    MessageType.KEY_REGISTRATION: "/key-registrations",
    MessageType.KEY_REVOCATION: "/key-revocations",
    MessageType.AGENT_DEACTIVATION: "/deactivations",
    MessageType.AGENT_VERSION: "/agent-versions",
    MessageType.ADMISSION_POLICY: "/admission-policies",
    MessageType.LOG_KEY_ROTATION: "/log-key-rotations",
    MessageType.PEER_AGREEMENT: "/peer-agreements",
    MessageType.EQUIVOCATION: "/equivocations",
    MessageType.RETRACTION: "/retractions",
    MessageType.REDACTION: "/redactions",
    MessageType.GOLD_LABEL: "/gold-labels",
    MessageType.GOLD_DISPUTE: "/gold-disputes",
    MessageType.PROBE: "/probes",
    MessageType.VERIFICATION_DECLINE: "/declines",
    MessageType.CHALLENGE_ANSWER: "/challenge-answers",
}
_KEYS = """query ($agent: ID!) { agent(id: $agent) { keys {
  id publicKey alias logIndex status retiredAt notTrustedSince revokedReason revokedBy registeredBy } } }"""
_ADMISSION = "{ admissionPolicy { mode allowedAgents invitations signedHash issuedAt logIndex } }"
_BLAST_RADIUS = """query ($key: ID, $agent: ID, $source: ID, $statement: ID, $asOf: Int, $first: Int!, $after: Int!) {
  blastRadius(key: $key, agent: $agent, source: $source, statement: $statement, asOf: $asOf, first: $first,
              after: $after) {
    asOf complete total statements verifications keys vouchedFor hasNextPage
    items { kind name messageId logIndex depth relation parent position } } }"""
_LINEAGE = """query ($statement: ID!, $asOf: Int, $first: Int!, $after: Int!) {
  lineage(statementId: $statement, asOf: $asOf, first: $first, after: $after) {
    asOf complete total hasNextPage
    events { kind name id logIndex receivedAt agent causes { relation kind name } position } } }"""
# As JSON-LD a document has its verification status filled in; as JSON it is what was received.
_AS_RECEIVED = {"accept": "application/json"}


class UnreachableError(A2APError):
    """The platform did not answer, or not in the form of this API."""


class ProblemError(A2APError):
    """The platform refused: the problem details of RFC 9457.

    `status` is the HTTP status that goes with it, `path` the member of the document at fault where there is one.
    """

    def __init__(self, status: int, title: str, detail: str, path: str | None = None) -> None:
        super().__init__(status, title, detail, path)
        self.status = status
        self.title = title
        self.detail = detail
        self.path = path

    def __str__(self) -> str:
        # GraphQL says what is wrong with status 200, which tells nobody anything.
        title = self.title if self.status == httpx.codes.OK else f"{self.status} {self.title}"
        return f"{title}: {self.detail}" if self.detail else title


@dataclass(frozen=True, slots=True)
class Receipt:
    """Where a document stands in the platform's log; `created` is false when it was there before.

    `entry` is the leaf of the log and `proof` leads from it to a signed checkpoint (`a2ap.log.receipt`): whoever keeps
    both, and has the log's key, can show anybody that the document was accepted.
    """

    log_index: int
    id: str
    type: str
    signed_hash: str
    document_hash: str
    received_at: str
    entry: str
    proof: str
    created: bool


def is_loopback(url: str) -> bool:
    """Tell whether a URL leads to this machine, where the environment's proxy is not to be asked."""
    return (urlsplit(url).hostname or "") in ("localhost", "127.0.0.1", "::1")


class Client:
    """A connection to one platform. `token` is for operators and cleared readers; agents need none.

    `log_key` is the verifier key of the platform's log, now or earlier: with it, receipts are verified. Documents are
    given as built and signed, or as the exact bytes to send. Times out after `timeout` seconds.
    """

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        log_key: VerifierKey | None = None,
        timeout: float = 120.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self.base_url = base_url.rstrip("/")
        self._log_keys = LogKeys(log_key) if log_key is not None else None
        self._http = httpx.Client(
            base_url=self.base_url,
            headers=headers,
            timeout=timeout,
            transport=transport,
            trust_env=not is_loopback(base_url),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def register(self, registration: Document) -> Receipt:
        """Register an agent and its key, with a registration signed by that key."""
        return self._post("/agents", registration)

    def endorse(self, endorsement: Document) -> Receipt:
        """Answer for another agent."""
        return self._post("/endorsements", endorsement)

    def announce_version(self, announcement: Document) -> Receipt:
        """Say what an agent is a version of, or take one that says so into your family."""
        return self._post("/agent-versions", announcement)

    def register_key(self, registration: Document) -> Receipt:
        """Register another key of an agent, signed by a key that speaks for it or by its recovery key."""
        return self._post("/key-registrations", registration)

    def revoke_key(self, revocation: Document) -> Receipt:
        """Revoke a key."""
        return self._post("/key-revocations", revocation)

    def deactivate(self, deactivation: Document) -> Receipt:
        """End an agent: what it has said stays."""
        return self._post("/deactivations", deactivation)

    def set_admission(self, policy: Document) -> Receipt:
        """Say who may join; only the node's own key can sign it."""
        return self._post("/admission-policies", policy)

    def keys(self, agent_id: str) -> list[dict[str, Any]]:
        """Return the keys of an agent, oldest first, with what became of them; none where the agent is not known."""
        agent = self.graphql(_KEYS, {"agent": agent_id})["agent"]
        return [] if agent is None else list(agent["keys"])

    def admission(self) -> dict[str, Any]:
        """Return the admission policy in force."""
        policy: dict[str, Any] = self.graphql(_ADMISSION)["admissionPolicy"]
        return policy

    def blast_radius(
        self, of: str, name: str, *, as_of: int | None = None, after: int = -1, first: int = 200
    ) -> dict[str, Any]:
        """Return a page of what rests on something; `of` is `key`, `agent`, `source` or `statement`."""
        variables = {of: name, "asOf": as_of, "after": after, "first": first}
        found: dict[str, Any] = self.graphql(_BLAST_RADIUS, variables)["blastRadius"]
        return found

    def lineage(
        self, statement: str, *, as_of: int | None = None, after: int = -1, first: int = 200
    ) -> dict[str, Any]:
        """Return a page of the story of a statement, named by hash or id: causes first."""
        variables = {"statement": statement, "asOf": as_of, "after": after, "first": first}
        found: dict[str, Any] = self.graphql(_LINEAGE, variables)["lineage"]
        return found

    def set_policy(self, policy: Document) -> Receipt:
        """Set the rules of consensus; only the node's own key can sign them."""
        return self._post("/policies", policy)

    def register_source(self, registration: Document) -> Receipt:
        """Announce a source: its name, its hash, and who may read it."""
        return self._post("/sources", registration)

    def put_source(self, document_hash: str, data: bytes) -> None:
        """Upload the bytes of a source that is registered; `document_hash` is `sha256:…` of them."""
        self._send(
            "PUT", f"/sources/{quote(document_hash, safe=':')}", content=data, media_type="application/octet-stream"
        )

    def source(self, document_hash: str, start: int | None = None, end: int | None = None) -> bytes:
        """Return the bytes of a source, or its half-open byte range `start` to `end`."""
        headers = {}
        if start is not None or end is not None:
            headers["range"] = f"bytes={start or 0}-{'' if end is None else end - 1}"
        return self._send("GET", f"/sources/{quote(document_hash, safe=':')}", headers=headers).content

    def submit(self, statement: Document) -> Receipt:
        """Submit a signed statement."""
        return self._post("/statements", statement)

    def submit_many(self, documents: Sequence[Document]) -> list[Receipt | ProblemError]:
        """Submit many messages of any type in order; one answer for each, and a refusal stops none of the others.

        A document that has line breaks is sent alone, as it is; the others go many at once, a line each.
        """
        answers: list[Receipt | ProblemError] = []
        for batch in _batches([_bytes_of(document) for document in documents]):
            answers += self._submit_lines(batch) if _is_line(batch[0]) else [self._submit_alone(batch[0])]
        return answers

    def request_verification(self, request: Document) -> Receipt:
        """Ask the other agents to check a statement."""
        return self._post("/verification-requests", request)

    def respond(self, response: Document) -> Receipt:
        """Give a verdict on a statement."""
        return self._post("/verifications", response)

    def lease(self, message: bytes, wait: float = 0.0) -> list[dict[str, Any]]:
        """Lease verification requests by a signed lease request; wait up to `wait` seconds where there are none.

        Each lease is an object with `lease`, `expiresAt`, `request` and `statement`, as the platform gives it.
        """
        response = self._send(
            "POST",
            f"/leases?wait={wait:g}",
            content=message,
            media_type="application/ld+json",
            timeout=wait + _LEASE_PATIENCE,
        )
        leases = _object(response).get("leases")
        if not isinstance(leases, list) or not all(isinstance(lease, dict) for lease in leases):
            raise UnreachableError("the platform answered with something that is no list of leases")
        return leases

    def decline(self, decline: Document) -> Receipt:
        """Say that a verification request is not answered, and why."""
        return self._post(_PATHS[MessageType.VERIFICATION_DECLINE], decline)

    def answer(self, answer: Document) -> Receipt:
        """Answer a challenge of one's own statement."""
        return self._post(_PATHS[MessageType.CHALLENGE_ANSWER], answer)

    def label_gold(self, label: Document) -> Receipt:
        """Say what the operator knows of a statement; for the node's key alone."""
        return self._post("/gold-labels", label)

    def dispute_gold(self, dispute: Document) -> Receipt:
        """Say that a gold label is wrong."""
        return self._post("/gold-disputes", dispute)

    def commit_probes(self, probe: Document) -> Receipt:
        """Commit to the answers of claims before anybody is asked; for the node's key alone."""
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
        """Hand in records of another format, as `/passports`; unsigned, or with an agent's own signed registration.

        Without a `boundary` nobody but the operator may read them; with a registration, that says who may.
        """
        headers = {} if boundary is None else {"a2ap-boundary": boundary}
        if registration is not None:
            headers["a2ap-registration"] = base64.b64encode(_bytes_of(registration)).decode("ascii")
        response = self._send("POST", path, content=content, media_type="application/json", headers=headers)
        records = _object(response).get("records")
        if not isinstance(records, list) or not all(isinstance(one, dict) for one in records):
            raise UnreachableError(f"{self.base_url} answered with no list of records")
        return [_read_receipt(one, bool(one.get("created", True))) for one in records]

    def assemble_packet(self, order: bytes) -> bytes:
        """Have a Context Packet made from the graph, as an order in JSON says; nothing is registered."""
        return self._send("POST", "/packets/assemble", content=order, media_type="application/json").content

    def record(self, path: str, record_hash: str) -> bytes:
        """Return a record of another format byte for byte, by the hash of its bytes."""
        return self._send("GET", f"{path}/{quote(record_hash, safe=':')}").content

    def verification(self, verification_id: str) -> bytes:
        """Return a verification as it was received, by its id or signed hash."""
        return self._send("GET", f"/verifications/{quote(verification_id, safe=':')}", headers=_AS_RECEIVED).content

    def statement(self, statement_id: str) -> bytes:
        """Return a statement, byte for byte as its author sent it."""
        return self._send("GET", f"/statements/{quote(statement_id, safe=':')}", headers=_AS_RECEIVED).content

    def bundle(self, statement: str) -> bytes:
        """Fetch the bundle of a statement, by its id or its signed hash; `a2ap.bundle.verify_bundle` checks it."""
        return self._send("GET", f"/statements/{quote(statement, safe='')}/bundle").content

    def agent(self, agent_id: str) -> bytes:
        """Return the registration of an agent, byte for byte; its key is in it."""
        return self._send("GET", f"/agents/{quote(agent_id, safe=':')}", headers=_AS_RECEIVED).content

    def graphql(self, query: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Run a GraphQL operation and return its `data`; raises ProblemError with the first of its errors."""
        body = write_json({"query": query, "variables": dict(variables or {})})
        answer = _object(self._send("POST", "/graphql", content=body, media_type="application/json"))
        errors = answer.get("errors")
        if errors:
            first = errors[0] if isinstance(errors, list) else errors
            told = first.get("message", first) if isinstance(first, dict) else first
            raise ProblemError(200, "GraphQL error", str(told))
        data = answer.get("data")
        if not isinstance(data, dict):
            raise UnreachableError(f"{self.base_url} answered a GraphQL query without data")
        return data

    def node(self) -> dict[str, Any]:
        """Return what the node says of itself at `/.well-known/a2ap`: versions, policies, keys, limits, doors."""
        return _object(self._send("GET", "/.well-known/a2ap"))

    def node_agent(self) -> str:
        """Return the agent of the node, as it names itself: what lease requests give as their audience."""
        agent = self.node().get("node")
        if not isinstance(agent, str):
            raise UnreachableError("the platform does not say which node it is")
        return agent

    def health(self) -> bool:
        """Tell whether the platform is up and can reach its graph."""
        try:
            return self._http.get("/readyz").status_code == httpx.codes.OK
        except httpx.HTTPError:
            return False

    def _post(self, path: str, document: Document) -> Receipt:
        data = _bytes_of(document)
        response = self._send("POST", path, content=data, media_type="application/ld+json")
        return self._verified(_read_receipt(_object(response), response.status_code == httpx.codes.CREATED), data)

    def _submit_alone(self, document: bytes) -> Receipt | ProblemError:
        try:
            return self._post(_path_for(document), document)
        except ProblemError as problem:
            return problem

    def _submit_lines(self, documents: Sequence[bytes]) -> list[Receipt | ProblemError]:
        body = b"".join(document + b"\n" for document in documents)
        response = self._send("POST", "/statements", content=body, media_type="application/x-ndjson")
        lines = [line for line in response.text.split("\n") if line.strip()]
        if len(lines) != len(documents):
            raise UnreachableError(f"{self.base_url} answered {len(lines)} of {len(documents)} documents")
        answers = map(_read_line, lines)
        return [
            self._verified(answer, document) if isinstance(answer, Receipt) else answer
            for answer, document in zip(answers, documents, strict=True)
        ]

    def _verified(self, receipt: Receipt, document: bytes) -> Receipt:
        """Return the receipt, once it holds where the log's key is known; raises `LogError`."""
        if self._log_keys is None:
            return receipt
        message = read_json(document)
        try:
            entry, _ = verify_receipt(receipt.entry, receipt.proof, message, self._log_keys)
        except NoteError:
            # Another key may sign the log by now. That it was handed to that key, the keys before it say.
            self._log_keys = follow_successions(self._log_keys.first, self._successions())
            entry, _ = verify_receipt(receipt.entry, receipt.proof, message, self._log_keys)
        proved = replace(
            receipt,
            log_index=entry.log_index,
            id=entry.id,
            type=entry.type,
            signed_hash=entry.signed_hash,
            document_hash=entry.document_hash,
            received_at=format_instant(entry.received_at),
        )
        if proved != receipt:
            raise ProofError(f"the receipt says something else than entry {entry.log_index}, which it proves")
        return receipt

    def _successions(self) -> list[str]:
        notes = _object(self._send("GET", "/.well-known/a2ap")).get("logKeySuccessions", [])
        if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
            raise UnreachableError(f"{self.base_url} states no list of successions of its log key")
        return notes

    def _send(
        self,
        method: str,
        path: str,
        *,
        content: bytes | None = None,
        media_type: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> httpx.Response:
        patience = httpx.USE_CLIENT_DEFAULT if timeout is None else timeout
        sent = dict(headers or {}) | ({"content-type": media_type} if media_type else {})
        try:
            response = self._http.request(method, path, content=content, headers=sent, timeout=patience)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise UnreachableError(f"{self.base_url} does not answer: {_what_happened(error)}") from error
        if response.is_success:
            return response
        raise _problem(response)


def _bytes_of(document: Document) -> bytes:
    return document if isinstance(document, bytes) else write_json(document)


def _is_line(document: bytes) -> bool:
    return b"\n" not in document and b"\r" not in document and bool(document.strip())


def _batches(documents: Sequence[bytes]) -> Iterator[list[bytes]]:
    """Cut the documents into runs of lines; what is no line, and NDJSON would change, is alone."""
    batch: list[bytes] = []
    for document in documents:
        if batch and (len(batch) == _DOCUMENTS_AT_ONCE or not _is_line(document) or not _is_line(batch[-1])):
            yield batch
            batch = []
        batch.append(document)
    if batch:
        yield batch


def _path_for(document: bytes) -> str:
    """Return where a document of its type is sent; the platform says what is wrong with one that has none."""
    try:
        return _PATHS.get(read_type(read_json(document)), "/statements")
    except MessageError:
        return "/statements"


def _what_happened(error: Exception) -> str:
    """Say in words why there was no answer: what the system says of it where it does, as "connection refused"."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return _in_sentence(cause.strerror)
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, httpx.TimeoutException):
        return "timed out"
    return _in_sentence(str(error) or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower())


def _in_sentence(text: str) -> str:
    return (text[:1].lower() + text[1:] if text[1:2].islower() else text).rstrip(".")


def _read_line(line: str) -> Receipt | ProblemError:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UnreachableError("the platform answered with a line that is not JSON") from error
    if not isinstance(answer, dict):
        raise UnreachableError("the platform answered with a line that is not a JSON object")
    if "logIndex" in answer:
        return _read_receipt(answer, bool(answer.get("created", True)))
    return _read_problem(answer, 0)


def _read_receipt(answer: Mapping[str, Any], created: bool) -> Receipt:
    return Receipt(
        log_index=_member(answer, "logIndex", int),
        id=_member(answer, "id", str),
        type=_member(answer, "type", str),
        signed_hash=_member(answer, "signedHash", str),
        document_hash=_member(answer, "documentHash", str),
        received_at=_member(answer, "receivedAt", str),
        entry=_member(answer, "entry", str),
        proof=_member(answer, "proof", str),
        created=created,
    )


def _member(answer: Mapping[str, Any], name: str, kind: type[T]) -> T:
    if name not in answer:
        raise UnreachableError(f"the platform answered with something that is no receipt: {name!r} is missing")
    value = answer[name]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise UnreachableError(f"the platform answered with something that is no receipt: {name!r} is {value!r}")
    return value


def _read_problem(answer: Mapping[str, Any], status: int) -> ProblemError:
    title, detail, path, stated = (answer.get(name) for name in ("title", "detail", "path", "status"))
    if isinstance(stated, int) and not isinstance(stated, bool):
        status = stated
    return ProblemError(status, str(title or "refused"), str(detail or ""), path if isinstance(path, str) else None)


def _problem(response: httpx.Response) -> ProblemError:
    try:
        return _read_problem(_object(response), response.status_code)
    except UnreachableError:
        return ProblemError(response.status_code, response.reason_phrase, response.text[:200])


def _object(response: httpx.Response) -> dict[str, Any]:
    try:
        answer = response.json()
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise UnreachableError(f"{response.request.url} did not answer with a JSON object")
    return answer


def receipts(answers: Sequence[Receipt | ProblemError]) -> Iterator[Receipt]:
    """Yield the receipts of `submit_many`; raises the first refusal among them."""
    for answer in answers:
        if isinstance(answer, ProblemError):
            raise answer
        yield answer
