"""No interface gives a word of what is closed to a reader below its class, or lets what is closed show in anything.

A node has sources and records of two classes, with a word in each of their fields that nobody can guess. Readers walk
through every interface: each route, each field of GraphQL, the subscriptions and the past. A second and a third node
have the same log but for closed bytes: the words are others there, and what is quoted of the sources is false.
"""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio
from planted_node import PlantedNode, Reply, planted_node
from planted_world import CLASSES, OTHER, Words
from walk_names import some_of

from a2ap.boundary import Boundary
from graph.store import Store

PUBLIC, INTERNAL, CONFIDENTIAL = Boundary.PUBLIC, Boundary.INTERNAL, Boundary.CONFIDENTIAL

BEFORE, AFTER = "before maintenance", "after maintenance"

NODES: dict[str, tuple[Mapping[Boundary, str], Collection[Boundary]]] = {
    "first": ({}, (PUBLIC, INTERNAL, CONFIDENTIAL)),
    "second": (dict.fromkeys(CLASSES, OTHER), (PUBLIC,)),
    "third": ({CONFIDENTIAL: OTHER}, (INTERNAL,)),
}
"""The version of the closed bytes of each class on each node, and the readers who walk through it."""

NOT_GIVEN = ("disclosed reason",)
"""Places whose words no interface gives: of a reason that a verifier may disclose, a verdict has the digest alone."""

ALL_OF = ("/graphql nodes", "sources", "packs", "packets", "packet-records", "passports", "verifications")
"""Kinds of requests of which a cleared reader makes all: each thing has words of its own."""


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
    words: dict[str, Words] = field(default_factory=dict)
    fields: dict[str, tuple[set[tuple[str, str]], set[tuple[str, str]]]] = field(default_factory=dict)
    replies: dict[Walk, list[Reply]] = field(default_factory=dict)

    async def of(self, name: str, time: str, clearance: Boundary) -> list[Reply]:
        """Return the replies of one walk."""
        if name not in self.words:
            versions, clearances = NODES[name]
            async with planted_node(self.store, self.folder / name, self.folder, versions) as node:
                self.words[name] = node.world.words
                await self._through(name, node, clearances)
        return self.replies[Walk(name, time, clearance)]

    async def differences(self, time: str, clearance: Boundary, *nodes: str) -> list[str]:
        """Return what was asked by one reader on two nodes and answered in two ways."""
        walks = [await self.of(name, time, clearance) for name in nodes]
        return [
            f"{one.asked[:300]}: {_first_difference(one.text, other.text)}"
            for one, other in zip(*walks, strict=True)
            if (one.asked, one.text) != (other.asked, other.text)
        ]

    async def _through(self, name: str, node: PlantedNode, clearances: Collection[Boundary]) -> None:
        """Walk through a node as each of these readers, before its maintenance and after it.

        Nobody asks for everything once; cleared readers, and all after maintenance, ask for some of each kind.
        """
        operations = await node.operations()
        requests = await node.requests(operations)
        self.fields[name] = (operations.fields(), set(operations.times))
        for clearance in clearances:
            asked = requests if clearance is PUBLIC else some_of(requests, ALL_OF if clearance is CONFIDENTIAL else ())
            parts = [node.walk(clearance, asked)]
            if clearance is not CONFIDENTIAL:
                parts += [node.walk(clearance, await node.guesses(clearance)), node.subscribe(clearance)]
            self.replies[Walk(name, BEFORE, clearance)] = _joined(await asyncio.gather(*parts))
        await node.maintain()
        again = some_of(await node.requests(await node.operations()))
        for clearance in clearances:
            parts = [node.walk(clearance, again)]
            if clearance is PUBLIC:
                parts.append(node.walk(clearance, some_of(await node.past_requests())))
            self.replies[Walk(name, AFTER, clearance)] = _joined(await asyncio.gather(*parts))


def _joined(parts: Collection[list[Reply]]) -> list[Reply]:
    return [reply for part in parts for reply in part]


def _first_difference(one: str, other: str) -> str:
    at = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    return f"{one[max(0, at - 100) : at + 100]!r} and {other[max(0, at - 100) : at + 100]!r}"


@pytest_asyncio.fixture(scope="module")
async def walks(module_store: Store, tmp_path_factory: pytest.TempPathFactory) -> Walks:
    """Return the walks through the three nodes."""
    return Walks(module_store, tmp_path_factory.mktemp("planted"))


@pytest.mark.both_engines
async def test_every_field_and_route_is_asked_for(walks: Walks) -> None:
    replies = await walks.of("first", BEFORE, PUBLIC)
    there, asked_for = walks.fields["first"]
    assert there == asked_for
    assert [reply.asked for reply in replies if "INTERNAL_ERROR" in reply.text] == []
    together = [reply for reply in replies if "guessed0" in reply.asked or "ordered0" in reply.asked]
    assert [reply.text for reply in together if "errors: [" in reply.text] == [], "one error would hide the rest"


@pytest.mark.both_engines
@pytest.mark.parametrize(
    ("time", "clearance"), [(BEFORE, PUBLIC), (BEFORE, INTERNAL), (AFTER, PUBLIC), (AFTER, INTERNAL)]
)
async def test_no_answer_has_a_word_above_the_class_of_its_reader(walks: Walks, time: str, clearance: Boundary) -> None:
    replies = await walks.of("first", time, clearance)
    words = walks.words["first"]
    above = set(words.above(clearance))
    assert [(words.places[word], reply.asked[:300]) for reply in replies for word in reply.words & above] == []


async def test_a_cleared_reader_finds_every_word(walks: Walks) -> None:
    found = {word for reply in await walks.of("first", BEFORE, CONFIDENTIAL) for word in reply.words}
    missing = {place for word, place in walks.words["first"].places.items() if word not in found}
    assert missing == {f"{place} ({boundary})" for place in NOT_GIVEN for boundary in CLASSES}


@pytest.mark.parametrize("time", [BEFORE, AFTER])
async def test_nobody_can_tell_nodes_apart_whose_closed_bytes_differ(walks: Walks, time: str) -> None:
    assert await walks.differences(time, PUBLIC, "first", "second") == []


@pytest.mark.parametrize("time", [BEFORE, AFTER])
async def test_an_internal_reader_cannot_tell_nodes_apart_whose_confidential_bytes_differ(
    walks: Walks, time: str
) -> None:
    assert await walks.differences(time, INTERNAL, "first", "third") == []
