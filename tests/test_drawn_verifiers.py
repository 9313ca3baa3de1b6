"""Drawn verifiers on a node: whose verdicts complete a quorum, who is offered a request, and that a replay agrees."""

import hashlib
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from audited import audited, export_node
from builders import (
    SOURCE,
    agent_id,
    envelope_of,
    signed_decline,
    signed_endorsement,
    signed_lease_request,
    signed_registration,
    signed_request,
    signed_response,
    signed_source,
    signed_statement,
)
from graph_contents import run_raw, whole_graph
from http_client import ask, client
from rebuilding import rebuilt
from scenario import AUTHOR, STRANGER, accept, hash_of, pieces, signed_node_policy

from a2ap.canonical import sha256_digest
from a2ap.log.entry import entry_bytes
from a2ap.log.merkle import hash_leaf
from a2ap.messages.draw_rules import DrawRules
from graph.audit.folder_node import FolderNode
from graph.content.content_store import open_content_store
from graph.log.entry import entry_from_row
from graph.node import load_node
from graph.platform import Platform, platform_on
from graph.scores.on_demand import consensus_of_statements
from graph.settings import Settings
from graph.store import Store

__all__ = ["client"]

OPERATORS = range(31, 37)
SEEDS = {agent_id(number): number for number in OPERATORS}
DRAW = DrawRules(operators=2, least=6, window=3600)
CLAIMS = [signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(4)]
REQUESTS = [signed_request(claim, AUTHOR) for claim in CLAIMS]
LOOK = """query ($id: ID!) { statement(id: $id) {
  verified verificationRequests { nodes { signedHash drawn { operator since declined } } }
  consensus { score quorum reasons perCriterion { operatorsFor volunteers } readings { verifier notDrawn } }
} }"""
OPEN = "query ($v: ID!) { openRequests(filter: {verifier: $v}, first: 3) { totalCount nodes { signedHash } } }"


class Clock:
    """The time of day, as the test has it."""

    def __init__(self) -> None:
        self.now = datetime(2025, 10, 14, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest_asyncio.fixture
async def platform(store: Store, tmp_path: Path, clock: Clock) -> AsyncIterator[Platform]:
    """Yield a node with six operators, of which two are drawn for a statement, and with claims on a source."""
    settings = Settings(data=tmp_path / "node")
    node = load_node(tmp_path / "node.key")
    async with platform_on(store, open_content_store(settings), node, settings, clock=clock) as running:
        await accept(running, *(signed_registration(number) for number in (AUTHOR, STRANGER, 41, *OPERATORS)))
        await accept(running, signed_node_policy(running, seeds=tuple(SEEDS), draw=DRAW), signed_source(AUTHOR))
        await running.sources.put(sha256_digest(SOURCE), pieces(SOURCE))
        await accept(running, *CLAIMS)
        yield running


async def post(client: httpx.AsyncClient, path: str, document: bytes) -> Any:
    response = await client.post(path, content=document, headers={"content-type": "application/ld+json"})
    assert response.is_success, response.text
    return response.json()


async def look_at(client: httpx.AsyncClient, claim: bytes) -> dict[str, Any]:
    found: dict[str, Any] = (await ask(client, LOOK, {"id": envelope_of(claim).id}))["statement"]
    return found


async def order_by_hand(platform: Platform, request: bytes) -> list[str]:
    """Return the operators as the documentation says that they are drawn, in words of its own."""
    (row,) = await platform.store.read("log_entries_by_hash", hashes=[hash_of(request)])
    seed = hashlib.sha256(b"a2ap-draw/1\n" + hash_leaf(entry_bytes(entry_from_row(row)))).digest()
    return sorted(SEEDS, key=lambda name: hashlib.sha256(seed + name.encode()).digest())


@pytest.mark.both_engines
async def test_only_drawn_operators_complete_a_quorum_and_are_offered_a_request(
    platform: Platform, client: httpx.AsyncClient, clock: Clock
) -> None:
    numbers = iter(range(1, 1000))

    async def leased(seed: int) -> set[str]:
        request = signed_lease_request(
            seed, number=next(numbers), time=clock.now, audience=platform.node.agent_id, most=10, seconds=10
        )
        leases = (await post(client, "/leases", request))["leases"]
        clock.now += timedelta(seconds=11)  # the lease is over
        return {one["request"]["hash"] for one in leases}

    async def offered(seed: int) -> set[str]:
        found = (await ask(client, OPEN, {"v": agent_id(seed)}))["openRequests"]
        assert found["totalCount"] >= len(found["nodes"])
        return {one["signedHash"] for one in found["nodes"]}

    # Without a request nobody is drawn.
    unasked = CLAIMS[-1]
    await accept(platform, *(signed_response(unasked, number, confidence=0.9) for number in OPERATORS[:2]))
    found = await look_at(client, unasked)
    assert found["consensus"]["score"] > 0.9 and not found["verified"]
    assert found["consensus"]["reasons"][0].startswith("Nobody has requested its verification")
    assert {one["notDrawn"] for one in found["consensus"]["readings"]} == {
        None,  # the machine
        "not drawn: nobody has requested its verification without bounds",
    }

    # Two operators pass all claims between themselves, and reach a quorum where they are drawn.
    for request in REQUESTS:
        await post(client, "/verification-requests", request)
    orders = [await order_by_hand(platform, request) for request in REQUESTS]
    claim, request, order = CLAIMS[0], REQUESTS[0], orders[0]
    bad = {order[3], order[5]}
    for one, drawn in zip(CLAIMS[:2], orders[:2], strict=True):
        await accept(platform, *(signed_response(one, SEEDS[name], confidence=0.9) for name in bad))
        found = await look_at(client, one)
        (asked,) = found["verificationRequests"]["nodes"]
        assert [each["operator"] for each in asked["drawn"]] == drawn[:2]
        assert found["verified"] is found["consensus"]["quorum"] is (bad == set(drawn[:2]))
        for criterion in found["consensus"]["perCriterion"]:
            assert set(criterion["operatorsFor"]) == bad & set(drawn[:2])
            assert set(criterion["volunteers"]) == bad - set(drawn[:2])
    await accept(platform, *(signed_response(unasked, SEEDS[name], confidence=0.8) for name in orders[-1][:2]))
    assert (await look_at(client, unasked))["verified"]

    # A later request, and one by which its agent would choose, change nothing.
    chosen = signed_request(claim, STRANGER, number=2, eligible_verifiers=[*bad])
    await accept(platform, chosen, signed_request(claim, STRANGER, number=3))
    asked = (await look_at(client, claim))["verificationRequests"]["nodes"]
    assert [[one["operator"] for one in each["drawn"]] for each in asked] == [order[:2]] * 3
    name, (first, second, third) = hash_of(request), (SEEDS[one] for one in order[:3])
    for seed in (first, second):
        assert name in await leased(seed)
    assert name not in await leased(third)
    assert name not in await offered(third)
    assert name not in await leased(STRANGER)
    # The agent of an operator declines for it: the third is drawn, and is offered the request.
    await accept(platform, signed_endorsement(signed_registration(41), first), signed_decline(request, 41))
    drawn = (await look_at(client, claim))["verificationRequests"]["nodes"][0]["drawn"]
    assert [one["operator"] for one in drawn] == order[:3]
    assert [one["declined"] is None for one in drawn] == [False, True, True]
    assert name in await leased(third) and name in await offered(third)
    # After an hour one more is.
    clock.now += timedelta(hours=1)
    drawn = (await look_at(client, claim))["verificationRequests"]["nodes"][0]["drawn"]
    assert [one["operator"] for one in drawn] == order[:4]
    received = datetime.fromisoformat(drawn[0]["since"])
    assert datetime.fromisoformat(drawn[3]["since"]) == received + timedelta(hours=1)
    await post(client, "/verifications", signed_response(claim, first, confidence=0.9))
    await post(client, "/verifications", signed_response(claim, second, confidence=0.9))
    found = await look_at(client, claim)
    readings = {one["verifier"]: one["notDrawn"] for one in found["consensus"]["readings"]}
    assert readings[agent_id(first)] == f"not drawn: {agent_id(first)} has declined"
    assert readings[agent_id(second)] is None and not found["verified"]
    last = SEEDS[order[3]]
    await post(client, "/verifications", signed_response(claim, last, confidence=0.92))
    assert (await look_at(client, claim))["verified"]

    # The graph that the log makes has the same scores.
    hashes = [hash_of(one) for one in CLAIMS]
    scores, before = await consensus_of_statements(platform.store, hashes), await whole_graph(platform.store)
    await rebuilt(platform)
    assert await consensus_of_statements(platform.store, hashes) == scores
    after = await whole_graph(platform.store)
    assert [one for one in after if one not in before] == []


async def test_what_moves_a_draw_moves_scores_and_open_requests_too(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    claim, other = CLAIMS[:2]
    request, wanting = signed_request(claim, AUTHOR), signed_request(other, AUTHOR, wanted_verdicts=2)
    hasty = signed_request(other, AUTHOR, number=2, wanted_verdicts=1)
    # Requests by which their agent would choose the verifiers, or end before they answer, come first and draw nobody.
    named = signed_request(claim, STRANGER, number=3, eligible_verifiers=[agent_id(31)])
    ending = signed_request(claim, STRANGER, number=4, deadline=datetime(2025, 10, 14, 13, tzinfo=UTC))
    narrow = signed_request(claim, STRANGER, number=5, criteria=["tone"])
    await accept(platform, hasty, named, ending, narrow, request, wanting, signed_decline(request, 41))
    # A decline of another request draws nobody: its agent may not have known the question.
    await accept(platform, *(signed_decline(narrow, number) for number in OPERATORS))
    first, second, third = [SEEDS[name] for name in await order_by_hand(platform, request)][:3]
    order = [SEEDS[name] for name in await order_by_hand(platform, wanting)]

    async def verified(statement: bytes) -> bool:
        (row,) = await platform.store.read("statuses_of", hashes=[hash_of(statement)])
        return bool(row["verified"])

    async def waits(*requests: bytes) -> list[bool]:
        rows = await platform.store.read("requests_by_hash", hashes=[hash_of(one) for one in requests])
        waiting = {row["signed_hash"]: row["open_until"] is not None for row in rows}
        return [waiting[hash_of(one)] for one in requests]

    # A stranger's decline draws nobody; once the stranger acts for a drawn operator, it did when it came.
    await accept(platform, *(signed_response(claim, number) for number in (second, third)))
    assert not await verified(claim)
    await accept(platform, signed_endorsement(signed_registration(41), first))
    assert await verified(claim)

    # Volunteers take no places of a request that draws: others would not be offered it.
    await accept(platform, *(signed_response(other, number) for number in (order[0], order[2], order[3])))
    assert await waits(wanting, hasty) == [True, False]
    await accept(platform, signed_response(other, order[1]))
    assert await waits(wanting, hasty) == [False, False]

    # A policy that draws three says so of what came before.
    wider = replace(DRAW, operators=3)
    more = signed_request(CLAIMS[2], AUTHOR)
    await accept(platform, more)
    drawn = [SEEDS[name] for name in await order_by_hand(platform, more)]
    await accept(platform, *(signed_response(CLAIMS[2], number) for number in (drawn[1], drawn[2])))
    pair = signed_request(CLAIMS[3], AUTHOR, wanted_verdicts=2)
    await accept(platform, pair)
    pairs = [SEEDS[name] for name in await order_by_hand(platform, pair)]
    await accept(platform, *(signed_response(CLAIMS[3], number) for number in (pairs[0], pairs[2])))
    assert await waits(pair) == [True] and not await verified(CLAIMS[2])
    await accept(platform, signed_node_policy(platform, 2, seeds=tuple(SEEDS), draw=wider))
    await platform.epochs.rescored()
    assert await verified(CLAIMS[2])
    # A request for two verdicts draws no three: any two have been enough for it, and its statement has no quorum.
    assert await waits(pair) == [False] and not await verified(other)

    # An audit has nothing to say but of a score that was altered.
    altered = "MATCH (s:Statement {signed_hash: $hash}) SET s.verified = true"
    await run_raw(platform.store, altered, hash=hash_of(other))
    found = await audited(FolderNode(await export_node(platform, tmp_path / "export")), auditor_store)
    (finding,) = found.findings
    assert hash_of(other) in finding.line and "verified" in finding.line
