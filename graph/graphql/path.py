"""Paths, as the schema shows them: how two things of the graph are connected."""

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
    """Which way a step goes along its relation."""

    FORWARD = "FORWARD"
    BACKWARD = "BACKWARD"


show_enum(
    PathDirection,
    {
        "FORWARD": "From what came later to what it rests on, as the relation is named: a statement CITES a passage.",
        "BACKWARD": "From something to what rests on it, against the relation: a passage that a statement CITES.",
    },
    description="Which way a step goes along its relation.",
)

MaxLength = Annotated[
    int, strawberry.argument(description=f"How many steps a path has at most, from 1 to {MAX_LENGTH}.")
]
Relations = Annotated[
    list[Relation] | None, strawberry.argument(description="By which relations alone; by any where none are named.")
]
OneWay = Annotated[
    PathDirection | None,
    strawberry.argument(description="Which way all steps go; FORWARD finds only what `from` itself rests on."),
]


@strawberry.type(description="A step of a path: to what, by which relation, and which way.")
class PathStep:
    """A step of `graph.lineage.shortest`."""

    relation: Relation = strawberry.field(description="How the thing before and this one are joined.")
    direction: PathDirection = strawberry.field(description="Whether the thing before has the relation to this one.")
    to: Thing = strawberry.field(description="What it leads to.")


@strawberry.type(description="A path from one thing to another.")
class Path:
    """A path of `graph.lineage.shortest`."""

    start: Thing = strawberry.field(description="Where it begins.")
    steps: list[PathStep] = strawberry.field(description="Its steps, in order; none where both are the same thing.")


@strawberry.type(description="The shortest paths between two things, as of a size of the log.")
class Paths:
    """What `graph.lineage.path` finds."""

    as_of: int = strawberry.field(description="The size of the log.")
    complete: bool = strawberry.field(
        description="Whether the answer is final. Where it is false nothing was found within the bounds on length and "
        "on work, and there may be a path beyond them. What is found is the shortest in any case."
    )
    length: int | None = strawberry.field(description="How many steps the shortest have; null where none was found.")
    total: int | None = strawberry.field(description="How many are that short; null where they are more than 10,000.")
    found: strawberry.Private[Found]
    loader: strawberry.Private[Nodes]

    @resolved
    def paths(self, info: Info, first: First = DEFAULT_PAGE) -> list[Path]:
        """The first of them, in the order of the kinds and names of what they go through."""
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
        strawberry.argument(
            name="from", description="Where it begins: anything by its globalId, its hash, or what it calls itself."
        ),
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
