"""No interface gives a word of what is closed to a reader below its class, or lets what is closed show in anything.

A node has sources and records of two classes, with a word in each of their fields that nobody can guess. Readers walk
through every interface: each route, each field of GraphQL, the subscriptions and the past. A second and a third node
have the same log but for closed bytes: the words are others there, and what is quoted of the sources is false.
"""

from collections.abc import Collection, Mapping
from pathlib import Path
from dataclasses import dataclass, field
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
    """The replies of each walk; of guesses it is only asked whether they are told apart, as answers repeat them."""

    words: dict[str, Words] = field(default_factory=dict)
    replies: dict[Walk, list[Reply]] = field(default_factory=dict)
    guesses: dict[Walk, list[Reply]] = field(default_factory=dict)

    async def through(self, name: str, node: PlantedNode, clearances: Collection[Boundary]) -> None:
        """Walk through a node as each of these readers, and after its maintenance as those who are not cleared.

        Nobody asks for everything; cleared readers, and all after maintenance, ask for some of each kind.
        """
        self.words[name] = node.world.words
        requests, guesses = await node.requests(), await node.guesses()
        for clearance in clearances:
            walk = Walk(name, BEFORE, clearance)
            asked = requests if clearance is PUBLIC else some_of(requests, ALL_OF)
            self.replies[walk] = await node.walk(clearance, asked)
            if clearance is not CONFIDENTIAL:
                self.replies[walk] += await node.subscribe(clearance)
                self.guesses[walk] = await node.walk(clearance, guesses)
        await node.maintain()
        again = some_of(await node.requests())
        for clearance in clearances:
            past = await node.past_requests() if clearance is PUBLIC else []
            if clearance is not CONFIDENTIAL:
                self.replies[Walk(name, AFTER, clearance)] = await node.walk(clearance, [*past, *again])

    def differences(self, one: Walk, other: Walk) -> list[str]:
        """Return what was asked on two walks and answered in two ways."""
        walks = [[*self.replies[walk], *self.guesses.get(walk, ())] for walk in (one, other)]
        return [
            f"{first.asked[:300]}: {_first_difference(first.text, second.text)}"
            for first, second in zip(*walks, strict=True)
            if (first.asked, first.text) != (second.asked, second.text)
        ]


def _first_difference(one: str, other: str) -> str:
    at = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    return f"{one[max(0, at - 100) : at + 100]!r} and {other[max(0, at - 100) : at + 100]!r}"


@pytest_asyncio.fixture(scope="module")
async def walks(module_store: Store, tmp_path_factory: pytest.TempPathFactory) -> Walks:
    """Return the walks through the three nodes."""
    folder = tmp_path_factory.mktemp("planted")
    walks = Walks()
    for name, (versions, clearances) in NODES.items():
        async with planted_node(module_store, folder / name, folder, versions) as node:
            await walks.through(name, node, clearances)
    return walks


def test_no_answer_has_a_word_above_the_class_of_its_reader(walks: Walks) -> None:
    leaks = {
        (walk, walks.words[walk.node].places[word], reply.asked[:300])
        for walk, replies in walks.replies.items()
        for reply in replies
        for word in reply.words
        if not walk.clearance.covers(walks.words[walk.node].planted[word])
    }
    assert leaks == set()


def test_a_cleared_reader_finds_every_word(walks: Walks) -> None:
    words = walks.words["first"]
    found = {word for reply in walks.replies[Walk("first", BEFORE, CONFIDENTIAL)] for word in reply.words}
    missing = {place for word, place in words.places.items() if word not in found}
    assert missing == {f"{place} ({boundary})" for place in NOT_GIVEN for boundary in CLASSES}


@pytest.mark.parametrize("time", [BEFORE, AFTER])
def test_nobody_can_tell_nodes_apart_whose_closed_bytes_differ(walks: Walks, time: str) -> None:
    assert walks.differences(Walk("first", time, PUBLIC), Walk("second", time, PUBLIC)) == []


@pytest.mark.parametrize("time", [BEFORE, AFTER])
def test_an_internal_reader_cannot_tell_nodes_apart_whose_confidential_bytes_differ(walks: Walks, time: str) -> None:
    assert walks.differences(Walk("first", time, INTERNAL), Walk("third", time, INTERNAL)) == []


@pytest.mark.both_engines
async def test_nobody_is_given_a_closed_word_in_any_field_on_either_engine(store: Store, tmp_path: Path) -> None:
    async with planted_node(store, tmp_path / "node", tmp_path) as node:
        operations = await node.operations()
        asked = operations.requests()
        assert operations.fields() == set(operations.times), "a field is not asked for"
        replies = await node.walk(PUBLIC, [*some_of(asked, ALL_OF), *some_of(await node.requests(), ("cypher",))])
        assert [reply.asked for reply in replies if reply.words] == []
        assert not any("INTERNAL_ERROR" in reply.text for reply in replies)
