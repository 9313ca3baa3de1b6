"""What the graph knows about the names in one batch of messages; admission reads it and adds to it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from a2ap.boundary import Boundary
from a2ap.keys import PublicKey
from graph.log.entry import Receipt


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """A registered key and the agent that it speaks for."""

    key_id: str
    agent_id: str
    public_key: PublicKey
    alias: str | None


@dataclass(frozen=True, slots=True)
class StatementRecord:
    """A statement that others may point at."""

    signed_hash: str
    statement_id: str
    agent_id: str


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """A source document; boundary and hash of the first registration are None where it is only cited.

    `sources` are the names that it is registered under.
    """

    document_hash: str
    held: bool
    byte_length: int | None
    media_type: str | None
    boundary: Boundary | None
    registration_hash: str | None
    sources: frozenset[str] = frozenset()


@dataclass(slots=True)
class State:
    """The part of the graph that one batch refers to, as of log size `size`.

    Admission adds each accepted message, so that later messages of the same batch can build on it.
    """

    size: int
    node_agent: str = ""
    keys: dict[str, list[KeyRecord]] = field(default_factory=dict)
    agents: dict[str, str] = field(default_factory=dict)
    receipts: dict[str, Receipt] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    statements: dict[str, StatementRecord] = field(default_factory=dict)
    statement_ids: dict[str, list[str]] = field(default_factory=dict)
    documents: dict[str, DocumentRecord] = field(default_factory=dict)

    def add_key(self, record: KeyRecord) -> None:
        """Make the key findable by its id, its did:key and its alias."""
        for reference in {record.key_id, record.public_key.did_key, record.alias} - {None}:
            known = self.keys.setdefault(str(reference), [])
            if record not in known:
                known.append(record)

    def add_statement(self, record: StatementRecord) -> None:
        """Make the statement findable by its hash and its id."""
        if record.signed_hash not in self.statements:
            self.statements[record.signed_hash] = record
            self.statement_ids.setdefault(record.statement_id, []).append(record.signed_hash)

    def key_of(self, reference: str, agent_id: str) -> KeyRecord | None:
        """Return the key that `reference` names for this agent; an alias may be claimed by several agents."""
        return next((key for key in self.keys.get(reference, ()) if key.agent_id == agent_id), None)

    def holders_of(self, reference: str) -> Sequence[str]:
        """Return the agents for whom `reference` names a key."""
        return tuple(key.agent_id for key in self.keys.get(reference, ()))
