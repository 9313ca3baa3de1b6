"""No interface gives a word of what is closed to a reader below its class, or lets what is closed show in anything.

A node has sources and records of two classes, with a word in each of their fields that nobody can guess. Readers walk
through every interface: each route, each field of GraphQL, the subscriptions, the past, and what a mirror is given. For
each class of reader a second node has the same log but for the bytes above that class: the words are others there, and
what is quoted of them is false.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio
from planted_node import PlantedNode, Reply, planted_node
from planted_world import CLASSES, OTHER, Words
from walk_names import some_of

from a2ap.boundary import Boundary
from graph.database.endpoint import Endpoint
from graph.store import Store

PUBLIC, INTERNAL, CONFIDENTIAL = Boundary.PUBLIC, Boundary.INTERNAL, Boundary.CONFIDENTIAL

BEFORE, AFTER = "before maintenance", "after maintenance"

NODES: dict[str, Mapping[Boundary, str]] = {
    "first": {},
    "second": {INTERNAL: OTHER, CONFIDENTIAL: OTHER},
    "third": {CONFIDENTIAL: OTHER},
}
"""The version of the closed bytes on each node."""

ALIKE = {PUBLIC: "second", INTERNAL: "third"}
"""The node that a reader of a class cannot tell from the first, because all is above the class that differs there."""

NOT_GIVEN = ("disclosed reason",)
"""Places whose words no interface gives: of a reason that a verifier may disclose, a verdict has the digest alone."""

ALL_OF = ("/graphql nodes", "sources", "packs", "packets", "packet-records", "passports")
"""Kinds of requests of which a cleared reader makes all: each thing has words of its own."""

COMPARED = ("/graphql nodes", "/graphql node", "/graphql ordered", "cypher", "export", "search")
"""Kinds of requests all of which are made on the second node too, beside one of each other kind."""

BRIEF = ("export", "cypher", "search", "messages", *(f"/graphql {one}" for one in ("nodes", "statements", "documents")))
"""Kinds of requests of which one each is made on an engine whose contract alone is tested."""


PART = 40
"""Entries of the log that a mirror has when it is first looked at; then it is made anew."""


class Walk(NamedTuple):
    """Where a walk went."""

    node: str
    time: str
    clearance: Boundary


@dataclass(slots=True)
class Walks:
    """The replies of each walk through a node, which is built and walked through when it is first asked for."""

    store: Store
    folder: Path
    is_brief: bool
    words: dict[str, Words] = field(default_factory=dict)
    fields: dict[str, tuple[set[tuple[str, str]], set[tuple[str, str]]]] = field(default_factory=dict)
    replies: dict[Walk, list[Reply]] = field(default_factory=dict)

    async def of(self, name: str, time: str, clearance: Boundary) -> list[Reply]:
        """Return the replies of one walk."""
        if name not in self.words:
            async with planted_node(self.store, self.folder / name, self.folder, NODES[name]) as node:
                self.words[name] = node.world.words
                await self._through(name, node)
        return self.replies[Walk(name, time, clearance)]

    async def differences(self, time: str, clearance: Boundary) -> list[str]:
        """Return what one reader asked on both nodes that are alike to it, and had answered in two ways."""
        first, other = [await self.of(name, time, clearance) for name in ("first", ALIKE[clearance])]
        answers = {reply.asked: reply for reply in first}
        assert other and answers.keys() >= {reply.asked for reply in other}
        pairs = [(reply.asked, answers[reply.asked].text, reply.text) for reply in other]
        return [f"{asked[:300]}: {_first_difference(one, two)}" for asked, one, two in pairs if one != two]

    async def _through(self, name: str, node: PlantedNode) -> None:
        """Walk through a node before its maintenance and after it, as the readers to whom it tells something.

        Nobody asks the first for everything once; other readers, and all after maintenance, ask for some of each kind.
        """
        operations = await node.operations()
        requests = await node.requests(operations)
        self.fields[name] = (operations.fields(), operations.asked)
        some = some_of(requests)
        if self.is_brief:
            brief = [one for one in some if one.kind in BRIEF]
            told = [*await node.walk(PUBLIC, brief), await node.mirrored(PUBLIC, PART)]
            self.replies[Walk(name, BEFORE, PUBLIC)] = told
            return
        if name == "first":
            self.replies[Walk(name, BEFORE, CONFIDENTIAL)] = await node.walk(CONFIDENTIAL, some_of(requests, ALL_OF))
        readers = [one for one in ALIKE if name in ("first", ALIKE[one])]
        asked = {INTERNAL: some, PUBLIC: requests if name == "first" else some_of(requests, COMPARED)}
        # Much of the time of subscribers is silence, to see that nothing more comes.
        events, answers = await asyncio.gather(
            node.subscribe(*readers), node.walks({one: [*asked[one], *await node.guesses(one)] for one in readers})
        )
        for reader, told in zip(readers, events, strict=True):
            self.replies[Walk(name, BEFORE, reader)] = [*told, *answers[reader], await node.mirrored(reader, PART)]
        await node.maintain()
        again = some_of(await node.requests(await node.operations()))
        past = some_of(await node.past_requests())
        # An engine of its own finds the past meanwhile.
        walks = node.walks(dict.fromkeys(readers, again))
        then, now = await asyncio.gather(node.walks({PUBLIC: past} if PUBLIC in readers else {}), walks)
        for reader in readers:
            self.replies[Walk(name, AFTER, reader)] = [*then.get(reader, ()), *now[reader], await node.mirrored(reader)]


def _first_difference(one: str, other: str) -> str:
    at = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    return f"{one[max(0, at - 100) : at + 100]!r} and {other[max(0, at - 100) : at + 100]!r}"


@pytest_asyncio.fixture(scope="module")
async def walks(
    module_store: Store, engine: Endpoint, tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Walks:
    """Return the walks through both nodes; brief ones on Neo4j, if only its contract is tested."""
    is_brief = engine.kind == "neo4j" and pytestconfig.getoption("--neo4j") == "contract"
    return Walks(module_store, tmp_path_factory.mktemp("planted"), is_brief)


async def test_every_field_and_route_is_asked_for(walks: Walks) -> None:
    replies = await walks.of("first", BEFORE, PUBLIC)
    there, asked_for = walks.fields["first"]
    assert there == asked_for
    together = [reply for reply in replies if "guessed0" in reply.asked or "ordered0" in reply.asked]
    assert together
    assert [reply.answer.text for reply in together if '"errors"' in reply.answer.text] == [], (
        "one error would hide the rest"
    )


@pytest.mark.parametrize("clearance", [PUBLIC, INTERNAL])
async def test_no_answer_has_a_word_above_the_class_of_its_reader(walks: Walks, clearance: Boundary) -> None:
    await assert_clean(walks, BEFORE, clearance)


@pytest.mark.parametrize("clearance", [PUBLIC, INTERNAL])
async def test_maintenance_gives_no_word_away(walks: Walks, clearance: Boundary) -> None:
    await assert_clean(walks, AFTER, clearance)


async def assert_clean(walks: Walks, time: str, clearance: Boundary) -> None:
    """Check that no answer of a walk has a word above the class of its reader, or is an error of the node's."""
    replies = await walks.of("first", time, clearance)
    words = walks.words["first"]
    above = set(words.above(clearance))
    assert [(words.places[word], reply.asked[:300]) for reply in replies for word in reply.words & above] == []
    assert [reply.asked for reply in replies if b"INTERNAL_ERROR" in reply.answer.content] == []


async def test_a_cleared_reader_finds_every_word(walks: Walks) -> None:
    found = {word for reply in await walks.of("first", BEFORE, CONFIDENTIAL) for word in reply.words}
    missing = {place for word, place in walks.words["first"].places.items() if word not in found}
    assert missing == {f"{place} ({boundary})" for place in NOT_GIVEN for boundary in CLASSES}


@pytest.mark.parametrize("time", [BEFORE, AFTER])
@pytest.mark.parametrize("clearance", [PUBLIC, INTERNAL])
async def test_a_reader_cannot_tell_nodes_apart_whose_closed_bytes_differ(
    walks: Walks, time: str, clearance: Boundary
) -> None:
    assert await walks.differences(time, clearance) == []
