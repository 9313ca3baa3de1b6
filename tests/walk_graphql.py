"""Operations that ask for every field of a GraphQL schema, each by the shortest way that leads to its type.

A root field or a required argument that is not known here fails, so that a new one is walked too.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import httpx
from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    build_client_schema,
    get_introspection_query,
    get_named_type,
    is_required_argument,
)
from walk_names import Asked, Names, spread
from walk_routes import PUBLIC_WORDS, TEXTS

FIRST = 100  # of a list at the root of an operation
NESTED = 4  # of one below it
TOKENS = 700  # in an operation; the platform takes up to 2,000
TOGETHER = 10  # root fields in one operation


class Operations:
    """Makes operations of a schema that ask about the things with these names."""

    def __init__(self, schema: GraphQLSchema, names: Names) -> None:
        assert schema.query_type is not None
        self.asked: set[tuple[str, str]] = set()
        self._schema = schema
        self._names = names
        self._query = schema.query_type

    def requests(self) -> list[Asked]:
        """Return operations of every root field with each of its arguments, and of every field by the shortest way."""
        texts: dict[str, None] = {}
        for name, arguments in self._roots():
            self.asked.add((self._query.name, name))
            texts |= dict.fromkeys(self._along([f"{name}{arguments}"], _named(self._query.fields[name])))
        for way, reached in self._ways():
            if any((reached.name, name) not in self.asked for name in reached.fields):
                texts |= dict.fromkeys(self._along(way, reached))
        orders = []
        for name, one in self._query.fields.items():
            given = next(iter(_ROOTS[name](self._names))) if name in _ROOTS else {}
            ordered = ({**given, "first": str(FIRST), **order} for order in _orders_of(one))
            orders += [f"{name}{_written(order)} {self._listed(one)}" for order in ordered]
        return [*map(graphql, texts), *_together("ordered", orders)]

    def past_requests(self, size: int) -> list[Asked]:
        """Return operations of every root field that can be asked about the past, at a size of the log."""
        past = {"asOf": f"{{ logSize: {size} }}"}
        roots = {name: arguments for name, arguments in reversed(list(self._roots(past)))}
        return [
            graphql(text)
            for name, one in self._query.fields.items()
            if "asOf" in one.args
            for text in self._along([f"{name}{roots[name]}"], _named(one), depth=0)
        ]

    def subscriptions(self) -> list[str]:
        """Return an operation of each subscription, which takes the place to go on from as `$after`."""
        root = self._schema.subscription_type
        assert root is not None
        given = {"logGrowth": {"first": "20"}, "scoreChanges": {"statementId": json.dumps(self._names.statements[1])}}
        return [
            f"subscription ($after: String) {{ {name}{_written({'after': '$after', **given.get(name, {})})} "
            f"{self._selection(_named(one), 2)} }}"
            for name, one in root.fields.items()
        ]

    def fields(self) -> set[tuple[str, str]]:
        """Return every field of every type to which a query can lead, by type and name."""
        reached, waiting = {self._query}, [self._query]
        while waiting:
            for field in waiting.pop().fields.values():
                found = set(self._types_of(_named(field))) - reached
                reached |= found
                waiting += found
        return {(one.name, name) for one in reached for name in one.fields}

    def guesses(self, word: str) -> list[Asked]:
        """Return operations that look for a word in each filter and argument that takes a text."""
        parts = []
        for name, one in self._query.fields.items():
            filter_ = get_named_type(one.args["filter"].type) if "filter" in one.args else None
            members = filter_.fields if isinstance(filter_, GraphQLInputObjectType) else {}
            # A statement must be there that is named in a filter.
            names = [member for member, found in members.items() if _is_text(found.type) and member != "statement"]
            texts = {member: str(members[member].type) for member in names}
            given = [{"filter": f"{{ {member}: {_value(type_, word)} }}"} for member, type_ in texts.items()]
            given += [{argument: json.dumps(word)} for argument in ("topic", "query") if argument in one.args]
            least = {"minScore": "0"} if "minScore" in one.args else {}
            parts += [f"{name}{_written({**found, **least})} {self._listed(one)}" for found in given]
        return _together("guessed", parts)

    def _along(self, way: Sequence[str], reached: GraphQLNamedType, depth: int = 1) -> Iterator[str]:
        """Yield operations that go a way and ask there for the fields of the type that is reached, to a depth."""
        if isinstance(reached, GraphQLUnionType | GraphQLInterfaceType):
            for one in self._types_of(reached):
                yield from self._along([*way, f"... on {one.name}"], one, depth)
        elif not isinstance(reached, GraphQLObjectType):
            yield _operation(way, "")
        elif _is_page(reached):
            self.asked.add((reached.name, "nodes"))
            yield from self._along([*way, "nodes"], _named(reached.fields["nodes"]), depth)
            yield _operation(way, " ".join(self._written_fields(reached, depth, without="nodes")))
        else:
            for part in _packed(["__typename", *self._written_fields(reached, depth)]):
                yield _operation(way, part)

    def _written_fields(self, found: GraphQLObjectType, depth: int, *, without: str = "") -> Iterator[str]:
        """Yield each field of a type with what is selected of it; objects to a depth, of which pages are no step.

        Objects that were asked for before are left out.
        """
        for name, one in found.fields.items():
            selected = self._selection(_named(one), depth) if name != "edges" else "{ cursor node { __typename } }"
            if name == without or selected is None or (selected and (found.name, name) in self.asked):
                continue
            self.asked.add((found.name, name))
            if name == "edges":
                self.asked |= {(_named(one).name, "cursor"), (_named(one).name, "node")}
            yield f"{name}{self._arguments(found.name, name, one)} {selected}"

    def _selection(self, found: GraphQLNamedType, depth: int) -> str | None:
        """Return what is selected of what a field gives: nothing of a value; None says that this is too deep."""
        if not self._types_of(found):
            return ""
        below = depth if _is_page(found) else depth - 1
        if below < 0:
            return None
        if isinstance(found, GraphQLObjectType):
            return f"{{ __typename {' '.join(self._written_fields(found, below))} }}"
        fields = found.fields if isinstance(found, GraphQLInterfaceType) else {}
        values = (name for name, one in fields.items() if not self._types_of(_named(one)))
        return f"{{ __typename {' '.join(values)} }}"

    def _listed(self, one: GraphQLField) -> str:
        """Return a selection that says which things a field gives, and how many there are."""
        found = _named(one)
        fields = found.fields if isinstance(found, GraphQLObjectType) else {}
        if "nodes" in fields:
            about = " ".join(text for name, text in _OF_PAGES.items() if name in fields)
            return f"{{ {about} nodes {self._listed(fields['nodes'])} }}"
        names = {"hits": "hits { rank score }", "globalId": "globalId"}
        return f"{{ __typename {' '.join(text for name, text in names.items() if name in fields)} }}"

    def _types_of(self, found: GraphQLNamedType) -> list[GraphQLObjectType]:
        if isinstance(found, GraphQLUnionType | GraphQLInterfaceType):
            return list(self._schema.get_possible_types(found))
        return [found] if isinstance(found, GraphQLObjectType) else []

    def _arguments(self, type_: str, name: str, one: GraphQLField) -> str:
        given = {**({"first": str(NESTED)} if "first" in one.args else {}), **_BELOW.get((type_, name), {})}
        needed = {argument for argument, found in one.args.items() if is_required_argument(found)}
        assert needed <= given.keys(), f"{type_}.{name} needs {needed}"
        return _written(given)

    def _roots(self, past: Mapping[str, str] | None = None) -> Iterator[tuple[str, str]]:
        for name, one in self._query.fields.items():
            needed = {argument for argument, found in one.args.items() if is_required_argument(found)}
            page = {"first": str(FIRST)} if "first" in one.args else {}
            for given in _ROOTS[name](self._names) if name in _ROOTS else [{}]:
                assert needed <= given.keys(), f"{name} needs {needed}"
                yield name, _written({**page, **given, **(past or {})})

    def _ways(self) -> Iterator[tuple[list[str], GraphQLObjectType]]:
        """Yield the shortest way from the root to each type, except those that are a field of the root."""
        roots = dict(reversed(list(self._roots())))
        known: set[str] = set()
        queue: list[tuple[list[str], GraphQLObjectType]] = [([], self._query)]
        while queue:
            before, found = queue.pop(0)
            for name, one in found.fields.items():
                if name in ("edges", "node"):  # where there are nodes as well
                    continue
                arguments = self._arguments(found.name, name, one) if before else roots[name]
                for reached in self._types_of(_named(one)):
                    if reached.name in known:
                        continue
                    known.add(reached.name)
                    on = [f"... on {reached.name}"] if reached is not _named(one) else []
                    way = [*before, f"{name}{arguments}", *on]
                    queue.append((way, reached))
                    if before and not _is_page(reached):
                        yield way, reached


async def schema_of(client: httpx.AsyncClient) -> GraphQLSchema:
    """Return the schema that a node describes."""
    answer = await client.post("/graphql", json={"query": get_introspection_query()})
    return build_client_schema(answer.json()["data"])


def graphql(text: str) -> Asked:
    """Return the request of an operation."""
    return Asked("POST", "/graphql", body={"query": text})


def _together(alias: str, parts: Sequence[str]) -> list[Asked]:
    """Return requests that ask for several root fields each."""
    several = [parts[start : start + TOGETHER] for start in range(0, len(parts), TOGETHER)]
    return [graphql(f"{{ {' '.join(f'{alias}{at}: {part}' for at, part in enumerate(some))} }}") for some in several]


def _operation(way: Sequence[str], selected: str) -> str:
    inner = f"{{ {selected} }}" if selected else ""
    return f"{{ {' { '.join(way)} {inner}{' }' * len(way)}"


def _packed(parts: Sequence[str]) -> Iterator[str]:
    """Yield parts of a selection together, up to so many tokens."""
    held: list[str] = []
    for part in parts:
        if held and _tokens(" ".join([*held, part])) > TOKENS:
            yield " ".join(held)
            held = []
        held.append(part)
    yield " ".join(held)


def _tokens(text: str) -> int:
    return len(_TOKEN.findall(text))


_TOKEN = re.compile(r"\w+|\S")


def _named(field: GraphQLField) -> GraphQLNamedType:
    return get_named_type(field.type)


def _is_page(found: GraphQLNamedType) -> bool:
    return found.name.endswith("Connection")


def _is_text(type_: Any) -> bool:
    return get_named_type(type_).name in ("String", "ID")


def _value(type_: str, word: str) -> str:
    return f"[{json.dumps(word)}]" if type_.startswith("[") else json.dumps(word)


def _written(given: Mapping[str, str]) -> str:
    return f"({', '.join(f'{name}: {value}' for name, value in given.items())})" if given else ""


def _orders_of(one: GraphQLField) -> Iterator[dict[str, str]]:
    """Yield each value by which a list can be ordered."""
    for argument in ("orderBy", "direction"):
        named = get_named_type(one.args[argument].type) if argument in one.args else None
        if isinstance(named, GraphQLInputObjectType):
            by = get_named_type(named.fields["field"].type)
            assert isinstance(by, GraphQLEnumType)
            for name in by.values:
                yield {argument: f"{{ field: {name}, direction: ASC }}"}
        elif isinstance(named, GraphQLEnumType) and not any(is_required_argument(a) for a in one.args.values()):
            yield {argument: "ASC"}


_OF_PAGES = {"totalCount": "totalCount", "edges": "edges { cursor }"}

_BELOW = {
    ("Log", "inclusionProof"): {"index": "1"},
    ("Log", "consistencyProof"): {"from": "1"},
}


def _by(argument: str, *found: str, most: int = 1) -> Any:
    def given(names: Names) -> list[dict[str, str]]:
        values = [one for name in found for one in spread(getattr(names, name), most)]
        return [{argument: json.dumps(value)} for value in values]

    return given


def _radius(names: Names) -> list[dict[str, str]]:
    found = {
        "key": names.keys[2],
        "agent": names.agents[2],
        "source": names.source_ids[0],
        "statement": names.statements[1],
    }
    return [{argument: json.dumps(value)} for argument, value in found.items()]


def _paths(names: Names) -> list[dict[str, str]]:
    pairs = [(names.statements[1], names.source_ids[0]), (names.agents[2], names.statements[1])]
    return [{"from": json.dumps(one), "to": json.dumps(other)} for one, other in pairs]


def _words(argument: str, **more: str) -> Any:
    return lambda names: [{argument: json.dumps(word), **more} for word in PUBLIC_WORDS[1:]]


_ORDER = '{ recipient: "urn:agent:reader", purpose: "Sum it up.", ceiling: "confidential", topics: ["quoted"] }'

_ROOTS: dict[str, Any] = {
    "lineage": _by("statementId", "statements"),
    "blastRadius": _radius,
    "impact": _by("of", "statements", "sources", "agents"),
    "neighbours": _by("of", "statements", "sources", "agents", "keys"),
    "path": _paths,
    "consensusTimeline": _by("statementId", "statements"),
    "node": _by("id", "global_ids"),
    "nodes": lambda names: [{"ids": json.dumps(names.global_ids)}],
    "passport": _by("id", "passports"),
    "pack": _by("hash", "packs"),
    "drift": lambda names: [{"a": json.dumps(names.agents[2]), "b": json.dumps(names.agents[3])}],
    "packet": _by("name", "packets"),
    "packetClosure": _by("name", "packets"),
    "assembledPacket": lambda names: [{"order": _ORDER}],
    "search": _words("query"),
    "ask": _words("question"),
    "cypher": lambda names: [{"text": json.dumps(text)} for text in TEXTS[:3]],
    "computeConsensus": _by("statementId", "statements"),
    "computeReputation": _by("agentId", "agents"),
    "statementsAbout": _words("topic"),
    "evidenceChain": _by("statementId", "statements"),
    "agentReputation": _by("agentId", "agents"),
    "consensusOn": _words("topic", minScore="0"),
    "statement": _by("id", "statements", "statement_ids", most=2),
    "agent": _by("id", "agents"),
    "agentFamily": _by("id", "agents"),
    "verification": _by("signedHash", "verifications", most=3),
    "contradictions": lambda names: [{"statement": json.dumps(names.statements[1])}, {"topic": '"quoted"'}],
}
