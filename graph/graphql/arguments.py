"""Arguments that several fields have, each described once."""

from typing import Annotated

import strawberry

from graph.graphql.context import MAX_PAGE

First = Annotated[int, strawberry.argument(description=f"How many at most, from 1 to {MAX_PAGE}.")]
After = Annotated[int, strawberry.argument(description="The logIndex of the last one seen: the next come behind it.")]
Seen = Annotated[
    int | None, strawberry.argument(description="The logIndex of the last one seen; without it, the list begins.")
]
Signed = Annotated[str, strawberry.argument(description="The signed message, exactly as it was signed.")]
StatementName = Annotated[
    strawberry.ID,
    strawberry.argument(description="A statement by its id or its signedHash; of several with one id, the first."),
]
AgentName = Annotated[strawberry.ID, strawberry.argument(description="The id of an agent.")]
Method = Annotated[
    str | None, strawberry.argument(description="A method by its name; without it, that of the policy in force.")
]
Topic = Annotated[str, strawberry.argument(description="Words to look for.")]
Criteria = Annotated[
    list[str] | None, strawberry.argument(description="Those that name any of these; all where none are named.")
]
BoundaryName = Annotated[
    str | None, strawberry.argument(description="The class that says who may read it; the strictest without it.")
]
Registration = Annotated[
    str | None,
    strawberry.argument(description="A signed a2ap:RecordRegistration of it; without it, the node registers it."),
]
