"""The bounds on an operation before it runs, and the cache of parsed and validated operations.

The checks, in order: the length of its text, its tokens, its shape (`graph.graphql.shape`), the schema's rules, its
variables, and its cost (`graph.graphql.cost`). Their errors make no suggestions from the schema ("Did you mean …?").
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    OperationType,
    SelectionNode,
    Source,
    get_operation_ast,
    parse,
    specified_rules,
    validate,
)
from graphql.validation import NoSchemaIntrospectionCustomRule
from strawberry.extensions import SchemaExtension
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule

from graph.errors import TooLargeError
from graph.graphql.context import Context
from graph.graphql.cost import estimated_rows
from graph.graphql.shape import MAX_TOKENS, check_shape, check_variables

MAX_TEXT = 100_000
"""The maximum length of an operation in characters; submitted documents go into its variables."""

MAX_COST = 50_000
"""The maximum estimated cost of an operation in rows, unless the settings say otherwise."""

MAX_ERRORS = 20
CACHED_QUERIES = 256
MAX_CACHED_LENGTH = 10_000
"""The maximum length of a text, in characters, whose parsed document is cached."""

_COMPUTING = frozenset({"computeConsensus", "computeReputation"})
_READING = _COMPUTING | {"__typename"}
"""Root fields of mutations that change nothing: A2AP §9.2 lists the first two as mutations."""


class Operations:
    """Parses and validates the operations of one schema; results for short texts are cached."""

    def __init__(self, schema: GraphQLSchema, *, introspection: bool = True, max_cost: int = MAX_COST) -> None:
        self.schema = schema
        self.max_cost = max_cost
        hidden = () if introspection else (NoSchemaIntrospectionCustomRule,)
        self._rules = (*specified_rules, MaybeNullValidationRule, OneOfInputValidationRule, *hidden)
        self._remembered = lru_cache(CACHED_QUERIES)(_parse)
        self._judged = lru_cache(CACHED_QUERIES)(self._judge)

    def parsed(self, text: str) -> DocumentNode:
        """Return the document of a text; raise `GraphQLError` or `TooLargeError`."""
        if len(text) > MAX_TEXT:
            raise TooLargeError(f"the query has more than {MAX_TEXT} characters")
        return self._remembered(text) if len(text) <= MAX_CACHED_LENGTH else _parse(text)

    def errors_of(self, text: str) -> tuple[GraphQLError, ...]:
        """Return the errors of a text that can be parsed, by its shape and the schema's rules."""
        return self._judged(text) if len(text) <= MAX_CACHED_LENGTH else self._judge(text)

    def kind_of(self, text: str, operation_name: str | None) -> OperationType | None:
        """Return the type of an operation of a text; None if there is no such operation."""
        try:
            operation = get_operation_ast(self.parsed(text), operation_name)
        except (GraphQLError, TooLargeError):
            return None
        return operation.operation if operation is not None else None

    def is_bounded_in_time(self, text: str, operation_name: str | None) -> bool:
        """Say whether an operation may be ended at any time: a query, or a mutation that changes nothing."""
        kind = self.kind_of(text, operation_name)
        if kind is not OperationType.MUTATION:
            return kind is OperationType.QUERY
        document = self.parsed(text)
        operation = get_operation_ast(document, operation_name)
        return operation is not None and _root_fields(document, operation) <= _READING

    def _judge(self, text: str) -> tuple[GraphQLError, ...]:
        document = self.parsed(text)
        try:
            check_shape(document)
        except TooLargeError as error:
            return (_too_large(error),)
        errors = validate(self.schema, document, self._rules, MAX_ERRORS, hide_suggestions=True)
        return tuple(errors) or tuple(_mixed(document))


def _mixed(document: DocumentNode) -> Iterator[GraphQLError]:
    """Yield an error for each mutation that has to go on to its end and selects fields that may take long."""
    for operation in document.definitions:
        if isinstance(operation, OperationDefinitionNode) and operation.operation is OperationType.MUTATION:
            fields = _root_fields(document, operation)
            if fields & _COMPUTING and fields - _READING:
                message = f"a mutation with {' or '.join(sorted(fields & _COMPUTING))} has no other fields"
                yield GraphQLError(message, operation)


def _root_fields(document: DocumentNode, operation: OperationDefinitionNode) -> set[str]:
    """Return the names of the root fields that an operation selects, directly or in fragments."""
    fragments = {one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)}
    found: set[str] = set()
    waiting: list[SelectionNode] = list(operation.selection_set.selections)
    while waiting:
        selection = waiting.pop()
        if isinstance(selection, FieldNode):
            found.add(selection.name.value)
        elif isinstance(selection, InlineFragmentNode):
            waiting += selection.selection_set.selections
        elif isinstance(selection, FragmentSpreadNode):
            # Each is looked at once: this is before the text is validated, and a fragment may select itself.
            fragment = fragments.pop(selection.name.value, None)
            waiting += fragment.selection_set.selections if fragment else ()
    return found


class Bounds(SchemaExtension):
    """Parses, validates and estimates one operation, and reports its cost if `extensions.cost` requests it."""

    def __init__(self, operations: Operations) -> None:
        self._operations = operations
        self._cost: int | None = None

    def on_parse(self) -> Iterator[None]:
        """Parse the text, or take the cached document."""
        text = self.execution_context.query
        if text:
            self.execution_context.graphql_document = self._operations.parsed(text)
        yield

    def on_validate(self) -> Iterator[None]:
        """Check the operation against every bound."""
        context = self.execution_context
        errors = list(self._operations.errors_of(context.query or ""))
        if not errors:
            try:
                check_variables(context.variables)
                self._cost = self._estimated()
                self._check_cost(self._cost)
                if isinstance(context.context, Context):
                    context.context.cost = self._cost
            except TooLargeError as error:
                errors = [_too_large(error)]
        context.pre_execution_errors = errors
        yield

    def get_results(self) -> dict[str, Any]:
        """Return the estimate and its bound, and the number of objects counted, if the request asks for them."""
        context = self.execution_context
        if self._cost is None or (context.operation_extensions or {}).get("cost") is not True:
            return {}
        objects = getattr(getattr(context.context, "loaders", None), "objects", None)
        counted = {} if objects is None else {"objects": objects}
        return {"cost": {"estimated": self._cost, "bound": self._operations.max_cost, **counted}}

    def _estimated(self) -> int:
        context = self.execution_context
        assert context.graphql_document is not None
        return estimated_rows(
            self._operations.schema, context.graphql_document, context.operation_name, context.variables
        )

    def _check_cost(self, cost: int) -> None:
        if cost > self._operations.max_cost:
            raise TooLargeError(f"the query costs {cost} rows by estimate, and may cost {self._operations.max_cost}")


def _too_large(error: TooLargeError) -> GraphQLError:
    """Return an exceeded bound as an error of the operation."""
    return GraphQLError(str(error), extensions={"code": "TOO_LARGE"})


def _parse(text: str) -> DocumentNode:
    return parse(Source(text), max_tokens=MAX_TOKENS)
