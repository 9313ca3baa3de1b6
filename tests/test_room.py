"""How many requests may be open: of an agent, on a statement, and of a peer, whose agents are as many as it likes."""

from pathlib import Path

import pytest
from builders import signed_registration, signed_request, signed_retraction, signed_statement
from graph_contents import nodes_with_label
from peer_simulator import PeerSimulator
from test_federation import agree, agreement

from a2ap.messages.message import read_message
from a2ap.messages.verification_request import VerificationRequest
from graph.content.content_store import open_content_store
from graph.errors import TooManyOpenError
from graph.federation.here import Here
from graph.federation.pull import pull
from graph.kinds.state import State
from graph.node import load_node
from graph.platform import platform_on
from graph.requests.room import MAX_ON_STATEMENT, OF_A_PEER, OpenRequests
from graph.settings import Settings
from graph.store import Store

STATEMENT, OTHER = signed_statement(1), signed_statement(1, claim="The map is green.")
PEER = PeerSimulator().origin


def request(number: int, agent: int = 2, statement: bytes = STATEMENT) -> VerificationRequest:
    message = read_message(signed_request(statement, agent, number=number))
    assert isinstance(message, VerificationRequest)
    return message


def test_an_agent_has_so_many_open_and_others_as_many() -> None:
    room, state = OpenRequests(), State(0)
    for number in range(3):
        room.add(request(number), None, state, 3)
    with pytest.raises(TooManyOpenError, match="3 requests of urn:agent:test-2 wait for verdicts, and 3 may"):
        room.add(request(3), None, state, 3)
    room.add(request(4, agent=3), None, state, 3)


def test_an_agent_has_so_many_open_on_a_statement() -> None:
    room, state = OpenRequests(), State(0)
    for number in range(MAX_ON_STATEMENT):
        room.add(request(number), PEER, state, 1000)
    with pytest.raises(TooManyOpenError, match=f"and {MAX_ON_STATEMENT} may"):
        room.add(request(99), PEER, state, 1000)
    room.add(request(100, statement=OTHER), PEER, state, 1000)


def test_all_agents_of_a_peer_have_so_many_together_and_another_peer_as_many() -> None:
    room, state = OpenRequests(), State(0)
    for agent in range(2, 2 + OF_A_PEER):
        room.add(request(agent, agent), PEER, state, 1)
    with pytest.raises(TooManyOpenError, match=f"requests of agents of {PEER} wait for verdicts, and {OF_A_PEER} may"):
        room.add(request(99, 99), PEER, state, 1)
    room.add(request(99, 99), "urn:agent:a2ap-node:0123456789abcdef", state, 1)
    room.add(request(98, 98), None, state, 1)


def test_without_a_bound_everything_is_taken() -> None:
    room, state = OpenRequests(), State(0)
    for number in range(2 * MAX_ON_STATEMENT):
        room.add(request(number), PEER, state, None)


async def test_a_peers_request_beyond_its_bound_waits_until_there_is_room(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.requests.room.OF_A_PEER", 2)
    settings, peer = Settings(data=tmp_path, max_open_requests=1), PeerSimulator()
    asked = [signed_request(STATEMENT, 2), signed_request(STATEMENT, 3), signed_request(OTHER, 4)]
    peer.add(*(signed_registration(seed) for seed in (1, 2, 3, 4)), STATEMENT, OTHER, *asked)
    node = load_node(tmp_path / "node.key")
    async with platform_on(store, open_content_store(settings), node, settings) as platform, peer.served() as url:
        await agree(platform, agreement(peer, url))
        first = await pull(Here.of(platform), peer.origin)
        before = await nodes_with_label(store, "VerificationRequest")
        peer.add(signed_retraction(STATEMENT, 1))
        second = await pull(Here.of(platform), peer.origin)
        after = await nodes_with_label(store, "VerificationRequest")

    assert (first.taken, first.waiting, first.left) == (8, 1, 0)
    assert (second.taken, second.waiting, second.left) == (2, 0, 0)
    assert (len(before), len(after)) == (2, 3) and {row["origin"] for row in after} == {peer.origin}
    assert sum("open_until" in row for row in after) == 1
