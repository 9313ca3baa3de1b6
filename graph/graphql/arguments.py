"""Arguments that several fields share, each described once."""

from typing import Annotated

import strawberry

from graph.graphql.context import MAX_PAGE

First = Annotated[int, strawberry.argument(description=f"Maximum number of items, from 1 to {MAX_PAGE}.")]
After = Annotated[int, strawberry.argument(description="The logIndex of the last item seen; the next items follow it.")]
Seen = Annotated[
    int | None, strawberry.argument(description="The logIndex of the last item seen; omit to start at the beginning.")
]
Signed = Annotated[str, strawberry.argument(description="The signed message, byte for byte as signed.")]
StatementName = Annotated[
    strawberry.ID,
    strawberry.argument(
        description="A statement by its id or its signedHash; an id shared by several statements names the first in "
        "the log."
    ),
]
AgentName = Annotated[strawberry.ID, strawberry.argument(description="The id of an agent.")]
Method = Annotated[
    str | None, strawberry.argument(description="The name of a method; omit for the method of the policy in force.")
]
Topic = Annotated[str, strawberry.argument(description="The words to search for.")]
Criteria = Annotated[
    list[str] | None,
    strawberry.argument(description="Only requests that name any of these criteria; omit to return all."),
]
BoundaryName = Annotated[
    str | None,
    strawberry.argument(
        description="The boundary class, which decides the clearance needed to read it; the strictest class if omitted."
    ),
]
Registration = Annotated[
    str | None,
    strawberry.argument(
        description="A signed a2ap:RecordRegistration of the record; if omitted, the node registers it."
    ),
]
