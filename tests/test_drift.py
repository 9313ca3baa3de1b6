"""Two versions of an agent on the same statements: agreement, calibration, what changed."""

import json
from collections import Counter
from typing import Any

import httpx
import pytest
from builders import (
    agent_id,
    description,
    envelope_of,
    signed_endorsement,
    signed_registration,
    signed_response,
    signed_retraction,
    signed_statement,
)
from cli_runner import Run, a2ap
from graph_contents import run_raw
from http_client import ask_flat as ask
from http_client import client, send
from hypothesis import given
from hypothesis import strategies as st
from platform_fixture import platform
from scenario import (
    AUTHOR,
    OPERATOR_A,
    OPERATOR_B,
    VERIFIER_A,
    VERIFIER_B,
    accept,
    hash_of,
    settle,
    signed_node_policy,
)
from served import served

from a2ap.messages.verification_response import Verdict
from cypher import load_query
from graph.platform import Platform
from graph.versions.agreement import BINS, Calibration, agreements_in, cohens_kappa

__all__ = ["a2ap", "client", "platform"]

OLD, NEW, OPERATOR_C = 31, 32, 13
VALIDATED, CHALLENGED = Verdict.VALIDATED, Verdict.CHALLENGED


# The arithmetic


def test_kappa_is_as_in_the_textbooks() -> None:
    # 50 proposals, 20 yes by both, 15 no by both, 5 and 10 mixed: observed 0.70, by chance 0.50.
    counts = {
        (VALIDATED, VALIDATED): 20,
        (VALIDATED, CHALLENGED): 5,
        (CHALLENGED, VALIDATED): 10,
        (CHALLENGED, CHALLENGED): 15,
    }
    assert cohens_kappa(counts) == pytest.approx(0.4)
    assert agreements_in(counts) == 35


def test_kappa_is_unknown_where_chance_alone_agrees() -> None:
    assert cohens_kappa({}) is None
    assert cohens_kappa({(VALIDATED, VALIDATED): 7}) is None
    assert cohens_kappa({(VALIDATED, CHALLENGED): 7}) == 0.0


verdicts = st.sampled_from(list(Verdict))
tables = st.dictionaries(st.tuples(verdicts, verdicts), st.integers(1, 50), max_size=9)


@given(tables)
def test_kappa_is_between_bounds_and_the_same_from_both_sides(counts: dict[tuple[Verdict, Verdict], int]) -> None:
    kappa = cohens_kappa(counts)
    turned = Counter({(other, one): number for (one, other), number in counts.items()})
    assert cohens_kappa(turned) == kappa
    if kappa is not None:
        assert -1.0 <= kappa <= 1.0
        assert (kappa == 1.0) is (agreements_in(counts) == sum(counts.values()))


forecasts = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40)


@given(forecasts)
def test_calibration_is_the_textbook_s(made: list[tuple[float, bool]]) -> None:
    calibration = Calibration()
    for forecast, outcome in made:
        calibration.add(forecast, outcome)
    assert calibration.number == len(made)
    assert calibration.brier == pytest.approx(sum((f - o) ** 2 for f, o in made) / len(made))
    bins: dict[int, list[tuple[float, bool]]] = {}
    for forecast, outcome in made:
        bins.setdefault(min(int(forecast * BINS), BINS - 1), []).append((forecast, outcome))
    gaps = (abs(sum(f for f, _ in found) - sum(o for _, o in found)) for found in bins.values())
    assert calibration.ece == pytest.approx(sum(gaps) / len(made))


def test_nothing_is_known_of_no_forecasts() -> None:
    assert (Calibration().brier, Calibration().ece) == (None, None)


# In the graph


def claim(number: int) -> bytes:
    return signed_statement(AUTHOR, claim=f"Claim {number}.")


async def two_versions(platform: Platform, statements: int = 4) -> None:
    """Two versions judge the same statements, which two others settle: the new one challenges every second."""
    await settle(platform)
    seeds = tuple(agent_id(seed) for seed in (OPERATOR_A, OPERATOR_B, OPERATOR_C))
    old, new = (
        signed_registration(seed, agent=description(seed, version=str(seed), family="urn:agent:weigher"))
        for seed in (OLD, NEW)
    )
    await accept(
        platform,
        signed_registration(OPERATOR_C),
        old,
        new,
        signed_endorsement(old, OPERATOR_C),
        signed_endorsement(new, OPERATOR_C),
        signed_node_policy(platform, 2, seeds=seeds),
        *(claim(number) for number in range(statements)),
    )
    for number in range(statements):
        statement = claim(number)
        verdict = Verdict.CHALLENGED if number % 2 else Verdict.VALIDATED
        await accept(
            platform,
            signed_response(statement, VERIFIER_A),
            signed_response(statement, VERIFIER_B),
            signed_response(statement, OLD, confidence=0.75),
            signed_response(statement, NEW, verdict=verdict, confidence=0.75),
        )


QUERY = """query ($a: ID!, $b: ID!) { drift(a: $a, b: $b) {
  statements complete agreements kappa counts { a b count }
  calibration { agent against n brier ece }
  a { id } b { id }
  changed { nodes { logIndex statement { id } a { verdict agent { id } } b { verdict agent { id } } } }
} }"""


async def drift(client: httpx.AsyncClient, a: int = OLD, b: int = NEW) -> dict[str, Any]:
    found: dict[str, Any] = (await ask(client, QUERY, {"a": agent_id(a), "b": agent_id(b)}))["drift"]
    return found


async def test_two_versions_are_compared_on_what_both_judged(platform: Platform, client: httpx.AsyncClient) -> None:
    await two_versions(platform)
    alone = signed_statement(AUTHOR, claim="Only the old one judged this.")
    await accept(platform, alone, signed_response(alone, OLD))
    found = await drift(client)
    assert (found["statements"], found["agreements"], found["kappa"]) == (4, 2, 0.0)
    assert found["complete"]
    assert found["counts"] == [
        {"a": "VALIDATED", "b": "CHALLENGED", "count": 2},
        {"a": "VALIDATED", "b": "VALIDATED", "count": 2},
    ]
    assert (found["a"]["id"], found["b"]["id"]) == (agent_id(OLD), agent_id(NEW))
    changed = [(one["statement"]["id"], one["a"]["verdict"], one["b"]["verdict"]) for one in found["changed"]]
    assert changed == [(envelope_of(claim(number)).id, "VALIDATED", "CHALLENGED") for number in (1, 3)]


@pytest.mark.both_engines
async def test_calibration_is_of_each_against_labels_and_consensus(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await two_versions(platform)
    found = {(one["agent"], one["against"]): one for one in (await drift(client))["calibration"]}
    of_old, of_new = found[agent_id(OLD), "LABELS"], found[agent_id(NEW), "LABELS"]
    # All were right at 0.75; of the new one's, half.
    assert (of_old["n"], of_old["brier"], of_old["ece"]) == (4, pytest.approx(0.0625), pytest.approx(0.25))
    assert (of_new["n"], of_new["brier"]) == (4, pytest.approx((2 * 0.0625 + 2 * 0.5625) / 4))
    against = found[agent_id(NEW), "CONSENSUS"]
    rows = await platform.store.read("statuses_of", hashes=[hash_of(claim(number)) for number in range(4)])
    assert against["n"] == sum(row["verified"] for row in rows) > 0


async def test_only_the_last_verdict_counts_and_no_retracted_one(platform: Platform, client: httpx.AsyncClient) -> None:
    await two_versions(platform)
    second = signed_response(claim(1), NEW, confidence=0.6)
    await accept(platform, second)
    assert [one["statement"]["id"] for one in (await drift(client))["changed"]] == [envelope_of(claim(3)).id]
    await accept(platform, signed_retraction(second, NEW))
    assert len((await drift(client))["changed"]) == 2


async def test_changed_verdicts_come_in_pages(platform: Platform, client: httpx.AsyncClient) -> None:
    await two_versions(platform, 6)
    query = """query ($a: ID!, $b: ID!, $after: String) {
      drift(a: $a, b: $b) { changed(first: 2, after: $after) {
        nodes { statement { id } } pageInfo { endCursor } } } }"""
    ids = {"a": agent_id(OLD), "b": agent_id(NEW)}
    page = (await ask(client, query, ids))["drift"]["changed"]
    after = page["pageInfo"]["endCursor"]
    rest = (await ask(client, query, {**ids, "after": after}))["drift"]["changed"]
    shown = [one["statement"]["id"] for one in page["nodes"] + rest["nodes"]]
    assert shown == [envelope_of(claim(number)).id for number in (1, 3, 5)]


async def test_many_statements_are_read_in_pages_and_up_to_a_bound(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await two_versions(platform, 5)
    whole = await drift(client)
    monkeypatch.setattr("graph.versions.drift._PAGE", 2)
    assert await drift(client) == whole
    monkeypatch.setattr("graph.versions.drift.MAX_STATEMENTS", 4)
    bounded = await drift(client)
    assert (bounded["statements"], bounded["complete"]) == (4, False)


async def test_claims_that_both_made_are_found(platform: Platform, client: httpx.AsyncClient) -> None:
    await two_versions(platform, 0)
    both = "The limit stays at forty feet."
    await accept(
        platform,
        signed_statement(OLD, claim=both),
        signed_statement(NEW, claim=both, confidence=0.5),
        signed_statement(NEW, claim="Said by the new one alone."),
    )
    query = """query ($a: ID!, $b: ID!, $after: String) { drift(a: $a, b: $b) {
      claims(after: $after) { nodes { claim sameEvidence a { confidence } b { confidence } } edges { cursor } } } }"""
    ids = {"a": agent_id(OLD), "b": agent_id(NEW)}
    found = (await ask(client, query, ids))["drift"]["claims"]
    assert found["nodes"] == [
        {"claim": both, "sameEvidence": True, "a": {"confidence": 0.92}, "b": {"confidence": 0.5}}
    ]
    behind = (await ask(client, query, {**ids, "after": found["edges"][0]["cursor"]}))["drift"]["claims"]
    assert behind["nodes"] == []


async def test_who_is_not_here_and_one_alone_are_not_compared(platform: Platform, client: httpx.AsyncClient) -> None:
    await two_versions(platform, 1)
    for other, code in (("urn:agent:nobody", "NOT_FOUND"), (agent_id(OLD), "INVALID_INPUT")):
        answer = await send(client, QUERY, {"a": agent_id(OLD), "b": other})
        assert answer["errors"][0]["extensions"]["code"] == code


async def test_the_example_for_cypher_finds_the_same(platform: Platform, client: httpx.AsyncClient) -> None:
    await two_versions(platform)
    await accept(platform, signed_response(claim(3), NEW, confidence=0.6))
    query = load_query("examples/version_drift").text
    rows = await run_raw(platform.store, query, one=agent_id(OLD), other=agent_id(NEW))
    changed = (await drift(client))["changed"]
    assert [row["statement_id"] for row in rows] == [one["statement"]["id"] for one in changed]
    assert [(row["one"], row["other"]) for row in rows] == [("VALIDATED", "CHALLENGED")]


async def test_the_command_line_says_it_in_words_and_in_json(platform: Platform, a2ap: Run) -> None:
    await two_versions(platform)
    async with served(platform) as url:
        import asyncio

        said = (await asyncio.to_thread(a2ap, "drift", agent_id(OLD), agent_id(NEW), "--url", url)).out.splitlines()
        told = json.loads(
            (await asyncio.to_thread(a2ap, "drift", agent_id(OLD), agent_id(NEW), "--url", url, "--json")).out
        )
    assert said[0] == "4 statements judged by both, 2 alike, kappa 0.000"
    assert f"{agent_id(OLD)} against labels: n 4, Brier 0.062, ECE 0.250" in said
    assert any("Claim 1.: VALIDATED (0.75, RIGHT), then CHALLENGED (0.75, WRONG)" in line for line in said)
    assert told["statements"] == 4
