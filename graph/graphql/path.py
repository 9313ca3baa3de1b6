"""Paths: the connections between two things of the graph."""

from enum import StrEnum
from itertools import islice
from typing import Annotated

import strawberry

from graph.graphql.arguments import First
from graph.graphql.context import Info, check_first
from graph.graphql.enums import show_enum
from graph.graphql.fields import resolved
from graph.graphql.thing import AtSize, Nodes, Thing, ThingName, name_of, nodes_of, size_at
from graph.lineage.path import DEFAULT_LENGTH, MAX_LENGTH, Found, PathChoice, find_paths
from graph.lineage.shortest import Path as FoundPath
from graph.lineage.walk import Identity, Relation
from graph.lists.span import DEFAULT_PAGE, MAX_COUNTED


class PathDirection(StrEnum):
    """The direction of a step along its relation."""

    FORWARD = "FORWARD"
    BACKWARD = "BACKWARD"


show_enum(
    PathDirection,
    {
        "FORWARD": "From a later thing to the thing that it depends on, as the relation is named: a statement CITES "
        "a passage.",
        "BACKWARD": "From a thing to its dependent, against the relation: a passage that a statement CITES.",
    },
    description="The direction of a step along its relation.",
)

MaxLength = Annotated[
    int, strawberry.argument(description=f"Maximum number of steps of a path, from 1 to {MAX_LENGTH}.")
]
Relations = Annotated[
    list[Relation] | None, strawberry.argument(description="Only these relations; omit for any relation.")
]
OneWay = Annotated[
    PathDirection | None,
    strawberry.argument(
        description="The direction of all steps; FORWARD finds only things that `from` itself depends on."
    ),
]


@strawberry.type(description="A step of a path: its target, relation and direction.")
class PathStep:
    """A step of `graph.lineage.shortest`."""

    relation: Relation = strawberry.field(description="The relation between the previous thing and this one.")
    direction: PathDirection = strawberry.field(
        description="The direction of the relation: FORWARD if it leads from the previous thing to this one."
    )
    to: Thing = strawberry.field(description="The target of the step.")


@strawberry.type(description="A path from one thing to another.")
class Path:
    """A path of `graph.lineage.shortest`."""

    start: Thing = strawberry.field(description="The start of the path.")
    steps: list[PathStep] = strawberry.field(description="The steps, in order; empty if both ends are the same thing.")


@strawberry.type(description="The shortest paths between two things, as of a size of the log.")
class Paths:
    """The result of `graph.lineage.path`."""

    as_of: int = strawberry.field(description="The size of the log.")
    complete: bool = strawberry.field(
        description="Whether the answer is final. False if nothing was found within the bounds on length and work, "
        "so that a path beyond them may exist. A path that was found is always a shortest one."
    )
    length: int | None = strawberry.field(
        description="The number of steps of the shortest paths; null if none was found."
    )
    total: int | None = strawberry.field(description="The number of shortest paths; null above 10,000.")
    found: strawberry.Private[Found]
    loader: strawberry.Private[Nodes]

    @resolved
    def paths(self, info: Info, first: First = DEFAULT_PAGE) -> list[Path]:
        """The first of the shortest paths, ordered by the kinds and names of the things on them."""
        found = list(islice(self.found.paths, check_first(first)))
        info.context.loaders.spend(sum(1 + len(one.steps) for one in found))
        return [self._path(one) for one in found]

    def _path(self, path: FoundPath) -> Path:
        return Path(
            start=self._thing(path.start),
            steps=[
                PathStep(
                    relation=step.relation,
                    direction=PathDirection.FORWARD if step.onward else PathDirection.BACKWARD,
                    to=self._thing(step.to),
                )
                for step in path.steps
            ],
        )

    def _thing(self, identity: Identity) -> Thing:
        return Thing.from_found(self.found.things[identity], self.loader)


async def resolve_path(
    info: Info,
    start: Annotated[
        strawberry.ID,
        strawberry.argument(name="from", description="The start: anything by its globalId, its hash, or its own id."),
    ],
    to: ThingName,
    max_length: MaxLength = DEFAULT_LENGTH,
    relations: Relations = None,
    direction: OneWay = None,
    as_of: AtSize = None,
) -> Paths:
    """Find the shortest paths from one thing to another."""
    choice = PathChoice(
        max_length,
        None if not relations else frozenset(relations),
        None if direction is None else direction is PathDirection.FORWARD,
    )
    ends = (name_of(start, "from"), name_of(to, "to"))
    found = await find_paths(
        info.context.platform.store, *ends, choice, await size_at(info, as_of), info.context.reader
    )
    total = found.paths.total
    return Paths(
        as_of=found.as_of,
        complete=found.complete,
        length=found.paths.length,
        total=total if total <= MAX_COUNTED else None,
        found=found,
        loader=nodes_of(info, as_of),
    )
