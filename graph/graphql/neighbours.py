"""Neighbours: the things one step away from a named thing, grouped by relation, direction and kind."""

from typing import Annotated

import strawberry

from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect_known
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.impact import OfKind
from graph.graphql.path import PathDirection
from graph.graphql.thing import AtSize, Nodes, Thing, ThingName, name_of, nodes_of, size_at
from graph.lineage.neighbours import Group, NeighbourChoice, find_neighbours
from graph.lineage.neighbours import Neighbours as Found
from graph.lineage.walk import Kind, Relation
from graph.lists.cursor import Ordering
from graph.lists.span import MAX_COUNTED, Span

BY_PLACE = Ordering("neighbours by PLACE", (int, str))

Relations = Annotated[
    list[Relation] | None, strawberry.argument(description="Only neighbours by these relations; omit for any relation.")
]
OneWay = Annotated[
    PathDirection | None,
    strawberry.argument(
        description="Only neighbours in this direction: FORWARD for things that the named thing depends on."
    ),
]

Kinds = Annotated[
    list[Kind] | None, strawberry.argument(description="Only neighbours of these kinds; omit for any kind.")
]


@strawberry.type(description="The neighbours of one thing by one relation, in one direction, of one kind.")
class NeighbourGroup:
    """A `graph.lineage.neighbours.Group`."""

    relation: Relation = strawberry.field(description="The relation between the thing and each of these neighbours.")
    direction: PathDirection = strawberry.field(
        description="The direction of the relation: FORWARD if the thing depends on its neighbours."
    )
    kind: Kind = strawberry.field(description="The kind of the neighbours.")
    complete: bool = strawberry.field(description="Whether the group is complete; false if a limit cut it off.")
    total: int | None = strawberry.field(description="The number of neighbours in the group; null if it is incomplete.")
    group: strawberry.Private[Group]
    loader: strawberry.Private[Nodes]

    @classmethod
    def from_group(cls, group: Group, loader: Nodes) -> "NeighbourGroup":
        """Return a group as the schema shows it."""
        return cls(
            relation=group.relation,
            direction=PathDirection.FORWARD if group.onward else PathDirection.BACKWARD,
            kind=group.kind,
            complete=group.complete,
            total=len(group.things) if group.complete and len(group.things) <= MAX_COUNTED else None,
            group=group,
            loader=loader,
        )

    @resolved
    def of(self) -> Thing:
        """The thing whose neighbours these are."""
        return Thing.from_found(self.group.of, self.loader)

    @resolved
    async def things(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[Thing]:
        """The neighbours, in log order, then by name."""
        span = Span.asked(BY_PLACE, first, after, last, before)
        known = [
            ((thing.log_index or 0, thing.name), Thing.from_found(thing, self.loader)) for thing in self.group.things
        ]
        page = connect_known(span, known)
        info.context.loaders.spend(len(page.edges))
        return page


@strawberry.type(description="The neighbours of the things with a name, as of a size of the log.")
class Neighbours:
    """The result of `graph.lineage.neighbours.find_neighbours`."""

    as_of: int = strawberry.field(description="The size of the log.")
    found: strawberry.Private[Found]
    loader: strawberry.Private[Nodes]

    @resolved
    def of(self) -> list[Thing]:
        """The things with the requested name."""
        return [Thing.from_found(thing, self.loader) for thing in self.found.of]

    @resolved
    def groups(self) -> list[NeighbourGroup]:
        """The groups of neighbours: first the things that the named thing depends on."""
        return [NeighbourGroup.from_group(group, self.loader) for group in self.found.groups]


async def resolve_neighbours(
    info: Info,
    of: ThingName,
    kind: OfKind = None,
    relations: Relations = None,
    direction: OneWay = None,
    kinds: Kinds = None,
    as_of: AtSize = None,
) -> Neighbours:
    """Find the neighbours of everything with this name."""
    name, known = name_of(of, "of")
    choice = NeighbourChoice(
        None if not relations else frozenset(relations),
        None if direction is None else direction is PathDirection.FORWARD,
        None if not kinds else frozenset(kinds),
    )
    size = await size_at(info, as_of)
    found = await find_neighbours(info.context.platform.store, name, kind or known, choice, size, info.context.reader)
    return Neighbours(as_of=found.as_of, found=found, loader=nodes_of(info, as_of))
