"""Fetches the inputs of a verdict and checks each itself: the statement, its author's key, its sources."""

from collections.abc import Callable

from a2ap.boundary import STRICTEST, Boundary, strictest
from a2ap.canonical import sha256_digest
from a2ap.client import Client, ProblemError
from a2ap.client.answers import passes
from a2ap.errors import A2APError, KeyFormatError, MessageError, SignatureError
from a2ap.messages.agent_registration import AgentRegistration, verify_possession
from a2ap.messages.message import read_message
from a2ap.messages.scoping import origin_of, scope_message
from a2ap.messages.statement import ProvenanceStatement
from a2ap.signing.keys import PublicKey
from a2ap.signing.signature import verify_signature
from a2ap.verifier.errors import DeclineError
from a2ap.verifier.material import Material, Source

MAX_SOURCE = 2**26
"""Maximum number of bytes that are read of one source."""

MAX_SOURCES = 2**28
"""Maximum number of bytes that are read of all sources of a statement; a source that does not fit is missing."""

_SOURCES_KEPT = 8
_CLASSES = "query ($statement: ID!) { statement(id: $statement) { evidence { document { boundary } } } }"
_ORIGIN = "query ($statement: ID!) { statement(id: $statement) { origin } }"


class Fetching:
    """Fetches from one platform, and keeps the last few sources by their hash, each as `source_of` reads it."""

    def __init__(self, client: Client, source_of: Callable[[bytes], Source] = Source) -> None:
        self._client = client
        self._source_of = source_of
        self._sources: dict[str, Source] = {}
        self._keys: dict[tuple[str, str], PublicKey] = {}

    def statement(self, statement_id: str, target_hash: str) -> ProvenanceStatement:
        """Return the statement with this id and this hash. Raises DeclineError, UnreachableError.

        A statement of another node's agent has the names of agent and key under which the platform knows them.
        """
        try:
            message = read_message(self._client.statement(target_hash))
            origin = self._origin(target_hash)
        except (ProblemError, MessageError) as error:
            _raise_passing(error)
            raise DeclineError(f"{statement_id} cannot be read here: {error}") from error
        envelope = message.envelope
        if not isinstance(message, ProvenanceStatement) or (envelope.id, envelope.signed_hash) != (
            statement_id,
            target_hash,
        ):
            raise DeclineError(f"{statement_id} is not the statement that {target_hash} stands for")
        return message if origin is None else scope_message(message, origin)

    def check_signature(self, statement: ProvenanceStatement) -> None:
        """Raise SignatureError unless a key that the platform knows as its author's signed a statement.

        Raises DeclineError if the author or the key is not known.
        """
        signature, author = statement.envelope.signature, statement.agent.agent_id
        if signature is None:
            raise SignatureError(f"{statement.envelope.id} is not signed")
        name = (author, signature.public_key)
        if name not in self._keys:
            self._keys[name] = self._key(*name)
        verify_signature(signature, statement.envelope.signed_bytes, self._keys[name])

    def material(self, statement: ProvenanceStatement) -> Material:
        """Return a statement with those of its sources that can be read. Raises UnreachableError."""
        hashes = dict.fromkeys(segment.document_hash for segment in statement.evidence)
        found: dict[str, Source] = {}
        room = MAX_SOURCES
        for name in hashes:
            source = self._source(name) if name is not None else None
            if name is not None and source is not None and len(source.data) <= room:
                found[name] = source
                room -= len(source.data)
        return Material(statement, found)

    def boundary(self, statement: ProvenanceStatement) -> Boundary:
        """Return the strictest class of a statement's cited documents on the platform. Raises UnreachableError."""
        try:
            found = self._client.graphql(_CLASSES, {"statement": statement.envelope.signed_hash})["statement"]
            return strictest(Boundary.PUBLIC, *(Boundary(chunk["document"]["boundary"]) for chunk in found["evidence"]))
        except (ProblemError, LookupError, TypeError, ValueError) as error:
            if isinstance(error, A2APError):
                _raise_passing(error)
            return STRICTEST

    def _origin(self, target_hash: str) -> str | None:
        """Return the peer's log that a statement was taken from; None for a statement of the platform's own log."""
        found = self._client.graphql(_ORIGIN, {"statement": target_hash})["statement"]
        origin: str | None = None if found is None else found["origin"]
        return origin

    def _key(self, author: str, key_id: str) -> PublicKey:
        try:
            message, origin = read_message(self._client.agent(author)), origin_of(author)
            registration = message if origin is None else scope_message(message, origin)
            if isinstance(registration, AgentRegistration) and registration.agent.agent_id == author:
                verify_possession(registration)
                if key_id in (registration.key_id, registration.alias):
                    return registration.public_key
            # A later key: the platform checked the agent that registered it.
            for key in self._client.keys(author):
                if key_id in (key["id"], key["alias"]):
                    return PublicKey.parse(key["publicKey"])
        except (ProblemError, MessageError, KeyFormatError, SignatureError) as error:
            _raise_passing(error)
            raise DeclineError(f"the key of {author} cannot be read here: {error}") from error
        raise DeclineError(f"{key_id} is not known as a key of {author}")

    def _source(self, document_hash: str) -> Source | None:
        if document_hash not in self._sources:
            try:
                data = self._client.source(document_hash, 0, MAX_SOURCE + 1)
            except ProblemError as error:
                _raise_passing(error)
                return None
            if len(data) > MAX_SOURCE or sha256_digest(data) != document_hash:
                return None
            while len(self._sources) >= _SOURCES_KEPT:
                self._sources.pop(next(iter(self._sources)))
            self._sources[document_hash] = self._source_of(data)
        return self._sources[document_hash]


def _raise_passing(error: A2APError) -> None:
    """Raise an error that may not occur when the request is repeated."""
    if isinstance(error, ProblemError) and passes(error):
        raise error
