"""The content of a statement's triples, read back as one value, from which the graph is made.

The triples may come through pyld and rdflib or straight from the statement: blank node labels and the order of triples
mean nothing here. Nothing of the document is lost, save the order of capabilities and of references, which has no
meaning. Every accepted statement comes by `facts_of`, which writes no triples; a test holds the two ways equal on
random statements.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from a2ap.messages.evidence import EvidenceSegment
from a2ap.messages.statement import ProvenanceStatement, Reference
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.triples import Literal, Triple
from a2ap.rdf.vocabulary import PROV, RDF, SCHEMA
from a2ap.times import format_instant

_Node = dict[str, list[str | Literal]]
_Nodes = dict[str, _Node]


@dataclass(frozen=True, slots=True)
class EvidenceFacts:
    """One evidence segment, `position` counting from 0 in document order.

    Bytes are half open. `timestamp_start` and `timestamp_end` are as on the wire, the milliseconds exact. A quote
    that has been taken away has its `quote_digest` and no `quote_text`.
    """

    position: int
    source_document: str
    document_hash: str | None
    chunk_id: str
    content_hash: str | None
    byte_start: int
    byte_end: int
    timestamp_start: str | None
    timestamp_end: str | None
    start_milliseconds: int | None
    end_milliseconds: int | None
    quote_text: str | None
    quote_digest: str | None
    relevance_score: float | None
    page: int | None = None


@dataclass(frozen=True, slots=True)
class StatementFacts:
    """A statement as its triples describe it.

    `generated_at` is RFC 3339 in UTC; capabilities, references and `generated_by`, hashes of records, are sorted.
    """

    statement_id: str
    generated_at: str
    agent_id: str
    agent_name: str
    agent_version: str
    agent_publisher: str
    agent_capabilities: tuple[str, ...]
    claim_text: str
    confidence: float
    generation_method: str | None
    content_hash: str
    evidence: tuple[EvidenceFacts, ...]
    supports: tuple[Reference, ...]
    contradicts: tuple[Reference, ...]
    was_revision_of: Reference | None
    generated_by: tuple[str, ...] = ()


def facts_of(statement: ProvenanceStatement) -> StatementFacts:
    """Return the facts of a statement straight from its value, equal to those read from its triples."""
    envelope, agent, claim = statement.envelope, statement.agent, statement.claim
    return StatementFacts(
        statement_id=envelope.id,
        generated_at=format_instant(envelope.time),
        agent_id=agent.agent_id,
        agent_name=agent.name,
        agent_version=agent.version,
        agent_publisher=agent.publisher,
        agent_capabilities=tuple(sorted(set(agent.capabilities))),
        claim_text=claim.text,
        confidence=claim.confidence,
        generation_method=claim.generation_method,
        content_hash=claim.content_hash,
        evidence=tuple(_facts_of_segment(segment, place) for place, segment in enumerate(statement.evidence)),
        supports=_in_order(statement.supports),
        contradicts=_in_order(statement.contradicts),
        was_revision_of=statement.was_revision_of,
        generated_by=tuple(sorted(statement.generated_by)),
    )


def _facts_of_segment(segment: EvidenceSegment, position: int) -> EvidenceFacts:
    cue, quote = segment.timestamp, segment.quote
    return EvidenceFacts(
        position=position,
        source_document=segment.source_document,
        document_hash=segment.document_hash,
        chunk_id=segment.chunk_id,
        content_hash=segment.content_hash,
        byte_start=segment.byte_range.start,
        byte_end=segment.byte_range.end,
        timestamp_start=None if cue is None else cue.start,
        timestamp_end=None if cue is None else cue.end,
        start_milliseconds=None if cue is None else cue.start_ms,
        end_milliseconds=None if cue is None else cue.end_ms,
        quote_text=None if quote is None else quote.text,
        quote_digest=None if quote is None else quote.digest,
        relevance_score=segment.relevance_score,
        page=segment.page,
    )


def _in_order(references: Iterable[Reference]) -> tuple[Reference, ...]:
    return tuple(sorted(references, key=lambda reference: (reference.id, reference.target_hash)))


def read_statement_facts(triples: Iterable[Triple]) -> StatementFacts:
    """Read the triples of one statement; raises `ValueError` if they are not those of exactly one."""
    nodes: _Nodes = {}
    statement_id = None
    for subject, predicate, value in triples:
        node = nodes.get(subject)
        if node is None:
            nodes[subject] = {predicate: [value]}
        elif predicate in node:
            node[predicate].append(value)
        else:
            node[predicate] = [value]
        if value == A2AP.PROVENANCE_STATEMENT and predicate == RDF.TYPE:
            if statement_id is not None and statement_id != subject:
                raise ValueError(f"these are the triples of two statements, {statement_id} and {subject}")
            statement_id = subject
    if statement_id is None:
        raise ValueError("these are not the triples of a statement")
    try:
        return _read_statement(nodes, statement_id)
    except (KeyError, TypeError) as error:
        raise ValueError(f"the triples of {statement_id} are not whole: {error}") from error


def _read_statement(nodes: _Nodes, statement_id: str) -> StatementFacts:
    statement = nodes[statement_id]
    agent_id = _resource(statement, PROV.WAS_ATTRIBUTED_TO)
    agent = nodes[agent_id]
    claim = nodes[_resource(statement, A2AP.CLAIM)]
    support = (A2AP.QUALIFIED_SUPPORT, A2AP.TARGET_STATEMENT)
    contradiction = (A2AP.QUALIFIED_CONTRADICTION, A2AP.TARGET_STATEMENT)
    revised = _references(nodes, statement, PROV.QUALIFIED_REVISION, PROV.HAS_ENTITY)
    return StatementFacts(
        statement_id=statement_id,
        generated_at=format_instant(datetime.fromisoformat(_text(statement, PROV.GENERATED_AT_TIME))),
        agent_id=agent_id,
        agent_name=_text(agent, SCHEMA.NAME),
        agent_version=_text(agent, SCHEMA.VERSION),
        agent_publisher=_text(agent, SCHEMA.PUBLISHER),
        agent_capabilities=tuple(sorted(value[0] for value in agent.get(A2AP.CAPABILITY, ()))),
        claim_text=_text(claim, SCHEMA.TEXT),
        confidence=float(_text(claim, A2AP.CONFIDENCE)),
        generation_method=_optional_text(claim, A2AP.GENERATION_METHOD),
        content_hash=_text(claim, A2AP.CONTENT_HASH),
        evidence=tuple(
            _read_segment(nodes, nodes[segment], position)
            for position, segment in enumerate(_items(nodes, _resource(statement, A2AP.EVIDENCE)))
        ),
        supports=_references(nodes, statement, *support),
        contradicts=_references(nodes, statement, *contradiction),
        was_revision_of=revised[0] if revised else None,
        generated_by=_records(nodes, statement),
    )


def _read_segment(nodes: _Nodes, segment: _Node, position: int) -> EvidenceFacts:
    byte_range = nodes[_resource(segment, A2AP.BYTE_RANGE)]
    cue = nodes[_resource(segment, A2AP.TIMESTAMP)] if A2AP.TIMESTAMP in segment else None
    score, page = _optional_text(segment, A2AP.RELEVANCE_SCORE), _optional_text(segment, A2AP.PAGE)
    return EvidenceFacts(
        position=position,
        source_document=_resource(segment, A2AP.SOURCE_DOCUMENT),
        document_hash=_optional_text(segment, A2AP.DOCUMENT_HASH),
        chunk_id=_resource(segment, PROV.HAS_ENTITY),
        content_hash=_optional_text(segment, A2AP.CONTENT_HASH),
        byte_start=int(_text(byte_range, A2AP.BYTE_START)),
        byte_end=int(_text(byte_range, A2AP.BYTE_END)),
        timestamp_start=None if cue is None else _text(cue, A2AP.TIMESTAMP_START),
        timestamp_end=None if cue is None else _text(cue, A2AP.TIMESTAMP_END),
        start_milliseconds=None if cue is None else int(_text(cue, A2AP.START_MILLISECONDS)),
        end_milliseconds=None if cue is None else int(_text(cue, A2AP.END_MILLISECONDS)),
        quote_text=_optional_text(segment, A2AP.QUOTE_TEXT),
        quote_digest=_optional_text(segment, A2AP.QUOTE_TEXT_DIGEST),
        relevance_score=None if score is None else float(score),
        page=None if page is None else int(page),
    )


def _references(nodes: _Nodes, statement: _Node, qualified: str, target: str) -> tuple[Reference, ...]:
    if qualified not in statement:
        return ()
    references = [nodes[name] for name in statement[qualified] if isinstance(name, str)]
    pairs = sorted((_resource(node, target), _text(node, A2AP.TARGET_HASH)) for node in references)
    return tuple(Reference(target_id, target_hash) for target_id, target_hash in pairs)


def _records(nodes: _Nodes, statement: _Node) -> tuple[str, ...]:
    named = [nodes[name] for name in statement.get(PROV.QUALIFIED_GENERATION, ()) if isinstance(name, str)]
    return tuple(sorted(_text(node, A2AP.RECORD_HASH) for node in named))


def _items(nodes: _Nodes, cell: str) -> Iterator[str]:
    while cell != RDF.NIL:
        # Taken out, so that a list that runs in a circle ends as one that is not whole.
        node = nodes.pop(cell)
        yield _resource(node, RDF.FIRST)
        cell = _resource(node, RDF.REST)


def _resource(node: _Node, predicate: str) -> str:
    values = node[predicate]
    value = values[0]
    if len(values) != 1 or not isinstance(value, str):
        raise TypeError(f"{predicate} is not one resource")
    return value


def _text(node: _Node, predicate: str) -> str:
    values = node[predicate]
    value = values[0]
    if len(values) != 1 or isinstance(value, str):
        raise TypeError(f"{predicate} is not one literal")
    return value[0]


def _optional_text(node: _Node, predicate: str) -> str | None:
    return _text(node, predicate) if predicate in node else None
