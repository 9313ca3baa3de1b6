"""Queries of readers have few places and bounded rows, on both engines; the platform's own never wait for them."""

import asyncio
from contextlib import AsyncExitStack

import httpx
import pytest
from cypher_world import asked_world
from full_places import full
from http_client import READERS, bearer, client
from platform_fixture import platform

from graph.answers.graph_sizes import ROWS_WITHOUT_TOKEN
from graph.clearance import ANONYMOUS, OPERATOR
from graph.cypher_text.check import check_query
from graph.cypher_text.estimate import Bound
from graph.cypher_text.limits import MAX_OPERATORS
from graph.cypher_text.vocabulary import LABELS, RELATIONSHIPS
from graph.errors import CypherTextError, OwnQueriesBusyError
from graph.platform import Platform
from graph.problem_table import problem_of
from graph.requests.query_budget import EXPORTS, OPERATIONS, OWN_QUERIES, QueryBudget
from graph.requests.share import Share

__all__ = ["client", "platform"]

BRIEFLY = 0.05
LARGE = Bound({name: 100_000 for name in (*LABELS, *RELATIONSHIPS)} | {"Agent": 100}, ROWS_WITHOUT_TOKEN)
SIMPLE = "MATCH (s:Statement) RETURN count(s) AS n"
FOURFOLD = (
    "MATCH (a:Agent)-[:GENERATED]->(s:Statement) MATCH (a)-[:GENERATED]->(t:Statement) "
    "MATCH (a)-[:GENERATED]->(u:Statement) MATCH (a)-[:GENERATED]->(v:Statement) "
    "RETURN s.claim_text AS c, t.claim_text AS d, u.claim_text AS e, v.claim_text AS f ORDER BY f, e, d, c"
)


@pytest.mark.parametrize(
    "text",
    [
        FOURFOLD,
        "MATCH (s:Statement)<-[:GENERATED]-(a:Agent)-[:GENERATED]->(t:Statement) RETURN s, t",
        "MATCH (s:Statement)<-[:GENERATED]-(a:Agent) WITH a, s MATCH (a)-[:GENERATED]->(t:Statement) RETURN s, t",
        "MATCH (s:Statement)-[:SUPPORTS*1..5]->(t:Statement) RETURN count(t) AS n",
        "MATCH (s:Statement) CALL (s) { MATCH (s)<-[:GENERATED]-(a)-[:GENERATED]->(t) RETURN count(t) AS n } RETURN n",
        "MATCH (s:Statement) WHERE COUNT { (s)<-[:GENERATED]-(:Agent)-[:GENERATED]->(:Statement) } > 1 RETURN s",
        "MATCH (s:Statement) UNWIND range(1, 1000) AS n RETURN s.claim_text AS c, n ORDER BY n",
    ],
)
def test_a_query_that_multiplies_rows_is_refused(text: str) -> None:
    with pytest.raises(CypherTextError, match="rows, and 400000 are allowed: name a node"):
        check_query(text, {}, withheld=False, bound=LARGE)


@pytest.mark.parametrize(
    "text",
    [
        SIMPLE,
        "MATCH (a:Agent)-[:GENERATED]->(s:Statement)-[:CITES]->(c:Chunk)-[:PART_OF]->(d:Document) RETURN d, s",
        "MATCH (a:Agent {agent_id: 'urn:a'})-[:GENERATED]->(s:Statement)<-[:VALIDATES]-(v:Verification) RETURN s, v",
        "MATCH (a:Agent)-[:GENERATED]->(s:Statement) WITH a, count(s) AS n MATCH (a)<-[:PERFORMED_BY]-(v) RETURN a, v",
        "MATCH (s:Statement) WITH s LIMIT 10 MATCH (s)<-[:GENERATED]-(a)-[:GENERATED]->(t) RETURN s, t",
    ],
)
def test_a_query_that_goes_through_a_graph_once_is_not(text: str) -> None:
    assert check_query(text, {}, withheld=False, bound=LARGE).text


@pytest.mark.parametrize("word", ["+", "OR", "AND", "=", "XOR"])
def test_a_query_of_many_terms_is_refused_before_an_engine_plans_it(word: str) -> None:
    with pytest.raises(CypherTextError, match=f"more than {MAX_OPERATORS} operators"):
        check_query("RETURN " + f" {word} ".join(["1"] * 400), {}, withheld=False)


@pytest.mark.both_engines
async def test_the_longest_expression_is_planned_in_time(platform: Platform) -> None:
    await asked_world(platform)
    pairs = MAX_OPERATORS // 4  # each pair has two comparisons, an AND, and an OR before the next
    condition = " OR ".join(f"(s.log_index = {n} AND s.confidence = {n})" for n in range(pairs))
    own = await platform.asking.run(ANONYMOUS, f"MATCH (s:Statement) WHERE {condition} RETURN count(s) AS n", {})
    assert own.table.columns == ("n",)


@pytest.mark.both_engines
async def test_rows_are_bounded_by_the_counts_of_the_graph(platform: Platform) -> None:
    await asked_world(platform)
    counted = {row["name"]: row["number"] for row in await platform.store.read("count_all")}
    # The embedded engine has no row for a label that no node has had yet.
    assert set(counted) <= {*LABELS, *RELATIONSHIPS}
    labels = {row["label"]: row["number"] for row in await platform.store.read("count_labels")}
    types = {row["type"]: row["number"] for row in await platform.store.read("count_relationships")}
    assert {name: number for name, number in counted.items() if number} == {
        name: number for name, number in (labels | types).items() if name in counted
    }
    many = (
        "MATCH (s:Statement)-[:CITES]->(c:Chunk) UNWIND range(1, 100) AS n UNWIND range(1, 100) AS m "
        "MATCH (c)<-[:CITES]-(t:Statement) RETURN count(t) AS n"
    )
    with pytest.raises(CypherTextError, match=f"and {ROWS_WITHOUT_TOKEN} are allowed"):
        await platform.asking.run(ANONYMOUS, many, {})
    own = await platform.asking.run(OPERATOR, many, {})
    assert own.table.rows, "an operator may have more gone through"


async def test_a_share_has_one_place_and_strangers_fewer_than_there_are() -> None:
    budget = QueryBudget()
    async with AsyncExitStack() as stack:
        for number in range(OWN_QUERIES.without_token):
            await stack.enter_async_context(budget.place(Share(f"10.0.0.{number}", has_token=False), BRIEFLY))
        with pytest.raises(OwnQueriesBusyError) as busy:
            await stack.enter_async_context(budget.place(Share("10.0.1.1", has_token=False), BRIEFLY))
        told = problem_of(busy.value)
        assert (told.status, told.retry_after) == (503, 1)
        for number in range(OWN_QUERIES.in_all - OWN_QUERIES.without_token):
            await stack.enter_async_context(budget.place(Share(f"token {number}", has_token=True), BRIEFLY))
        assert budget.running == OWN_QUERIES.in_all
        with pytest.raises(OwnQueriesBusyError):
            await stack.enter_async_context(budget.place(Share("token 0", has_token=True), BRIEFLY))
    assert (budget.running, budget.waiting) == (0, 0)


async def test_who_goes_away_while_waiting_leaves_no_trace() -> None:
    budget, share = QueryBudget(), Share("10.0.0.1", has_token=False)
    async with budget.place(share, BRIEFLY):
        task = asyncio.create_task(budget.place(share, 60).__aenter__())
        while not budget.waiting:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert (budget.running, budget.waiting) == (0, 0)


async def test_too_many_queries_of_an_address_are_told_when_to_come_again(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await asked_world(platform)
    body = {"text": SIMPLE}
    async with platform.own_queries.place(Share("127.0.0.1", has_token=False), 1):
        waiting = [asyncio.create_task(client.post("/cypher", json=body)) for _ in range(OWN_QUERIES.waiting)]
        while platform.own_queries.waiting < OWN_QUERIES.waiting:
            assert not any(task.done() for task in waiting)
            await asyncio.sleep(0.01)
        refused = await client.post("/cypher", json=body)
        assert (refused.status_code, refused.json()["code"]) == (429, "TOO_MANY")
        assert refused.headers["retry-after"] == "60"
        asked = await client.post("/ask", json={"question": "How many statements are there?"})
        assert asked.status_code == 429
        operation = {"query": "query Q($t: String) { cypher(text: $t) { rows } }", "variables": {"t": SIMPLE}}
        answer = (await client.post("/graphql", json=operation)).json()
        assert answer["errors"][0]["extensions"]["code"] == "TOO_MANY"
        sparql = await client.get("/sparql", params={"query": "SELECT * WHERE { ?s ?p ?o } LIMIT 1"})
        assert sparql.status_code == 429
        page = (await client.post("/graphql", json={"query": "{ statements(first: 5) { nodes { id } } }"})).json()
        assert len(page["data"]["statements"]["nodes"]) == 5, "the platform's own queries wait for no place"
    assert [answer.status_code for answer in await asyncio.gather(*waiting)] == [200] * OWN_QUERIES.waiting
    assert platform.own_queries.running == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{ statements(first: 1) { nodes { id } } }", "{'nodes': []}"),
        ('mutation { computeConsensus(statementId: "urn:uuid:none") { score } }', "NOT_FOUND"),
        ("mutation { submitBatch(documents: []) { __typename } }", "{'submitBatch': []}"),
    ],
    ids=["query", "computing mutation", "mutation"],
)
async def test_a_reader_has_few_operations_of_graphql_under_way(
    platform: Platform, client: httpx.AsyncClient, text: str, said: str
) -> None:
    question = {"query": text}
    headers = {"accept": "application/graphql-response+json"}
    told = (await client.post("/graphql", json=question)).json()
    assert said in str(told)
    async with full(platform.operations, OPERATIONS, room=1):
        waiting = asyncio.create_task(client.post("/graphql", json=question))
        while platform.operations.waiting < OPERATIONS.waiting:
            assert not waiting.done()
            await asyncio.sleep(0.01)
        refused = await client.post("/graphql", json=question, headers=headers)
        assert (refused.status_code, refused.json()["errors"][0]["extensions"]["code"]) == (429, "TOO_MANY")
        answered = await client.post("/graphql", json=question, headers=bearer(READERS["internal"]))
        assert answered.json() == told
    assert (await waiting).json() == told
    assert platform.operations.running == 0


@pytest.mark.parametrize(
    "path", ["/search?q=zoning", "/statements/urn:uuid:none/bundle", "/messages/fetch", "/export", "/scores"]
)
async def test_what_reads_much_waits_for_a_place_and_gives_it_back(
    platform: Platform, client: httpx.AsyncClient, path: str
) -> None:
    budget = platform.exports if path in ("/export", "/scores") else platform.operations
    places = EXPORTS if budget is platform.exports else OPERATIONS
    method = "POST" if path == "/messages/fetch" else "GET"
    async with full(budget, places):
        refused = await client.request(method, path)
        assert (refused.status_code, refused.json()["code"]) == (429, "TOO_MANY")
        assert "retry-after" in refused.headers
    for _ in range(places.of_share + 1):
        assert (await client.request(method, path)).status_code != 429
    assert (budget.running, budget.waiting) == (0, 0)
