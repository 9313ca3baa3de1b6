"""Things of any kind that a name may stand for, as lineage, impact and paths show them."""

from collections.abc import Sequence
from typing import Annotated

import strawberry
from strawberry.dataloader import DataLoader

from graph.errors import InputError
from graph.graphql.as_of import AsOf, go_back
from graph.graphql.context import Info
from graph.graphql.enums import show_enum
from graph.graphql.fields import resolved
from graph.graphql.node import Node, decode_global_id, encode_global_id
from graph.graphql.node_lookup import find_nodes
from graph.lineage.names import Thing as Found
from graph.lineage.walk import Kind

_TYPES = {
    Kind.AGENT: "Agent",
    Kind.SOURCE: "Document",
    Kind.CHUNK: "Chunk",
    Kind.STATEMENT: "Statement",
    Kind.VERIFICATION: "Verification",
    Kind.PASSPORT: "Passport",
    Kind.PACK: "Pack",
    Kind.PACKET: "Packet",
}
_KINDS = {name: kind for kind, name in _TYPES.items()}

ThingName = Annotated[
    strawberry.ID,
    strawberry.argument(
        description="Anything by its globalId, its hash, or its own id; a name shared by several things names all of "
        "them."
    ),
]
AtSize = Annotated[
    AsOf | None,
    strawberry.argument(description="The state of the log at that moment; the current state if omitted."),
]
Nodes = DataLoader[str, Node | None]

show_enum(
    Kind,
    {
        "KEY": "A key.",
        "AGENT": "An agent.",
        "SOURCE": "The bytes of a source, or any bytes that a record names by their hash.",
        "CHUNK": "A passage of a source.",
        "STATEMENT": "A statement.",
        "VERIFICATION": "A verdict.",
        "VOUCHED_FOR": "An agent with an endorsement.",
        "PASSPORT": "A Context Passport.",
        "PACK": "A Context Pack: the record of an agent's run.",
        "PACKET": "A Context Packet: the context given to an agent.",
        "PACKET_RECORD": "A receipt, return or disposition of a packet.",
        "REQUEST": "A request to verify a statement.",
        "CHALLENGE_ANSWER": "An author's answer to a challenge.",
        "RETRACTION": "The retraction of a message.",
    },
    name="LineageKind",
    description="The kinds of things that may depend on others.",
)


@strawberry.type(description="A thing of the graph, of any kind.")
class Thing:
    """A thing that was found by a name or on a path; its full object is loaded only if requested."""

    kind: Kind = strawberry.field(description="The kind of the thing.")
    name: strawberry.ID = strawberry.field(
        description="The name in the graph: a signedHash, the hash of bytes, the id of an agent."
    )
    id: strawberry.ID | None = strawberry.field(description="The id that the thing states, if it differs from `name`.")
    log_index: int | None = strawberry.field(description="The log index, if the thing is a message or a record.")
    global_id: strawberry.ID | None = strawberry.field(description="The globalId; null for a key.")
    nodes: strawberry.Private[Nodes]

    @resolved
    async def node(self) -> Node | None:
        """The object with all its fields, as of `asOf` if given; null for a key."""
        return None if self.global_id is None else await self.nodes.load(self.global_id)

    @classmethod
    def from_found(cls, found: Found, nodes: Nodes) -> "Thing":
        """Return a found thing as the schema shows it."""
        named = _TYPES.get(found.kind)
        return cls(
            kind=found.kind,
            name=strawberry.ID(found.name),
            id=None if found.id in (None, found.name) else strawberry.ID(found.id),
            log_index=found.log_index,
            global_id=None if named is None else strawberry.ID(encode_global_id(named, found.name)),
            nodes=nodes,
        )


def nodes_of(info: Info, as_of: AsOf | None) -> Nodes:
    """Return a loader of nodes by their globalIds, for the things of one answer, as of a moment."""

    async def load(keys: list[str]) -> Sequence[Node | None]:
        if as_of is not None:
            await go_back(info, as_of)
        return await find_nodes(info, keys)

    return DataLoader(load_fn=load)


async def size_at(info: Info, as_of: AsOf | None) -> int | None:
    """Return the size of the log at the moment; None for the present. Raises `InputError`."""
    return None if as_of is None else (await as_of.moment(info.context.platform))[0]


def name_of(given: str, argument: str) -> tuple[str, Kind | None]:
    """Return the key and kind of a globalId, any other name unchanged. Raises `InputError` for other types."""
    try:
        type_name, key = decode_global_id(given)
    except InputError:
        return given, None
    if type_name not in _KINDS:
        raise InputError(f"{argument} is a {type_name}, which nothing leads through", argument)
    return key, _KINDS[type_name]
