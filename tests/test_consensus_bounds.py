"""What is weighed for an answer counts in it before it is weighed, and is weighed no further once nobody waits."""

import asyncio
from typing import Any

import httpx
import pytest
from builders import envelope_of, signed_response, signed_statement
from http_client import client, send
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, accept, settle, verified_world

from a2ap.messages.verification_response import Verdict
from graph.errors import OperationTimeoutError
from graph.graphql.time_limit import run_within
from graph.platform import Platform
from graph.scores import on_demand
from graph.scoring.consensus import ConsensusPolicy, GateState
from graph.scoring.judgements import JudgedStatement
from graph.scoring.votes import Judgement
from graph.store import Store

__all__ = ["client", "platform"]

VERDICTS = 40
TIMELINE = "query ($id: ID!, $first: Int) { consensusTimeline(statementId: $id, first: $first) { nodes { score } } }"
LISTS = {
    "readings { verifier }": 4,
    "ignored { reason }": 2,
    "counted": 2,
    "contributions { agent }": 2,
    "perCriterion { operatorsFor }": 6,
    "perCriterion { operatorsFor operatorsAgainst } ignored { verifier }": 8,
}
"""Lists of a consensus on a statement with four verdicts, two of which count, and how long they are together."""


async def judged_world(platform: Platform) -> str:
    """Fill a platform with a statement that has so many verdicts; return its id."""
    await settle(platform)
    statement = signed_statement(AUTHOR)
    await accept(
        platform, statement, *(signed_response(statement, STRANGER, confidence=n / 100) for n in range(VERDICTS))
    )
    return envelope_of(statement).id


async def counted(client: httpx.AsyncClient, query: str, **variables: Any) -> int:
    """Return how many objects an operation was counted to have."""
    body = {"query": query, "variables": variables, "extensions": {"cost": True}}
    answer = (await client.post("/graphql", json=body)).json()
    assert "errors" not in answer, answer
    objects: int = answer["extensions"]["cost"]["objects"]
    return objects


async def test_judgements_count_in_an_answer_as_often_as_they_are_weighed(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = await judged_world(platform)
    for query, others in (("computeConsensus(statementId: $id) {", 0), ("statement(id: $id) { consensus {", 1)):
        whole = "query ($id: ID!) { " + query + " %s " + "}" * (2 + others)
        weighed = others + (VERDICTS + 1) // 10
        assert await counted(client, whole % "score", id=named) == weighed
        assert await counted(client, whole % "readings { verifier }", id=named) == weighed + VERDICTS + 1
    few, all_of_them = [await counted(client, TIMELINE, id=named, first=first) for first in (10, VERDICTS)]
    # All are read, and weighed up to each that is shown. The machine's is the first in the log, and the last by time.
    assert few == 10 + (VERDICTS + 1 + sum(range(2, 12))) // 10
    assert all_of_them == VERDICTS + (VERDICTS + 1 + sum(range(2, VERDICTS + 2))) // 10

    monkeypatch.setattr("graph.graphql.context.MAX_OBJECTS", 30)
    monkeypatch.setattr(JudgedStatement, "_weighed", never)
    answer = await send(client, TIMELINE, {"id": named, "first": 20})
    assert answer["errors"][0]["extensions"]["code"] == "TOO_LARGE"


async def test_a_list_that_grows_with_the_verdicts_is_counted_where_it_is_asked_for(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = await verified_world(platform)
    await accept(platform, signed_response(world.statement, STRANGER))
    named = envelope_of(world.statement).id
    query = "query ($id: ID!) { statement(id: $id) { consensus { score %s } } }"
    for name, length in LISTS.items():
        assert await counted(client, query % name, id=named) == 1 + length, name
    monkeypatch.setattr("graph.graphql.context.MAX_OBJECTS", 1)
    for name in LISTS:
        answer = await send(client, query % name, {"id": named})
        assert answer["errors"][0]["extensions"]["code"] == "TOO_LARGE", name


def never(*_: Any, **__: Any) -> None:
    raise AssertionError("it was weighed")


async def test_a_timeline_whose_operation_is_over_is_computed_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    judgements = tuple(Judgement(f"agent {n}", frozenset(), Verdict.VALIDATED, 0.9, (), n) for n in range(400))
    names = tuple(f"verdict {judgement.log_index}" for judgement in judgements)
    statement = JudgedStatement("one", "author", frozenset(), GateState.OPEN, judgements, names, ())
    weighed: list[int] = []
    begun, over = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def weigh(judged: JudgedStatement, policy: ConsensusPolicy) -> int:
        weighed.append(len(judged.judgements))
        loop.call_soon_threadsafe(begun.set)
        asyncio.run_coroutine_threadsafe(over.wait(), loop).result(20)
        return len(weighed)

    async def policy_in_force(_: Any) -> ConsensusPolicy:
        return ConsensusPolicy()

    async def judged_statements(*_: Any, **__: Any) -> tuple[JudgedStatement, ...]:
        return (statement,)

    monkeypatch.setattr(on_demand, "policy_in_force", policy_in_force)
    monkeypatch.setattr(on_demand, "judged_statements", judged_statements)
    monkeypatch.setattr(JudgedStatement, "consensus", weigh)
    store: Store = object()  # type: ignore[assignment]  # nothing is read of it
    with pytest.raises(OperationTimeoutError):
        await run_within(30.0, on_demand.consensus_over_time(store, "one", names), begun.wait())  # type: ignore[arg-type]
    over.set()
    await asyncio.to_thread(lambda: None)
    await asyncio.sleep(0.2)
    assert weighed == [1]
