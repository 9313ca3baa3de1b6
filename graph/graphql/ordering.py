"""The direction of an order, for every ordered list."""

from enum import StrEnum
from typing import Annotated

import strawberry

from graph.graphql.enums import show_enum


class Direction(StrEnum):
    """The direction of an order."""

    ASC = "ASC"
    DESC = "DESC"


show_enum(
    Direction,
    {"ASC": "Smallest or oldest first.", "DESC": "Largest or newest first."},
    name="OrderDirection",
    description="The direction of an order.",
)

OldestFirst = Annotated[Direction, strawberry.argument(description="Direction of the order; oldest first if omitted.")]
NewestFirst = Annotated[Direction, strawberry.argument(description="Direction of the order; newest first if omitted.")]
