"""Scoring everything again in pages: others write in between, it survives a crash, and a rebuild gives the same."""

import asyncio
import json
from pathlib import Path

import pytest
from builders import gold_label_message, signed_response, signed_retraction, signed_statement
from graph_contents import nodes_with_label, whole_graph
from key_world import by_node
from rebuilding import rebuilt
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, settle, signed_node_policy
from servers import server_on

from a2ap.messages.gold_label import Label
from a2ap.messages.policy import ConsensusMethod
from a2ap.messages.verification_response import Verdict
from graph.errors import StoreBusyError
from graph.http.health import is_ready
from graph.platform import Platform
from graph.scores.recomputation import is_rescoring, rescore_page
from graph.store import Store
from graph.submission import epoch_keeper


async def judged_world(platform: Platform) -> list[bytes]:
    await settle(platform)
    statements = [signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(7)]
    await accept(platform, *statements, *(signed_response(one, VERIFIER_A, confidence=0.8) for one in statements))
    await accept(platform, *(signed_response(one, VERIFIER_B) for one in statements[::2]))
    await accept(platform, signed_response(statements[1], STRANGER, verdict=Verdict.CHALLENGED))
    return statements


async def interrupted(platform: Platform, monkeypatch: pytest.MonkeyPatch, **policy: object) -> list[bytes]:
    """Have a policy written whose scores get no further than the first page, as if the process ended there."""
    statements = await judged_world(platform)

    async def fail(store: Store) -> bool:
        raise StoreBusyError("somebody else is quicker")

    monkeypatch.setattr("graph.scores.recomputation.PAGE", 2)
    monkeypatch.setattr(epoch_keeper, "rescore_page", fail)
    await accept(platform, signed_node_policy(platform, 2, **policy))
    assert await is_rescoring(platform.store)
    return statements


async def verified(store: Store) -> set[str]:
    return {node["signed_hash"] for node in await nodes_with_label(store, "Statement") if node["verified"]}


async def is_as_rebuilt(platform: Platform) -> None:
    assert not await is_rescoring(platform.store)
    whole = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == whole


async def test_what_is_written_between_two_pages_is_as_if_it_came_after(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with server_on(store, tmp_path) as platform:
        statements = await interrupted(platform, monkeypatch, threshold=0.5)
        assert await rescore_page(store)
        late = signed_statement(AUTHOR, claim="One more.")
        await accept(platform, late, signed_response(late, VERIFIER_A), signed_response(late, VERIFIER_B))
        await accept(platform, signed_response(statements[1], VERIFIER_B), signed_response(statements[5], VERIFIER_B))
        await accept(platform, signed_retraction(signed_response(statements[6], VERIFIER_B), VERIFIER_B))
        label = gold_label_message(statements[3], Label.FAIL, labelling_agent=platform.node.agent_id)
        await accept(platform, by_node(platform, label))
        while await rescore_page(store):
            pass
        await is_as_rebuilt(platform)


async def test_a_start_finishes_what_the_last_one_left(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with server_on(store, tmp_path) as platform:
        await interrupted(platform, monkeypatch, quorum=1)
        before = await verified(store)
    monkeypatch.undo()
    async with server_on(store, tmp_path) as platform:
        await platform.epochs.rescored()
        assert len(await verified(store)) > len(before)
        await is_as_rebuilt(platform)


async def test_another_server_finishes_what_one_that_ended_has_left(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(epoch_keeper, "_LOOK_AGAIN", 0.2)
    async with server_on(store, tmp_path) as other:
        await other.epochs.rescored()
        async with server_on(store, tmp_path) as platform:
            await interrupted(platform, monkeypatch, quorum=1)
        monkeypatch.setattr(epoch_keeper, "rescore_page", rescore_page)
        async with asyncio.timeout(30):
            while await is_rescoring(store):
                await asyncio.sleep(0.1)
        await is_as_rebuilt(other)


async def test_a_policy_to_the_letter_finds_the_scores_of_the_one_before(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with server_on(store, tmp_path) as platform:
        await interrupted(platform, monkeypatch, threshold=0.5)
        await accept(platform, signed_node_policy(platform, 3, method=ConsensusMethod.LITERAL))
        await is_as_rebuilt(platform)


@pytest.mark.both_engines
async def test_what_fails_beside_the_writer_is_told_and_keeps_nobody_from_writing(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with server_on(store, tmp_path) as platform:
        await interrupted(platform, monkeypatch, threshold=0.5)
        await accept(platform, signed_statement(AUTHOR, claim="One more."))
        assert platform.epochs.failures == {"rescoring": "StoreBusyError: somebody else is quicker"}
        assert json.loads(bytes((await is_ready(platform)).body))["failing"] == ["rescoring"]
