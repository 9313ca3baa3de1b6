"""The node's public description of itself: versions, policies in force, log, limits, endpoints.

It is the same at `/.well-known/a2ap` and in GraphQL. The lists of the admission policy are left out, because they may
be long: the log has the whole policy, and `admissionPolicy` in GraphQL gives its members.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from a2ap.errors import FieldError
from a2ap.fields import MAX_ITEMS
from a2ap.identifiers import MAX_ID_BYTES
from a2ap.json_text import MAX_BYTES, MAX_DEPTH
from a2ap.messages.admission_policy import AdmissionMode
from a2ap.messages.context import SPOKEN_VERSIONS
from a2ap.messages.envelope import MessageType
from a2ap.signing.data_integrity import CRYPTOSUITE, MAX_PROOFS
from a2ap.signing.did_document import did_web
from a2ap.signing.keys import PublicKey
from contexts import A2AP_CONTEXT_URL
from graph.export.messages_by_hash import MAX_HASHES
from graph.federation.transport_key import load_transport_key
from graph.node import SOFTWARE_VERSION
from graph.platform import Platform
from graph.store import Row
from graph.submission.submission import MAX_CITED_TEXT

DOORS: Mapping[str, str] = {
    "graphql": "/graphql",
    "graphqlSchema": "/graphql/schema.graphql",
    "submissions": "/statements",
    "documents": "/statements/{id}",
    "messages": "/messages/{documentHash}",
    "sources": "/sources/{documentHash}",
    "passports": "/passports",
    "log": "/log",
    "export": "/export",
    "did": "/.well-known/did.json",
    "api": "/openapi.json",
}
"""The paths of the node's endpoints; `log` is the prefix that monitors of C2SP tlog-tiles need."""


@dataclass(frozen=True, slots=True)
class LogDescription:
    """The log under its newest checkpoint: `keys` are verifier keys (C2SP signed-note), the first key first."""

    origin: str
    size: int
    keys: tuple[str, ...]
    successions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NodeDescription:
    """A node's description of itself; policies are rows of `current_policy` and `current_admission_policy`, or None."""

    agent_id: str
    agent_key: PublicKey
    transport_key: PublicKey
    url: str | None
    log: LogDescription
    log_key: PublicKey
    consensus_policy: Row | None
    admission_policy: Row | None
    limits: Mapping[str, int]

    @property
    def did(self) -> str | None:
        """The node's `did:web`; None if its address is not known or has none."""
        try:
            return did_web(self.url) if self.url is not None else None
        except FieldError:
            return None

    @property
    def admission_mode(self) -> str:
        """The admission mode: open, unless a policy states another."""
        return AdmissionMode.OPEN.value if self.admission_policy is None else str(self.admission_policy["mode"])


PROTOCOL_VERSIONS = SPOKEN_VERSIONS
CONTEXTS = (A2AP_CONTEXT_URL,)
MESSAGE_TYPES = tuple(type.wire for type in MessageType)
CRYPTOSUITES = (CRYPTOSUITE,)
SOFTWARE = ("a2ap", SOFTWARE_VERSION)


async def describe_node(platform: Platform) -> NodeDescription:
    """Return the node's present description of itself."""
    log, node, settings = platform.log, platform.node, platform.settings
    await log.refresh()
    policies = await platform.store.read("current_policy")
    admissions = await platform.store.read("current_admission_policy")
    known = log.keys
    keys = () if known is None else (known.first, *(succession.new_key for succession in known.successions))
    return NodeDescription(
        agent_id=node.agent_id,
        agent_key=node.key.public_key,
        transport_key=load_transport_key(settings, node.origin).public_key,
        url=settings.public_url,
        log=LogDescription(
            origin=log.origin,
            size=log.checkpoint.tree_size,
            keys=tuple(key.text for key in keys),
            successions=log.successions,
        ),
        log_key=log.verifier_key.public_key,
        consensus_policy=policies[0] if policies else None,
        admission_policy=admissions[0] if admissions else None,
        limits={
            "documentBytes": MAX_BYTES,
            "documentDepth": MAX_DEPTH,
            "idBytes": MAX_ID_BYTES,
            "listItems": MAX_ITEMS,
            "citedTextBytes": MAX_CITED_TEXT,
            "proofs": MAX_PROOFS,
            "bulkBytes": settings.max_bulk_bytes,
            "sourceBytes": settings.max_source_bytes,
            "messagesAtOnce": MAX_HASHES,
        },
    )
