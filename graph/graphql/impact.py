"""Impact: everything that depends on a named thing."""

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
    Kind | None,
    strawberry.argument(description="The kind of the thing, if its name may stand for things of several kinds."),
]


@strawberry.type(description="The number of things of one kind.")
class KindCount:
    """A count of `graph.lineage.blast_radius`."""

    kind: Kind = strawberry.field(description="The kind.")
    count: int = strawberry.field(description="The number of things of this kind.")


@strawberry.type(
    description="Everything that depends on a thing and would fall with it, nearest first, as of a size of the log."
)
class Impact:
    """The result of `graph.lineage.blast_radius.impact_of`, with its counts."""

    as_of: int = strawberry.field(
        description="The size of the log; pass it as `asOf.logSize` to get further pages of the same list."
    )
    complete: bool = strawberry.field(description="Whether the list is complete; false if a limit cut it off.")
    total: int = strawberry.field(description="The number of items.")
    counts: list[KindCount] = strawberry.field(
        description="The number of items of each kind; kinds without items are left out."
    )
    found: strawberry.Private[BlastRadius]
    loader: strawberry.Private[Nodes]

    @resolved
    def of(self) -> list[Thing]:
        """The things with the requested name."""
        return [Thing.from_found(thing, self.loader) for thing in self.found.of]

    @resolved
    def all_items(self, info: Info) -> list[LineageItem]:
        """All dependents at once, nearest first, without the pages of `items`."""
        info.context.loaders.spend(len(self.found.items))
        return [LineageItem.from_item(item, place, self.loader) for place, item in enumerate(self.found.items)]

    @resolved
    async def items(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[LineageItem]:
        """The dependents, nearest first, with distances; a cursor is valid for every log size with its item."""
        return page_of_items(info, self.found, self.loader, first, after, last, before)


async def resolve_impact(
    info: Info,
    of: ThingName,
    kind: OfKind = None,
    as_of: AtSize = None,
) -> Impact:
    """Find the dependents of everything with this name."""
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
