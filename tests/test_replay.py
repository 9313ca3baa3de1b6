"""Replay: the four decimals of any size of the log again, from its entries, in an engine apart."""

import json
from pathlib import Path

import pytest
from builders import envelope_of, signed_response, signed_statement
from cli_runner import Run, a2ap
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, hash_of, settle, signed_node_policy
from servers import log_of, server_on

from a2ap.policy import ConsensusMethod
from a2ap.verification_response import Verdict
from graph.errors import InputError, NotFoundError
from graph.scoring.consensus import Consensus
from graph.scoring.on_demand import consensus_of_statements
from graph.scoring.replaying import ReplayRequest, replay_scores
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
        assert [entry.type for entry in await log_of(store)].count("Epoch") == 1
    return seen


async def test_a_replay_gives_the_same_four_decimals_by_every_method(store: Store, tmp_path: Path) -> None:
    seen = await history(store, tmp_path / "node")
    async with server_on(store, tmp_path / "node") as platform:
        entries = await log_of(store)
        for number, (size, method, published) in enumerate(seen):
            request = ReplayRequest(size, method)
            written = replay_scores(request, lambda: entries, platform.content, tmp_path / f"scratch-{number}")
            again = {one.signed_hash: one.consensus async for one in written}
            assert {name: one.published for name, one in again.items()} == {
                name: published[name].published for name in again
            }
            assert all(one.log_size == size for one in again.values())
            assert {one.policy_hash for one in again.values()} == {one.policy_hash for one in published.values()}
            assert len(again) == len(CLAIMS)


async def test_a_size_that_the_log_does_not_have_and_an_unknown_statement_are_named(
    store: Store, tmp_path: Path
) -> None:
    async with server_on(store, tmp_path / "node") as platform:
        entries = await log_of(store)
        with pytest.raises(InputError, match="the log has 2 entries, not 9"):
            async for _ in replay_scores(ReplayRequest(9), lambda: entries, platform.content, tmp_path / "a"):
                pass
        request = ReplayRequest(2, statement="urn:uuid:0a1b2c3d-0000-4000-8000-000000000001")
        with pytest.raises(NotFoundError, match="among these entries"):
            async for _ in replay_scores(request, lambda: entries, platform.content, tmp_path / "b"):
                pass


def test_the_command_prints_what_was_published(a2ap: Run, tmp_path: Path) -> None:
    import asyncio

    async def prepare() -> tuple[int, dict[str, Consensus]]:
        settings = Settings(data=tmp_path)
        async with open_store(settings) as store:
            size, _, found = (await history(store, tmp_path))[-1]
            return size, found

    size, published = asyncio.run(prepare())
    envelope = envelope_of(CLAIMS[0])
    told = json.loads(
        a2ap("replay", "--at", str(size), "--statement", envelope.id, "--data", str(tmp_path), "--json").out
    )
    (one,) = told["scores"]
    assert one["score"] == published[envelope.signed_hash].published
    assert (one["statement"], one["method"]) == (envelope.id, "a2ap-posterior")
    told_plainly = a2ap("replay", "--at", str(size), "--method", "majority", "--data", str(tmp_path)).out
    assert f"majority, {size} log entries, policy sha256:" in told_plainly
