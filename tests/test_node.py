"""The node: its key, the graph that belongs to it, and what only it may do."""

import shutil
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders import agent_id, agent_key, signed_policy, signed_registration
from graph_contents import count_everything, run_raw
from platform_fixture import platform
from scenario import signed_node_policy
from servers import log_of, server_on

from a2ap.errors import KeyFormatError
from a2ap.key_file import read_key_file
from graph.content.content_store import open_content_store
from graph.errors import ForbiddenError, NodeError, TargetError
from graph.node import load_node, node_from_key
from graph.platform import Platform, platform_on
from graph.settings import Settings
from graph.store import Store
from graph.submission.submission import Submission

__all__ = ["platform"]

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "data" / "node.key"
    node = load_node(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert load_node(file) == node
    assert read_key_file(file).agent_id == node.agent_id
    assert sorted(path.name for path in file.parent.iterdir()) == ["node.key", "node.key.lock"]


def test_servers_that_start_together_make_one_key(tmp_path: Path) -> None:
    file = tmp_path / "node.key"
    with ThreadPoolExecutor(8) as threads:
        nodes = list(threads.map(load_node, [file] * 16))
    assert len({node.agent_id for node in nodes}) == 1


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "node.key"
    load_node(file)
    file.chmod(0o640)
    with pytest.raises(KeyFormatError, match="has mode 0640; a key file has 0600"):
        load_node(file)


def test_the_agent_id_is_that_of_the_key() -> None:
    first, second = node_from_key(agent_key(1)), node_from_key(agent_key(2))
    assert first.agent_id == "urn:agent:a2ap-node:" + first.agent_id[-16:]
    assert first.agent_id != second.agent_id
    assert first.key_id == f"{first.agent_id}#1"


def test_ids_of_the_node_s_messages_are_its_secret_and_always_the_same() -> None:
    first, second = node_from_key(agent_key(1)), node_from_key(agent_key(2))
    assert first.derived_id("machine|x|0") == node_from_key(agent_key(1)).derived_id("machine|x|0")
    assert first.derived_id("machine|x|0") != first.derived_id("machine|x|1")
    assert first.derived_id("machine|x|0") != second.derived_id("machine|x|0")
    assert first.registration(NOW).envelope.received == node_from_key(agent_key(1)).registration(NOW).envelope.received


async def test_a_new_graph_begins_with_the_node_and_its_policy(platform: Platform) -> None:
    entries = await log_of(platform.store)
    assert [(entry.type, entry.agent) for entry in entries] == [
        ("AgentRegistration", platform.node.agent_id),
        ("Policy", platform.node.agent_id),
    ]
    (policy,) = await platform.store.read("current_policy")
    assert policy["seeds"] == []


async def test_a_graph_that_is_opened_again_is_left_as_it_is(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path):
        before = await count_everything(store)
    async with server_on(store, tmp_path):
        assert await count_everything(store) == before


async def test_the_key_of_another_node_is_refused(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as platform:
        await platform.submit(signed_registration(1))
        owner = platform.node.agent_id
    before = await count_everything(store)
    other = tmp_path / "other"
    with pytest.raises(NodeError, match=f"this graph belongs to {owner}, and the node key here is that of urn:agent:"):
        async with server_on(store, other):
            pass
    assert await count_everything(store) == before


async def test_a_node_that_was_killed_while_founding_goes_on(store: Store, tmp_path: Path) -> None:
    node = load_node(tmp_path / "node.key")
    async with server_on(store, tmp_path) as platform:
        pass
    entries = await log_of(store)
    # What a kill between the first two entries leaves.
    for query in ("MATCH (p:Policy) DETACH DELETE p", "MATCH (e:LogEntry {log_index: 1}) DELETE e"):
        await run_raw(store, query)
    await run_raw(store, "MATCH (h:LogHead) SET h.size = 1")
    shutil.rmtree(tmp_path / "log")
    settings = Settings(data=tmp_path)
    async with platform_on(store, open_content_store(settings), node, settings) as platform:
        again = await log_of(platform.store)
    assert [entry.type for entry in again] == [entry.type for entry in entries]
    assert again[0] == entries[0]


async def test_only_the_node_sets_the_policy(platform: Platform) -> None:
    await platform.submit(signed_registration(9))
    with pytest.raises(ForbiddenError, match=f"only {platform.node.agent_id} sets the policy here"):
        await platform.submit(signed_policy(9, threshold=0.0, quorum=1))
    await platform.submit(signed_node_policy(platform, seeds=(), threshold=0.9))
    (policy,) = await platform.store.read("current_policy")
    assert policy["threshold"] == 0.9


async def test_the_node_s_name_cannot_be_taken(platform: Platform, tmp_path: Path) -> None:
    node = platform.node
    other = node_from_key(agent_key(1))
    forged = replace(other, agent_id=node.agent_id, key_id=node.key_id)
    (outcome,) = await platform.append([Submission(forged.default_policy(NOW))])
    assert isinstance(outcome, Exception)
    assert "is not by" in str(outcome)


async def test_a_policy_seeds_nobody_who_is_not_registered(platform: Platform) -> None:
    """Whoever took the name later would be a seed."""
    seeds = (agent_id(9), agent_id(10))
    await platform.submit(signed_registration(9))
    with pytest.raises(TargetError, match=f"agent {agent_id(10)} is not registered") as refused:
        await platform.submit(signed_node_policy(platform, seeds=seeds))
    assert refused.value.path == "seeds[1]"
    outcomes = await platform.submit_many([signed_registration(10), signed_node_policy(platform, seeds=seeds)])
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
