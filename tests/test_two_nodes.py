"""Two nodes over real HTTP: each gets what the other has, through a kill in the middle; a third that forks is out."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import asdict
from pathlib import Path

import pull_process
import pytest
import pytest_asyncio
from builders import SOURCE, segment, signed_registration, signed_source, signed_statement
from conftest import HEAP
from graph_contents import count_everything, nodes_with_label
from peer_simulator import PeerSimulator
from quick_java import QUICK
from scenario import pieces
from served import served
from servers import log_of, receipts_of, server
from test_federation import agree, agreement

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.peer_agreement import PeerQuota
from graph.database.endpoint import Endpoint
from graph.engine.engine import embedded_engine
from graph.federation.agreements import Agreement, agreement_with
from graph.federation.errors import PeerFaultError
from graph.federation.here import Here
from graph.federation.pull import pull
from graph.federation.taking import STRETCH
from graph.kinds.registry import FROM_PEERS
from graph.log.name_here import name_here
from graph.platform import Platform
from graph.store import Store

STATEMENTS = 500  # each with its author's node's verdict on it: 1,000 documents
PATIENCE = 120.0  # seconds
QUOTA = PeerQuota(1_000_000, 2**30)


@pytest_asyncio.fixture(loop_scope="session")
async def other_engine(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Endpoint]:
    """Yield an engine for the other node."""
    async with embedded_engine(tmp_path_factory.mktemp("other"), heap=HEAP, java_options=QUICK) as endpoint:
        yield endpoint


async def fill(platform: Platform, seed: int) -> None:
    documents = [signed_registration(seed)]
    evidence = [segment()]
    documents += [
        signed_statement(seed, claim=f"Claim {one} of {seed}.", evidence=evidence) for one in range(STATEMENTS)
    ]
    receipts_of(await platform.submit_many(documents))


async def befriend(platform: Platform, other: Platform, url: str) -> None:
    agreed = Agreement(other.node.origin, url, other.log.verifier_key, None, Boundary.PUBLIC, QUOTA)
    await agree(platform, agreed)


async def messages_of(store: Store) -> set[str]:
    """Return what names each message that nodes exchange, without the scope of the names."""
    return {entry.signed_hash for entry in await log_of(store) if entry.type in FROM_PEERS}


async def pull_and_be_killed(endpoint: Endpoint, data: Path, store: Store, origin: str) -> int:
    """Kill a process in the middle of a pull; return how many messages it had taken."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, pull_process.__file__, origin),
        env={**os.environ, "A2AP_TEST_ENDPOINT": json.dumps(asdict(endpoint)), "A2AP_DATA": str(data)},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(PATIENCE):
        while not (rows := await store.read("last_taken", origins=[origin])) or rows[0]["number"] < STRETCH:
            assert child.returncode is None
            await asyncio.sleep(0.005)
    child.kill()
    assert await child.wait() == -signal.SIGKILL
    ((row),) = await store.read("last_taken", origins=[origin])
    return int(row["number"])


@pytest.mark.timeout(1800)
async def test_two_nodes_exchange_what_their_agents_signed_through_a_kill(
    store: Store, engine: Endpoint, other_engine: Endpoint, tmp_path: Path
) -> None:
    async with (
        server(engine, tmp_path / "a") as ours,
        server(other_engine, tmp_path / "b") as theirs,
        served(ours) as our_url,
        served(theirs) as their_url,
    ):
        await asyncio.gather(fill(ours, 1), fill(theirs, 2))
        await befriend(ours, theirs, their_url)
        await befriend(theirs, ours, our_url)
        here, there = Here.of(ours), Here.of(theirs)

        before_kill = await pull_and_be_killed(other_engine, tmp_path / "b", theirs.store, ours.node.origin)
        documents = 2 * STATEMENTS + 2  # and the registrations of the agent and of the node
        assert 0 < before_kill < documents
        report = await pull(there, ours.node.origin)
        assert (before_kill + report.taken, report.waiting, report.left) == (documents, 0, 0)

        while (await pull(here, theirs.node.origin)).taken or (await pull(there, ours.node.origin)).taken:
            pass
        assert await messages_of(ours.store) == await messages_of(theirs.store)
        # Each node's verdict on each statement is with both.
        for platform in (ours, theirs):
            nodes, _ = await count_everything(platform.store)
            assert (nodes["Statement"], nodes["Verification"]) == (2 * STATEMENTS, 4 * STATEMENTS)
            names = [name_here(one.signed_hash, one.type, one.agent) for one in await log_of(platform.store)]
            assert len(set(names)) == len(names)

        await a_third_that_forks_is_refused(ours, theirs)


async def test_a_node_fetches_the_public_source_of_a_statement_from_the_node_that_has_it(
    store: Store, engine: Endpoint, other_engine: Endpoint, tmp_path: Path
) -> None:
    async with (
        server(engine, tmp_path / "a") as ours,
        server(other_engine, tmp_path / "b") as theirs,
        served(theirs) as their_url,
    ):
        for document in (signed_registration(7), signed_source(7), signed_statement(7, evidence=[segment()])):
            await theirs.submit(document)
        await theirs.sources.put(sha256_digest(SOURCE), pieces(SOURCE))
        await befriend(ours, theirs, their_url)
        report = await pull(Here.of(ours), theirs.node.origin)
        assert (report.sources.fetched, report.sources.problems) == (1, {})
        assert await ours.content.get(sha256_digest(SOURCE)) == SOURCE
        (statement,) = await nodes_with_label(store, "Statement")
        assert (statement["machine_check"], statement["origin"]) == ("PASS", theirs.node.origin)


async def a_third_that_forks_is_refused(*nodes: Platform) -> None:
    third = PeerSimulator()
    third.add(signed_registration(3), signed_statement(3))
    async with third.served() as url:
        for node in nodes:
            await agree(node, agreement(third, url))
            assert (await pull(Here.of(node), third.origin)).taken == 2
        before = [await messages_of(node.store) for node in nodes]
        # Each is shown another history.
        del third.leaves[1:]
        third.add(signed_statement(3, claim="Another."), signed_statement(3, claim="And another."))
        for node in nodes:
            with pytest.raises(PeerFaultError):
                await pull(Here.of(node), third.origin)
            assert (await agreement_with(node.store, third.origin)).suspended
            assert await nodes_with_label(node.store, "Equivocation")
        assert [await messages_of(node.store) for node in nodes] == before
