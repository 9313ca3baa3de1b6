"""Replay: the four decimals of any size of the log again, from its entries, in an engine apart."""

import asyncio
import json
import re
from functools import partial
from pathlib import Path

import pytest
from builders import envelope_of, signed_request, signed_response, signed_statement
from cli_runner import Run, a2ap
from graph_contents import run_raw
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, hash_of, settle, signed_node_policy
from servers import log_of, server_on

from a2ap.messages.draw_rules import DrawRules
from a2ap.messages.policy import ConsensusMethod
from a2ap.messages.verification_response import Verdict
from graph.content.content_store import open_content_store
from graph.errors import InputError, NotFoundError
from graph.past.replay import ReplayRequest, replay_into
from graph.scores.on_demand import consensus_of_statements
from graph.scoring.consensus import Consensus
from graph.settings import Settings
from graph.store import Store, open_store

__all__ = ["a2ap"]

CLAIMS = [signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(4)]


async def history(store: Store, data: Path) -> list[tuple[int, str | None, dict[str, Consensus]]]:
    """Make a history with an epoch in it; return scores as they were published, by size of the log and method."""
    hashes = [hash_of(claim) for claim in CLAIMS]
    seen = []
    async with server_on(store, data) as platform:

        async def look(method: str | None = None) -> None:
            found = await consensus_of_statements(store, hashes, method)
            size = next(iter(found.values())).log_size
            assert size is not None
            seen.append((size, method, found))

        await settle(platform)
        await accept(platform, *CLAIMS, *(signed_response(claim, VERIFIER_A) for claim in CLAIMS))
        await look()
        await accept(platform, *(signed_response(claim, VERIFIER_B, confidence=0.8) for claim in CLAIMS[:3]))
        await accept(platform, signed_response(CLAIMS[2], STRANGER, verdict=Verdict.CHALLENGED))
        for method in ConsensusMethod:
            await look(method.value)
        await accept(platform, signed_node_policy(platform, 2, epoch_length=1))
        await platform.epochs.settled()
        await look()
        drawn = signed_node_policy(platform, 3, draw=DrawRules(operators=2, least=2, window=60))
        await accept(platform, drawn, signed_request(CLAIMS[0], AUTHOR))
        await look()
        await accept(platform, *(signed_response(CLAIMS[0], seed, confidence=0.9) for seed in (VERIFIER_A, VERIFIER_B)))
        await look()
        assert [found[hashes[0]].verified for _, _, found in seen[-3:]] == [True, False, True]
        assert [entry.type for entry in await log_of(store)].count("Epoch") == 1
    return seen


async def test_a_replay_gives_the_same_four_decimals_by_every_method(store: Store, tmp_path: Path) -> None:
    seen = await history(store, tmp_path / "node")
    entries = await log_of(store)
    content = open_content_store(Settings(data=tmp_path / "node"))
    published = {ReplayRequest(size, method): found for size, method, found in seen}
    again: dict[ReplayRequest, dict[str, Consensus]] = {request: {} for request in published}
    await run_raw(store, "MATCH (n) DETACH DELETE n")
    async for request, one in replay_into(store, list(published), lambda: entries, content):
        again[request][one.signed_hash] = one.consensus
    for request, found in published.items():
        assert {name: (one.published, one.verified) for name, one in again[request].items()} == {
            name: (one.published, one.verified) for name, one in found.items()
        }
        assert all(one.log_size == request.size for one in again[request].values())
        assert {one.policy_hash for one in again[request].values()} == {one.policy_hash for one in found.values()}


async def test_a_size_that_the_log_does_not_have_and_an_unknown_statement_are_named(
    store: Store, tmp_path: Path
) -> None:
    async with server_on(store, tmp_path / "node") as platform:
        entries, content = await log_of(store), platform.content
    unknown = ReplayRequest(2, statement="urn:uuid:0a1b2c3d-0000-4000-8000-000000000001")
    wrong: list[tuple[ReplayRequest, type[Exception], str]] = [
        (ReplayRequest(9), InputError, "the log has 2 entries, not 9"),
        (unknown, NotFoundError, "among these entries"),
    ]
    for request, error, what in wrong:
        await run_raw(store, "MATCH (n) DETACH DELETE n")
        with pytest.raises(error, match=what):
            async for _ in replay_into(store, [request], lambda: entries, content):
                pass


def test_the_command_prints_what_was_published(a2ap: Run, tmp_path: Path) -> None:
    async def told() -> tuple[int, dict[str, Consensus], str, str]:
        async with open_store(Settings(data=tmp_path)) as store:
            size, _, published = (await history(store, tmp_path))[-1]
            # The commands find this engine running, and start another for the replay.
            replay = partial(asyncio.to_thread, a2ap, "replay", "--at", str(size), "--data", str(tmp_path))
            found = await replay("--statement", envelope.id, "--json")
            plainly = await replay("--method", "majority")
            return size, published, found.out, plainly.out

    envelope = envelope_of(CLAIMS[0])
    size, published, found, plainly = asyncio.run(told())
    (one,) = json.loads(found)["scores"]
    assert one["score"] == published[envelope.signed_hash].published
    assert (one["statement"], one["method"]) == (envelope.id, "a2ap-posterior")
    assert one["interval"]["low"] < float(one["score"]) < one["interval"]["high"] and one["operators"] == 2
    assert (one["claimKind"], one["standing"].split(":")[0]) == (
        "ASSERTS",
        "holds" if one["verified"] else "not verified",
    )
    assert re.search(r"^urn:uuid:\S+  \d\.\d{4} \(.*operators?\)  (holds|not verified)$", plainly, re.M)
    assert f"majority, {size} log entries, policy sha256:" in plainly
