"""What a page costs the database: a constant number of queries, however many statements there are on it."""

from collections import Counter

import httpx
import pytest
from builders import QUOTE, SOURCE, segment, signed_response, signed_statement
from http_client import ask, client
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, settle, signed_node_policy

from graph.platform import Platform

__all__ = ["client", "platform"]

# A page of statements with evidence, verifications, agents and score (P3 of `make bench`).
PAGE = """query ($first: Int!) { statements(first: $first) { nodes {
  id claimText claimKind standing confidence consensusScore verified machineCheck
  generatedBy { id name version publisher reputation }
  evidence { id text byteStart byteEnd document { id title hash boundary } }
  citations { quote relevanceScore timestamp { start end } byteRange { start end } }
  verifications { id verdict confidence verifiedAt reason agent { id name reputation }
    findings { criterion status confidence evidence } }
} } }"""

TOPIC = PAGE.replace(
    "statements(first: $first) { nodes {", 'statementsAbout(topic: "zoning", first: $first) {'
).replace("title hash boundary", "title hash boundary source { title origin }")[:-2]

EVERYTHING = """query ($first: Int!) { statements(first: $first) { nodes {
  id receipt { logIndex } proof twins { id } consensus { score reasons perCriterion { criterion score } }
  supports { id } contradicts { id } revisionOf { id } supportedBy { nodes { id } } contradictedBy { nodes { id } }
  revisedBy { nodes { id } } challenges { nodes { id } } verificationRequests { nodes { id agent { id } } }
  generatedBy { receipt { logIndex } proof
    reputationDetails { value judged logSize interval { low } contributions { nodes { right verification { id } } } }
    keys { id } endorsedBy { name } verifications(first: 5) { statement { id } } }
  evidence { citedBy { claimText } document { receipt { logIndex } proof source { title } chunks { nodes { id } } } }
} } }"""


async def fill(platform: Platform, number: int) -> None:
    """Settle and submit statements of several authors, each with two passages and two verdicts."""
    await settle(platform)
    # No epoch is looked for meanwhile: that reads as well.
    await accept(platform, signed_node_policy(platform, 2, epoch_length=1_000_000))
    passages = [segment(QUOTE), segment("they want outdoor tables")]
    assert b"they want outdoor tables" in SOURCE
    statements = [
        signed_statement(author, claim=f"Zoning claim {n}", evidence=passages)
        for n in range(number)
        for author in ((AUTHOR, STRANGER)[n % 2],)
    ]
    verdicts = [signed_response(statement, number) for statement in statements for number in (VERIFIER_A, VERIFIER_B)]
    await accept(platform, *statements, *verdicts)


async def queries_of(platform: Platform, client: httpx.AsyncClient, query: str, first: int) -> tuple[int, Counter[str]]:
    """Return how many statements a query gives, and the database queries that it costs."""
    seen: Counter[str] = Counter()
    platform.store.observe = lambda name: seen.update([name])
    try:
        (found,) = (await ask(client, query, {"first": first})).values()
    finally:
        platform.store.observe = None
    return len(found["nodes"] if isinstance(found, dict) else found), seen


@pytest.mark.parametrize("query", [PAGE, TOPIC], ids=["page", "topic"])
async def test_a_page_costs_five_queries_at_most_whatever_its_size(
    platform: Platform, client: httpx.AsyncClient, query: str
) -> None:
    await fill(platform, 200)
    sizes, costs = zip(*[await queries_of(platform, client, query, first) for first in (1, 20, 200)], strict=True)
    assert sizes == (1, 20, 200)
    assert all(sum(cost.values()) <= 5 for cost in costs), costs


async def test_every_relation_costs_the_same_for_two_statements_as_for_twenty(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await fill(platform, 30)
    (two, few), (twenty, many) = [await queries_of(platform, client, EVERYTHING, first) for first in (2, 20)]
    assert (two, twenty) == (2, 20)
    assert few == many


async def test_scalars_alone_cost_one_query(platform: Platform, client: httpx.AsyncClient) -> None:
    await fill(platform, 20)
    query = """query ($first: Int!) { statements(first: $first) {
      nodes { id claimText generatedBy { name } consensusScore } } }"""
    assert await queries_of(platform, client, query, 10) == (10, Counter({"list_statements": 1}))
