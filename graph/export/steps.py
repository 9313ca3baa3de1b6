"""The steps in which an export reads the graph: label by label, then each type of relationship.

Each step is one query, read page by page. The dictionary names the query of a label, and that of a type of relationship
that starts at one label and can be read again as a whole.
"""

from dataclasses import dataclass
from enum import Enum, auto

from graph.dictionary.reading import node_terms, relationship_terms
from graph.dictionary.term import Term


class Paging(Enum):
    """The ways in which a query's pages follow each other."""

    LOGGED = auto()  # by a stretch of the log
    PAGED = auto()  # by the last key
    RANGES = auto()  # by a range of keys that are hashes
    ONCE = auto()


class Change(Enum):
    """The part of a label or type that an export of changes has, beside the data of new entries."""

    NONE = auto()  # rows that are written once stay as they are
    AGAIN = auto()  # rows that were there may have changed and are given again
    REPLACED = auto()  # rows that were there may be gone: all of the type are given again instead of them


@dataclass(frozen=True, slots=True)
class NodeStep:
    """The nodes of a label."""

    label: str
    query: str
    paging: Paging
    change: Change


@dataclass(frozen=True, slots=True)
class EdgeStep:
    """The relationships of a type between two labels.

    `since` says that the query itself leaves out the earlier ones; otherwise its stretches begin where the changes do.
    """

    type: str
    start: str
    end: str
    query: str
    paging: Paging
    change: Change
    since: bool = False


_PAGING = {
    "LogEntry": Paging.LOGGED,
    "Chunk": Paging.RANGES,
    "Statement": Paging.LOGGED,
    "VerificationRequest": Paging.LOGGED,
    "Verification": Paging.LOGGED,
    "LogHead": Paging.ONCE,
}


def _node_step(term: Term) -> NodeStep:
    if term.export is None:
        raise ValueError(f"{term.name} has no `export` in graph/dictionary/terms/")
    change = Change.NONE if term.is_written_once else Change.AGAIN
    return NodeStep(term.name, term.export, _PAGING.get(term.name, Paging.PAGED), change)


NODE_STEPS = tuple(_node_step(term) for term in node_terms().values())


def _replaced(type: str, start: str, end: str, query: str) -> EdgeStep:
    return EdgeStep(type, start, end, query, Paging.PAGED, Change.REPLACED)


def _logged(type: str, start: str, end: str, query: str, *, since: bool = False) -> EdgeStep:
    return EdgeStep(type, start, end, query, Paging.LOGGED, Change.NONE, since)


EDGE_STEPS = (
    _replaced("HAS_KEY", "Agent", "Key", "export_has_key"),
    _replaced("SPECIALIZATION_OF", "Agent", "AgentFamily", "export_memberships"),
    _replaced("ENDORSED", "Agent", "Agent", "export_endorsed"),
    _replaced("OF", "Reliability", "Agent", "export_reliable"),
    _replaced("REGISTERED", "Agent", "Document", "export_registered"),
    _replaced("SOURCED_FROM", "Document", "Source", "export_sourced_from"),
    *(_replaced(term.name, *term.ends, term.export) for term in relationship_terms().values() if term.export),
    EdgeStep("PART_OF", "Chunk", "Document", "export_part_of", Paging.RANGES, Change.AGAIN),
    _logged("CITES", "Statement", "Chunk", "export_citations"),
    _logged("SUPPORTS", "Statement", "Statement", "export_references"),
    _logged("CONTRADICTS", "Statement", "Statement", "export_references"),
    _logged("REVISION_OF", "Statement", "Statement", "export_references"),
    _logged("VERIFIED", "Agent", "Statement", "export_verdicts", since=True),
    _logged("CHALLENGED", "Agent", "Statement", "export_verdicts", since=True),
    _logged("REQUESTED_VERIFICATION", "Agent", "Statement", "export_requesters", since=True),
    _logged("TARGETS", "VerificationRequest", "Statement", "export_targets"),
    _logged("VALIDATES", "Verification", "Statement", "export_validates"),
    _logged("PERFORMED_BY", "Verification", "Agent", "export_performed_by"),
    _replaced("RECORD_OF", "Passport", "Document", "export_passport_documents"),
    _replaced("DERIVED_FROM", "Passport", "Passport", "export_passport_parents"),
    _replaced("ATTRIBUTED_TO", "Passport", "Agent", "export_passport_agents"),
    _replaced("RECORD_OF", "Pack", "Document", "export_pack_documents"),
    _replaced("USED", "Pack", "Document", "export_pack_uses"),
    _replaced("GENERATED", "Pack", "Document", "export_pack_outputs"),
    _replaced("HAS_STEP", "Pack", "Step", "export_pack_steps"),
    _replaced("GENERATED", "Step", "Document", "export_step_outputs"),
    _replaced("INFORMED_BY", "Pack", "Pack", "export_pack_parents"),
    _replaced("RECORD_OF", "Packet", "Document", "export_packet_documents"),
    _replaced("RECORD_OF", "PacketRecord", "Document", "export_packet_record_documents"),
    _replaced("HAS_ITEM", "Packet", "Item", "export_packet_item_edges"),
    _replaced("ABOUT", "Item", "Statement", "export_item_statements"),
    _replaced("ABOUT", "Item", "Document", "export_item_documents"),
    _replaced("SUPERSEDES", "Packet", "Packet", "export_packet_predecessors"),
    _replaced("ECHOES", "PacketRecord", "Packet", "export_packet_record_echoes"),
    _replaced("DISPOSES", "PacketRecord", "PacketRecord", "export_dispositions"),
    _logged("GENERATED", "Agent", "Statement", "export_generated"),
    _logged("GENERATED_BY", "Statement", "Document", "export_statement_records"),
    _logged("GENERATED_BY", "Verification", "Document", "export_verification_records"),
)

WITH_QUOTES = frozenset({"CITES", "CHALLENGED"})
"""Types with words of a source; a redaction, or a stricter class of the source, removes these from earlier data.

They are replaced if new entries can have done so.
"""
