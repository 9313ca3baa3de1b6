"""What an export with pseudonyms says by its order, its numbers and what it is of."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from graph.errors import InputError
from graph.export.graph_reader import Edge, Edges, Nodes
from graph.export.opening import Wanted
from graph.export.pseudonyms import Pseudonyms
from graph.export.renamed import renamed_edges, renamed_nodes
from graph.export.selection import Selection

NAMES = Pseudonyms(b"\x01" * 32)
AGENTS = [f"urn:agent:{number:03}" for number in range(600)]


async def pages(*found: Any) -> AsyncIterator[Any]:
    for page in found:
        yield page


async def test_agents_and_what_they_did_come_in_the_order_of_their_pseudonyms() -> None:
    begun: list[int] = []
    given: list[Nodes] = []
    agents = [Nodes("Agent", [{"agent_id": one} for one in some]) for some in (AGENTS[:300], AGENTS[300:])]
    statements = Nodes("Statement", [{"signed_hash": f"sha256:{number}"} for number in range(5)])
    async for page in renamed_nodes(pages(*agents, statements), NAMES, lambda: begun.append(len(given))):
        given.append(page)
    assert [page.label for page in given] == ["Agent", "Agent", "Statement"]
    assert begun == [0, 2]  # where an export may go on: all before was given
    found = [one["agent_id"] for page in given[:2] for one in page.properties]
    assert found == sorted(NAMES.of(one) for one in AGENTS)
    edges = [Edge(one, "sha256:1", {"timestamp": None}) for one in AGENTS]
    generated = [
        page
        async for page in renamed_edges(pages(Edges("GENERATED", "Agent", "Statement", edges)), NAMES, lambda: None)
    ]
    assert [one.start for page in generated for one in page.edges] == found


async def test_a_type_that_is_given_instead_says_so_without_a_relationship() -> None:
    page = Edges("ENDORSED", "Agent", "Agent", [], True)
    assert [one async for one in renamed_edges(pages(page), NAMES, lambda: None)] == [page]


def test_what_a_node_publishes_of_an_agent_exactly_is_left_out() -> None:
    agent = {"agent_id": "urn:a", "capabilities": ["x"], "reputation": 0.4321, "verdicts_right": 7}
    page = NAMES.nodes(Nodes("Agent", [agent | {"estimated_accuracy": 0.91}]))
    assert page is not None and page.properties == [{"agent_id": NAMES.of("urn:a"), "reputation": 0.4}]


@pytest.mark.parametrize(
    "selection", [Selection(agents=("urn:a",)), Selection(statements=("x",)), Selection(entries_from=3)]
)
def test_a_selection_by_name_has_no_pseudonyms(selection: Selection) -> None:
    with pytest.raises(InputError, match="says whose the pseudonyms are"):
        Wanted(selection=selection, pseudonym_key=b"\x01" * 32).check()
