"""Links between the things of the graph: which kinds may be neighbours, by which relation, and the queries for each.

A relation goes from the later thing to the one that it rests on: a statement CITES a passage, a passage is PART_OF a
document, a verdict is ABOUT a statement. Verdicts that bind nothing have no links. Paths, stories, blast radii and
neighbours use the links of this one table, each its own.
"""

from dataclasses import dataclass
from enum import Flag, auto

from graph.lineage.walk import Kind, Relation, Step

RECORDS = (Kind.PACK, Kind.PACKET, Kind.PASSPORT)
"""Kinds that registered bytes take before any other; the name of a record is the hash of its bytes."""

_BYTES = (Kind.SOURCE, *RECORDS)
_RUNS = (Kind.PACK, Kind.PASSPORT)


class Way(Flag):
    """The walks that use a link, and their direction.

    Paths go both ways. Stories go onward to the causes of a thing, and back to its effects. Blast radii go back.
    Neighbours are things one step away in either direction, by the links of paths and by those of `NEIGHBOUR`.
    """

    PATH = auto()
    CAUSES = auto()
    EFFECTS = auto()
    IMPACT = auto()
    NEIGHBOUR = auto()


_WALKS = Way.CAUSES | Way.IMPACT
_ALL = Way.PATH | _WALKS
_SEEN = Way.EFFECTS | Way.NEIGHBOUR


@dataclass(frozen=True, slots=True)
class Link:
    """Two kinds of things and their relation; `onward` is the query for earlier ones, `back` for later ones, if used.

    `from_bytes` are the kinds where walks from bytes begin: sources, or the records that the bytes are.
    """

    later: Kind
    relation: Relation
    earlier: Kind
    onward: str = ""
    back: str = ""
    ways: Way = _ALL
    from_bytes: tuple[Kind, ...] = (Kind.SOURCE,)

    def step(self, *, onward: bool) -> Step:
        """Return the step of a walk along this link."""
        near, far, query = (self.later, self.earlier, self.onward) if onward else (self.earlier, self.later, self.back)
        return Step(self.from_bytes if near is Kind.SOURCE else (near,), query, far, self.relation)


LINKS = (
    Link(
        Kind.STATEMENT,
        Relation.GENERATED_BY,
        Kind.AGENT,
        "path_authors",
        "lineage_agent_statements",
        Way.PATH | Way.IMPACT,
    ),
    Link(
        Kind.VERIFICATION,
        Relation.PERFORMED_BY,
        Kind.AGENT,
        "path_verifiers",
        "lineage_agent_verifications",
        Way.PATH | Way.IMPACT,
    ),
    Link(
        Kind.PASSPORT,
        Relation.GENERATED_BY,
        Kind.AGENT,
        "path_agents_of_passports",
        "lineage_agent_passports",
        Way.PATH | Way.IMPACT,
    ),
    Link(Kind.AGENT, Relation.ENDORSED_BY, Kind.AGENT, "path_endorsers", "lineage_agent_endorsements", Way.PATH),
    Link(Kind.SOURCE, Relation.REGISTERED_BY, Kind.AGENT, "path_registrants", "path_registered_documents", Way.PATH),
    # On the word of an operator rest the verdicts of whom it vouched for, and nothing else of theirs.
    Link(Kind.VOUCHED_FOR, Relation.ENDORSED_BY, Kind.AGENT, back="lineage_agent_endorsements", ways=Way.IMPACT),
    Link(
        Kind.VERIFICATION,
        Relation.PERFORMED_BY,
        Kind.VOUCHED_FOR,
        back="lineage_agent_verifications",
        ways=Way.IMPACT,
    ),
    Link(
        Kind.STATEMENT,
        Relation.SIGNED_WITH,
        Kind.KEY,
        "neighbour_keys_of_statements",
        "lineage_signed_statements",
        Way.IMPACT | Way.NEIGHBOUR,
    ),
    Link(
        Kind.VERIFICATION,
        Relation.SIGNED_WITH,
        Kind.KEY,
        "neighbour_keys_of_verifications",
        "lineage_signed_verifications",
        Way.IMPACT | Way.NEIGHBOUR,
    ),
    Link(
        Kind.PASSPORT,
        Relation.SIGNED_WITH,
        Kind.KEY,
        "neighbour_keys_of_passports",
        "lineage_signed_passports",
        Way.IMPACT | Way.NEIGHBOUR,
    ),
    Link(Kind.VOUCHED_FOR, Relation.ENDORSED_BY, Kind.KEY, back="lineage_signed_endorsements", ways=Way.IMPACT),
    Link(
        Kind.KEY,
        Relation.REGISTERED_BY,
        Kind.KEY,
        "neighbour_registering_keys",
        "lineage_registered_keys",
        Way.IMPACT | Way.NEIGHBOUR,
    ),
    Link(
        Kind.KEY,
        Relation.REGISTERED_BY,
        Kind.AGENT,
        "neighbour_agents_of_keys",
        "neighbour_keys_of_agents",
        Way.NEIGHBOUR,
    ),
    # A path goes through the passage, the walks go from statement to source at once.
    Link(
        Kind.STATEMENT,
        Relation.CITES,
        Kind.CHUNK,
        "path_cited_chunks",
        "path_citing_statements",
        Way.PATH | Way.IMPACT,
    ),
    Link(Kind.CHUNK, Relation.PART_OF, Kind.SOURCE, "path_documents_of_chunks", "path_chunks_of_documents", Way.PATH),
    Link(Kind.STATEMENT, Relation.CITES, Kind.SOURCE, "story_documents", "lineage_citing_statements", _WALKS),
    Link(
        Kind.STATEMENT,
        Relation.SUPPORTED_BY,
        Kind.STATEMENT,
        "story_supporting_statements",
        "lineage_supported_statements",
    ),
    Link(Kind.STATEMENT, Relation.REVISION_OF, Kind.STATEMENT, "story_revised_statements", "lineage_revisions"),
    Link(
        Kind.STATEMENT,
        Relation.CONTRADICTS,
        Kind.STATEMENT,
        "path_contradicted_statements",
        "path_contradicting_statements",
        Way.PATH,
    ),
    # A verdict rests on its statement, whose score rests on the verdict.
    Link(
        Kind.VERIFICATION,
        Relation.ABOUT,
        Kind.STATEMENT,
        "lineage_judged_statements",
        "story_verdicts",
        Way.PATH | Way.EFFECTS,
    ),
    Link(Kind.STATEMENT, Relation.JUDGED_BY, Kind.VERIFICATION, back="lineage_judged_statements", ways=Way.IMPACT),
    Link(Kind.REQUEST, Relation.ABOUT, Kind.STATEMENT, back="story_requests", ways=_SEEN),
    Link(Kind.RETRACTION, Relation.ABOUT, Kind.STATEMENT, back="story_retractions", ways=_SEEN),
    Link(Kind.RETRACTION, Relation.ABOUT, Kind.VERIFICATION, back="story_retractions", ways=_SEEN),
    Link(Kind.CHALLENGE_ANSWER, Relation.ABOUT, Kind.VERIFICATION, back="story_challenge_answers", ways=_SEEN),
    Link(
        Kind.STATEMENT,
        Relation.GENERATED_BY,
        Kind.SOURCE,
        "story_records_of_statements",
        "lineage_generated_statements",
        from_bytes=_RUNS,
    ),
    Link(
        Kind.VERIFICATION,
        Relation.GENERATED_BY,
        Kind.SOURCE,
        "story_records_of_verifications",
        "lineage_generated_verifications",
        from_bytes=_RUNS,
    ),
    Link(Kind.PASSPORT, Relation.RECORD_OF, Kind.SOURCE, "path_bytes_of_records", "lineage_passports_of_bytes"),
    Link(Kind.PACK, Relation.RECORD_OF, Kind.SOURCE, "path_bytes_of_records", "lineage_packs_of_bytes"),
    Link(Kind.PACKET, Relation.RECORD_OF, Kind.SOURCE, "path_bytes_of_records", "lineage_packets_of_bytes"),
    # A pack may have used the same bytes twice, as its input and out of a tool: it is one relation.
    Link(Kind.PACK, Relation.USED, Kind.SOURCE, "story_used_documents", "lineage_packs_that_used", from_bytes=_BYTES),
    Link(Kind.PACK, Relation.USED, Kind.SOURCE, "story_met_documents", "lineage_packs_that_met", from_bytes=_BYTES),
    Link(
        Kind.SOURCE,
        Relation.GENERATED_BY,
        Kind.PACK,
        "story_generating_packs",
        "lineage_generated_documents",
        from_bytes=_BYTES,
    ),
    Link(Kind.PACK, Relation.INFORMED_BY, Kind.PACK, "story_informing_packs", "lineage_informed_packs"),
    Link(Kind.PASSPORT, Relation.DERIVED_FROM, Kind.PASSPORT, "story_parent_passports", "lineage_derived_passports"),
    Link(Kind.PACKET, Relation.ABOUT, Kind.STATEMENT, "story_item_statements", "lineage_packets_about_statements"),
    Link(Kind.PACKET, Relation.ABOUT, Kind.SOURCE, "story_item_documents", "lineage_packets_about_documents"),
    Link(
        Kind.PACKET,
        Relation.SUPERSEDES,
        Kind.PACKET,
        "story_superseded_packets",
        "path_superseding_packets",
        Way.PATH | Way.CAUSES,
    ),
    Link(
        Kind.PACKET_RECORD, Relation.ECHOES, Kind.PACKET, back="lineage_packet_records", ways=Way.IMPACT | Way.NEIGHBOUR
    ),
)
"""Every way in which one thing can rest on another."""

PATHS = tuple(link for link in LINKS if Way.PATH in link.ways)
"""The links that paths use."""

RELATIONS = frozenset(link.relation for link in PATHS)
"""The relations of the steps of paths; other relations occur only in walks."""

NEIGHBOURS = tuple(link for link in LINKS if link.ways & (Way.PATH | Way.NEIGHBOUR))
"""The links between neighbours; those without an `onward` query are known from their earlier end alone."""


def steps_of(way: Way) -> tuple[Step, ...]:
    """Return the steps of the walks of one way.

    A record is the bytes that it is a RECORD_OF: walks to causes also go from bytes to their records.
    """
    return tuple(
        link.step(onward=way is Way.CAUSES and link.relation is not Relation.RECORD_OF)
        for link in LINKS
        if way in link.ways
    )
