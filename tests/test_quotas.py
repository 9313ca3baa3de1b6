"""Floods by strangers over HTTP end in 429, and hold up neither the operator nor the agents that it endorsed."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
from builders import (
    SOURCE,
    admission_policy_message,
    agent_id,
    agent_key,
    sign_as,
    signed_endorsement,
    signed_registration,
    signed_source,
    signed_statement,
)
from http_client import OPERATOR, bearer
from key_world import by_node
from passports import line
from scenario import OPERATOR_A, accept, signed_node_policy
from served import served
from servers import log_of, server_on

from a2ap.canonical import sha256_digest
from a2ap.quotas import DEFAULT_QUOTAS
from graph.content.content_store import open_content_store
from graph.node import load_node
from graph.platform import Platform, platform_on, utc_now
from graph.quotas.caller import Caller
from graph.settings import Settings
from graph.store import Store

FRIEND, STRANGER, NDJSON = 1, 21, {"content-type": "application/x-ndjson"}
HERE = Caller("192.0.2.1")

Quotas = Mapping[str, Mapping[str, int]]


class Clock:
    """A time of day that a test moves."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@asynccontextmanager
async def node(
    store: Store, data: Path, quotas: Quotas | None = None, clock: Callable[[], datetime] = utc_now
) -> AsyncIterator[tuple[Platform, httpx.AsyncClient]]:
    """Run a node with a seed that endorsed FRIEND, and these quotas, behind a socket; yield it and a client of it."""
    settings = Settings(data=data, operator_token=OPERATOR)
    content, key = open_content_store(settings), load_node(data / "node.key")
    async with platform_on(store, content, key, settings, clock=clock) as platform:
        await accept(platform, signed_registration(OPERATOR_A), signed_registration(FRIEND))
        await accept(platform, signed_node_policy(platform, seeds=(agent_id(OPERATOR_A),)))
        await accept(platform, signed_endorsement(signed_registration(FRIEND), OPERATOR_A))
        if quotas is not None:
            await accept(platform, by_node(platform, admission_policy_message(platform.node.agent_id, quotas=quotas)))
        async with served(platform) as address, httpx.AsyncClient(base_url=address) as client:
            yield platform, client


def refused_by(answer: httpx.Response) -> str:
    """Return the quota that refused a request; the answer says when it may come again."""
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (429, "QUOTA"), problem
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["retry-after"] == str(problem["retryAfter"]) and 0 < problem["retryAfter"] <= 86_400
    assert str(problem["limit"]) in problem["detail"] and problem["quota"] in problem["detail"]
    quota: str = problem["quota"]
    return quota


async def post(client: httpx.AsyncClient, path: str, document: bytes, token: str | None = None) -> httpx.Response:
    return await client.post(path, content=document, headers=bearer(token) if token else {})


def claim(number: int, seed: int = STRANGER) -> bytes:
    return signed_statement(seed, claim=f"Claim {number}.")


async def test_a_flood_of_registrations_ends_and_the_operator_registers_more(store: Store, tmp_path: Path) -> None:
    async with node(store, tmp_path, {"address": {"agents": 3}}) as (_, client):
        for number in (31, 32, 33):
            assert (await post(client, "/agents", signed_registration(number))).status_code == 201
        size = len(await log_of(store))
        assert refused_by(await post(client, "/agents", signed_registration(34))) == "address.agents"
        assert len(await log_of(store)) == size
        # Other things are taken from those who are here.
        assert (await post(client, "/statements", claim(1, 31))).status_code == 201
        assert (await post(client, "/agents", signed_registration(34), OPERATOR)).status_code == 201


async def test_a_flood_of_statements_ends_and_an_endorsed_agent_goes_on(store: Store, tmp_path: Path) -> None:
    quotas = {"address": {"documents": 4}, "stranger": {"documents": 100}}
    async with node(store, tmp_path, quotas) as (platform, client):
        await accept(platform, signed_registration(STRANGER), signed_registration(22))
        for number in range(4):
            answer = await post(client, "/statements", claim(number, STRANGER + number % 2))
            assert answer.status_code == 201
        assert refused_by(await post(client, "/statements", claim(5))) == "address.documents"
        # Neither a name on a document nor a copy of one passes for an endorsed agent.
        forged = sign_as(json.loads(claim(6, FRIEND)), agent_key(41), f"{agent_id(FRIEND)}#key-1")
        assert refused_by(await post(client, "/statements", forged)) == "address.documents"
        for number in range(6):
            answer = await post(client, "/statements", claim(number, FRIEND))
            assert answer.status_code == 201, answer.text
        # What is here already takes no space, whoever sends it again.
        assert (await post(client, "/statements", claim(0))).status_code == 200
        assert (await post(client, "/statements", claim(0, FRIEND))).status_code == 200


async def test_each_document_of_a_batch_has_its_own_outcome(store: Store, tmp_path: Path) -> None:
    async with node(store, tmp_path, {"stranger": {"documents": 3}}) as (_, client):
        documents = [signed_registration(STRANGER), *(claim(number) for number in range(4)), claim(9, FRIEND)]
        answer = await client.post("/statements", content=b"\n".join(documents), headers=NDJSON)
        lines = [json.loads(line) for line in answer.text.splitlines()]
        assert [line.get("status", "taken") for line in lines] == ["taken", "taken", "taken", 429, 429, "taken"]
        assert {line["quota"] for line in lines[3:5]} == {"stranger.documents"}
        assert all(0 < line["retryAfter"] <= 86_400 for line in lines[3:5])

        query = (
            "mutation($d: [String!]!) { submitBatch(documents: $d) { __typename ... on TryLater { code retryAfter } } }"
        )
        variables = {"d": [claim(7).decode(), claim(10, FRIEND).decode()]}
        told = (await client.post("/graphql", json={"query": query, "variables": variables})).json()["data"]
        later, taken = told["submitBatch"]
        assert (later["__typename"], later["code"], taken["__typename"]) == ("TryLater", "QUOTA", "Receipt")
        assert 0 < later["retryAfter"] <= 86_400


async def test_a_flood_of_source_bytes_ends_before_the_bytes_are_read(store: Store, tmp_path: Path) -> None:
    quotas = {"address": {"bytes": 30_000}, "stranger": {"bytes": 90_000}}
    texts = [bytes([65 + number]) * 12_000 for number in range(3)]
    async with node(store, tmp_path, quotas) as (platform, client):
        await accept(platform, signed_registration(STRANGER))
        sources = [signed_source(STRANGER, source=text, source_id=f"urn:doc:{text[:1]!r}"[:9]) for text in texts]
        await accept(platform, *sources)
        for text in texts[:2]:
            assert (await client.put(f"/sources/{sha256_digest(text)}", content=text)).status_code == 201
        assert refused_by(await client.put(f"/sources/{sha256_digest(texts[2])}", content=texts[2])) == "address.bytes"

        async def pieces() -> AsyncIterator[bytes]:
            for start in range(0, 12_000, 3_000):
                yield texts[2][start : start + 3_000]

        # What is not announced is counted as it comes.
        assert refused_by(await client.put(f"/sources/{sha256_digest(texts[2])}", content=pieces())) == "address.bytes"
        assert not await platform.content.has(sha256_digest(texts[2]))
        # It is the operator's or an endorsed agent's: nobody's flood holds it up.
        await accept(platform, signed_source(FRIEND))
        assert (await client.put(f"/sources/{sha256_digest(SOURCE)}", content=SOURCE)).status_code == 201
        answer = await client.put(f"/sources/{sha256_digest(texts[2])}", content=texts[2], headers=bearer(OPERATOR))
        assert answer.status_code == 201


async def test_bytes_that_are_here_or_never_came_are_given_back(store: Store, tmp_path: Path) -> None:
    quotas = {"address": {"bytes": 2 * len(SOURCE) + 100}}
    async with node(store, tmp_path, quotas) as (platform, client):
        await accept(platform, signed_registration(STRANGER), signed_source(STRANGER))
        path = f"/sources/{sha256_digest(SOURCE)}"
        assert [(await client.put(path, content=SOURCE)).status_code for _ in range(4)] == [201, 200, 200, 200]
        # What comes under a wrong name was sent all the same.
        assert (await client.put(path, content=SOURCE[::-1])).status_code == 422
        assert refused_by(await client.put(path, content=SOURCE[::-1])) == "address.bytes"


async def test_records_that_nobody_signed_for_count_for_the_address(store: Store, tmp_path: Path) -> None:
    async with node(store, tmp_path, {"address": {"documents": 1}}) as (_, client):
        first, second = (json.dumps(record).encode() for record in line(2))
        assert (await client.post("/passports", content=first)).status_code == 201
        assert refused_by(await client.post("/passports", content=second)) == "address.documents"
        assert (await client.post("/passports", content=second, headers=bearer(OPERATOR))).status_code == 201


async def test_the_counts_outlive_the_process_and_are_shared(store: Store, tmp_path: Path) -> None:
    quotas = {"stranger": {"documents": 2}}
    async with node(store, tmp_path, quotas) as (platform, client):
        await accept(platform, signed_registration(STRANGER))
        assert (await post(client, "/statements", claim(1))).status_code == 201
    async with node(store, tmp_path) as (_, client):
        assert (await post(client, "/statements", claim(2))).status_code == 201
        async with server_on(store, tmp_path) as other:
            (outcome,) = await other.submit_many([claim(3)], caller=HERE)
            assert isinstance(outcome, Exception) and "stranger.documents" in str(outcome)
        assert refused_by(await post(client, "/statements", claim(3))) == "stranger.documents"


async def test_after_the_time_that_it_names_it_is_taken(store: Store, tmp_path: Path) -> None:
    clock = Clock()
    async with node(store, tmp_path, {"stranger": {"documents": 1}}, clock) as (platform, client):
        await accept(platform, signed_registration(STRANGER))
        assert (await post(client, "/statements", claim(1))).status_code == 201
        refused = await post(client, "/statements", claim(2))
        assert refused_by(refused) == "stranger.documents"
        clock.now += timedelta(seconds=int(refused.headers["retry-after"]))
        assert (await post(client, "/statements", claim(2))).status_code == 201


QUOTAS = "{ admissionPolicy { quotas { stranger { documents bytes agents } address { agents } } } }"


async def test_a_policy_changes_the_limits_at_once(store: Store, tmp_path: Path) -> None:
    async with node(store, tmp_path, {"stranger": {"documents": 1}}) as (platform, client):
        await accept(platform, signed_registration(STRANGER))
        assert (await post(client, "/statements", claim(1))).status_code == 201
        assert (await post(client, "/statements", claim(2))).status_code == 429
        wider = admission_policy_message(platform.node.agent_id, quotas={"stranger": {"documents": 2}})
        # The node's own messages have no quota, whoever brings them.
        assert (await post(client, "/admission-policies", by_node(platform, wider))).status_code == 201
        assert (await post(client, "/statements", claim(2))).status_code == 201
        assert (await post(client, "/statements", claim(3))).status_code == 429
        told = (await client.post("/graphql", json={"query": QUOTAS})).json()["data"]["admissionPolicy"]["quotas"]
        assert told["stranger"] == {"documents": 2, "bytes": DEFAULT_QUOTAS.stranger.bytes, "agents": None}
        assert told["address"] == {"agents": DEFAULT_QUOTAS.address.agents}


async def test_the_agents_of_an_operator_share_its_quota(store: Store, tmp_path: Path) -> None:
    quotas = {"operator": {"documents": 3, "agents": 1}, "endorsed": {"documents": 2}}
    async with node(store, tmp_path, quotas) as (platform, client):
        await accept(platform, signed_registration(2), signed_registration(3))
        endorsed = signed_endorsement(signed_registration(2), OPERATOR_A)
        assert (await post(client, "/endorsements", endorsed)).status_code == 201
        further = signed_endorsement(signed_registration(3), OPERATOR_A)
        assert refused_by(await post(client, "/endorsements", further)) == "operator.agents"
        assert (await post(client, "/statements", claim(1, FRIEND))).status_code == 201
        assert (await post(client, "/statements", claim(2, 2))).status_code == 201
        assert refused_by(await post(client, "/statements", claim(3, 2))) == "operator.documents"


async def test_what_is_refused_counts_for_the_address_and_for_no_agent(store: Store, tmp_path: Path) -> None:
    quotas = {"stranger": {"documents": 1}, "address": {"documents": 2}}
    async with node(store, tmp_path, quotas) as (platform, client):
        await accept(platform, signed_registration(STRANGER))
        forged = sign_as(json.loads(claim(6)), agent_key(41), f"{agent_id(STRANGER)}#key-1")
        assert (await post(client, "/statements", forged)).status_code == 422
        assert (await post(client, "/statements", claim(1))).status_code == 201
        assert refused_by(await post(client, "/statements", claim(2, 22))) == "address.documents"
