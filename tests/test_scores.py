"""Cached scores: what is on the nodes is what the pure functions say of the verdicts in the log, after each change."""

import random
from collections import Counter
from typing import Any

import pytest
from builders import (
    agent_id,
    message_id,
    segment,
    signed_endorsement,
    signed_registration,
    signed_response,
    signed_statement,
)
from graph_contents import nodes_with_label, run_raw
from platform_fixture import platform
from scenario import (
    AUTHOR,
    EVERYBODY,
    OPERATOR_A,
    OPERATOR_B,
    STRANGER,
    VERIFIER_A,
    VERIFIER_B,
    accept,
    hash_of,
    settle,
    signed_node_policy,
)
from servers import log_of

from a2ap.messages.finding import FindingStatus
from a2ap.messages.policy import DEFAULT_CRITERIA, ConsensusMethod
from a2ap.messages.verification_response import Verdict
from graph.platform import Platform
from graph.scoring.consensus import ConsensusPolicy, GateState, Judgement, compute_consensus
from graph.scoring.reputation import compute_reputation, label_verdicts
from graph.submission.rebuild import rebuild

__all__ = ["platform"]

PUBLISHER = 13
"""Endorses the author, which would share an operator, that of the unendorsed, with every stranger otherwise."""
POLICY = ConsensusPolicy(seeds=frozenset({agent_id(OPERATOR_A), agent_id(OPERATOR_B)}))
OPERATORS = {
    VERIFIER_A: frozenset({agent_id(OPERATOR_A)}),
    VERIFIER_B: frozenset({agent_id(OPERATOR_B)}),
}


async def begin(platform: Platform, method: ConsensusMethod = ConsensusMethod.POSTERIOR) -> None:
    """Settle, with an author whom somebody else than the verifiers' operators endorsed."""
    await settle(platform, method=method)
    endorsement = signed_endorsement(signed_registration(AUTHOR), PUBLISHER)
    await accept(platform, signed_registration(PUBLISHER), endorsement)


async def verified(platform: Platform) -> bytes:
    """Return a statement that both verifiers have validated."""
    await begin(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement, signed_response(statement, VERIFIER_A), signed_response(statement, VERIFIER_B))
    return statement


def judgement(seed: int, verdict: Verdict, confidence: float, place: int) -> Judgement:
    """Return what `signed_response` says, as consensus sees it."""
    status = FindingStatus.PASS if verdict is Verdict.VALIDATED else FindingStatus.FAIL
    findings = tuple((criterion, status, confidence) for criterion in DEFAULT_CRITERIA)
    return Judgement(agent_id(seed), OPERATORS.get(seed, frozenset()), verdict, confidence, findings, place)


async def scores_of(platform: Platform, document: bytes) -> tuple[float, bool]:
    """Return a statement's cached score, and whether it counts as verified."""
    found = await nodes_with_label(platform.store, "Statement")
    node = next(node for node in found if node["signed_hash"] == hash_of(document))
    return node["consensus_score"], node["verified"]


async def agents(platform: Platform) -> dict[str, dict[str, Any]]:
    return {node["agent_id"]: node for node in await nodes_with_label(platform.store, "Agent")}


async def reputations(platform: Platform) -> dict[str, float]:
    return {name: node["reputation"] for name, node in (await agents(platform)).items()}


async def labels(platform: Platform) -> dict[tuple[str, str], int]:
    """Return how many verdicts of each agent carry each label."""
    query = "MATCH (v:Verification)-[:PERFORMED_BY]->(a) WHERE v.label IS NOT NULL RETURN a.agent_id AS a, v.label AS l"
    return Counter((row["a"], row["l"]) for row in await run_raw(platform.store, query))


async def test_a_verified_statement_has_the_score_of_the_pure_function(platform: Platform) -> None:
    statement = await verified(platform)
    expected = compute_consensus(
        [judgement(VERIFIER_A, Verdict.VALIDATED, 0.89, 0), judgement(VERIFIER_B, Verdict.VALIDATED, 0.89, 1)],
        author=agent_id(AUTHOR),
        author_operators=frozenset({agent_id(PUBLISHER)}),
        gate=GateState.OPEN,
        policy=POLICY,
    )
    assert expected.verified
    assert await scores_of(platform, statement) == (expected.score, True)


async def test_a_challenge_lowers_the_score_and_takes_verified_away(platform: Platform) -> None:
    statement = await verified(platform)
    before, _ = await scores_of(platform, statement)
    await accept(platform, signed_response(statement, STRANGER, verdict=Verdict.CHALLENGED, confidence=1.0))
    lowered, _ = await scores_of(platform, statement)
    await accept(platform, signed_response(statement, VERIFIER_B, verdict=Verdict.CHALLENGED, confidence=0.99))
    last, counts = await scores_of(platform, statement)
    assert before > lowered > last
    assert not counts


async def test_an_endorsement_counts_from_then_on(platform: Platform) -> None:
    await begin(platform)
    statement, stranger = signed_statement(AUTHOR), signed_registration(STRANGER)
    await accept(platform, statement, signed_response(statement, VERIFIER_A), signed_response(statement, STRANGER))
    before, counts = await scores_of(platform, statement)
    assert not counts
    await accept(platform, signed_endorsement(stranger, OPERATOR_B))
    after, counts = await scores_of(platform, statement)
    assert after > before
    assert counts


async def test_an_agent_endorsed_again_changes_nothing(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    await verified(platform)
    edges = "MATCH (:Agent)-[e:ENDORSED]->(:Agent) RETURN e.signed_hash AS hash ORDER BY hash"
    before = await run_raw(platform.store, edges)
    again = [
        signed_endorsement(signed_registration(VERIFIER_A), OPERATOR_A, endorsement_id=message_id("again", number))
        for number in range(3)
    ]
    scored: list[object] = []

    async def score(*arguments: object) -> None:
        scored.append(arguments)

    monkeypatch.setattr("graph.scores.updates.score_statements", score)
    await accept(platform, *again)
    assert await run_raw(platform.store, edges) == before
    assert not scored
    assert {hash_of(document) for document in again} <= {entry.signed_hash for entry in await log_of(platform.store)}


async def test_an_endorsement_of_the_author_silences_its_colleagues(platform: Platform) -> None:
    statement = await verified(platform)
    await accept(platform, signed_endorsement(signed_registration(AUTHOR), OPERATOR_A))
    _, counts = await scores_of(platform, statement)
    assert not counts


async def test_a_new_policy_applies_to_what_was_judged_before(platform: Platform) -> None:
    statement = await verified(platform)
    policies: list[tuple[dict[str, Any], bool]] = [
        ({"threshold": 0.95}, False),
        ({"threshold": 0.5}, True),
        ({"quorum": 3}, False),
        ({"seeds": ()}, False),
    ]
    for number, (changes, expected) in enumerate(policies):
        await accept(platform, signed_node_policy(platform, 2 + number, **changes))
        assert (await scores_of(platform, statement))[1] is expected


async def test_three_challenges_verify_a_statement_only_by_the_letter(platform: Platform) -> None:
    """A2AP §4.3 ignores the verdict: challenges with confidence 0.99 make a consensus of 0.99."""
    await begin(platform, method=ConsensusMethod.LITERAL)
    statement = signed_statement(AUTHOR)
    challenges = [
        signed_response(statement, seed, verdict=Verdict.CHALLENGED, confidence=0.99)
        for seed in (VERIFIER_A, VERIFIER_B, STRANGER)
    ]
    await accept(platform, statement, *challenges)
    score, counts = await scores_of(platform, statement)
    assert score == pytest.approx(0.99)
    assert counts
    await accept(platform, signed_node_policy(platform, 2))
    assert await scores_of(platform, statement) == (0.0, False)
    await accept(platform, signed_node_policy(platform, 3, method=ConsensusMethod.LITERAL))
    assert (await scores_of(platform, statement))[1]


async def test_going_back_to_the_default_method_brings_its_reputations_back(platform: Platform) -> None:
    statement = await verified(platform)
    before = await reputations(platform)
    await accept(platform, signed_node_policy(platform, 2, method=ConsensusMethod.LITERAL))
    await accept(platform, signed_response(statement, STRANGER, confidence=1.0))
    literal = await reputations(platform)
    assert literal[agent_id(STRANGER)] == 1.0
    await accept(platform, signed_node_policy(platform, 3))
    after = await reputations(platform)
    # The stranger agrees with the two operators, and each of these with the other only.
    assert after == before | {agent_id(STRANGER): compute_reputation(1, 0).value}


async def test_literal_scores_do_not_depend_on_the_batches(platform: Platform) -> None:
    await begin(platform, method=ConsensusMethod.LITERAL)
    first, second = signed_statement(AUTHOR), signed_statement(AUTHOR, claim="Another claim.")
    await accept(platform, first, second)
    for document in (
        signed_response(first, VERIFIER_A, confidence=0.9),
        signed_response(second, VERIFIER_B, confidence=0.2),
        signed_response(second, VERIFIER_A, confidence=0.9),
        signed_response(first, VERIFIER_B, verdict=Verdict.CHALLENGED, confidence=0.7),
    ):
        await accept(platform, document)
    scores = [await scores_of(platform, statement) for statement in (first, second)]
    # One verdict of A, right, was all there was of A when it judged the second; B had none.
    assert scores[1][0] == pytest.approx((0.2 * 0.5 + 0.9 * 1.0) / (0.5 + 1.0))
    before, entries = await reputations(platform), await log_of(platform.store)
    await run_raw(platform.store, "MATCH (n) DETACH DELETE n")
    async for _ in rebuild(platform.store, platform.content, entries):
        pass
    assert [await scores_of(platform, statement) for statement in (first, second)] == scores
    assert await reputations(platform) == before


async def test_a_verifier_that_changes_its_mind_is_counted_once(platform: Platform) -> None:
    statement = await verified(platform)
    await accept(platform, signed_response(statement, STRANGER, confidence=0.9))
    assert (await agents(platform))[agent_id(STRANGER)]["verdicts_right"] == 1
    await accept(platform, signed_response(statement, STRANGER, verdict=Verdict.CHALLENGED, confidence=0.9))
    stranger = (await agents(platform))[agent_id(STRANGER)]
    assert (stranger["verdicts_right"], stranger["verdicts_wrong"]) == (0, 1)
    await accept(platform, signed_response(statement, STRANGER, confidence=0.95))
    stranger = (await agents(platform))[agent_id(STRANGER)]
    assert (stranger["verdicts_right"], stranger["verdicts_wrong"]) == (1, 0)
    assert (await labels(platform))[agent_id(STRANGER), "RIGHT"] == 1
    assert stranger["reputation"] == compute_reputation(1, 0).value


async def test_a_verdict_of_an_invalid_signature_counts_against(platform: Platform) -> None:
    statement = await verified(platform)
    before, _ = await scores_of(platform, statement)
    await accept(platform, signed_response(statement, VERIFIER_B, verdict=Verdict.INVALID_SIGNATURE, findings=()))
    after, counts = await scores_of(platform, statement)
    assert after < before
    assert not counts


async def test_the_author_s_own_verdict_changes_nothing(platform: Platform) -> None:
    statement = await verified(platform)
    before = await scores_of(platform, statement)
    for verdict in (Verdict.VALIDATED, Verdict.CHALLENGED):
        await accept(platform, signed_response(statement, AUTHOR, verdict=verdict, confidence=1.0))
        assert await scores_of(platform, statement) == before
    author = (await agents(platform))[agent_id(AUTHOR)]
    assert (author["verdicts_right"], author["verdicts_wrong"], author["reputation"]) == (0, 0, 0.5)


async def test_a_statement_that_only_the_machine_has_seen_scores_nothing(platform: Platform) -> None:
    await begin(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement)
    assert await scores_of(platform, statement) == (0.0, False)


async def test_after_any_history_the_graph_says_what_the_pure_functions_say(platform: Platform) -> None:
    chance = random.Random(7)
    await begin(platform)
    statements = [signed_statement(AUTHOR, claim=f"Claim {number}.", evidence=[segment()]) for number in range(4)]
    await accept(platform, *statements)
    histories: dict[bytes, list[Judgement]] = {statement: [] for statement in statements}
    verdicts = []
    for place in range(60):
        statement, seed = chance.choice(statements), chance.choice([s for s in EVERYBODY if s != AUTHOR])
        verdict = chance.choice([Verdict.VALIDATED] * 4 + [Verdict.CHALLENGED])
        confidence = chance.randrange(80, 100) / 100 + place / 10_000
        histories[statement].append(judgement(seed, verdict, confidence, place))
        verdicts.append(signed_response(statement, seed, verdict=verdict, confidence=confidence))
    while verdicts:
        size = chance.randrange(1, 9)
        await accept(platform, *verdicts[:size])
        del verdicts[:size]

    expected: Counter[tuple[str, str]] = Counter()
    for statement, history in histories.items():
        context: dict[str, Any] = {
            "author": agent_id(AUTHOR),
            "author_operators": frozenset({agent_id(PUBLISHER)}),
            "gate": GateState.OPEN,
            "policy": POLICY,
        }
        consensus = compute_consensus(history, **context)
        assert await scores_of(platform, statement) == (consensus.score, consensus.verified)
        expected += Counter((name, label.value) for name, label in label_verdicts(history, **context).items())
    assert expected
    assert await labels(platform) == expected
    for name, node in (await agents(platform)).items():
        right, wrong = expected[name, "RIGHT"], expected[name, "WRONG"]
        assert (node["verdicts_right"], node["verdicts_wrong"]) == (right, wrong)
        assert node["reputation"] == compute_reputation(right, wrong).value
