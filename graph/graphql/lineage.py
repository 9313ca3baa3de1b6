"""Dependence in the graph: the blast radius of a key, an agent, a source or a statement."""

from collections import Counter
from typing import Annotated

import strawberry

from graph.errors import InputError
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect_known
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.fields import resolved
from graph.graphql.thing import AtSize, Nodes, Thing, nodes_of, size_at
from graph.lineage.blast_radius import BlastRadius as Computed
from graph.lineage.blast_radius import blast_radius
from graph.lineage.names import Thing as Found
from graph.lineage.walk import Item, Kind, Relation
from graph.lists.cursor import Ordering
from graph.lists.span import Span

NEAREST_FIRST = Ordering("blastRadius by DISTANCE", (str, str))

show_enum(
    Relation,
    {
        "SIGNED_WITH": "A message is signed with a key.",
        "REGISTERED_BY": "A key or a source is registered by an agent.",
        "GENERATED_BY": "A statement comes from an agent, a run or an event, or bytes are the output of a run.",
        "PERFORMED_BY": "A verdict comes from an agent.",
        "ENDORSED_BY": "An agent is endorsed by another agent.",
        "CITES": "A statement cites a source, or a passage of a source.",
        "PART_OF": "A passage is part of a source.",
        "SUPPORTED_BY": "A statement is supported by another statement.",
        "CONTRADICTS": "A statement contradicts another statement.",
        "REVISION_OF": "A statement revises another statement.",
        "JUDGED_BY": "The score of a statement rests on a verdict.",
        "ABOUT": "An item of a packet, or a message, is about something.",
        "USED": "A run used bytes as prompt or input, or got them from a tool.",
        "INFORMED_BY": "A run follows another run.",
        "DERIVED_FROM": "A passport is derived from another passport.",
        "RECORD_OF": "A record consists of these bytes.",
        "ECHOES": "A receipt, return or disposition names the packet by its hash.",
        "SUPERSEDES": "A packet supersedes another packet.",
    },
    name="LineageRelation",
    description="The relation by which something depends on something else.",
)


@strawberry.type(description="A thing that depends on another thing.")
class LineageItem:
    """An item of `graph.lineage.blast_radius`."""

    kind: Kind = strawberry.field(description="The kind of the thing.")
    name: strawberry.ID = strawberry.field(
        description="A signedHash, or the id of a key or agent; `VOUCHED_FOR` is an agent."
    )
    message_id: strawberry.ID | None = strawberry.field(
        description="The id of the statement or verification, or of the endorsement of a `VOUCHED_FOR` agent."
    )
    log_index: int = strawberry.field(description="The log index of the thing.")
    depth: int = strawberry.field(description="The number of steps from the start.")
    relation: Relation = strawberry.field(description="The relation to the parent.")
    parent: strawberry.ID = strawberry.field(description="The name of the thing that it depends on.")
    position: int = strawberry.field(description="The position in the whole list, from 0.")
    loader: strawberry.Private[Nodes]

    @resolved
    def thing(self) -> Thing:
        """The thing itself, with its object; a `VOUCHED_FOR` agent is an `AGENT`."""
        kind = Kind.AGENT if self.kind is Kind.VOUCHED_FOR else self.kind
        index = None if kind is Kind.AGENT else self.log_index
        return Thing.from_found(Found(kind, str(self.name), self.message_id, index), self.loader)

    @classmethod
    def from_item(cls, item: Item, position: int, loader: Nodes) -> "LineageItem":
        """Return an item as the schema shows it."""
        return cls(
            kind=item.kind,
            name=strawberry.ID(item.name),
            message_id=None if item.id is None else strawberry.ID(item.id),
            log_index=item.log_index,
            depth=item.depth,
            relation=item.relation,
            parent=strawberry.ID(item.parent),
            position=position,
            loader=loader,
        )


@strawberry.type(description="Everything that depends on a thing, nearest first, as of a size of the log.")
class BlastRadius:
    """The result of `graph.lineage.blast_radius`, with its counts."""

    as_of: int = strawberry.field(
        description="The size of the log; pass it as `asOf.logSize` to get further pages of the same list."
    )
    complete: bool = strawberry.field(description="Whether the list is complete; false if a limit cut it off.")
    total: int = strawberry.field(description="The number of items.")
    statements: int = strawberry.field(description="The number of statements among the items.")
    verifications: int = strawberry.field(description="The number of verdicts among the items.")
    keys: int = strawberry.field(description="The number of keys among the items.")
    vouched_for: int = strawberry.field(
        description="The number of agents whose verdicts have weight through an endorsement."
    )
    found: strawberry.Private[Computed]
    loader: strawberry.Private[Nodes]

    @classmethod
    def from_computed(cls, computed: Computed, loader: Nodes) -> "BlastRadius":
        """Return a computed blast radius as the schema shows it."""
        counts = Counter(item.kind for item in computed.items)
        return cls(
            as_of=computed.as_of,
            complete=computed.complete,
            total=len(computed.items),
            statements=counts[Kind.STATEMENT],
            verifications=counts[Kind.VERIFICATION],
            keys=counts[Kind.KEY],
            vouched_for=counts[Kind.VOUCHED_FOR],
            found=computed,
            loader=loader,
        )

    @resolved
    async def items(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[LineageItem]:
        """The dependents, nearest first; a cursor is valid for every log size with its item."""
        return page_of_items(info, self.found, self.loader, first, after, last, before)


def page_of_items(
    info: Info,
    found: Computed,
    loader: Nodes,
    first: int | None,
    after: str | None,
    last: int | None,
    before: str | None,
) -> Connection[LineageItem]:
    """Return a page of the items of a walk, nearest first."""
    span = Span.asked(NEAREST_FIRST, first, after, last, before)
    shown = [LineageItem.from_item(item, place, loader) for place, item in enumerate(found.items)]
    page = connect_known(span, [((one.kind.value, str(one.name)), one) for one in shown])
    info.context.loaders.spend(len(page.edges))
    return page


async def resolve_blast_radius(
    info: Info,
    key: Annotated[strawberry.ID | None, strawberry.argument(description="The id of a key, AGENT#NAME.")] = None,
    agent: Annotated[strawberry.ID | None, strawberry.argument(description="The id of an agent.")] = None,
    source: Annotated[
        strawberry.ID | None, strawberry.argument(description="A source by its hash or its name.")
    ] = None,
    statement: Annotated[
        strawberry.ID | None, strawberry.argument(description="A statement by its hash or its id.")
    ] = None,
    as_of: AtSize = None,
) -> BlastRadius:
    """Find the dependents of the one thing that is named."""
    named = {Kind.KEY: key, Kind.AGENT: agent, Kind.SOURCE: source, Kind.STATEMENT: statement}
    given = [(kind, str(name)) for kind, name in named.items() if name is not None]
    if len(given) != 1:
        raise InputError(f"{len(given)} of key, agent, source and statement are given, not one")
    size = await size_at(info, as_of)
    computed = await blast_radius(info.context.platform.store, *given[0], size, info.context.reader)
    return BlastRadius.from_computed(computed, nodes_of(info, as_of))
