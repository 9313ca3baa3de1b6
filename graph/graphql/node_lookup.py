"""Looks up objects of any type by their globalIds."""

import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated

import strawberry

from graph.errors import InputError
from graph.graphql.chunk import Chunk
from graph.graphql.context import MAX_PAGE, Info
from graph.graphql.document import Document
from graph.graphql.family import AgentFamily
from graph.graphql.log_entry import LogEntry
from graph.graphql.node import Node, decode_global_id
from graph.graphql.packet import Packet
from graph.graphql.verification_request import VerificationRequest

_PLACE = re.compile(r"0|[1-9][0-9]{0,14}")

GlobalId = Annotated[strawberry.ID, strawberry.argument(description="The globalId of the object.")]
GlobalIds = Annotated[
    list[strawberry.ID], strawberry.argument(description=f"The globalIds of the objects, up to {MAX_PAGE}.")
]


async def resolve_node(info: Info, id: GlobalId) -> Node | None:
    """Return the object with this globalId, None if this node does not have it. Raises `InputError`."""
    return (await find_nodes(info, [id]))[0]


async def resolve_nodes(info: Info, ids: GlobalIds) -> list[Node | None]:
    """Return the objects with these globalIds, in their order, by one look-up per type. Raises `InputError`."""
    if len(ids) > MAX_PAGE:
        raise InputError(f"there are {len(ids)} ids, more than {MAX_PAGE}", "ids")
    return await find_nodes(info, ids)


async def find_nodes(info: Info, ids: Sequence[str]) -> list[Node | None]:
    """Return the objects with any number of globalIds, in their order, None if this node does not have one."""
    names = [decode_global_id(one) for one in ids]
    keys: defaultdict[str, list[str]] = defaultdict(list)
    for type_name, key in names:
        if type_name not in _FIND:
            raise InputError("id is no globalId of this node", "id")
        keys[type_name].append(key)
    found: dict[tuple[str, str], Node] = {}
    for type_name, wanted in keys.items():
        nodes = await _FIND[type_name](info, list(dict.fromkeys(wanted)))
        found |= {(type_name, node.node_key()): node for node in nodes}
    return [found.get(name) for name in names]


async def _statements(info: Info, keys: list[str]) -> Sequence[Node]:
    return await info.context.loaders.statements_with(keys)


async def _agents(info: Info, keys: list[str]) -> Sequence[Node]:
    return await info.context.loaders.agents_with(keys)


async def _verifications(info: Info, keys: list[str]) -> Sequence[Node]:
    rows = await info.context.platform.store.read("verifications_by_hash", hashes=keys)
    return await info.context.loaders.take_verifications(rows)


async def _requests(info: Info, keys: list[str]) -> Sequence[Node]:
    rows = await info.context.platform.store.read("requests_by_hash", hashes=keys)
    return [VerificationRequest.from_row(row) for row in rows]


async def _chunks(info: Info, keys: list[str]) -> Sequence[Node]:
    rows = await info.context.platform.store.read("chunks_by_key", keys=keys)
    await info.context.loaders.documents.mark_documents(rows)
    return [Chunk.from_row(row) for row in rows]


async def _documents(info: Info, keys: list[str]) -> Sequence[Node]:
    readable = list(info.context.reader.readable)
    rows = await info.context.platform.store.read("documents_by_name", names=keys, readable=readable)
    await info.context.loaders.documents.mark_documents(rows)
    return [Document.from_row(row) for row in rows]


async def _log_entries(info: Info, keys: list[str]) -> Sequence[Node]:
    places = [int(key) for key in keys if _PLACE.fullmatch(key)]
    rows = await info.context.platform.store.read("log_entries_at", places=places)
    return [LogEntry.from_row(row) for row in rows]


async def _passports(info: Info, keys: list[str]) -> Sequence[Node]:
    return await info.context.loaders.records.passports_with(keys)


async def _packs(info: Info, keys: list[str]) -> Sequence[Node]:
    return await info.context.loaders.records.packs_with(keys)


async def _packets(info: Info, keys: list[str]) -> Sequence[Node]:
    rows = await info.context.platform.store.read("packets_by_hash", hashes=keys)
    return [Packet.from_row(row, info.context.reader) for row in rows]


async def _families(info: Info, keys: list[str]) -> Sequence[Node]:
    rows = await info.context.platform.store.read("families_known", ids=keys)
    return [AgentFamily(id=row["family"]) for row in rows]


_FIND: dict[str, Callable[[Info, list[str]], Awaitable[Sequence[Node]]]] = {
    "Agent": _agents,
    "AgentFamily": _families,
    "Chunk": _chunks,
    "Document": _documents,
    "LogEntry": _log_entries,
    "Pack": _packs,
    "Packet": _packets,
    "Passport": _passports,
    "Statement": _statements,
    "Verification": _verifications,
    "VerificationRequest": _requests,
}
