"""The tables of the mirror. The dictionary (`graph.dictionary`) has the kinds and meanings of their columns.

A property of a node is the column of the same name. A relationship that every node has once is a column too.
"""

from collections.abc import Iterator
from functools import cache

from graph.dictionary.labels import NODE_KEYS, SOURCE_TEXTS
from graph.dictionary.reading import WITHHELD, columns_from, node_terms, relationship_terms
from graph.dictionary.term import Column, Kind, Origin
from graph.mirror.table import Edges, Link, Reference, Table
from graph.past.score_replay import AGENT, COLUMNS, STATEMENT

SCORE_TABLES = {STATEMENT: "statement_scores", AGENT: "agent_scores"}
"""The tables of changes of scores."""

Keys = tuple[tuple[str, ...], ...]

FINDINGS = ("finding_criteria", "finding_statuses", "finding_confidences", "finding_evidence")
"""Parallel lists of a verdict, which become a table of their own."""


def _of_label(
    name: str,
    label: str,
    *,
    links: tuple[Link, ...] = (),
    references: tuple[Reference, ...] = (),
    indexes: Keys = (),
    left_out: tuple[str, ...] = (),
) -> Table:
    """Return the table of a label; every link refers to a row."""
    term = node_terms()[label]
    withheld = (WITHHELD,) if label in SOURCE_TEXTS else ()
    linked = tuple(Reference((link.column,), link.table) for link in links)
    return Table(
        name,
        term.meaning,
        (NODE_KEYS[label],),
        (*term.columns, *withheld),
        label=label,
        links=links,
        left_out=left_out,
        references=references + linked,
        indexes=indexes + tuple((link.column,) for link in links),
    )


def _of_messages() -> Iterator[Table]:
    """Yield the tables that the dictionary names: of messages, each an entry of the log."""
    for label, term in node_terms().items():
        if term.table is not None:
            yield _of_label(term.table, label, references=(_LOGGED,), indexes=tuple((name,) for name in term.indexes))


def _of_edges(name: str, edges: Edges, key: tuple[str, ...], ends: tuple[Column, ...], to: tuple[str, str]) -> Table:
    """Return the table of relationships from rows of one table to rows of another."""
    type = edges.types[0]
    meaning = relationship_terms()[type].meaning
    start, end = ends
    withheld = (WITHHELD,) if type in SOURCE_TEXTS else ()
    references = (Reference((start.name,), to[0]), Reference((end.name,), to[1]))
    columns = (*ends, *columns_from(type, ""), *withheld)
    return Table(
        name,
        meaning,
        key,
        columns,
        edges=edges,
        references=references,
        indexes=((end.name,),) if key[0] != end.name else (),
    )


def _end(name: str, meaning: str) -> Column:
    return Column(name, Kind.TEXT, meaning, "", Origin.SAID, is_always_there=True)


_AUTHOR = Link("agent_id", "GENERATED", True, "agents", "Whose statement it is.", is_always_there=True)
_VERIFIER = Link("agent_id", "PERFORMED_BY", False, "agents", "Whose verdict it is.")
_JUDGED = Link("statement_hash", "VALIDATES", False, "statements", "The statement that it is on.")
_ASKED = Link("statement_hash", "TARGETS", False, "statements", "The statement that it is about.")
_PART_OF = Link("document_key", "PART_OF", False, "documents", "The document that it is a passage of.", is_whole=True)
_SOURCE = Link("source_id", "SOURCED_FROM", False, "sources", "The source that it is a copy of.", is_whole=True)
_LOGGED = Reference(("log_index",), "log_entries")

_LOG_SIZE = Column(
    "log_size",
    Kind.INTEGER,
    "The size of the log from which on it is so, until the next row.",
    "entries",
    Origin.DERIVED,
    is_always_there=True,
)


def _scores(name: str, meaning: str, owner: Column, table: str, columns: tuple[Column, ...]) -> Table:
    return Table(
        name,
        meaning,
        (owner.name, "log_size"),
        (owner, _LOG_SIZE, *columns),
        references=(Reference((owner.name,), table),),
        indexes=(("log_size",),),
    )


def _columns_of(label: str, *names: str) -> tuple[Column, ...]:
    """Return columns of a label, in this order."""
    known = {column.name: column for column in node_terms()[label].columns}
    return tuple(known[name] for name in names)


@cache
def mirror_tables() -> tuple[Table, ...]:
    """Return the tables, each after those that it refers to."""
    return (
        _of_label("log_entries", "LogEntry", indexes=(("signed_hash",), ("received_at",), ("agent",))),
        _of_label("agents", "Agent"),
        _of_label("families", "AgentFamily"),
        _of_edges(
            "memberships",
            Edges(("SPECIALIZATION_OF",), "agent_id", "family_id"),
            ("agent_id",),
            (_end("agent_id", "Which agent."), _end("family_id", "Of which family.")),
            ("agents", "families"),
        ),
        _of_label("keys", "Key", references=(Reference(("agent_id",), "agents"),), indexes=(("agent_id",),)),
        _of_label("key_events", "KeyEvent", references=(_LOGGED,), indexes=(("agent_id",),)),
        _of_label("policies", "Policy", references=(_LOGGED,)),
        _of_label("epochs", "Epoch", references=(_LOGGED,), indexes=(("log_size",),)),
        _of_label("reliabilities", "Reliability", indexes=(("agent_id", "log_size"),)),
        _of_label("operator_records", "OperatorRecord", indexes=(("operator", "log_size"),)),
        _of_edges(
            "endorsements",
            Edges(("ENDORSED",), "endorser", "endorsed"),
            ("endorser", "endorsed", "key_id"),
            (_end("endorser", "The agent that vouches."), _end("endorsed", "The agent that it vouches for.")),
            ("agents", "agents"),
        ),
        _of_label("sources", "Source"),
        _of_label("documents", "Document", links=(_SOURCE,), indexes=(("document_hash",),)),
        _of_edges(
            "registrations",
            Edges(("REGISTERED",), "agent_id", "document_key"),
            ("signed_hash",),
            (_end("agent_id", "The agent that registered it."), _end("document_key", "Which document.")),
            ("agents", "documents"),
        ),
        _of_label("chunks", "Chunk", links=(_PART_OF,)),
        _of_label("statements", "Statement", links=(_AUTHOR,), references=(_LOGGED,), indexes=(("received_at",),)),
        _of_edges(
            "evidence",
            Edges(("CITES",), "statement_hash", "chunk_key"),
            ("statement_hash", "position"),
            (_end("statement_hash", "Which statement."), _end("chunk_key", "On which passage.")),
            ("statements", "chunks"),
        ),
        Table(
            "statement_references",
            "A statement refers to another.",
            ("statement_hash", "kind", "target_hash"),
            (
                _end("statement_hash", "Which statement."),
                _end("kind", "How: SUPPORTS, CONTRADICTS or REVISION_OF."),
                _end("target_hash", "To which statement."),
            ),
            edges=Edges(("SUPPORTS", "CONTRADICTS", "REVISION_OF"), "statement_hash", "target_hash"),
            references=(Reference(("statement_hash",), "statements"), Reference(("target_hash",), "statements")),
            indexes=(("target_hash",),),
        ),
        _of_label("requests", "VerificationRequest", links=(_ASKED,), references=(_LOGGED,), indexes=(("agent_id",),)),
        _of_label(
            "verdicts",
            "Verification",
            links=(_VERIFIER, _JUDGED),
            references=(_LOGGED,),
            indexes=(("request_hash",), ("received_at",)),
            left_out=FINDINGS,
        ),
        Table(
            "findings",
            "A finding of a verdict under one criterion.",
            ("verdict_hash", "position"),
            (
                _end("verdict_hash", "Of which verdict."),
                Column(
                    "position", Kind.INTEGER, "Which of its findings, from 0.", "", Origin.SAID, is_always_there=True
                ),
                _end("criterion", "Under which criterion."),
                _end("status", "PASS, FAIL or INCONCLUSIVE."),
                Column("confidence", Kind.FLOAT, "How sure its author is.", "0..1", Origin.SAID),
                Column("evidence", Kind.TEXT, "The finding in words.", "", Origin.SAID),
            ),
            references=(Reference(("verdict_hash",), "verdicts"),),
            indexes=(("criterion", "status"),),
        ),
        *_of_messages(),
        _scores(
            SCORE_TABLES[STATEMENT],
            "The score of a statement from one size of the log on: a row for each change. Before the first it is 0.",
            _end("signed_hash", "Which statement."),
            "statements",
            _columns_of("Statement", *COLUMNS[STATEMENT]),
        ),
        _scores(
            SCORE_TABLES[AGENT],
            "How an agent stood from one size of the log on: a row for each change. Before the first it was at 0.5.",
            _end("agent_id", "Which agent."),
            "agents",
            _columns_of("Agent", *COLUMNS[AGENT]),
        ),
    )


@cache
def tables_of_labels() -> dict[str, Table]:
    """Return the tables made from nodes, by label."""
    return {table.label: table for table in mirror_tables() if table.label is not None}


@cache
def tables_of_types() -> dict[str, Table]:
    """Return the tables made from relationships, by type."""
    return {type: table for table in mirror_tables() if table.edges is not None for type in table.edges.types}


@cache
def links_of_types() -> dict[str, tuple[Table, Link]]:
    """Return the columns made from relationships, by type."""
    return {link.type: (table, link) for table in mirror_tables() for link in table.links}
