"""Which requests wait: a function of the log, noted in the transaction that changes it, and rebuilt the same."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from builders import (
    TIME,
    agent_id,
    envelope_of,
    message_id,
    reference_to,
    signed_endorsement,
    signed_registration,
    signed_request,
    signed_response,
    signed_retraction,
    signed_statement,
)
from graph_contents import nodes_with_label, whole_graph
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
    settle,
    signed_node_policy,
)

from a2ap.messages.verification_response import Verdict
from graph.platform import Platform
from graph.requests.offers import OpenRequest
from graph.requests.open_requests import open_rows, replied_to
from graph.requests.settling import answers_to

__all__ = ["platform"]

STATEMENT = signed_statement(AUTHOR)
REQUEST = signed_request(STATEMENT, AUTHOR, wanted_verdicts=2)


async def open_ids(platform: Platform) -> list[str]:
    rows = await open_rows(platform.store, [], platform.clock(), after=-1, first=100)
    return [row["request_id"] for row in rows]


async def is_open(platform: Platform, request: bytes = REQUEST) -> bool:
    """Say whether a request waits, and that the indexed properties of its node say the same."""
    node = await node_of(platform, request)
    waits = envelope_of(request).id in await open_ids(platform)
    assert (node.get("open_until") is not None) == (node.get("open_for") is not None) == waits
    return waits


async def node_of(platform: Platform, request: bytes) -> dict[str, Any]:
    (node,) = [
        node
        for node in await nodes_with_label(platform.store, "VerificationRequest")
        if node["signed_hash"] == envelope_of(request).signed_hash
    ]
    return node


async def answered_by(platform: Platform) -> Any:
    return (await node_of(platform, REQUEST)).get("answered_by")


async def asked(platform: Platform, *more: bytes) -> None:
    await settle(platform)
    await accept(platform, STATEMENT, REQUEST, *more)


async def test_a_request_is_closed_with_the_verdict_that_fills_it_and_opened_when_that_is_taken_back(
    platform: Platform,
) -> None:
    await asked(platform)
    first, second = (signed_response(STATEMENT, seed) for seed in (VERIFIER_A, VERIFIER_B))
    await accept(platform, first)
    assert await is_open(platform)
    assert await answered_by(platform) == [agent_id(VERIFIER_A)]
    await accept(platform, second)
    assert not await is_open(platform)
    assert await answered_by(platform) is None
    await accept(platform, signed_retraction(second, VERIFIER_B))
    assert await is_open(platform)
    assert await answered_by(platform) == [agent_id(VERIFIER_A)]


async def test_all_agents_of_an_operator_take_one_place(platform: Platform) -> None:
    await asked(platform)
    many = [signed_registration(seed) for seed in range(60, 66)]
    await accept(platform, *many, *(signed_endorsement(one, OPERATOR_A) for one in many))
    await accept(platform, *(signed_response(STATEMENT, seed) for seed in range(60, 66)))
    assert await is_open(platform)
    await accept(platform, signed_response(STATEMENT, VERIFIER_B))
    assert not await is_open(platform)


async def test_strangers_close_nothing_until_two_operators_answer_for_them(platform: Platform) -> None:
    await asked(platform)
    strangers = [signed_registration(seed) for seed in range(70, 78)]
    await accept(platform, *strangers, *(signed_response(STATEMENT, seed) for seed in range(70, 78)))
    assert await is_open(platform)
    await accept(platform, signed_endorsement(strangers[0], OPERATOR_A))
    assert await is_open(platform)
    await accept(platform, signed_endorsement(strangers[1], OPERATOR_B))
    assert not await is_open(platform)


async def test_a_verdict_is_looked_at_once_for_all_requests_and_strangers_not_at_all(platform: Platform) -> None:
    requests = [signed_request(STATEMENT, AUTHOR, number=n, wanted_verdicts=2) for n in range(2, 7)]
    strangers = [signed_registration(seed) for seed in range(70, 74)]
    await asked(platform, *requests, *strangers, *(signed_response(STATEMENT, seed) for seed in range(70, 74)))
    reads = Counter[str]()
    platform.store.observe = lambda name: reads.update([name])
    await accept(platform, signed_response(STATEMENT, VERIFIER_A))

    assert reads["answers_on"] == 1
    assert [await is_open(platform, request) for request in requests] == [True] * 5
    seeds, name = [agent_id(OPERATOR_A), agent_id(OPERATOR_B)], envelope_of(STATEMENT).signed_hash
    rows = await platform.store.read("answers_on", hashes=[name], seeds=seeds, agents=[*seeds, agent_id(70)])
    assert {row["agent_id"] for row in rows} == {agent_id(70), agent_id(VERIFIER_A)}
    await accept(platform, signed_response(STATEMENT, VERIFIER_B))
    assert [await is_open(platform, request) for request in requests] == [False] * 5


async def test_a_policy_is_followed_only_for_other_seeds(platform: Platform) -> None:
    past = signed_request(STATEMENT, STRANGER, wanted_verdicts=1, deadline=TIME + timedelta(hours=1))
    await asked(platform, past)
    await accept(platform, signed_response(STATEMENT, STRANGER))
    settled = Counter[str]()
    platform.store.observe = lambda name: settled.update([name])
    await accept(platform, signed_node_policy(platform, 2, threshold=0.8))
    assert settled["requests_by_hash"] == 0
    await accept(platform, signed_node_policy(platform, 3, seeds=(agent_id(STRANGER),)))

    assert settled["requests_by_hash"] == 1
    assert (await node_of(platform, past)).get("open_until") is None
    assert await answered_by(platform) == [agent_id(STRANGER)]
    before = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == before


async def test_only_endorsements_that_change_who_answers_for_an_agent_are_followed(platform: Platform) -> None:
    agent, later = signed_registration(60), signed_registration(61)
    await asked(platform, agent, later, signed_response(STATEMENT, 60), signed_response(STATEMENT, 61))
    settled = Counter[str]()
    platform.store.observe = lambda name: settled.update([name])

    async def followed(endorsement: bytes) -> bool:
        before = settled["requests_by_hash"]
        await accept(platform, endorsement)
        return settled["requests_by_hash"] > before

    assert await followed(signed_endorsement(agent, STRANGER))
    assert not await followed(signed_endorsement(agent, STRANGER, endorsement_id=message_id("again", STRANGER, 1)))
    assert await followed(signed_endorsement(agent, OPERATOR_A))
    assert await answered_by(platform) == [agent_id(60)]
    assert not await followed(signed_endorsement(agent, OPERATOR_A, endorsement_id=message_id("again", OPERATOR_A, 1)))
    assert not await followed(signed_endorsement(agent, VERIFIER_B))
    assert await followed(signed_endorsement(later, OPERATOR_B))
    assert not await is_open(platform)


async def test_another_policy_decides_anew_which_requests_are_filled(platform: Platform) -> None:
    await asked(platform)
    await accept(platform, signed_response(STATEMENT, VERIFIER_A), signed_response(STATEMENT, STRANGER))
    await accept(platform, signed_node_policy(platform, 2, seeds=(agent_id(OPERATOR_A), agent_id(STRANGER))))
    assert not await is_open(platform)
    await accept(platform, signed_node_policy(platform, 3))
    assert await is_open(platform)


async def test_a_request_ends_with_its_statement(platform: Platform) -> None:
    revised = signed_statement(AUTHOR, claim="It was forty feet.")
    about_revised, any_number = signed_request(revised, AUTHOR), signed_request(STATEMENT, STRANGER)
    await asked(platform, revised, about_revised, any_number)
    revision = signed_statement(
        AUTHOR,
        claim="It was fifty feet.",
        statement_id=message_id("revision", AUTHOR, 1),
        was_revision_of=reference_to(revised),
    )
    await accept(platform, revision, signed_retraction(STATEMENT, AUTHOR))

    assert not await is_open(platform)
    assert not await is_open(platform, any_number)
    assert not await is_open(platform, about_revised)
    late = signed_request(STATEMENT, AUTHOR, number=7)
    await accept(platform, late)
    assert not await is_open(platform, late)


async def test_a_request_ends_when_all_whom_it_waits_for_have_answered(platform: Platform) -> None:
    named = signed_request(STATEMENT, AUTHOR, number=3, eligible_verifiers=[agent_id(VERIFIER_A), agent_id(STRANGER)])
    await asked(platform, named)
    await accept(platform, signed_response(STATEMENT, VERIFIER_A), signed_response(STATEMENT, VERIFIER_B))
    assert await is_open(platform, named)
    last = signed_response(STATEMENT, STRANGER)
    await accept(platform, last)
    assert not await is_open(platform, named)
    await accept(platform, signed_retraction(last, STRANGER))
    assert await is_open(platform, named)


async def test_verdicts_on_other_criteria_or_other_requests_close_nothing(platform: Platform) -> None:
    other = signed_request(STATEMENT, STRANGER, wanted_verdicts=1)
    await asked(platform, other)
    about_tone = signed_response(STATEMENT, VERIFIER_A, criteria=["example:tone"])
    named = signed_response(STATEMENT, VERIFIER_B, request=reference_to(other))
    await accept(platform, about_tone, named)

    assert await is_open(platform)
    assert not await is_open(platform, other)


@pytest.mark.both_engines
async def test_the_graph_and_the_rules_say_the_same_of_who_has_answered_what(platform: Platform) -> None:
    tone = signed_request(STATEMENT, AUTHOR, number=2, criteria=["example:tone"])
    late = signed_request(STATEMENT, AUTHOR, number=3)
    verdicts = {
        60: signed_response(STATEMENT, 60),
        61: signed_response(STATEMENT, 61, criteria=["example:tone"]),
        62: signed_response(STATEMENT, 62, request=reference_to(tone)),
        63: signed_response(STATEMENT, 63, verdict=Verdict.CHALLENGED, findings=[], reason="It says so nowhere."),
        64: signed_response(STATEMENT, 64),
        65: signed_response(STATEMENT, 65, request=reference_to(late)),
    }
    await asked(platform, tone, *(signed_registration(seed) for seed in verdicts))
    await accept(platform, *(verdicts[seed] for seed in range(60, 65)), signed_retraction(verdicts[64], 64), late)
    await accept(platform, verdicts[65])
    hashes = [envelope_of(request).signed_hash for request in (REQUEST, tone, late)]
    rows = await platform.store.read("requests_by_hash", hashes=hashes)
    requests = [OpenRequest.from_row(row) for row in rows]
    expected = {60: hashes[:1], 61: hashes[1:2], 62: hashes[1:2], 63: hashes[:2], 64: [], 65: hashes[2:]}

    for seed, names in expected.items():
        assert await replied_to(platform.store, agent_id(seed), hashes) == set(names)
    waiting = [replace(request, eligible_verifiers=tuple(map(agent_id, verdicts))) for request in requests]
    answered = await answers_to(platform.store, waiting)
    for seed, names in expected.items():
        assert {name for name in hashes for one in answered[name] if one.agent_id == agent_id(seed)} == set(names)


@pytest.mark.parametrize("together", [True, False])
async def test_which_requests_wait_is_rebuilt_the_same(platform: Platform, together: bool) -> None:
    stranger, third = signed_registration(80), signed_registration(81)
    other = signed_statement(AUTHOR, claim="The map is green.")
    filled = signed_response(STATEMENT, VERIFIER_B, verdict=Verdict.CHALLENGED, reason="It says so nowhere.")
    documents = [
        signed_response(STATEMENT, VERIFIER_A),
        filled,
        stranger,
        other,
        *(signed_request(other, seed, wanted_verdicts=number) for number, seed in enumerate((AUTHOR, STRANGER), 1)),
        signed_response(other, 80),
        signed_response(other, VERIFIER_A),
        signed_endorsement(stranger, OPERATOR_B),
        signed_retraction(filled, VERIFIER_B),
        signed_response(STATEMENT, 80, confidence=0.6),
        # What it asked for was there with the one before: this one is followed by nothing.
        third,
        signed_endorsement(third, OPERATOR_A),
        signed_response(STATEMENT, 81),
    ]
    await asked(platform)
    for batch in [documents] if together else [[one] for one in documents]:
        await accept(platform, *batch)
    before, waiting = await whole_graph(platform.store), await open_ids(platform)
    await rebuilt(platform)

    assert await whole_graph(platform.store) == before
    assert await open_ids(platform) == waiting == []
