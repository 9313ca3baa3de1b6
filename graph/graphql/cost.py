"""The cost of an operation: the rows that it may read, estimated from its text, its variables and the schema alone.

An object field costs one row plus the cost of its selection; a list field costs that times its number of items:

- `first` (or `last`), given as a number, a variable or its default, up to `MAX_PAGE`;
- the schema's default of `first` if a root field omits it, `DEFAULT_PAGE` if there is no default;
- the longest list among the arguments of a list field without `first`, since each argument item gets one result;
- otherwise `LIST_SIZE`: most lists within objects are short, and `MAX_OBJECTS` bounds the others.

A connection costs its page: `first` is applied once, `edges`, `node`, `nodes` and `pageInfo` add no rows of their own,
and `totalCount` costs `COUNT_SIZE`. The same holds for the `entries` of an event whose subscription has a `first`. A
mutation costs `WRITE_SIZE` more for each document, a root field that counts the whole log, weighs verdicts repeatedly
or walks the graph costs its `ROOT_SIZES`, an ordered list of the root `ORDERED_SIZE`, and a `proof` `PROOF_SIZE`. Other
scalars are free, introspection has a rule of its own, and each fragment is estimated once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLArgument,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLNamedType,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    ListValueNode,
    OperationDefinitionNode,
    SelectionNode,
    SelectionSetNode,
    ValueNode,
    VariableNode,
    get_named_type,
    is_leaf_type,
)

from graph.graphql.context import MAX_PAGE
from graph.lists.span import DEFAULT_PAGE

LIST_SIZE = 10
"""The assumed number of items of a list without a stated size."""

COUNT_SIZE = 50
"""The assumed cost, in rows, of counting a list."""

WRITE_SIZE = 25
"""The assumed cost, in rows, of checking a document and writing its content."""

ORDERED_SIZE = 1_000
"""The assumed cost, in rows, of ordering a list: most orders read all filtered rows (docs/decisions/0023)."""

PROOF_SIZE = 1
"""The assumed cost, in rows, of proving that an entry is in the log."""

ROOT_SIZES = {
    "statsOverTime": 2_000,
    "consensusTimeline": 2_000,
    "lineage": 2_000,
    "neighbours": 2_000,
    "path": 10_000,
    "impact": 10_000,
    "blastRadius": 10_000,
}
"""The assumed cost, in rows, of a root field in addition to the cost of its selection.

The first counts the whole log, the second weighs the verdicts on a statement once for each verdict of its page. The
others walk the graph: the length of a walk is unknown in advance, and each has bounds of its own (`graph.lineage`).
"""

_COUNT = "totalCount"
_PROOF = "proof"
_SIZES = ("first", "last")
_PAGES = frozenset({"edges", "nodes"})
_WRAPPERS = frozenset({"edges", "nodes", "node", "pageInfo"})
_ENTRIES = "entries"
_ORDER = "orderBy"


def estimated_rows(
    schema: GraphQLSchema, document: DocumentNode, operation_name: str | None, variables: Mapping[str, Any] | None
) -> int:
    """Return the rows that an operation of a valid document may read; 0 if the document has no such operation."""
    operation = _operation(document, operation_name)
    root = schema.get_root_type(operation.operation) if operation else None
    if operation is None or root is None:
        return 0
    fragments = {node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)}
    return _Estimate(schema, fragments, _values(operation, variables), root).of(operation.selection_set, root)


def _operation(document: DocumentNode, name: str | None) -> OperationDefinitionNode | None:
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    return next((one for one in operations if name is None or (one.name and one.name.value == name)), None)


def _values(operation: OperationDefinitionNode, variables: Mapping[str, Any] | None) -> dict[str, Any]:
    defaults = {one.variable.name.value: one.default_value for one in operation.variable_definitions or ()}
    return {name: value for name, value in defaults.items() if value is not None} | dict(variables or {})


class _Estimate:
    """The estimate of the rows of selections in one operation."""

    def __init__(
        self,
        schema: GraphQLSchema,
        fragments: Mapping[str, FragmentDefinitionNode],
        values: Mapping[str, Any],
        root: GraphQLObjectType,
    ) -> None:
        self._schema = schema
        self._fragments = fragments
        self._values = values
        self._root = root
        self._known: dict[tuple[str, int], int] = {}

    def of(self, selection_set: SelectionSetNode | None, parent: GraphQLNamedType, page: int = 0) -> int:
        """Return the rows of a selection on one `parent`; `page` is the page size of a connection."""
        return sum(self._of_node(node, parent, page) for node in (selection_set.selections if selection_set else ()))

    def _of_node(self, node: SelectionNode, parent: GraphQLNamedType, page: int) -> int:
        if isinstance(node, FieldNode):
            return self._of_field(node, parent, page)
        if isinstance(node, FragmentSpreadNode):
            return self._of_fragment(node.name.value, page)
        if isinstance(node, InlineFragmentNode):
            condition = node.type_condition
            named = self._schema.get_type(condition.name.value) if condition else parent
            return self.of(node.selection_set, named or parent, page)
        return 0

    def _of_fragment(self, name: str, page: int) -> int:
        if (name, page) not in self._known:
            self._known[name, page] = 0
            fragment = self._fragments.get(name)
            named = self._schema.get_type(fragment.type_condition.name.value) if fragment else None
            if fragment is not None and named is not None:
                self._known[name, page] = self.of(fragment.selection_set, named, page)
        return self._known[name, page]

    def _of_field(self, node: FieldNode, parent: GraphQLNamedType, page: int) -> int:
        field = self._field(parent, node.name.value)
        named = get_named_type(field.type) if field else None
        if node.name.value == _COUNT and _is_connection(parent):
            return COUNT_SIZE
        if field is not None and node.name.value == _PROOF:
            return PROOF_SIZE
        if field is None or named is None or is_leaf_type(named) or named.name.startswith("__"):
            return 0
        if _is_connection(named):
            size = self._size(node, field, parent)
            beside = self._order(node, parent) + self._beside(node, parent)
            return beside + size + self.of(node.selection_set, named, size)
        if page and node.name.value in _WRAPPERS:
            # Of a connection or one of its edges: the rows were counted with the page.
            times = page if node.name.value in _PAGES else 1
            return times * self.of(node.selection_set, named, 1)
        if page and node.name.value == _ENTRIES:
            return page * (1 + self.of(node.selection_set, named))
        rows = 1 + self.of(node.selection_set, named, self._size(node, field, parent) if _has_page(field, named) else 0)
        rows += WRITE_SIZE if parent is self._schema.mutation_type else 0
        rows += self._beside(node, parent)
        return rows * (self._size(node, field, parent) if _is_list(field) else 1)

    def _beside(self, node: FieldNode, parent: GraphQLNamedType) -> int:
        return ROOT_SIZES.get(node.name.value, 0) if parent is self._schema.query_type else 0

    def _order(self, node: FieldNode, parent: GraphQLNamedType) -> int:
        is_ordered = any(argument.name.value == _ORDER for argument in node.arguments or ())
        return ORDERED_SIZE if is_ordered and parent is self._schema.query_type else 0

    def _field(self, parent: GraphQLNamedType, name: str) -> GraphQLField | None:
        if not isinstance(parent, GraphQLObjectType | GraphQLInterfaceType):
            return None
        return self._schema.get_field(parent, name)

    def _size(self, node: FieldNode, field: GraphQLField, parent: GraphQLNamedType) -> int:
        given = {argument.name.value: self._value(argument.value) for argument in node.arguments or ()}
        for name in _SIZES:
            if name in field.args and given.get(name) is not None:
                return _page_size(given[name])
        stated = [field.args[name] for name in _SIZES if name in field.args]
        if stated:
            return max(map(_default, stated)) if parent is self._root else LIST_SIZE
        return max((len(value) for value in given.values() if isinstance(value, list)), default=LIST_SIZE)

    def _value(self, node: ValueNode) -> Any:
        """Return the number, list or other value of an argument, None for null."""
        value: Any = self._values.get(node.name.value) if isinstance(node, VariableNode) else node
        if isinstance(value, IntValueNode):
            return int(value.value)
        if isinstance(value, ListValueNode):
            return list(value.values)
        return None if isinstance(value, ValueNode) else value


def _page_size(value: Any) -> int:
    """Return a number of items; the maximum page size for a non-number, which the field's own resolver refuses."""
    return min(max(value, 1), MAX_PAGE) if isinstance(value, int) else MAX_PAGE


def _default(argument: GraphQLArgument) -> int:
    # Strawberry gives values, a schema from text gives literals.
    literal = argument.default.literal if argument.default is not None else None
    value = int(literal.value) if isinstance(literal, IntValueNode) else argument.default_value
    return value if isinstance(value, int) and not isinstance(value, bool) else DEFAULT_PAGE


def _is_list(field: GraphQLField) -> bool:
    wrapped = field.type.of_type if isinstance(field.type, GraphQLNonNull) else field.type
    return isinstance(wrapped, GraphQLList)


def _has_page(field: GraphQLField, named: GraphQLNamedType) -> bool:
    """Say whether the number of an object's entries is the `first` of its own field."""
    return _SIZES[0] in field.args and isinstance(named, GraphQLObjectType) and _ENTRIES in named.fields


def _is_connection(named: GraphQLNamedType) -> bool:
    return isinstance(named, GraphQLObjectType) and {"edges", "pageInfo"} <= named.fields.keys()
