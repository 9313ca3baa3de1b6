"""Decides how each field of a selection is resolved: once per operation, or once per text if no variable decides.

- An attribute, or a method without arguments, is read directly (`graph.graphql.field_readers`).
- A `resolved_together` field is answered for many objects at once, and its values are then read. All fields selected of
  its values must be readable directly.
- All other fields are left to graphql-core: fields with another resolver, fields of several possible types, and fields
  with a directive on their delivery.
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
"""A function that collects the fields selected of an object of a type, from all nodes that select the parent field."""

Places = tuple[int, ...]
"""Fields of an operation, by the identity of their nodes in its document, which outlive these keys."""

_REMEMBERED = 256
_LONGEST = 10_000
"""The maximum length of a text, in characters, whose selections are cached."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The fields selected of objects of a type: those read directly (`reader`, selected by `ours`), and all others."""

    reader: Reader
    ours: GroupedFieldSet
    others: GroupedFieldSet


class Selections:
    """The selections of one operation; `operation` keeps its nodes alive."""

    def __init__(self, schema: GraphQLSchema, operation: OperationDefinitionNode) -> None:
        self._schema = schema
        self._operation = operation
        # There is no object of these.
        self._roots = (schema.query_type, schema.mutation_type, schema.subscription_type)
        self._known: dict[tuple[str, Places], Selection] = {}
        self._lists: dict[tuple[int, Places], Reader | None] = {}

    def of(self, parent_type: GraphQLObjectType, fields: GroupedFieldSet, collect: Collect) -> Selection:
        """Return the selection on objects of a type."""
        key = parent_type.name, _places(fields.values())
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._split(parent_type, fields, collect)
        return known

    def of_list(self, list_type: GraphQLList[Any], details: FieldDetailsList, collect: Collect) -> Reader | None:
        """Return the reader of a field's list value; None if graphql-core is needed for a part of it."""
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
        """Return the reader of a type's values (GraphQL, "Value Completion"); None if a part needs a resolver."""
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
    """Return the selections of an operation; they are cached for each operation of a cached document."""
    text = "@" if operation.loc is None else operation.loc.source.body
    # A directive may hang on a variable.
    if "@" in text or len(text) > _LONGEST:
        return Selections(schema, operation)
    return _remembered(_Same(schema, operation))


class _Same:
    """An operation of a schema, compared by identity: nodes of a document are otherwise compared by content."""

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
    """Say whether a field is a synchronous method of the object that needs neither arguments nor an info."""
    resolver = definition.base_resolver
    if resolver is None or resolver.is_async or field.args:
        return False
    others = (resolver.info_parameter, resolver.parent_parameter, resolver.root_parameter)
    return resolver.self_parameter is not None and not any(others)


def _class_of(object_type: GraphQLObjectType) -> type:
    """Return the class whose objects are certainly of this type; other objects are left to graphql-core."""
    definition = object_type.extensions[GraphQLCoreConverter.DEFINITION_BACKREF]
    return definition.origin  # type: ignore[no-any-return]


def _is_directed(node: FieldNode) -> bool:
    # Fields that these two skip are already left out; other directives may change how a field is delivered.
    return any(directive.name.value not in ("skip", "include") for directive in node.directives or ())
