"""Impact, as the schema shows it: what would fall with anything that has a name."""

from collections import Counter
from typing import Annotated

import strawberry

from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.lineage import LineageItem, page_of_items
from graph.graphql.thing import AtSize, Nodes, Thing, ThingName, name_of, nodes_of, size_at
from graph.lineage.blast_radius import BlastRadius, impact_of
from graph.lineage.walk import Kind

OfKind = Annotated[
    Kind | None, strawberry.argument(description="What it is, where a name may stand for things of several kinds.")
]


@strawberry.type(description="How many things of a kind there are.")
class KindCount:
    """A count of `graph.lineage.blast_radius`."""

    kind: Kind = strawberry.field(description="What they are.")
    count: int = strawberry.field(description="How many of them there are.")


@strawberry.type(description="All that rests on something and would fall with it, nearest first, as of a log size.")
class Impact:
    """What `graph.lineage.blast_radius.impact_of` finds, and what it counts."""

    as_of: int = strawberry.field(description="The size of the log; name it to get more pages of the same list.")
    complete: bool = strawberry.field(description="Whether nothing was left out at the end, for there is a limit.")
    total: int = strawberry.field(description="How many items there are.")
    counts: list[KindCount] = strawberry.field(
        description="How many there are of each kind, kinds without any left out."
    )
    found: strawberry.Private[BlastRadius]
    loader: strawberry.Private[Nodes]

    @resolved
    def of(self) -> list[Thing]:
        """What has the name that was asked for."""
        return [Thing.from_found(thing, self.loader) for thing in self.found.of]

    @resolved
    async def items(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[LineageItem]:
        """What rests on it, nearest first, with its distance; a cursor is good for every log size that has its item."""
        return page_of_items(info, self.found, first, after, last, before)


async def resolve_impact(
    info: Info,
    of: ThingName,
    kind: OfKind = None,
    as_of: AtSize = None,
) -> Impact:
    """Find what rests on everything of this name."""
    name, known = name_of(of, "of")
    found = await impact_of(
        info.context.platform.store, name, kind or known, await size_at(info, as_of), info.context.reader
    )
    counts = Counter(item.kind for item in found.items)
    return Impact(
        as_of=found.as_of,
        complete=found.complete,
        total=len(found.items),
        counts=[KindCount(kind=one, count=counts[one]) for one in Kind if counts[one]],
        found=found,
        loader=nodes_of(info, as_of),
    )
