"""Finds out how each field of a selection is had, once an operation; once a text where that hangs on no variable.

- An attribute, or a method that is given nothing, is read (`graph.graphql.field_readers`).
- A field that is `resolved_together` is asked of many objects at once, and read then. What is selected of its values
  must be for reading alone.
- Everything else is for graphql-core: what has another resolver, what may be of several types, what carries a directive
  that says how it is delivered.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graphql import (
    FieldNode,
    GraphQLField,
    GraphQLList,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    OperationDefinitionNode,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
    is_object_type,
)
from graphql.execution.collect_fields import CollectedFields, FieldDetailsList, GroupedFieldSet
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.field import StrawberryField

from graph.graphql.field_readers import (
    Asked,
    FieldReader,
    Reader,
    asked_reader,
    attribute_reader,
    fields_reader,
    leaf_reader,
    list_reader,
    method_reader,
    object_reader,
    type_name_reader,
)
from graph.graphql.fields import TOGETHER

Collect = Callable[[GraphQLObjectType, FieldDetailsList], CollectedFields]
"""Collects what is selected of an object of a type, by all places of the operation that select the field."""

Places = tuple[int, ...]
"""Fields of an operation, by the identity of their nodes in its document, which stay as long as anything here."""

_REMEMBERED = 256
_LONGEST = 10_000
"""Characters of a text whose selections are remembered."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What is selected of objects of a type: what is read of them, as `ours` selects it, and all else."""

    reader: Reader
    ours: GroupedFieldSet
    others: GroupedFieldSet


class Selections:
    """The selections of one operation; `operation` keeps its nodes."""

    def __init__(self, schema: GraphQLSchema, operation: OperationDefinitionNode) -> None:
        self._schema = schema
        self._operation = operation
        # There is no object of these.
        self._roots = (schema.query_type, schema.mutation_type, schema.subscription_type)
        self._known: dict[tuple[str, Places], Selection] = {}
        self._lists: dict[tuple[int, Places], Reader | None] = {}

    def of(self, parent_type: GraphQLObjectType, fields: GroupedFieldSet, collect: Collect) -> Selection:
        """Return what is selected of objects of a type."""
        key = parent_type.name, _places(fields.values())
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._split(parent_type, fields, collect)
        return known

    def of_list(self, list_type: GraphQLList[Any], details: FieldDetailsList, collect: Collect) -> Reader | None:
        """Return what reads the value of a field that is a list; None where graphql-core has a part in it."""
        key = id(list_type), _places([details])
        if key not in self._lists:
            self._lists[key] = self._value_reader(list_type, details, collect)
        return self._lists[key]

    def _split(self, parent_type: GraphQLObjectType, fields: GroupedFieldSet, collect: Collect) -> Selection:
        readers = {name: self._field_reader(name, parent_type, details, collect) for name, details in fields.items()}
        return Selection(
            fields_reader(reader for reader in readers.values() if reader is not None),
            {name: fields[name] for name, reader in readers.items() if reader is not None},
            {name: fields[name] for name, reader in readers.items() if reader is None},
        )

    def _field_reader(
        self, name: str, parent_type: GraphQLObjectType, details: FieldDetailsList, collect: Collect
    ) -> FieldReader | None:
        nodes = [one.node for one in details]
        field = self._schema.get_field(parent_type, nodes[0].name.value)
        if field is None or parent_type in self._roots or any(map(_is_directed, nodes)):
            return None
        if nodes[0].name.value == "__typename":
            return type_name_reader(name, parent_type)
        definition: StrawberryField | None = field.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        if definition is None or definition.extensions:
            return None
        value = self._value_reader(field.type, details, collect)
        if value is None:
            return None
        if definition.is_basic_field:
            return attribute_reader(name, definition.python_name, value)
        if TOGETHER in definition.metadata:
            asked = Asked(parent_type, field, definition, details)
            return None if value.asking else asked_reader(name, definition.python_name, asked, value)
        return method_reader(name, definition.python_name, value) if _is_given_nothing(definition, field) else None

    def _value_reader(
        self, value_type: GraphQLOutputType, details: FieldDetailsList, collect: Collect
    ) -> Reader | None:
        """Return what completes a value of a type (GraphQL, "Value Completion"); None where a resolver has a part."""
        required = is_non_null_type(value_type)
        inner_type = value_type.of_type if is_non_null_type(value_type) else value_type
        if is_leaf_type(inner_type):
            return leaf_reader(inner_type, required)
        if is_list_type(inner_type):
            item = self._value_reader(inner_type.of_type, details, collect)
            return item and list_reader(item, required)
        if is_object_type(inner_type):
            fields, *others = collect(inner_type, details)
            selection = self.of(inner_type, fields, collect)
            if not selection.others and not any(others):
                return object_reader(_class_of(inner_type), selection.reader, required)
        return None


def selections_of(schema: GraphQLSchema, operation: OperationDefinitionNode) -> Selections:
    """Return the selections of an operation, the same again for the same operation of a document that was kept."""
    text = "@" if operation.loc is None else operation.loc.source.body
    # A directive may hang on a variable.
    if "@" in text or len(text) > _LONGEST:
        return Selections(schema, operation)
    return _remembered(_Same(schema, operation))


class _Same:
    """An operation of a schema that is only itself: nodes of a document are compared by what they say otherwise."""

    __slots__ = ("operation", "schema")

    def __init__(self, schema: GraphQLSchema, operation: OperationDefinitionNode) -> None:
        self.schema = schema
        self.operation = operation

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.schema is self.schema and other.operation is self.operation

    def __hash__(self) -> int:
        return id(self.operation)


@lru_cache(_REMEMBERED)
def _remembered(same: _Same) -> Selections:
    return Selections(same.schema, same.operation)


def _places(fields: Iterable[FieldDetailsList]) -> Places:
    return tuple([id(one.node) for details in fields for one in details])


def _is_given_nothing(definition: StrawberryField, field: GraphQLField) -> bool:
    """Say whether a field is a method of the object that does not wait, and needs neither arguments nor an info."""
    resolver = definition.base_resolver
    if resolver is None or resolver.is_async or field.args:
        return False
    others = (resolver.info_parameter, resolver.parent_parameter, resolver.root_parameter)
    return resolver.self_parameter is not None and not any(others)


def _class_of(object_type: GraphQLObjectType) -> type:
    """Return the class whose objects are of this type without a question; what else may be is for graphql-core."""
    definition = object_type.extensions[GraphQLCoreConverter.DEFINITION_BACKREF]
    return definition.origin  # type: ignore[no-any-return]


def _is_directed(node: FieldNode) -> bool:
    # What these two skip is not among the fields any more; others may say how a field is delivered.
    return any(directive.name.value not in ("skip", "include") for directive in node.directives or ())
