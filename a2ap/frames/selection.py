"""The selection of a GraphQL query: the parts of its rows, and the lists that it can page through.

A query has one field at its root. If that is a list, its entries are the rows; if it is an object, the object is
the one row. A connection is the list of its entries, whether the query has `nodes` or `edges`: neither these two
words nor `node` are in the name of a column.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLSyntaxError,
    InlineFragmentNode,
    OperationDefinitionNode,
    OperationType,
    SelectionSetNode,
    parse,
)

from a2ap.errors import FrameError
from a2ap.frames.parts import Kind, Part
from a2ap.frames.schema import FieldType, Schema

_KINDS = {
    "ID": Kind.TEXT,
    "String": Kind.TEXT,
    "Int": Kind.INTEGER,
    "ByteCount": Kind.INTEGER,
    "Float": Kind.NUMBER,
    "Boolean": Kind.TRUTH,
    "DateTime": Kind.TIME,
}
_ENTRIES = ("nodes", "edges")
_PAGE_INFO = ("pageInfo", "hasNextPage")

Found = Mapping[str, Sequence[tuple[str, FieldNode]]]
"""The fields of a selection by their names in the answer, each with the type that it belongs to."""


@dataclass(frozen=True, slots=True)
class Connection:
    """A list that is given page by page: the path to it, and its field at each place in the text."""

    path: tuple[str, ...]
    fields: tuple[FieldNode, ...]

    @property
    def arguments(self) -> frozenset[str]:
        """Return the names of the arguments that the query gives it."""
        return frozenset(one.name.value for one in self.fields[0].arguments or ())


@dataclass(frozen=True, slots=True)
class Selection:
    """The selection of a query. `rows` leads to its rows, or to its only one.

    `paged` is the connection whose entries are the rows; `connections` are all others, and `pageable` those of them
    that stand in no other list, by the names of their columns.
    """

    rows: tuple[str, ...]
    many: bool
    parts: tuple[Part, ...]
    paged: Connection | None
    connections: tuple[Connection, ...]
    pageable: Mapping[str, Connection]


def read_selection(text: str, schema: Schema) -> Selection:
    """Return the selection of a query. Raises FrameError if no table can be made of it."""
    try:
        document = parse(text)
    except GraphQLSyntaxError as error:
        raise FrameError(f"the query cannot be read: {error.message}") from error
    operations = [one for one in document.definitions if isinstance(one, OperationDefinitionNode)]
    if len(operations) != 1 or operations[0].operation is not OperationType.QUERY:
        raise FrameError("a frame is of one query, and of no mutation or subscription")
    fragments = {one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)}
    return _Reading(schema, fragments).selection(operations[0].selection_set)


class _Reading:
    """The reading of one query, and the connections that were found on the way."""

    def __init__(self, schema: Schema, fragments: Mapping[str, FragmentDefinitionNode]) -> None:
        self._schema = schema
        self._fragments = fragments
        self._connections: list[Connection] = []
        self._pageable: dict[str, Connection] = {}

    def selection(self, root: SelectionSetNode) -> Selection:
        """Return the selection at the root of a query."""
        found = {key: one for key, one in self._fields(self._schema.root, [root]).items() if key != "__typename"}
        if len(found) != 1:
            raise FrameError(
                f"a frame is of one field at the root of a query, and this has {', '.join(found) or 'none'}"
            )
        ((key, asked),) = found.items()
        of, sets = self._type_of(asked), _sets(asked)
        paged = None
        rows: tuple[str, ...] = (key,)
        parts: tuple[Part, ...]
        if not sets:
            rows, parts = (), (self._leaf(of, (key,), key),)
        elif entries := self._entries(of.name, sets):
            paged = Connection((key,), tuple(node for _, node in asked))
            rows, parts = (key, entries), self._parts_of_entries(of.name, sets, entries)
        else:
            parts = tuple(self._parts(of.name, sets, top=not of.many))
        many = paged is not None or (of.many and bool(sets))
        pageable = {name: Connection((*rows, *one.path), one.fields) for name, one in self._pageable.items()}
        return Selection(rows, many, parts, paged, tuple(self._connections), pageable)

    def _parts(
        self,
        owner: str,
        sets: Sequence[SelectionSetNode],
        path: tuple[str, ...] = (),
        name: str = "",
        *,
        top: bool = False,
    ) -> Iterator[Part]:
        for key, asked in self._fields(owner, sets).items():
            of, inner = self._type_of(asked), _sets(asked)
            # An edge has nothing but the place of its node: a field of the node stands for it.
            of_edge = "cursor" in self._schema.fields.get(owner, {}) and asked[0][1].name.value == "node"
            deeper, called = (*path, key), name if of_edge else f"{name}.{key}".lstrip(".")
            if not inner:
                yield self._leaf(of, deeper, called)
            elif of.many:
                yield Part(deeper, called, many=True, parts=tuple(self._parts(of.name, inner)))
            elif entries := self._entries(of.name, inner):
                yield from self._connection(asked, of.name, entries, deeper, called, top=top)
            else:
                yield from self._parts(of.name, inner, deeper, called, top=top)

    def _connection(
        self,
        asked: Sequence[tuple[str, FieldNode]],
        owner: str,
        entries: str,
        path: tuple[str, ...],
        name: str,
        *,
        top: bool,
    ) -> Iterator[Part]:
        sets = _sets(asked)
        connection = Connection(path, tuple(node for _, node in asked))
        self._connections.append(connection)
        if top:
            self._pageable[name] = connection
        # Where the query says how many it wants, that many are all of them.
        more = () if connection.arguments & {"first", "last"} else (*path, *_PAGE_INFO)
        parts = self._parts_of_entries(owner, sets, entries)
        yield Part((*path, entries), name, many=True, parts=parts, more=more)
        for key, others in self._fields(owner, sets).items():
            if key != entries and others[0][1].name.value != "pageInfo":
                yield self._leaf(self._type_of(others), (*path, key), f"{name}.{key}")

    def _parts_of_entries(self, owner: str, sets: Sequence[SelectionSetNode], entries: str) -> tuple[Part, ...]:
        asked = self._fields(owner, sets)[entries]
        return tuple(self._parts(self._type_of(asked).name, _sets(asked)))

    def _entries(self, owner: str, sets: Sequence[SelectionSetNode]) -> str | None:
        """Return the name in the answer of a connection's entries; None if it is no connection, or selects none."""
        if "pageInfo" not in self._schema.fields.get(owner, {}):
            return None
        found = [key for key, asked in self._fields(owner, sets).items() if asked[0][1].name.value in _ENTRIES]
        if len(found) > 1:
            raise FrameError(f"the query asks {owner} for {' and for '.join(found)}, and a frame is of one of them")
        return found[0] if found else None

    def _leaf(self, of: FieldType, path: tuple[str, ...], name: str) -> Part:
        if of.nested:
            return Part(path, name)
        categories = self._schema.enums.get(of.name, ())
        kind = Kind.CATEGORY if categories else _KINDS.get(of.name, Kind.OTHER)
        return Part(path, name, kind, categories, of.many)

    def _type_of(self, asked: Sequence[tuple[str, FieldNode]]) -> FieldType:
        owner, node = asked[0]
        return self._schema.field(owner, node.name.value)

    def _fields(self, owner: str, sets: Sequence[SelectionSetNode]) -> Found:
        found: dict[str, list[tuple[str, FieldNode]]] = {}
        for one in sets:
            for of, node in self._flat(owner, one, ()):
                found.setdefault(node.alias.value if node.alias else node.name.value, []).append((of, node))
        return found

    def _flat(self, owner: str, one: SelectionSetNode, spread: tuple[str, ...]) -> Iterator[tuple[str, FieldNode]]:
        for node in one.selections:
            if isinstance(node, FieldNode):
                yield owner, node
            elif isinstance(node, InlineFragmentNode):
                of = node.type_condition.name.value if node.type_condition else owner
                yield from self._flat(of, node.selection_set, spread)
            elif isinstance(node, FragmentSpreadNode) and node.name.value not in spread:
                fragment = self._fragments.get(node.name.value)
                if fragment is None:
                    raise FrameError(f"the query has no fragment {node.name.value}")
                of = fragment.type_condition.name.value
                yield from self._flat(of, fragment.selection_set, (*spread, node.name.value))


def _sets(asked: Sequence[tuple[str, FieldNode]]) -> list[SelectionSetNode]:
    return [node.selection_set for _, node in asked if node.selection_set is not None]
