"""What rests on what, as the schema shows it: the blast radius of a key, an agent, a source or a statement."""

from collections import Counter

import strawberry

from graph.errors import InputError
from graph.graphql.context import Info, check_first
from graph.lineage.blast_radius import BlastRadius as Computed
from graph.lineage.blast_radius import Item, Kind, Relation, blast_radius

strawberry.enum(Kind, name="LineageKind", description="What may rest on something.")
strawberry.enum(Relation, name="LineageRelation", description="How something rests on something else.")


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
    key: strawberry.ID | None = None,
    agent: strawberry.ID | None = None,
    source: strawberry.ID | None = None,
    statement: strawberry.ID | None = None,
    as_of: int | None = None,
    first: int = 100,
    after: int = -1,
) -> BlastRadius:
    """Find what rests on the one thing that is named."""
    named = {Kind.KEY: key, Kind.AGENT: agent, Kind.SOURCE: source, Kind.STATEMENT: statement}
    given = [(kind, str(name)) for kind, name in named.items() if name is not None]
    if len(given) != 1:
        raise InputError(f"{len(given)} of key, agent, source and statement are given, not one")
    computed = await blast_radius(info.context.platform.store, *given[0], as_of)
    return BlastRadius.page(computed, check_first(first), after)
