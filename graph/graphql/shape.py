"""Bounds on the shape of an operation, read from its text: depth, fields, aliases, repetitions, directives, fragments.

They are checked before all other rules, some of which take time quadratic in the number of fields. A fragment counts
each time it is spread, and is measured once: expanding a hundred of them may take exponential time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionNode,
    SelectionSetNode,
)

from graph.errors import TooLargeError

MAX_TOKENS = 2_000
MAX_DEPTH = 15
"""The maximum nesting of fields; GraphiQL's own introspection has 13 levels."""

MAX_FIELDS = 1_000
MAX_ROOT_FIELDS = 20
MAX_ALIASES = 30
MAX_REPEATS = 10
"""The maximum number of times that a field may stand in one selection; one answer serves all of them."""

MAX_DIRECTIVES = 20
MAX_DIRECTIVES_OF_FIELD = 3
MAX_FRAGMENTS = 50
MAX_OPERATIONS = 20

MAX_VALUES = 10_000
"""The maximum number of values in the variables of an operation, including objects and lists."""

MAX_VALUE_DEPTH = 16


@dataclass(frozen=True, slots=True)
class _Size:
    depth: int = 0
    fields: int = 0
    aliases: int = 0

    def beside(self, other: _Size) -> _Size:
        return _Size(max(self.depth, other.depth), self.fields + other.fields, self.aliases + other.aliases)


def check_shape(document: DocumentNode) -> None:
    """Raise `TooLargeError` for the first bound that a document exceeds."""
    fragments = {node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)}
    operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    _check(len(fragments), MAX_FRAGMENTS, "fragments")
    _check(len(operations), MAX_OPERATIONS, "operations")
    selections = [set_ for node in document.definitions for set_ in _selection_sets(node)]
    _check_directives(document, selections)
    _check_repeats(selections)
    measure = _Measure(fragments)
    sizes = [measure.of(operation.selection_set) for operation in operations]
    if any(size.depth > MAX_DEPTH for size in sizes):
        raise TooLargeError(f"the query is more than {MAX_DEPTH} fields deep")
    _check(sum(size.fields for size in sizes), MAX_FIELDS, "fields, those of fragments counted where they are spread")
    _check(sum(size.aliases for size in sizes), MAX_ALIASES, "aliases")
    roots = _RootFields(fragments)
    _check(max(map(roots.of, (one.selection_set for one in operations)), default=0), MAX_ROOT_FIELDS, "root fields")


def check_variables(variables: Mapping[str, Any] | None) -> None:
    """Raise `TooLargeError` for variables with too many values, or with values nested too deeply."""
    level: list[Any] = [variables or {}]
    seen = 0
    for _ in range(MAX_VALUE_DEPTH + 1):
        level = [value for one in level for value in _within(one)]
        seen += len(level)
        if seen > MAX_VALUES:
            raise TooLargeError(f"the variables have more than {MAX_VALUES} values")
        if not level:
            return
    raise TooLargeError(f"the variables are more than {MAX_VALUE_DEPTH} values deep")


class _Measure:
    """Measures selections, with each fragment measured once."""

    def __init__(self, fragments: Mapping[str, FragmentDefinitionNode]) -> None:
        self._fragments = fragments
        self._known: dict[str, _Size] = {}

    def of(self, selection_set: SelectionSetNode | None) -> _Size:
        size = _Size()
        for node in selection_set.selections if selection_set else ():
            size = size.beside(self._of_node(node))
        return size

    def _of_node(self, node: SelectionNode) -> _Size:
        if isinstance(node, FieldNode):
            within = self.of(node.selection_set)
            return _Size(within.depth + 1, within.fields + 1, within.aliases + (node.alias is not None))
        if isinstance(node, FragmentSpreadNode):
            return self._of_fragment(node.name.value)
        return self.of(node.selection_set) if isinstance(node, InlineFragmentNode) else _Size()

    def _of_fragment(self, name: str) -> _Size:
        if name not in self._known:
            # A fragment within itself counts nothing here; another rule refuses it.
            self._known[name] = _Size()
            fragment = self._fragments.get(name)
            self._known[name] = self.of(fragment.selection_set if fragment else None)
        return self._known[name]


class _RootFields:
    """Counts the root fields that an operation selects."""

    def __init__(self, fragments: Mapping[str, FragmentDefinitionNode]) -> None:
        self._fragments = fragments
        self._known: dict[str, int] = {}

    def of(self, selection_set: SelectionSetNode) -> int:
        return sum(map(self._of_node, selection_set.selections))

    def _of_node(self, node: SelectionNode) -> int:
        if isinstance(node, InlineFragmentNode):
            return self.of(node.selection_set)
        if not isinstance(node, FragmentSpreadNode):
            return 1
        name = node.name.value
        if name not in self._known:
            self._known[name] = 0
            fragment = self._fragments.get(name)
            self._known[name] = self.of(fragment.selection_set) if fragment else 0
        return self._known[name]


def _selection_sets(node: Any) -> Iterator[SelectionSetNode]:
    """Yield the selection sets of a definition, from the outermost on."""
    waiting = [node]
    while waiting:
        selection_set = getattr(waiting.pop(), "selection_set", None)
        if selection_set is not None:
            yield selection_set
            waiting += selection_set.selections


def _check_directives(document: DocumentNode, selections: Sequence[SelectionSetNode]) -> None:
    variables = [one for node in document.definitions for one in getattr(node, "variable_definitions", None) or ()]
    nodes = [*document.definitions, *variables, *(node for one in selections for node in one.selections)]
    numbers = [len(getattr(node, "directives", None) or ()) for node in nodes]
    _check(max(numbers, default=0), MAX_DIRECTIVES_OF_FIELD, "directives at one place")
    _check(sum(numbers), MAX_DIRECTIVES, "directives")


def _check_repeats(selections: Sequence[SelectionSetNode]) -> None:
    for selection_set in selections:
        named = Counter(_name(node) for node in selection_set.selections)
        named.pop("", None)
        if named and max(named.values()) > MAX_REPEATS:
            name, _ = named.most_common(1)[0]
            raise TooLargeError(f"{name} stands more than {MAX_REPEATS} times beside itself")


def _name(node: SelectionNode) -> str:
    if isinstance(node, FieldNode):
        return (node.alias or node.name).value
    return f"...{node.name.value}" if isinstance(node, FragmentSpreadNode) else ""


def _within(value: Any) -> Sequence[Any]:
    if isinstance(value, Mapping):
        return list(value.values())
    return value if isinstance(value, list) else ()


def _check(number: int, most: int, what: str) -> None:
    if number > most:
        raise TooLargeError(f"the query has more than {most} {what}")
