"""The schema: types and roots put together, with limits, and errors that say their kind and nothing of the inside."""

import logging
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

import strawberry
from graphql import GraphQLError
from strawberry.schema.config import StrawberryConfig
from strawberry.schema.schema import StreamResult
from strawberry.types import ExecutionContext, ExecutionResult
from strawberry.types.execution import PreExecutionError

from graph.graphql.context import Context
from graph.graphql.limits import extensions
from graph.graphql.mutation import Mutation
from graph.graphql.query import Query
from graph.graphql.scalars import SCALARS
from graph.graphql.subscription import Subscription
from graph.problem import Problem

logger = logging.getLogger(__name__)

ProblemOf = Callable[[Exception], Problem]


def create_schema(problem_of: ProblemOf) -> strawberry.Schema:
    """Return the schema; `problem_of` says how an exception is told (the table is in `graph.app`)."""
    return _Schema(problem_of)


class _Schema(strawberry.Schema):
    """Gives every error a code, and masks those that are ours."""

    def __init__(self, problem_of: ProblemOf) -> None:
        self._problem_of = problem_of
        super().__init__(
            query=Query,
            mutation=Mutation,
            subscription=Subscription,
            config=StrawberryConfig(scalar_map=SCALARS),
            extensions=extensions(),
        )

    async def execute(self, *args: Any, **kwargs: Any) -> ExecutionResult:
        """Run an operation, and rewrite its errors."""
        result = await super().execute(*args, **kwargs)
        if result.errors:
            result.errors = [self._typed(error) for error in result.errors]
        return result

    async def stream(self, *args: Any, **kwargs: Any) -> StreamResult:
        """Run an operation on a connection that has several, in a context of its own, and rewrite its errors."""
        context = kwargs.get("context_value")
        if isinstance(context, Context):
            kwargs["context_value"] = context.of_one_operation()
        return self._typed_results(await super().stream(*args, **kwargs))

    async def _typed_results(self, results: StreamResult) -> StreamResult:
        async with aclosing(results):
            async for result in results:
                if isinstance(result, ExecutionResult | PreExecutionError) and result.errors:
                    result.errors = [self._typed(error) for error in result.errors]
                yield result

    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Log nothing yet: what a caller did wrong is the caller's, and the rest is logged where it is masked."""

    def _typed(self, error: GraphQLError) -> GraphQLError:
        cause = error.original_error
        if cause is None or isinstance(cause, GraphQLError):
            # The query itself: its syntax, its fields, its variables.
            return _with(error, error.message, {"code": "INVALID_QUERY", **(error.extensions or {})})
        if isinstance(cause, RecursionError):
            return _with(error, "the query is nested too deeply", {"code": "TOO_LARGE"})
        problem = self._problem_of(cause)
        if problem.status >= 500:
            logger.error("a resolver failed at %s", error.path, exc_info=cause)
        return _with(error, problem.detail, {"code": problem.code} | ({"path": problem.path} if problem.path else {}))


def _with(error: GraphQLError, message: str, extensions: dict[str, Any]) -> GraphQLError:
    return GraphQLError(
        message,
        nodes=error.nodes,
        source=error.source,
        positions=error.positions,
        path=error.path,
        extensions=extensions,
    )
