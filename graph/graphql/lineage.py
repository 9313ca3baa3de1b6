"""What rests on what, as the schema shows it: the blast radius of a key, an agent, a source or a statement."""

from collections import Counter
from typing import Annotated

import strawberry

from graph.errors import InputError
from graph.graphql.arguments import First
from graph.graphql.context import Info, check_first
from graph.graphql.enums import show_enum
from graph.lineage.blast_radius import BlastRadius as Computed
from graph.lineage.blast_radius import blast_radius
from graph.lineage.walk import Item, Kind, Relation

show_enum(
    Kind,
    {
        "KEY": "A key.",
        "AGENT": "An agent.",
        "SOURCE": "The bytes of a source, or of anything that a record names by its hash.",
        "STATEMENT": "A statement.",
        "VERIFICATION": "A verdict.",
        "VOUCHED_FOR": "An agent that is vouched for.",
        "PASSPORT": "A Context Passport.",
        "PACK": "A Context Pack: what an agent did in a run.",
        "PACKET": "A Context Packet: what an agent was given.",
        "PACKET_RECORD": "A receipt, return or disposition of a packet.",
        "REQUEST": "A request to verify a statement.",
        "CHALLENGE_ANSWER": "An author's answer to a challenge.",
        "RETRACTION": "A message that takes another back.",
    },
    name="LineageKind",
    description="What may rest on something.",
)
show_enum(
    Relation,
    {
        "SIGNED_WITH": "A message is signed with a key.",
        "REGISTERED_BY": "A key or a source is registered by an agent.",
        "GENERATED_BY": "A statement is an agent's, came out of a run or an event, or bytes are the output of a run.",
        "PERFORMED_BY": "A verdict is an agent's.",
        "ENDORSED_BY": "An agent vouches for another.",
        "CITES": "A statement cites a source.",
        "SUPPORTED_BY": "A statement speaks for another, which rests on it.",
        "REVISION_OF": "A statement takes the place of another.",
        "JUDGED_BY": "A statement's score rests on a verdict.",
        "ABOUT": "An item of a packet, or a message, is about it.",
        "USED": "A run used these bytes as prompt or input, or was given them by a tool.",
        "INFORMED_BY": "A run follows another.",
        "DERIVED_FROM": "A passport comes after another.",
        "RECORD_OF": "A record is these bytes.",
        "ECHOES": "A receipt, return or disposition names the packet by its hash.",
        "SUPERSEDES": "A packet takes the place of another.",
    },
    name="LineageRelation",
    description="How something rests on something else.",
)


@strawberry.type(description="Something that rests on something else.")
class LineageItem:
    """An item of `graph.lineage.blast_radius`."""

    kind: Kind = strawberry.field(description="What it is.")
    name: strawberry.ID = strawberry.field(
        description="A signedHash, or the id of a key or agent; `VOUCHED_FOR` is an agent."
    )
    message_id: strawberry.ID | None = strawberry.field(
        description="The id of the statement or verification, or of the endorsement that vouches."
    )
    log_index: int = strawberry.field(description="Its place in the log.")
    depth: int = strawberry.field(description="How many steps it is away.")
    relation: Relation = strawberry.field(description="How it rests on its parent.")
    parent: strawberry.ID = strawberry.field(description="What it rests on, by its name.")
    position: int = strawberry.field(description="Its place in the whole list, for `after`.")

    @classmethod
    def from_item(cls, item: Item, position: int) -> "LineageItem":
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
        )


@strawberry.type(description="All that rests on something, nearest first, as of a size of the log.")
class BlastRadius:
    """What `graph.lineage.blast_radius` finds, and one page of it."""

    as_of: int = strawberry.field(description="The size of the log; name it to get more pages of the same list.")
    complete: bool = strawberry.field(description="Whether nothing was left out at the end, for there is a limit.")
    total: int = strawberry.field(description="How many items there are.")
    statements: int = strawberry.field(description="How many of them are statements.")
    verifications: int = strawberry.field(description="How many of them are verdicts.")
    keys: int = strawberry.field(description="How many of them are keys.")
    vouched_for: int = strawberry.field(description="Agents whose verdicts weigh by an endorsement.")
    has_next_page: bool = strawberry.field(description="Whether items follow those of this page.")
    items: list[LineageItem] = strawberry.field(description="Those of this page, nearest first.")

    @classmethod
    def page(cls, computed: Computed, first: int, after: int) -> "BlastRadius":
        """Return the page of `first` items after a position."""
        counts = Counter(item.kind for item in computed.items)
        start = max(after + 1, 0)
        shown = computed.items[start : start + first]
        return cls(
            as_of=computed.as_of,
            complete=computed.complete,
            total=len(computed.items),
            statements=counts[Kind.STATEMENT],
            verifications=counts[Kind.VERIFICATION],
            keys=counts[Kind.KEY],
            vouched_for=counts[Kind.VOUCHED_FOR],
            has_next_page=start + len(shown) < len(computed.items),
            items=[LineageItem.from_item(item, start + number) for number, item in enumerate(shown)],
        )


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
    as_of: Annotated[int | None, strawberry.argument(description="A size of the log; without it, now.")] = None,
    first: First = 100,
    after: Annotated[int, strawberry.argument(description="The position of the last item seen.")] = -1,
) -> BlastRadius:
    """Find what rests on the one thing that is named."""
    named = {Kind.KEY: key, Kind.AGENT: agent, Kind.SOURCE: source, Kind.STATEMENT: statement}
    given = [(kind, str(name)) for kind, name in named.items() if name is not None]
    if len(given) != 1:
        raise InputError(f"{len(given)} of key, agent, source and statement are given, not one")
    computed = await blast_radius(info.context.platform.store, *given[0], as_of)
    return BlastRadius.page(computed, check_first(first), after)
