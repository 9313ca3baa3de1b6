"""The direction of an order, for every list that has one."""

from enum import StrEnum
from typing import Annotated

import strawberry

from graph.graphql.enums import show_enum


class Direction(StrEnum):
    """Which end of an order comes first."""

    ASC = "ASC"
    DESC = "DESC"


show_enum(
    Direction,
    {"ASC": "The smallest or oldest first.", "DESC": "The largest or newest first."},
    name="OrderDirection",
    description="Which end of an order comes first.",
)

OldestFirst = Annotated[Direction, strawberry.argument(description="Which end comes first: the oldest without it.")]
NewestFirst = Annotated[Direction, strawberry.argument(description="Which end comes first: the newest without it.")]
