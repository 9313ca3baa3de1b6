"""The kinds and relations of the graph page: their words, their terms of PROV-O, and their forms in the graph.

The terms are those of docs/reference/provenance.md. A relation goes from the later thing `x` to the earlier thing `y`,
as in `graph.lineage.links`. `is_inverse` marks a term that goes from `y` to `x`.
"""

from dataclasses import dataclass
from enum import StrEnum

from graph.lineage.walk import Kind, Relation


class Shape(StrEnum):
    """The class of PROV that a kind is drawn as; a key is of none."""

    ENTITY = "entity"
    ACTIVITY = "activity"
    AGENT = "agent"
    KEY = "key"


@dataclass(frozen=True, slots=True)
class KindWords:
    """A kind in words, its shape, its class in RDF, and its label and key in the graph."""

    one: str
    many: str
    shape: Shape
    type: str
    label: str
    key: str


@dataclass(frozen=True, slots=True)
class RelationWords:
    """A relation between two kinds: its headings from either end, its term, and its pattern or property in Cypher."""

    later: Kind
    relation: Relation
    earlier: Kind
    onward: str
    back: str
    term: str
    pattern: str
    is_inverse: bool = False


KINDS = {
    Kind.STATEMENT: KindWords(
        "statement", "statements", Shape.ENTITY, "a2ap:ProvenanceStatement", "Statement", "signed_hash"
    ),
    Kind.VERIFICATION: KindWords(
        "verdict", "verdicts", Shape.ACTIVITY, "a2ap:VerificationResponse", "Verification", "signed_hash"
    ),
    Kind.AGENT: KindWords("agent", "agents", Shape.AGENT, "prov:SoftwareAgent", "Agent", "agent_id"),
    Kind.KEY: KindWords("key", "keys", Shape.KEY, "a2ap:Key", "Key", "key_id"),
    Kind.CHUNK: KindWords("passage", "passages", Shape.ENTITY, "a2ap:Chunk", "Chunk", "chunk_key"),
    Kind.SOURCE: KindWords("source", "sources", Shape.ENTITY, "a2ap:Document", "Document", "document_key"),
    Kind.PASSPORT: KindWords("passport", "passports", Shape.ENTITY, "a2ap:ContextPassport", "Passport", "record_hash"),
    Kind.PACK: KindWords("pack", "packs", Shape.ACTIVITY, "a2ap:ContextPack", "Pack", "record_hash"),
    Kind.PACKET: KindWords("packet", "packets", Shape.ENTITY, "a2ap:ContextPacket", "Packet", "record_hash"),
    Kind.PACKET_RECORD: KindWords(
        "record about a packet",
        "records about packets",
        Shape.ACTIVITY,
        "a2ap:PacketRecord",
        "PacketRecord",
        "record_hash",
    ),
    Kind.REQUEST: KindWords(
        "request to verify",
        "requests to verify",
        Shape.ENTITY,
        "a2ap:VerificationRequest",
        "VerificationRequest",
        "signed_hash",
    ),
    Kind.CHALLENGE_ANSWER: KindWords(
        "answer to a challenge",
        "answers to challenges",
        Shape.ENTITY,
        "a2ap:ChallengeAnswer",
        "ChallengeAnswer",
        "signed_hash",
    ),
    Kind.RETRACTION: KindWords(
        "retraction", "retractions", Shape.ACTIVITY, "a2ap:Retraction", "Retraction", "signed_hash"
    ),
}

NAMED = frozenset(KINDS) - {Kind.PACKET_RECORD, Kind.REQUEST, Kind.CHALLENGE_ANSWER, Kind.RETRACTION}
"""The kinds that a name leads to; the others are known as neighbours alone."""

_STATED_BY = "(x:Statement)<-[:GENERATED]-(y:Agent)"
_WITH_KEY = "x.key_id"

RELATIONS = (
    RelationWords(
        Kind.STATEMENT,
        Relation.GENERATED_BY,
        Kind.AGENT,
        "Attributed to",
        "Attributed to it",
        "prov:wasAttributedTo",
        _STATED_BY,
    ),
    RelationWords(
        Kind.STATEMENT,
        Relation.CITES,
        Kind.CHUNK,
        "Cites",
        "Cited by",
        "prov:wasDerivedFrom",
        "(x:Statement)-[:CITES]->(y:Chunk)",
    ),
    RelationWords(
        Kind.CHUNK,
        Relation.PART_OF,
        Kind.SOURCE,
        "Quoted from",
        "Quoted from it",
        "prov:wasQuotedFrom",
        "(x:Chunk)-[:PART_OF]->(y:Document)",
    ),
    RelationWords(
        Kind.STATEMENT,
        Relation.CITES,
        Kind.SOURCE,
        "Derived from",
        "Derived from it",
        "prov:wasDerivedFrom",
        "(x:Statement)-[:CITES]->(:Chunk)-[:PART_OF]->(y:Document)",
    ),
    RelationWords(
        Kind.STATEMENT,
        Relation.SUPPORTED_BY,
        Kind.STATEMENT,
        "Supported by",
        "Supports",
        "a2ap:supports",
        "(x:Statement)<-[:SUPPORTS]-(y:Statement)",
        is_inverse=True,
    ),
    RelationWords(
        Kind.STATEMENT,
        Relation.REVISION_OF,
        Kind.STATEMENT,
        "Revision of",
        "Revised by",
        "prov:wasRevisionOf",
        "(x:Statement)-[:REVISION_OF]->(y:Statement)",
    ),
    RelationWords(
        Kind.STATEMENT,
        Relation.CONTRADICTS,
        Kind.STATEMENT,
        "Contradicts",
        "Contradicted by",
        "a2ap:contradicts",
        "(x:Statement)-[:CONTRADICTS]->(y:Statement)",
    ),
    RelationWords(
        Kind.VERIFICATION,
        Relation.ABOUT,
        Kind.STATEMENT,
        "Judges",
        "Judged by",
        "prov:used",
        "(x:Verification {binds: true})-[:VALIDATES]->(y:Statement)",
    ),
    RelationWords(
        Kind.VERIFICATION,
        Relation.PERFORMED_BY,
        Kind.AGENT,
        "Performed by",
        "Performed by it",
        "prov:wasAssociatedWith",
        "(x:Verification {binds: true})-[:PERFORMED_BY]->(y:Agent)",
    ),
    RelationWords(
        Kind.AGENT,
        Relation.ENDORSED_BY,
        Kind.AGENT,
        "Endorsed by",
        "Endorsed by it",
        "prov:actedOnBehalfOf",
        "(x:Agent)<-[:ENDORSED]-(y:Agent)",
    ),
    RelationWords(
        Kind.SOURCE,
        Relation.REGISTERED_BY,
        Kind.AGENT,
        "Registered by",
        "Registered by it",
        "a2ap:registeredDocument",
        "(x:Document)<-[:REGISTERED]-(y:Agent)",
        is_inverse=True,
    ),
    RelationWords(
        Kind.STATEMENT,
        Relation.SIGNED_WITH,
        Kind.KEY,
        "Signed with",
        "Signed with it",
        "sec:verificationMethod",
        _WITH_KEY,
    ),
    RelationWords(
        Kind.VERIFICATION,
        Relation.SIGNED_WITH,
        Kind.KEY,
        "Signed with",
        "Signed with it",
        "sec:verificationMethod",
        _WITH_KEY,
    ),
    RelationWords(
        Kind.PASSPORT,
        Relation.SIGNED_WITH,
        Kind.KEY,
        "Signed with",
        "Signed with it",
        "sec:verificationMethod",
        "",  # the key is a property of the relationship ATTRIBUTED_TO
    ),
    RelationWords(
        Kind.KEY,
        Relation.REGISTERED_BY,
        Kind.AGENT,
        "Controlled by",
        "Controlled by it",
        "sec:controller",
        "(x:Key)<-[:HAS_KEY]-(y:Agent)",
    ),
    RelationWords(
        Kind.KEY,
        Relation.REGISTERED_BY,
        Kind.KEY,
        "Registered with",
        "Registered with it",
        "sec:verificationMethod",
        "x.registered_by",
    ),
    RelationWords(
        Kind.REQUEST,
        Relation.ABOUT,
        Kind.STATEMENT,
        "Asks about",
        "Requested",
        "a2ap:targetStatement",
        "(x:VerificationRequest)-[:TARGETS]->(y:Statement)",
    ),
    RelationWords(
        Kind.RETRACTION,
        Relation.ABOUT,
        Kind.STATEMENT,
        "Retracts",
        "Retracted by",
        "prov:wasInvalidatedBy",
        "x.target_hash",
        is_inverse=True,
    ),
    RelationWords(
        Kind.RETRACTION,
        Relation.ABOUT,
        Kind.VERIFICATION,
        "Retracts",
        "Retracted by",
        "a2ap:targetMessage",
        "x.target_hash",
    ),
    RelationWords(
        Kind.CHALLENGE_ANSWER,
        Relation.ABOUT,
        Kind.VERIFICATION,
        "Answers",
        "Answered by",
        "a2ap:targetVerification",
        "x.target_hash",
    ),
    RelationWords(
        Kind.STATEMENT,
        Relation.GENERATED_BY,
        Kind.SOURCE,
        "Generated by the run or event of",
        "Generated by its run or event",
        "prov:wasGeneratedBy",
        "(x:Statement)-[:GENERATED_BY]->(y:Document)",
    ),
    RelationWords(
        Kind.VERIFICATION,
        Relation.GENERATED_BY,
        Kind.SOURCE,
        "Informed by the run or event of",
        "Informed by its run or event",
        "prov:wasInformedBy",
        "(x:Verification {binds: true})-[:GENERATED_BY]->(y:Document)",
    ),
    RelationWords(
        Kind.PASSPORT,
        Relation.GENERATED_BY,
        Kind.AGENT,
        "Attributed to",
        "Attributed to it",
        "prov:wasAttributedTo",
        "(x:Passport)-[:ATTRIBUTED_TO]->(y:Agent)",
    ),
    RelationWords(
        Kind.PASSPORT,
        Relation.DERIVED_FROM,
        Kind.PASSPORT,
        "Derived from",
        "Derived from it",
        "prov:wasDerivedFrom",
        "(x:Passport)-[:DERIVED_FROM]->(y:Passport)",
    ),
    *(
        RelationWords(
            kind,
            Relation.RECORD_OF,
            Kind.SOURCE,
            "Record with the bytes",
            "Bytes of the record",
            "a2ap:documentHash",
            f"(x:{KINDS[kind].label})-[:RECORD_OF]->(y:Document)",
        )
        for kind in (Kind.PASSPORT, Kind.PACK, Kind.PACKET)
    ),
    RelationWords(
        Kind.PACK,
        Relation.USED,
        Kind.SOURCE,
        "Used",
        "Used by",
        "prov:used",
        "(x:Pack)-[:USED]->(y:Document)",
    ),
    RelationWords(
        Kind.SOURCE,
        Relation.GENERATED_BY,
        Kind.PACK,
        "Generated by",
        "Generated",
        "prov:wasGeneratedBy",
        "(x:Document)<-[:GENERATED]-(y:Pack)",
    ),
    RelationWords(
        Kind.PACK,
        Relation.INFORMED_BY,
        Kind.PACK,
        "Informed by",
        "Informed",
        "prov:wasInformedBy",
        "(x:Pack)-[:INFORMED_BY]->(y:Pack)",
    ),
    RelationWords(
        Kind.PACKET,
        Relation.ABOUT,
        Kind.STATEMENT,
        "Has items about",
        "Subject of",
        "prov:wasDerivedFrom",
        "(x:Packet)-[:HAS_ITEM]->(:Item)-[:ABOUT]->(y:Statement)",
    ),
    RelationWords(
        Kind.PACKET,
        Relation.ABOUT,
        Kind.SOURCE,
        "Has items about",
        "Subject of",
        "prov:wasDerivedFrom",
        "(x:Packet)-[:HAS_ITEM]->(:Item)-[:ABOUT]->(y:Document)",
    ),
    RelationWords(
        Kind.PACKET,
        Relation.SUPERSEDES,
        Kind.PACKET,
        "Supersedes",
        "Superseded by",
        "prov:wasRevisionOf",
        "(x:Packet)-[:SUPERSEDES]->(y:Packet)",
    ),
    RelationWords(
        Kind.PACKET_RECORD,
        Relation.ECHOES,
        Kind.PACKET,
        "Names",
        "Named by",
        "prov:used",
        "(x:PacketRecord)-[:ECHOES]->(y:Packet)",
    ),
)

# Walks go from a record as from its bytes (`graph.lineage.links`).
OF_RECORDS = (
    *(
        RelationWords(
            later,
            Relation.GENERATED_BY,
            run,
            "Generated by the run or event of" if later is Kind.STATEMENT else "Informed by the run or event of",
            "Generated by its run or event" if later is Kind.STATEMENT else "Informed by its run or event",
            "prov:wasGeneratedBy" if later is Kind.STATEMENT else "prov:wasInformedBy",
            f"(x:{KINDS[later].label})-[:GENERATED_BY]->(:Document)<-[:RECORD_OF]-(y:{KINDS[run].label})",
        )
        for later in (Kind.STATEMENT, Kind.VERIFICATION)
        for run in (Kind.PACK, Kind.PASSPORT)
    ),
    *(
        RelationWords(
            Kind.PACK,
            Relation.USED,
            record,
            "Used",
            "Used by",
            "prov:used",
            f"(x:Pack)-[:USED]->(:Document)<-[:RECORD_OF]-(y:{KINDS[record].label})",
        )
        for record in (Kind.PACK, Kind.PACKET, Kind.PASSPORT)
    ),
)
"""The relations to the bytes of a record, as relations to the record."""

_BY_ENDS = {(words.later, words.relation, words.earlier): words for words in (*RELATIONS, *OF_RECORDS)}


def relation_words(later: Kind, relation: Relation, earlier: Kind) -> RelationWords:
    """Return the words of a relation between two kinds; raise KeyError if there is none."""
    return _BY_ENDS[later, relation, earlier]
