"""Statements that exclude each other: at most one is verified, and nobody loses anything to what nobody believes."""

from typing import Any

import httpx
import pytest
from builders import (
    TIME,
    agent_id,
    agent_key,
    envelope_of,
    message_id,
    reference_to,
    segment,
    signed_endorsement,
    signed_registration,
    signed_response,
    signed_retraction,
    signed_statement,
)
from graph_contents import whole_graph
from http_client import ask_flat as ask
from http_client import client
from peer_simulator import PeerSimulator
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import (
    AUTHOR,
    OPERATOR_A,
    OPERATOR_B,
    STRANGER,
    VERIFIER_A,
    VERIFIER_B,
    accept,
    hash_of,
    settle,
    signed_node_policy,
    verified_world,
)
from servers import receipts_of

from a2ap.boundary import Boundary
from a2ap.messages.message import read_message
from a2ap.messages.peer_agreement import PeerQuota
from a2ap.messages.policy import ConsensusMethod
from a2ap.messages.scoping import scope_message
from a2ap.messages.verification_response import Verdict
from graph.federation.agreements import Agreement
from graph.graphql.dispute import BY_WEIGHT
from graph.lists.cursor import encode_cursor
from graph.platform import Platform
from graph.scores.on_demand import consensus_of_statements
from graph.submission import rebuild
from graph.submission.submission import Submission

__all__ = ["client", "platform"]

FORTY = "The new zoning map keeps the height limit at forty feet."
SIXTY = "The new zoning map keeps the height limit at sixty feet."
VERIFIER_C, OPERATOR_C = 5, 13

DISPUTES = """query ($topic: String!, $first: Int!, $after: String) {
  contradictions(topic: $topic, first: $first, after: $after) { edges { cursor } nodes {
    id state reason decidedFor { id } declaredBy { id } detected { ground sharedEvidence reason }
    sides { score carried verified validated challenged undecided statement { id claimText } }
} } }"""
SHOWN = """query ($id: ID!) { statement(id: $id) {
  verified contradictions { nodes { id state sides { statement { id } } } } consensus { verified reasons }
} }"""
AGREED = "query ($topic: String!, $least: Float!) { consensusOn(topic: $topic, minScore: $least) { id } }"


async def state_of(platform: Platform, *documents: bytes) -> list[bool]:
    """Return which of these statements are verified; what is cached and what is computed must be one."""
    names = [hash_of(document) for document in documents]
    rows = await platform.store.read("standings_of", hashes=names)
    cached = {row["signed_hash"]: row["verified"] for row in rows}
    computed = await consensus_of_statements(platform.store, names)
    assert {name: found.verified for name, found in computed.items()} == cached
    return [cached[name] for name in names]


async def reasons_of(platform: Platform, document: bytes) -> tuple[str, ...]:
    name = hash_of(document)
    return (await consensus_of_statements(platform.store, [name]))[name].reasons


def validated(document: bytes, confidence: float = 0.9, *more: int) -> list[bytes]:
    """Return the verdicts of both verifiers, and of more."""
    return [signed_response(document, number, confidence=confidence) for number in (VERIFIER_A, VERIFIER_B, *more)]


def challenged(document: bytes, verifier: int, confidence: float = 0.9) -> bytes:
    return signed_response(
        document, verifier, verdict=Verdict.CHALLENGED, confidence=confidence, reason="It is not so."
    )


async def with_a_third_operator(platform: Platform) -> None:
    """Settle, with a third verifier that a third operator endorsed."""
    await settle(platform, method=ConsensusMethod.QUORUM)
    third = signed_registration(VERIFIER_C)
    await accept(platform, third, signed_registration(OPERATOR_C), signed_endorsement(third, OPERATOR_C))
    seeds = tuple(agent_id(number) for number in (OPERATOR_A, OPERATOR_B, OPERATOR_C))
    await accept(platform, signed_node_policy(platform, 2, seeds=seeds, method=ConsensusMethod.QUORUM))


async def test_neither_is_verified_until_one_is_clearly_ahead(platform: Platform) -> None:
    await settle(platform, method=ConsensusMethod.QUORUM)
    forty, sixty = signed_statement(AUTHOR, claim=FORTY), signed_statement(STRANGER, claim=SIXTY)
    await accept(platform, forty, *validated(forty))
    assert await state_of(platform, forty) == [True]

    await accept(platform, sixty, *validated(sixty))
    assert await state_of(platform, forty, sixty) == [False, False]
    name = envelope_of(sixty).id
    assert await reasons_of(platform, forty) == (
        f"It is in open dispute with {name}, which scores 0.7667: neither is clearly ahead.",
    )

    await accept(platform, signed_response(sixty, VERIFIER_A, confidence=0.75, response_id=message_id("less", 1)))
    await accept(platform, *(signed_response(forty, one, confidence=1.0) for one in (VERIFIER_A, VERIFIER_B)))
    assert await state_of(platform, forty, sixty) == [True, False]
    assert await reasons_of(platform, sixty) == (f"It is excluded by {envelope_of(forty).id}, which scores 0.8333.",)

    await accept(platform, signed_retraction(forty, AUTHOR))
    assert await state_of(platform, forty, sixty) == [False, True]


async def test_a_challenge_of_the_one_gives_the_other_back(platform: Platform) -> None:
    await settle(platform, method=ConsensusMethod.QUORUM)
    forty, sixty = signed_statement(AUTHOR, claim=FORTY), signed_statement(STRANGER, claim=SIXTY)
    await accept(platform, forty, sixty, *validated(forty), *validated(sixty))
    assert await state_of(platform, forty, sixty) == [False, False]

    await accept(platform, challenged(sixty, VERIFIER_B))

    assert await state_of(platform, forty, sixty) == [True, False]


async def test_nothing_that_nobody_believes_takes_verification(platform: Platform) -> None:
    world = await verified_world(platform)
    target = reference_to(world.statement)
    strangers = [
        signed_statement(STRANGER, claim=f"All of it is wrong, {number}.", contradicts=[target]) for number in range(3)
    ]
    denial = signed_statement(STRANGER, claim="The council does not keep the height limit at forty feet.")

    await accept(platform, *strangers, denial)
    await accept(platform, signed_response(denial, VERIFIER_A), challenged(world.statement, STRANGER))

    assert await state_of(platform, world.statement, *strangers, denial) == [True, False, False, False, False]


async def test_a_trivial_truth_that_contradicts_what_is_verified_is_itself_not_verified(platform: Platform) -> None:
    world = await verified_world(platform)
    trivial = signed_statement(STRANGER, claim="The map is new.", contradicts=[reference_to(world.statement)])

    await accept(platform, trivial, *validated(trivial, 1.0))

    assert await state_of(platform, world.statement, trivial) == [True, False]
    (reason,) = await reasons_of(platform, trivial)
    assert reason.startswith(f"It says that it contradicts {envelope_of(world.statement).id}")


async def test_a_declared_contradiction_counts_once_an_operator_judges_for_the_one_and_against_the_other(
    platform: Platform,
) -> None:
    await with_a_third_operator(platform)
    first = signed_statement(AUTHOR, claim="The market stays on Elm Street.")
    counter = signed_statement(STRANGER, claim="The market moves away.", contradicts=[reference_to(first)])
    await accept(platform, first, counter, *validated(first, 1.0, VERIFIER_C), *validated(counter, 1.0, VERIFIER_C))
    assert await state_of(platform, first, counter) == [True, False]

    await accept(platform, challenged(first, VERIFIER_A, 0.3))

    assert await state_of(platform, first, counter) == [False, True]
    (reason,) = await reasons_of(platform, first)
    assert reason == f"It is excluded by {envelope_of(counter).id}, which scores 0.8750."


async def test_whoever_declares_a_contradiction_waits(platform: Platform) -> None:
    await settle(platform, method=ConsensusMethod.QUORUM)
    first = signed_statement(AUTHOR, claim="The market stays.")
    second = signed_statement(STRANGER, claim="The market moves away.", contradicts=[reference_to(first)])
    again = signed_statement(AUTHOR, claim="The market stays, all the same.", contradicts=[reference_to(second)])
    await accept(platform, first, second, again, *validated(first), *validated(second), *validated(again))
    # Each is bound by what it says itself.
    assert await state_of(platform, first, second, again) == [True, False, False]


async def test_a_twin_from_a_peer_takes_a_statement_out_of_its_disputes(platform: Platform) -> None:
    await settle(platform, method=ConsensusMethod.QUORUM)
    forty, sixty = signed_statement(AUTHOR, claim=FORTY), signed_statement(STRANGER, claim=SIXTY)
    await accept(platform, forty, sixty, *validated(forty), *validated(sixty))
    peer = PeerSimulator()
    agreed = Agreement(
        peer.origin,
        "https://peer.example",
        peer.log_key,
        agent_key(3).public_key,
        Boundary.PUBLIC,
        PeerQuota(9, 9),
        private_address=True,
    )
    twins = [signed_registration(STRANGER), signed_statement(STRANGER, claim=SIXTY, confidence=0.5)]
    taken = [scope_message(read_message(document), peer.origin) for document in twins]

    receipts_of(
        await platform.append(
            [
                Submission(agreed.message(platform.node, TIME)),
                *(
                    Submission(message, origin=peer.origin, origin_index=place, origin_received_at=TIME)
                    for place, message in enumerate(taken)
                ),
            ]
        )
    )

    assert await state_of(platform, forty, sixty) == [True, False]
    assert "Another statement has the same id." in await reasons_of(platform, sixty)


async def test_the_literal_method_knows_no_disputes(platform: Platform) -> None:
    await settle(platform, method=ConsensusMethod.QUORUM)
    forty, sixty = signed_statement(AUTHOR, claim=FORTY), signed_statement(STRANGER, claim=SIXTY)
    await accept(platform, forty, sixty, *validated(forty), *validated(sixty))
    assert await state_of(platform, forty, sixty) == [False, False]

    await accept(platform, signed_node_policy(platform, 2, method=ConsensusMethod.LITERAL))
    assert await state_of(platform, forty, sixty) == [True, True]

    await accept(platform, signed_node_policy(platform, 3, method=ConsensusMethod.QUORUM))
    assert await state_of(platform, forty, sixty) == [False, False]


@pytest.mark.parametrize("batch", [1, 3, 500])
async def test_a_rebuild_decides_disputes_alike_whatever_its_batches(
    platform: Platform, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    await with_a_third_operator(platform)
    forty, sixty = signed_statement(AUTHOR, claim=FORTY), signed_statement(STRANGER, claim=SIXTY)
    fifty = signed_statement(VERIFIER_C, claim=FORTY.replace("forty", "fifty"), contradicts=[reference_to(forty)])
    await accept(platform, forty, sixty, *validated(sixty), fifty, *validated(fifty, 0.95))
    await accept(platform, *validated(forty, 1.0, VERIFIER_C), challenged(sixty, VERIFIER_C, 0.1))
    await accept(platform, challenged(fifty, VERIFIER_B), signed_response(fifty, VERIFIER_A, confidence=0.99))
    await accept(platform, signed_response(fifty, VERIFIER_B, confidence=1.0), signed_retraction(sixty, STRANGER))
    before = await whole_graph(platform.store)
    monkeypatch.setattr(rebuild, "BATCH", batch)

    await rebuilt(platform)

    assert await whole_graph(platform.store) == before


async def test_disputes_on_a_topic_are_shown_with_both_sides(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform, method=ConsensusMethod.QUORUM)
    forty, sixty = signed_statement(AUTHOR, claim=FORTY), signed_statement(STRANGER, claim=SIXTY)
    other = signed_statement(STRANGER, claim="No map was shown.", contradicts=[reference_to(forty)])
    await accept(platform, forty, sixty, other, *validated(forty), *validated(sixty), challenged(sixty, STRANGER, 0.1))

    found = (await ask(client, DISPUTES, {"topic": "height limit", "first": 20}))["contradictions"]

    detected, declared = found["nodes"]
    assert [side["statement"]["claimText"] for side in detected["sides"]] == [FORTY, SIXTY]
    assert detected["declaredBy"] == []
    assert detected["detected"] == {
        "ground": "AMOUNT",
        "sharedEvidence": "BYTES",
        "reason": "One says forty feet, the other sixty feet, citing the same passage.",
    }
    assert detected["state"] == "OPEN"
    assert detected["reason"] == "The verdicts carry both, and neither is clearly ahead."
    assert [(side["validated"], side["challenged"], side["undecided"]) for side in detected["sides"]] == [
        (2, 0, 0),
        (2, 1, 0),
    ]
    assert all(side["carried"] and not side["verified"] for side in detected["sides"])
    assert declared["detected"] is None
    assert declared["declaredBy"] == [{"id": agent_id(STRANGER)}]
    assert declared["state"] == "DECIDED"
    assert declared["decidedFor"] == {"id": envelope_of(forty).id}
    behind = {"topic": "height limit", "first": 1, "after": found["edges"][0]["cursor"]}
    page = (await ask(client, DISPUTES, behind))["contradictions"]["nodes"]
    assert [one["id"] for one in page] == [declared["id"]]
    query = "query ($id: ID!) { contradictions(statement: $id) { totalCount nodes { id } } }"
    of_one = (await ask(client, query, {"id": hash_of(other)}))["contradictions"]
    assert of_one == {"totalCount": 1, "nodes": [{"id": declared["id"]}]}
    after = encode_cursor(BY_WEIGHT, ("7",))
    nowhere = {"query": DISPUTES, "variables": {"topic": "height limit", "first": 1, "after": after}}
    (error,) = (await client.post("/graphql", json=nowhere)).json()["errors"]
    assert error["message"] == "after is the cursor of nothing in this list"
    assert (await ask(client, AGREED, {"topic": "height limit", "least": 0.0}))["consensusOn"] == []


async def test_a_statement_shows_its_contradictions_and_why_it_is_not_verified(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform, method=ConsensusMethod.QUORUM)
    forty, sixty = signed_statement(AUTHOR, claim=FORTY), signed_statement(STRANGER, claim=SIXTY)
    await accept(platform, forty, sixty, *validated(forty, 1.0), *validated(sixty, 0.82))

    lost = (await ask(client, SHOWN, {"id": hash_of(sixty)}))["statement"]
    won = (await ask(client, SHOWN, {"id": hash_of(forty)}))["statement"]

    assert won["verified"] and not lost["verified"] and not lost["consensus"]["verified"]
    assert won["contradictions"] == lost["contradictions"]
    assert [one["state"] for one in lost["contradictions"]] == ["DECIDED"]
    assert lost["consensus"]["reasons"] == [f"It is excluded by {envelope_of(forty).id}, which scores 0.8333."]
    agreed = await ask(client, AGREED, {"topic": "height limit", "least": 0.8})
    assert agreed["consensusOn"] == [{"id": envelope_of(forty).id}]
    assert (await ask(client, AGREED, {"topic": "height limit", "least": 0.84}))["consensusOn"] == []

    await accept(platform, signed_retraction(sixty, STRANGER))
    after = (await ask(client, SHOWN, {"id": hash_of(forty)}))["statement"]
    assert [one["state"] for one in after["contradictions"]] == ["WITHDRAWN"]


async def test_showing_disputes_costs_the_same_for_two_statements_as_for_ten(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform, method=ConsensusMethod.QUORUM)
    statements = [
        signed_statement(AUTHOR, claim=f"The limit for block {block} is {number} feet.", evidence=[segment()])
        for block in range(5)
        for number in (40, 60)
    ]
    await accept(platform, *statements)
    query = """query ($first: Int!) { statements(first: $first) { nodes {
      contradictions { nodes { state declaredBy { id } sides { statement { claimText } } } }
      corroboration { operators sources }
    } } }"""
    costs: list[list[str]] = []
    found: dict[str, Any] = {}
    for first in (2, 10):
        costs.append([])
        platform.store.observe = costs[-1].append
        found = await ask(client, query, {"first": first})
    platform.store.observe = None
    assert all(len(one["contradictions"]) == 1 for one in found["statements"])
    # Where the other side is on the page itself, it is not read again.
    assert set(costs[0]) == set(costs[1])
    assert len(costs[1]) <= len(costs[0])
