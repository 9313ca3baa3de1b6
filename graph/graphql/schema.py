"""The schema: types and roots put together, with bounds on operations and masked errors with codes."""

from __future__ import annotations

import logging
import re
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import aclosing
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import strawberry
from graphql import GraphQLError, OperationType
from starlette.requests import Request
from strawberry.schema.config import StrawberryConfig
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.schema.schema import StreamResult
from strawberry.types import ExecutionContext, ExecutionResult
from strawberry.types.execution import PreExecutionError

from graph.database.running import RunningQueries
from graph.errors import OperationTimeoutError, OwnQueriesBusyError, TooLargeError, TooManyQueriesError
from graph.graphql.as_of import InfoAsOf, LettingGo
from graph.graphql.context import Context
from graph.graphql.limits import MAX_COST, Bounds, Operations
from graph.graphql.mutation import Mutation
from graph.graphql.persisted import PersistedQueries
from graph.graphql.plain_fields import PlainFieldsExecutor
from graph.graphql.query import Query
from graph.graphql.scalars import SCALARS
from graph.graphql.subscription import Subscription
from graph.graphql.time_limit import run_within, until_gone
from graph.problem_table import problem_of
from graph.settings import SettingsError

logger = logging.getLogger(__name__)

T = TypeVar("T")

TIMEOUT = 30.0
"""The maximum time of a query in seconds, unless the settings say otherwise."""

_REFUSALS = (GraphQLError, OperationTimeoutError, TooManyQueriesError, OwnQueriesBusyError)

_SUGGESTION = re.compile(r" Did you mean .*\?$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class OperationRules:
    """An operator's rules of operations; `queries`, by the hashes of their texts, are the only ones that are run."""

    introspection: bool = True
    max_cost: int = MAX_COST
    timeout: float = TIMEOUT
    queries: Mapping[str, str] | None = None


def create_schema(rules: OperationRules | None = None) -> strawberry.Schema:
    """Return the schema.

    Raises SettingsError if one of the listed operations is invalid in this schema.
    """
    return _types().under(rules or OperationRules())


@cache
def _types() -> _Schema:
    """Return the types and roots without rules; they take a second of processor time, and are shared by all schemas."""
    return _Schema(
        query=Query,
        mutation=Mutation,
        subscription=Subscription,
        config=StrawberryConfig(scalar_map=SCALARS, info_class=InfoAsOf),
        execution_context_class=PlainFieldsExecutor,
    )


class _Schema(strawberry.Schema):
    """Bounds every operation in size and time, gives every error a code, and masks internal errors."""

    _timeout: float
    _persisted: PersistedQueries
    _operations: Operations

    def under(self, rules: OperationRules) -> _Schema:
        """Return this schema under an operator's rules."""
        schema = copy(self)
        operations = Operations(self._schema, introspection=rules.introspection, max_cost=rules.max_cost)
        schema._timeout = rules.timeout
        schema._persisted = PersistedQueries(rules.queries)
        schema._operations = operations
        schema.extensions = (lambda: Bounds(operations), LettingGo)
        for text in (rules.queries or {}).values():
            schema._check_listed(text)
        return schema

    async def execute(self, query: str | None, *args: Any, **kwargs: Any) -> ExecutionResult:
        """Run an operation, and rewrite its errors."""
        extensions = kwargs.get("operation_extensions")
        try:
            text = self._persisted.text_of(query, extensions)
            self._check_answerable(text, kwargs)
            result = await self._in_time(super().execute(text, *args, **kwargs), text, kwargs)
        except _REFUSALS as error:
            return PreExecutionError(data=None, errors=[self._typed(_as_graphql(error))])
        if text is not None and not isinstance(result, PreExecutionError):
            self._persisted.keep(text, extensions)
        if result.errors:
            result.errors = [self._typed(error) for error in result.errors]
        return result

    async def stream(self, query: str | None, *args: Any, **kwargs: Any) -> StreamResult:
        """Run an operation in a context of its own, rewrite its errors, and add the cursors of events."""
        extensions = kwargs.get("operation_extensions")
        try:
            text = self._persisted.text_of(query, extensions)
        except GraphQLError as error:
            return _alone(PreExecutionError(data=None, errors=[self._typed(error)]))
        name, context = kwargs.get("operation_name"), kwargs.get("context_value")
        bounded = self._operations.is_bounded_in_time(text or "", name)
        follows = self._operations.kind_of(text or "", name) is OperationType.SUBSCRIPTION
        results = await super().stream(text, *args, **kwargs)
        results = self._typed_results(results, bounded, None if follows else context)
        return self._followed(results, text, extensions, context)

    def _check_answerable(self, text: str | None, given: Mapping[str, Any]) -> None:
        if self._operations.kind_of(text or "", given.get("operation_name")) is OperationType.SUBSCRIPTION:
            message = "a subscription is followed over graphql-transport-ws, or asked for as text/event-stream"
            raise GraphQLError(message, extensions={"code": "NOT_STREAMED"})

    async def _in_time(
        self, work: Coroutine[Any, Any, ExecutionResult], text: str | None, given: Mapping[str, Any]
    ) -> ExecutionResult:
        """Run an operation in a place, until its time is over or its client disconnects; run a change to its end."""
        context = given.get("context_value")
        if not self._operations.is_bounded_in_time(text or "", given.get("operation_name")):
            return await self._placed(work, context)
        request = getattr(context, "request", None)
        gone = until_gone(request) if isinstance(request, Request) else None
        return await run_within(self._timeout, self._placed(work, context), gone)

    async def _placed(self, work: Coroutine[Any, Any, T], context: object) -> T:
        """Run work in a place of its reader; an operation within the process needs no place.

        Raises `TooManyQueriesError`, and `OwnQueriesBusyError` if no place becomes free.
        """
        try:
            if not isinstance(context, Context) or context.caller is None:
                return await work
            async with context.platform.operations.place(context.share, self._timeout):
                return await work
        finally:
            work.close()

    async def _typed_results(self, results: StreamResult, limited: bool, context: object) -> StreamResult:
        queries = RunningQueries()
        waiting = context
        async with aclosing(results):
            try:
                while (result := await self._next(results, queries, limited, waiting)) is not None:
                    if isinstance(result, ExecutionResult | PreExecutionError) and result.errors:
                        result.errors = [self._typed(error) for error in result.errors]
                    yield result
                    waiting = None  # it has had its place
            except (*_REFUSALS, TooLargeError) as error:
                errors = [self._typed(_as_graphql(error))]
                is_late = isinstance(error, OperationTimeoutError)
                yield (ExecutionResult if is_late else PreExecutionError)(data=None, errors=errors)
            finally:
                await queries.end()

    async def _followed(
        self, results: StreamResult, text: str | None, extensions: Mapping[str, Any] | None, context: object
    ) -> StreamResult:
        """Store the text of an operation that is run, and add the cursor of each event of a subscription."""
        async with aclosing(results):
            async for result in results:
                if isinstance(result, ExecutionResult) and not isinstance(result, PreExecutionError):
                    if text is not None:
                        self._persisted.keep(text, extensions)
                    cursor = context.resuming.cursor if isinstance(context, Context) else None
                    if cursor is not None:
                        result.extensions = {**(result.extensions or {}), "cursor": cursor}
                yield result

    async def _next(self, results: StreamResult, queries: RunningQueries, limited: bool, context: object) -> Any:
        """Return the next result, None after the last; in a place of the reader, if there is a context.

        Raises the error of an operation that cannot be parsed, gets no place or takes too long; no result follows.
        """
        if limited:
            return await run_within(self._timeout, self._placed(_anext(results), context))
        with queries.noting():
            return await self._placed(_anext(results), context)

    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Log nothing here: a caller's errors are not logged, and internal errors are logged when they are masked."""

    def _check_listed(self, text: str) -> None:
        try:
            self._operations.parsed(text)
            errors: Sequence[Exception] = self._operations.errors_of(text)
        except (GraphQLError, TooLargeError) as error:
            errors = [error]
        if errors:
            said = errors[0].message if isinstance(errors[0], GraphQLError) else str(errors[0])
            raise SettingsError(f"A2AP_GRAPHQL_QUERIES has an operation that cannot be run: {said}: {text[:60]!r}")

    def _typed(self, error: GraphQLError) -> GraphQLError:
        cause = error.original_error
        if cause is None or isinstance(cause, GraphQLError) or "code" in (error.extensions or {}):
            # The query itself: its syntax, its fields, its variables.
            message = _SUGGESTION.sub("", error.message)
            return _with(error, message, {"code": "INVALID_QUERY", **(error.extensions or {})})
        if isinstance(cause, CannotGetOperationTypeError):
            return _with(error, cause.as_http_error_reason(), {"code": "INVALID_REQUEST"})
        if isinstance(cause, InvalidOperationTypeError):
            return _with(error, cause.as_http_error_reason("GET"), {"code": "METHOD_NOT_ALLOWED"})
        if isinstance(cause, RecursionError):
            return _with(error, "the query is nested too deeply", {"code": "TOO_LARGE"})
        problem = problem_of(cause)
        if problem.is_fault:
            logger.error("a resolver failed at %s", error.path, exc_info=cause)
        elif problem.status >= 500:
            logger.warning("a resolver failed at %s: %s", error.path, cause)
        return _with(error, problem.detail, {"code": problem.code} | ({"path": problem.path} if problem.path else {}))


async def _anext(results: StreamResult) -> Any:
    return await anext(results, None)


async def _alone(result: ExecutionResult) -> StreamResult:
    yield result


def _as_graphql(error: Exception) -> GraphQLError:
    if isinstance(error, GraphQLError):
        return error
    code = "TIMEOUT" if isinstance(error, OperationTimeoutError) else problem_of(error).code
    return GraphQLError(str(error), original_error=error, extensions={"code": code})


def _with(error: GraphQLError, message: str, extensions: dict[str, Any]) -> GraphQLError:
    return GraphQLError(
        message,
        nodes=error.nodes,
        source=error.source,
        positions=error.positions,
        path=error.path,
        original_error=error.original_error,
        extensions=extensions,
    )
