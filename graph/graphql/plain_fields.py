"""Executes selections: attributes are read directly, and fields with resolvers are left to graphql-core.

For each attribute of each object of an answer, graphql-core makes the inputs of a resolver: a path, an info, arguments;
for each resolver that awaits it makes a coroutine, a future and a task. A page of a few hundred objects spends most of
its time on that. This executor therefore reads the fields that need none of these (`graph.graphql.selections`), and
calls a `resolved_together` field once for all objects below the value where it is selected, through any attributes and
lists that lead to them.

If a value does not conform to the schema, or the call fails, graphql-core reads the value again, so that the error is
reported like any other.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from graphql import GraphQLList, GraphQLObjectType, GraphQLOutputType, GraphQLResolveInfo, get_argument_values
from graphql.execution.collect_fields import FieldDetailsList, GroupedFieldSet
from graphql.pyutils import Path, gather_with_cancel
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext
from strawberry.schema.schema_converter import get_arguments

from graph.graphql.field_readers import Answers, Asked, Asking, Reader
from graph.graphql.fields import TOGETHER
from graph.graphql.selections import selections_of


class PlainFieldsExecutor(StrawberryGraphQLCoreExecutionContext):
    """The executor of one operation."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._selections = selections_of(self.schema, self.operation)
        # Strawberry gives a manager in any case, of the extensions that see each field.
        self._has_middleware = self.middleware_manager is not None and bool(self.middleware_manager.middlewares)

    def execute_fields(
        self,
        parent_type: GraphQLObjectType,
        source_value: Any,
        path: Path | None,
        grouped_field_set: GroupedFieldSet,
        position_context: Any,
    ) -> Any:
        """Return the fields of an object as a dict, or an awaitable of that."""

        def execute(fields: GroupedFieldSet) -> Any:
            return execute_fields(parent_type, source_value, path, fields, position_context) if fields else {}

        execute_fields = super().execute_fields
        if self._has_middleware:
            return execute(grouped_field_set)
        selection = self._selections.of(parent_type, grouped_field_set, self.collect_subfields)
        if selection.reader.asking:
            others = execute(selection.others)
            ours: Any = self._asked(selection.reader, source_value, path, partial(execute, selection.ours))
            return _joined(grouped_field_set, ours, others)
        ours = _read(selection.reader, source_value, {})
        if ours is None:
            return execute(grouped_field_set)
        return _joined(grouped_field_set, ours, execute(selection.others))

    def complete_list_value(
        self,
        return_type: GraphQLList[GraphQLOutputType],
        field_details_list: FieldDetailsList,
        info: GraphQLResolveInfo[Any],
        path: Path,
        result: Any,
        position_context: Any,
    ) -> Any:
        """Return the items of a list from a resolver, or an awaitable of them."""
        complete = partial(
            super().complete_list_value, return_type, field_details_list, info, path, result, position_context
        )
        if self._has_middleware:
            return complete()
        reader = self._selections.of_list(return_type, field_details_list, self.collect_subfields)
        if reader is None:
            return complete()
        if reader.asking:
            return self._asked(reader, result, path, complete)
        items = _read(reader, result, {})
        return complete() if items is None else items

    async def _asked(self, reader: Reader, value: Any, path: Path | None, again: Callable[[], Any]) -> Any:
        """Return a value read after its batched fields are answered; if that fails, the result of `again`."""
        with suppress(Exception):
            found = _read(reader, value, await self._answers(reader.asking, value, path))
            if found is not None:
                return found
        found = again()
        return await found if self.is_awaitable(found) else found

    async def _answers(self, asking: Asking, value: Any, path: Path | None) -> Answers:
        found = [(asked, list({id(one): one for one in find(value)}.values())) for asked, find in asking]
        answers = await gather_with_cancel(*(self._answer(asked, objects, path) for asked, objects in found))
        return {
            asked: dict(zip(map(id, objects), values, strict=True))
            for (asked, objects), values in zip(found, answers, strict=True)
        }

    async def _answer(self, asked: Asked, objects: list[Any], path: Path | None) -> Any:
        """Return the values of a field for these objects, in their order."""
        if not objects:
            return []
        node, _, fragment_variables = asked.details[0]
        schema = self.schema._strawberry_schema  # type: ignore[attr-defined]
        # Only the start of the path matters here, and all of the objects share it.
        whole_path = Path(path, node.name.value, asked.parent_type.name)
        raw_info = self.build_resolve_info(
            asked.field, [one.node for one in asked.details], asked.parent_type, whole_path
        )
        info = schema.config.info_class(_raw_info=raw_info, _field=asked.definition)
        given = get_argument_values(asked.field, node, self.variable_values, fragment_variables, self.hide_suggestions)
        _, arguments = get_arguments(
            field=asked.definition,
            source=None,
            info=info,
            kwargs=given,
            config=schema.config,
            scalar_registry=schema.schema_converter.scalar_registry,
        )
        return await asked.definition.metadata[TOGETHER](objects, **arguments)


def _read(reader: Reader, value: Any, answers: Answers) -> Any:
    """Return the answer read from an object or a list; None if a value in it does not conform to the schema."""
    # graphql-core meets the same error again, and reports it with its path.
    with suppress(Exception):
        return reader.read(value, answers)
    return None


def _joined(fields: GroupedFieldSet, ours: Any, others: Any) -> Any:
    """Return all fields of an object, or an awaitable of them; either part may be an awaitable."""
    if others == {}:
        return ours
    if isinstance(ours, dict) and isinstance(others, dict):
        return _in_order(fields, ours, others)
    return _awaited(fields, ours, others)


async def _awaited(fields: GroupedFieldSet, ours: Any, others: Any) -> dict[str, Any]:
    if isinstance(ours, dict):
        return _in_order(fields, ours, await others)
    if isinstance(others, dict):
        return _in_order(fields, await ours, others)
    return _in_order(fields, *await gather_with_cancel(ours, others))


def _in_order(fields: GroupedFieldSet, ours: dict[str, Any], others: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of both parts in the order of selection."""
    return {name: ours[name] if name in ours else others[name] for name in fields if name in ours or name in others}
