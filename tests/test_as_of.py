"""Scores that are asked for while others write: each is of the size of the log that it names."""

from collections.abc import Awaitable, Callable

import pytest
from builders import gold_label_message, reference_to, signed_response, signed_retraction, signed_statement
from key_world import by_node
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, VERIFIER_A, accept, hash_of, verified_world

from a2ap.gold_label import Label
from a2ap.policy import ConsensusMethod
from a2ap.verification_response import Verdict
from graph.errors import InputError
from graph.platform import Platform
from graph.scoring import on_demand, skills
from graph.scoring.judgements import policy_in_force
from graph.scoring.knowledge import Reader
from graph.scoring.on_demand import consensus_of_statements
from graph.scoring.votes import ConsensusPolicy

__all__ = ["platform"]


class Meanwhile:
    """Has something written each time that the policy was read: after the size of the log, and before the rest."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, write: Callable[[int], Awaitable[None]]) -> None:
        self.times = 0
        self._write = write
        self._read = policy_in_force
        monkeypatch.setattr(on_demand, "policy_in_force", self)

    async def __call__(self, reads: Reader) -> ConsensusPolicy:
        self.times += 1
        await self._write(self.times)
        return await self._read(reads)


async def test_a_verdict_that_comes_meanwhile_is_left_out(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    world = await verified_world(platform)
    name, size = hash_of(world.statement), platform.log.size
    before = (await consensus_of_statements(platform.store, [name]))[name]

    async def challenge(times: int) -> None:
        await accept(platform, signed_response(world.statement, VERIFIER_A, verdict=Verdict.CHALLENGED))

    meanwhile = Meanwhile(monkeypatch, challenge)
    found = (await consensus_of_statements(platform.store, [name]))[name]
    assert (found.score, found.log_size, meanwhile.times) == (before.score, size, 1)
    after = (await consensus_of_statements(platform.store, [name]))[name]
    assert after.score < before.score


async def test_a_known_answer_that_comes_meanwhile_has_the_score_computed_again(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = await verified_world(platform)
    name = hash_of(world.statement)

    async def label(times: int) -> None:
        if times == 1:
            message = gold_label_message(world.statement, Label.FAIL, labelling_agent=platform.node.agent_id)
            await accept(platform, by_node(platform, message))

    meanwhile = Meanwhile(monkeypatch, label)
    found = (await consensus_of_statements(platform.store, [name]))[name]
    assert (found.score, found.log_size, meanwhile.times) == (0.0, platform.log.size, 2)


async def test_a_statement_that_is_revised_meanwhile_is_not_of_a_size_at_which_it_was_verified(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = await verified_world(platform)
    name = hash_of(world.statement)
    revision = signed_statement(AUTHOR, claim="Rather this.", was_revision_of=reference_to(world.statement))

    async def revise(times: int) -> None:
        if times == 1:
            await accept(platform, revision)

    meanwhile = Meanwhile(monkeypatch, revise)
    found = (await consensus_of_statements(platform.store, [name]))[name]
    assert (found.verified, found.log_size, meanwhile.times) == (False, platform.log.size, 2)


@pytest.mark.parametrize("method", [ConsensusMethod.POSTERIOR, ConsensusMethod.LITERAL])
async def test_what_comes_meanwhile_and_concerns_others_keeps_nobody_waiting(
    platform: Platform, monkeypatch: pytest.MonkeyPatch, method: ConsensusMethod
) -> None:
    world = await verified_world(platform)
    name = hash_of(world.statement)
    before = (await consensus_of_statements(platform.store, [name], method.value))[name]

    async def take_back(times: int) -> None:
        other = signed_statement(STRANGER, claim=f"Claim {times}.")
        await accept(platform, other, signed_retraction(other, STRANGER))

    meanwhile = Meanwhile(monkeypatch, take_back)
    found = (await consensus_of_statements(platform.store, [name], method.value))[name]
    assert (found.score, found.verified, meanwhile.times) == (before.score, before.verified, 2)
    assert (before.log_size or 0) < (found.log_size or 0) < platform.log.size


async def test_a_score_of_what_never_stands_still_is_of_no_one_size(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = await verified_world(platform)
    name = hash_of(world.statement)

    async def take_back(times: int) -> None:
        verdict = signed_response(world.statement, STRANGER, confidence=0.5 + times / 100)
        await accept(platform, verdict, signed_retraction(verdict, STRANGER))

    monkeypatch.setattr(on_demand, "_ATTEMPTS", 3)
    meanwhile = Meanwhile(monkeypatch, take_back)
    found = (await consensus_of_statements(platform.store, [name]))[name]
    assert (found.log_size, meanwhile.times) == (None, 4)


async def test_wawa_reads_no_more_than_it_says(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    world = await verified_world(platform)
    monkeypatch.setattr(skills, "MOST", 1)
    name = hash_of(world.statement)
    assert (await consensus_of_statements(platform.store, [name], "wawa"))[name].score == 1.0
    other = signed_statement(AUTHOR, claim="Another.")
    await accept(platform, other, signed_response(other, VERIFIER_A))
    with pytest.raises(InputError, match="more than 1 statements"):
        await consensus_of_statements(platform.store, [name], "wawa")
