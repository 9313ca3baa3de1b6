"""Corroboration: the number of independent authors and sources of one claim."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from graph.disputes.corroboration import Corroboration as CountedCorroboration
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect_known, replaced
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.lists.cursor import Ordering
from graph.lists.span import Span

if TYPE_CHECKING:
    from graph.graphql.statement import Statement

LazyStatement = Annotated["Statement", strawberry.lazy("graph.graphql.statement")]


@strawberry.type(
    description="The current statements that make one claim in the same words. It is informative and has no weight."
)
class Corroboration:
    """A `graph.disputes.corroboration.Corroboration`."""

    counted: strawberry.Private[CountedCorroboration]
    group: strawberry.ID = strawberry.field(description="The hash of the claim's words, equal for equal claims.")
    statements: int = strawberry.field(description="The number of statements that make the claim, including this one.")
    agents: int = strawberry.field(description="The number of different authors.")
    operators: int = strawberry.field(
        description="The number of independent operators of the authors; all agents without an endorsement by a seed "
        "count as one."
    )
    sources: int = strawberry.field(
        description="The number of independent documents with cited passages that this node verified; versions of "
        "one source count as one."
    )
    complete: bool = strawberry.field(description="Whether all statements of the claim were examined.")

    @classmethod
    def from_counted(cls, counted: CountedCorroboration) -> "Corroboration":
        """Return a counted corroboration as the schema shows it."""
        return cls(
            counted=counted,
            group=strawberry.ID(counted.group),
            statements=len(counted.statements),
            agents=counted.agents,
            operators=counted.operators,
            sources=counted.sources,
            complete=counted.complete,
        )

    @resolved
    async def members(
        self, info: Info, first: FirstOf = None, after: AfterOf = None, last: LastOf = None, before: BeforeOf = None
    ) -> Connection[LazyStatement]:
        """The statements, oldest first."""
        span = Span.asked(Ordering("members of a corroboration", (str,)), first, after, last, before)
        page = connect_known(span, [((name,), name) for name in self.counted.statements])
        shown = await info.context.loaders.statements_with([edge.node for edge in page.edges])
        found = {one.signed_hash: one for one in shown}
        return replaced(page, lambda name: found[name])
