"""What scanners of GraphQL try: each is refused, before it runs, in one error that says nothing of the inside."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
from builders import signed_statement
from http_client import ask, client, open_client
from platform_fixture import platform
from scenario import AUTHOR, settle, verified_world

from graph.graphql.examples import EXAMPLES
from graph.graphql.sdl import schema_definition
from graph.platform import Platform

__all__ = ["client", "platform"]

TOPIC = '{ statementsAbout(topic: "x") { id } }'


async def refused(client: httpx.AsyncClient, query: str, variables: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the one error of an operation that is not run at all."""
    answer = await client.post("/graphql", json={"query": query, "variables": variables})
    assert "data" not in answer.json(), answer.text
    [error] = answer.json()["errors"]
    assert error.keys() <= {"message", "locations", "extensions"} and error["extensions"].keys() == {"code"}
    return {"message": error["message"], "code": error["extensions"]["code"]}


PROBES = {
    "alias overloading": ("{" + " ".join(f"a{n}: __typename" for n in range(101)) + "}", "TOO_LARGE"),
    "field overloading": ("{ __typename " + "__typename " * 500 + "}", "TOO_LARGE"),
    "directive overloading": ("{ __typename " + "@aa" * 10 + " }", "TOO_LARGE"),
    "circular introspection": (
        "{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }",
        "INVALID_QUERY",
    ),
    "circular introspection through a fragment": (
        "{ __schema { types { ...t } } } fragment t on __Type { fields { type { ...u } } }"
        " fragment u on __Type { fields { type { ...v } } } "
        "fragment v on __Type { fields { type { fields { name } } } }",
        "INVALID_QUERY",
    ),
    "circular fragments": ("{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }", "INVALID_QUERY"),
    "a text of megabytes": ("{ __typename }" + "#\n" * 500_000, "TOO_LARGE"),
    "thousands of tokens": ("{" + " __typename" * 3_000 + "}", "INVALID_QUERY"),
    "rows by the million": (
        '{ statementsAbout(topic: "x", first: 200) { twins { twins { twins { id } } } } }',
        "TOO_LARGE",
    ),
    "no operation": ("qwerty cop { abc }", "INVALID_QUERY"),
}


@pytest.mark.parametrize(("query", "code"), PROBES.values(), ids=PROBES)
async def test_an_operation_that_costs_more_than_it_asks_is_refused(
    platform: Platform, client: httpx.AsyncClient, query: str, code: str
) -> None:
    error = await refused(client, query)
    assert error["code"] == code, error
    assert "Traceback" not in error["message"] and "/graph" not in error["message"]


async def test_the_cost_is_named_with_its_bound_and_told_where_it_is_asked_for(
    platform: Platform, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    await verified_world(platform)
    body = {
        "query": 'query ($n: Int!) { statementsAbout(topic: "height", first: $n) { evidence { id } } }',
        "variables": {"n": 20},
    }
    assert "extensions" not in (await client.post("/graphql", json=body)).json()
    told = await client.post("/graphql", json=body | {"extensions": {"cost": True}})
    assert told.json()["extensions"] == {"cost": {"estimated": 20 * 11, "bound": 50_000, "objects": 2}}
    async with open_client(platform, tmp_path, graphql_max_cost=100) as bounded:
        error = await refused(bounded, body["query"], {"n": 20})  # type: ignore[arg-type]
        assert error["message"] == "the query costs 220 rows by estimate, and may cost 100"
        assert await ask(bounded, str(body["query"]), {"n": 5})


async def test_variables_without_end_are_refused(platform: Platform, client: httpx.AsyncClient) -> None:
    error = await refused(client, "{ __typename }", {"x": ["y"] * 10_000})
    assert error["code"] == "TOO_LARGE"
    deep = '{"query": "{ __typename }", "variables": {"x": ' + "[" * 15_000 + "]" * 15_000 + "}}"
    answer = await client.post("/graphql", content=deep, headers={"content-type": "application/json"})
    assert answer.json()["errors"][0]["extensions"]["code"] == "INVALID_REQUEST"


async def test_operations_come_one_by_one(platform: Platform, client: httpx.AsyncClient) -> None:
    answer = await client.post("/graphql", json=[{"query": "{ __typename }"}] * 10)
    assert answer.json()["errors"][0]["message"] == "one request has one operation, and the body is an array"


@pytest.mark.parametrize(
    "query",
    [
        "{ statement }",
        "{ statementz { id } }",
        '{ statementsAbout(topic: "x") { idd } }',
        '{ statementsAbout(topik: "x") { id } }',
        '{ statementsAbout(topic: "x") { ... on Statment { id } } }',
        "query ($x: Strin) { __typename }",
        "{ drift(a: 1, b: 2) { calibration { against } } nodee { agentId } }",
    ],
)
async def test_nothing_else_of_the_schema_is_suggested(
    platform: Platform, client: httpx.AsyncClient, query: str
) -> None:
    answer = await client.post("/graphql", json={"query": query})
    assert answer.json()["errors"] and "id you mean" not in answer.text


async def test_a_value_that_is_none_of_an_enumeration_suggests_none(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    inline = '{ agent(id: "x") { statementsConnection(direction: DSC) { totalCount } } }'
    variable = 'query ($d: OrderDirection!) { agent(id: "x") { statementsConnection(direction: $d) { totalCount } } }'
    for body in ({"query": inline}, {"query": variable, "variables": {"d": "DSC"}}):
        answer = await client.post("/graphql", json=body)
        assert "DSC" in answer.json()["errors"][0]["message"] and "id you mean" not in answer.text


async def test_the_schema_describes_itself_unless_the_settings_say_otherwise(
    platform: Platform, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    query = "{ __schema { queryType { name } } }"
    assert await ask(client, query) == {"__schema": {"queryType": {"name": "Query"}}}
    async with open_client(platform, tmp_path, graphql_introspection="off") as closed:
        for hidden in (query, '{ __type(name: "Query") { name } }'):
            assert (await closed.post("/graphql", json={"query": hidden})).json()["errors"]
        assert await ask(closed, "{ __typename }") == {"__typename": "Query"}
        text = await closed.get("/graphql/schema.graphql")
        assert (text.status_code, text.json()["code"]) == (403, "FORBIDDEN") and "type Query" not in text.text


async def test_the_schema_is_given_as_a_file_that_caches_keep(platform: Platform, client: httpx.AsyncClient) -> None:
    path = "/graphql/schema.graphql"
    found = await client.get(path)
    assert (found.status_code, found.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    assert found.text == schema_definition()
    known = await client.get(path, headers={"if-none-match": found.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")
    assert (await client.head(path)).headers["etag"] == found.headers["etag"]
    described = (await client.get("/openapi.json")).json()["paths"][path]["get"]
    assert list(described["responses"]["200"]["content"]) == ["text/plain"]


async def test_a_get_asks_and_never_acts(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    before = platform.log.checkpoint.tree_size
    document = signed_statement(AUTHOR).decode()
    mutation = "mutation ($d: String!) { submitStatement(document: $d) { __typename } }"
    parameters = {"query": mutation, "variables": json.dumps({"d": document})}
    for accept in ("*/*", "application/json", "application/graphql-response+json", "text/html"):
        answer = await client.get("/graphql", params=parameters, headers={"accept": accept})
        if accept == "text/html":
            assert answer.status_code == 406
        else:
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert platform.log.checkpoint.tree_size == before


@pytest.mark.parametrize(
    "media_type",
    ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "application/jsonx", ""],
)
async def test_what_a_page_elsewhere_can_send_is_not_taken(
    platform: Platform, client: httpx.AsyncClient, media_type: str
) -> None:
    for body in (b"query=%7B__typename%7D", b'{"query": "{ __typename }"}'):
        answer = await client.post("/graphql", content=body, headers={"content-type": media_type})
        assert answer.status_code == 415 and "data" not in answer.json()


async def test_an_answer_says_nothing_of_how_it_came_about(platform: Platform, client: httpx.AsyncClient) -> None:
    answers = [
        await client.post("/graphql", json={"query": query})
        for query in ("{ __typename }", "{", "{ nothing }", '{ evidenceChain(statementId: "x") { id } }')
    ]
    for answer in answers:
        for word in ("tracing", "stacktrace", "exception", "Traceback", "debug", ".py"):
            assert word not in answer.text


async def test_half_a_character_is_no_text(platform: Platform, client: httpx.AsyncClient) -> None:
    body = '{"query": "query ($i: ID!) { agent(id: $i) { id } }", "variables": {"i": "%s"}}'
    headers = {"content-type": "application/json"}
    broken = await client.post("/graphql", content=body % "\\ud83d", headers=headers)
    assert broken.json()["errors"][0]["extensions"]["code"] == "INVALID_REQUEST"
    whole = await client.post("/graphql", content=body % "\\ud83d\\ude00", headers=headers)
    assert whole.json() == {"data": {"agent": None}}


async def test_the_status_says_whether_it_ran_in_the_media_type_that_says_so(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    async def status(query: str, accept: str) -> tuple[int, str]:
        answer = await client.post("/graphql", json={"query": query}, headers={"accept": accept})
        return answer.status_code, answer.headers["content-type"]

    modern, plain = "application/graphql-response+json", "application/json"
    assert await status("{ __typename }", modern) == (200, f"{modern}; charset=utf-8")
    assert await status("{ nothing }", modern) == (400, f"{modern}; charset=utf-8")
    assert await status("{ nothing }", f"{modern};q=0.5, {plain}") == (200, f"{plain}; charset=utf-8")
    assert (await client.post("/graphql", json={}, headers={"accept": "image/png"})).status_code == 406


async def test_an_operation_is_known_by_its_hash_once_it_came_with_it(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    query = "{ log { origin } }"
    named = {"persistedQuery": {"version": 1, "sha256Hash": sha256(query.encode()).hexdigest()}}
    unknown = (await client.post("/graphql", json={"extensions": named})).json()["errors"][0]
    assert (unknown["message"], unknown["extensions"]["code"]) == (
        "PersistedQueryNotFound",
        "PERSISTED_QUERY_NOT_FOUND",
    )
    first = await client.post("/graphql", json={"query": query, "extensions": named})
    again = await client.post("/graphql", json={"extensions": named})
    by_get = await client.get("/graphql", params={"extensions": json.dumps(named)}, headers={"accept": "*/*"})
    assert first.json() == again.json() == by_get.json() == {"data": {"log": {"origin": platform.node.agent_id}}}


async def test_where_operations_are_listed_no_other_runs(
    platform: Platform, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    folder = tmp_path / "queries"
    folder.mkdir()
    for example in EXAMPLES:
        (folder / f"{example.name}.graphql").write_text(example.query)
    async with open_client(platform, tmp_path, graphql_queries=folder) as listed:
        await ask(listed, EXAMPLES[0].query)
        named = {"persistedQuery": {"version": 1, "sha256Hash": sha256(EXAMPLES[0].query.encode()).hexdigest()}}
        assert (await listed.post("/graphql", json={"extensions": named})).json()["data"]
        assert (await refused(listed, TOPIC))["code"] == "NOT_LISTED"
