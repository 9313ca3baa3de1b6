"""An agent follows the log of a node, over lost connections, and reads its inbox; blocking and asynchronous."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from a2ap import Agent, AsyncAgent
from a2ap.agent import LogEndError, LogEvent
from a2ap.client import Receipt, UnreachableError
from a2ap.messages.verification_response import VerificationResponse
from a2ap.testing import MakeAgent
from a2ap.testing.node import Node

MINUTES = b"The council voted five to two to keep the height limit at forty feet."
FOUND = {"source-accuracy": "PASS"}


class Relay:
    """Relays connections to a node; `cut` ends all of them, and refuses others until `mend`."""

    def __init__(self, node: Node) -> None:
        self._target = urlsplit(node.url)
        self._open: set[asyncio.StreamWriter] = set()
        self._is_cut = False
        self.accepted = 0

    async def relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        if self._is_cut:
            writer.close()
            return
        upstream, down = await asyncio.open_connection(self._target.hostname, self._target.port)
        self._open |= {writer, down}
        await asyncio.gather(_copy(reader, down), _copy(upstream, writer))

    def cut(self) -> None:
        self._is_cut = True
        for one in self._open:
            one.transport.abort()
        self._open.clear()

    def mend(self) -> None:
        self._is_cut = False


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()


@pytest_asyncio.fixture
async def relay(a2ap_node: Node) -> AsyncIterator[tuple[str, Relay]]:
    relay = Relay(a2ap_node)
    server = await asyncio.start_server(relay.relay, "127.0.0.1", 0)
    yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", relay
    relay.cut()
    server.close()


@pytest.fixture(params=[Agent, AsyncAgent], ids=["blocking", "asynchronous"])
def kind(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def clerk(make_a2ap_agent: MakeAgent) -> Agent:
    return make_a2ap_agent("Clerk")


@pytest.fixture
def reader(make_a2ap_agent: MakeAgent) -> Agent:
    return make_a2ap_agent("Reader")


def claim(agent: Agent, text: str, **more: Any) -> Receipt:
    minutes = agent.source(MINUTES, title="Minutes")
    receipt: Receipt = agent.claim(text, quote="the height limit", source=minutes, **more)
    return receipt


def again(agent: Agent, kind: Any, node: str) -> Agent | AsyncAgent:
    """Return the agent of the same key, of a kind, at an address."""
    made: Agent | AsyncAgent = kind(agent._operations.identity, node)
    return made


async def taken(agent: Agent | AsyncAgent, number: int, take: Callable[[LogEvent], None], **how: Any) -> None:
    """Take some events of an agent that follows the log."""
    if isinstance(agent, AsyncAgent):
        async for event in agent.follow(**how):
            take(event)
            number -= 1
            if not number:
                return

    def follow() -> None:
        assert isinstance(agent, Agent)
        for _, event in zip(range(number), agent.follow(**how), strict=False):
            take(event)

    await asyncio.to_thread(follow)


async def inbox_of(agent: Agent | AsyncAgent, after: int = -1) -> list[LogEvent]:
    found = agent.inbox(after)
    return await found if inspect.isawaitable(found) else found


async def test_the_log_is_followed_from_an_index_and_then_as_it_grows(
    clerk: Agent, reader: Agent, kind: Any, a2ap_node: Node
) -> None:
    first = await asyncio.to_thread(claim, clerk, "The first.")
    there = await asyncio.to_thread(claim, clerk, "The second.")
    seen: list[LogEvent] = []
    how = {"after": first.log_index, "types": "ProvenanceStatement", "agents": [clerk.id]}
    following = asyncio.create_task(taken(again(clerk, kind, a2ap_node.url), 3, seen.append, **how))
    while not seen:
        await asyncio.sleep(0.02)
    later = [await asyncio.to_thread(claim, one, f"{number}.") for number, one in enumerate((clerk, reader, clerk))]
    await asyncio.wait_for(following, 30)
    assert [one.log_index for one in seen] == [there.log_index, later[0].log_index, later[2].log_index]
    assert seen[0].message is not None and seen[0].message.envelope.signed_hash == there.signed_hash


async def test_no_event_is_lost_or_repeated_over_lost_connections(
    clerk: Agent, kind: Any, relay: tuple[str, Relay]
) -> None:
    address, line = relay
    seen: list[LogEvent] = []
    start = (await asyncio.to_thread(claim, clerk, "Number 0.")).log_index
    how = {"after": start, "types": "ProvenanceStatement", "agents": clerk.id}
    following = asyncio.create_task(taken(again(clerk, kind, address), 4, seen.append, **how))
    sent = [(await asyncio.to_thread(claim, clerk, "Number 1.")).log_index]
    while not seen:
        await asyncio.sleep(0.02)
    for number in (2, 3):
        await asyncio.sleep(0.3)  # by then it waits for the log to grow
        line.cut()
        accepted = line.accepted
        sent.append((await asyncio.to_thread(claim, clerk, f"Number {number}.")).log_index)
        while line.accepted == accepted:
            await asyncio.sleep(0.02)
        line.mend()
    sent.append((await asyncio.to_thread(claim, clerk, "Number 4.")).log_index)
    await asyncio.wait_for(following, 60)
    assert [one.log_index for one in seen] == sent


async def test_a_log_without_the_index_and_a_node_that_is_away_are_told(
    clerk: Agent, kind: Any, relay: tuple[str, Relay], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("a2ap.agent.exchange._FIRST_PAUSE", 0.01)
    address, line = relay
    agent = again(clerk, kind, address)
    with pytest.raises(LogEndError, match="none of them with the index 99999"):
        await taken(agent, 1, print, after=99_999)
    with pytest.raises(ValueError, match="'Verdict' is no type of message: ProvenanceStatement, "):
        await taken(agent, 1, print, types="Verdict")
    line.cut()
    with pytest.raises(UnreachableError):
        await taken(again(clerk, kind, address), 1, print)


async def test_the_inbox_has_what_concerns_the_agent_in_the_order_of_the_log(
    clerk: Agent, reader: Agent, kind: Any, a2ap_node: Node
) -> None:
    def talk() -> tuple[Receipt, Receipt, list[Receipt]]:
        own = claim(clerk, "The limit stays.")
        below = claim(reader, "It was voted.", supports=own)
        other = claim(reader, "Another matter.")
        clerk.verdict(other, FOUND)
        received = [
            reader.verdict(own, FOUND),
            reader.challenge(own, "logical-consistency", "A vote is no limit."),
            reader.request_verification(own),
            reader.endorse(clerk.id),
        ]
        reader.request_verification(other)
        reader.retract(other)
        return own, other, [*received, reader.retract(below)]

    own, _, received = await asyncio.to_thread(talk)
    agent = again(clerk, kind, a2ap_node.url)
    found = [one for one in await inbox_of(agent) if one.agent_id == reader.id]
    assert [one.log_index for one in found] == [one.log_index for one in received]
    assert [one.concerns for one in found] == [(own.signed_hash,)] * 3 + [(), (own.signed_hash,)]
    assert isinstance(found[1].message, VerificationResponse) and found[1].message.reason == "A vote is no limit."
    after = await inbox_of(agent, received[1].log_index)
    assert [one.log_index for one in after] == [one.log_index for one in received[2:]]


async def test_the_inbox_is_followed(clerk: Agent, reader: Agent, kind: Any, a2ap_node: Node) -> None:
    own = await asyncio.to_thread(claim, clerk, "The limit stays.")
    other = await asyncio.to_thread(claim, reader, "It was voted.")
    seen: list[LogEvent] = []
    how = {"after": other.log_index, "inbox": True, "types": "VerificationResponse", "agents": reader.id}
    following = asyncio.create_task(taken(again(clerk, kind, a2ap_node.url), 1, seen.append, **how))
    await asyncio.to_thread(clerk.verdict, other, FOUND)
    verdict = await asyncio.to_thread(reader.verdict, own, FOUND)
    await asyncio.wait_for(following, 30)
    assert [(one.log_index, one.concerns) for one in seen] == [(verdict.log_index, (own.signed_hash,))]


async def test_a_request_that_names_the_agent_is_in_its_inbox(clerk: Agent, reader: Agent, a2ap_node: Node) -> None:
    other = await asyncio.to_thread(claim, reader, "It was voted.")
    request = await asyncio.to_thread(reader.request_verification, other, verifiers=[clerk.id])
    found = await inbox_of(clerk, other.log_index)
    assert [(one.log_index, one.concerns) for one in found] == [(request.log_index, ())]
