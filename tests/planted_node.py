"""A node with the planted world on it, and walks of a reader through every interface that it has."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from shutil import copy

import httpx
from graph_contents import run_raw
from graphql import GraphQLSchema
from http_client import READERS, bearer, open_client
from planted_world import CLASSES, KEPT_UNTIL, NOW, PlantedWorld, Words, settings_of
from rebuilding import rebuilt
from scenario import accept, signed_node_policy
from subscribing import streamed, until_quiet, with_readers
from walk_answers import Finder, alike, alike_text, decoded, texts_of
from walk_graphql import Operations, schema_of
from walk_names import Asked, Names, names_of
from walk_orders import Order, as_it_came, by_label, order_of
from walk_pages import pages_of, pages_with, past_pages_of
from walk_routes import guesses_of, requests_of

from a2ap.boundary import Boundary
from graph.content.content_store import open_content_store
from graph.federation.transport_key import load_transport_key
from graph.graphql.subscriptions.place import Place, write_place
from graph.mirror.original import LocalOriginal
from graph.node import load_node
from graph.platform import Platform, platform_on
from graph.services.retention_job import apply_retention
from graph.store import Store
from graph.submission.source_recheck import recheck_sources

_AT_ONCE = 3  # requests under way; the engine works on one while an answer to another is read
_THEN = 60  # entries of the log in the past that is asked about; there are statements of both classes among them
_PATIENCE = 300.0  # seconds for the node to find what it says it is still looking for
_QUIET = 3.0  # seconds after which no further event is expected
_NOT_YET = b'"NOT_READY"'

TOKENS = {
    Boundary.PUBLIC: None,
    Boundary.INTERNAL: READERS["internal"],
    Boundary.CONFIDENTIAL: READERS["confidential"],
}


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer: what was asked as it is alike on nodes alike, and the planted words that the answer alone has.

    `places` are the places of the names on the node then, `order` says what of the answer is in the order of hashes.
    """

    asked: str
    words: frozenset[str]
    answer: httpx.Response
    places: Mapping[str, str]
    order: Order

    @property
    def text(self) -> str:
        """Return what of the answer is alike on nodes alike."""
        return alike(self.answer, self.places, self.order)


class PlantedNode:
    """A platform with the planted world, and a client of its application."""

    def __init__(self, platform: Platform, client: httpx.AsyncClient, world: PlantedWorld) -> None:
        self.platform = platform
        self.client = client
        self.world = world
        self._finder = Finder(world.words.planted)
        self._schema: GraphQLSchema | None = None

    async def names(self) -> Names:
        """Return what there is on the node now."""
        return await names_of(self.platform, self.world)

    async def operations(self) -> Operations:
        """Return the operations of the node's GraphQL schema."""
        self._schema = self._schema or await schema_of(self.client)
        return Operations(self._schema, await self.names())

    async def requests(self, operations: Operations) -> list[Asked]:
        """Return requests of every route, of every page, and of every field of GraphQL."""
        description, names = (await self.client.get("/openapi.json")).json(), await self.names()
        return [*requests_of(description, names), *pages_of(names), *operations.requests()]

    async def past_requests(self) -> list[Asked]:
        """Return requests of the past: of all that can be asked as of another size of the log."""
        pages = past_pages_of(await self.names(), _THEN)
        return [Asked("GET", "/scores", {"size": str(_THEN)}), *pages, *(await self.operations()).past_requests(_THEN)]

    async def guesses(self, clearance: Boundary) -> list[Asked]:
        """Return requests that look for a word of each class above one, which is on a node of the first version."""
        operations = await self.operations()
        words = [Words().word("title of text", boundary) for boundary in CLASSES if not clearance.covers(boundary)]
        return [one for word in words for one in (*operations.guesses(word), *guesses_of(word), *pages_with(word))]

    async def walks(self, requests: Mapping[Boundary, Sequence[Asked]]) -> dict[Boundary, list[Reply]]:
        """Ask for these as readers of each class."""
        return {clearance: await self.walk(clearance, asked) for clearance, asked in requests.items()}

    async def walk(self, clearance: Boundary, requests: Sequence[Asked]) -> list[Reply]:
        """Ask for these as a reader of a class."""
        places = (await self.names()).places
        gate = asyncio.Semaphore(_AT_ONCE)

        async def reply_to(one: Asked) -> Reply:
            async with gate:
                answer = await self._answer(one, clearance)
            words = self._finder.found_in(answer.content, texts_of(answer))
            asked = str(one)
            told = frozenset(word for word in words if word not in asked)
            return Reply(alike_text(asked, places), told, answer, places, order_of(one))

        return list(await asyncio.gather(*map(reply_to, requests)))

    async def subscribe(self, *clearances: Boundary) -> list[list[Reply]]:
        """Follow every subscription from the start of the log as these readers; return the events of each."""
        places = (await self.names()).places
        operations = (await self.operations()).subscriptions()
        start = {"after": write_place(self.platform.log.origin, Place(0))}
        async with with_readers(self.platform) as address:

            async def reply_to(query: str, token: str | None) -> Reply:
                headers = bearer(token) if token else {}
                async with streamed(address, query, start, method="POST", **headers) as blocks:
                    sent = [one async for one in until_quiet(blocks, _QUIET)]
                told = "\n".join(f"{one.id} {one.data}" for one in sent)
                words = self._finder.found_in(told.encode(), [decoded(told)])
                # A block without data says how far the node has looked by then.
                events = httpx.Response(200, text="\n".join(one.data for one in sent if one.data))
                return Reply(alike_text(query, places), frozenset(words), events, places, as_it_came)

            asked = ((reply_to(query, TOKENS[one]) for query in operations) for one in clearances)
            return list(await asyncio.gather(*(asyncio.gather(*each) for each in asked)))

    async def mirrored(self, clearance: Boundary, since: int = 0) -> Reply:
        """Return the rows that a mirror for a class is given behind a number of entries (`a2ap graph mirror`)."""
        platform, places = self.platform, (await self.names()).places
        original = LocalOriginal(platform.store, platform.content, clearance)
        rows = b"".join([piece async for piece in original.rows(since, (await original.head()).size)])
        words = self._finder.found_in(rows, [decoded(rows.decode())])
        return Reply(f"mirror since {since}", frozenset(words), httpx.Response(200, content=rows), places, by_label)

    async def maintain(self) -> None:
        """Have an epoch, check every source again, erase those that are due, and rebuild the graph."""
        platform = self.platform
        await accept(platform, signed_node_policy(platform, 2, epoch_length=1))
        await platform.epochs.settled()
        async for _ in recheck_sources(platform.store, platform.content, platform.sources):
            pass
        for time in KEPT_UNTIL.values():  # one after the other: of several that are due the log has the order of hashes
            await apply_retention(platform, time + timedelta(days=1))
        await rebuilt(platform)
        await platform.epochs.settled()

    async def _answer(self, one: Asked, clearance: Boundary) -> httpx.Response:
        async with asyncio.timeout(_PATIENCE):
            answer = await one.of(self.client, TOKENS[clearance])
            while answer.status_code == 503 or _NOT_YET in answer.content:
                await asyncio.sleep(0.2)
                answer = await one.of(self.client, TOKENS[clearance])
        return answer


@asynccontextmanager
async def planted_node(
    store: Store, data: Path, keys: Path, versions: Mapping[Boundary, str] | None = None
) -> AsyncIterator[PlantedNode]:
    """Run a node with the keys of a folder on an emptied graph; build the world with these versions of its sources."""
    await run_raw(store, "MATCH (n) DETACH DELETE n")
    data.mkdir()
    settings = settings_of(data, keys)
    node = load_node(keys / "node.key")
    load_transport_key(settings_of(keys, keys), node.agent_id)
    copy(keys / "transport.key", data)
    async with (
        platform_on(store, open_content_store(settings), node, settings, clock=lambda: NOW) as platform,
        open_client(platform, data, graphql_max_cost=10**9) as client,
    ):
        yield PlantedNode(platform, client, await PlantedWorld(platform, versions).build())
