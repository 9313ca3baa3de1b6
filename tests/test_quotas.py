"""Floods by strangers over HTTP end in 429, and hold up neither the operator nor the agents that it endorsed."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from importlib import import_module
from inspect import signature
from itertools import pairwise
from pathlib import Path
from pkgutil import iter_modules
from threading import Barrier
from typing import Any

import httpx
import pytest
from builders import (
    SOURCE,
    admission_policy_message,
    agent_id,
    agent_key,
    reference_to,
    segment,
    sign_as,
    signed_endorsement,
    signed_lease_request,
    signed_registration,
    signed_request,
    signed_retraction,
    signed_source,
    signed_statement,
)
from fastapi.routing import APIRoute
from http_client import OPERATOR, bearer
from key_world import by_node
from passports import line
from scenario import OPERATOR_A, accept, hash_of, pieces, signed_node_policy
from served import served
from servers import log_of, server_on
from test_evidence_decay import recheck

import graph.http
from a2ap.canonical import sha256_digest
from a2ap.messages.quotas import DEFAULT_QUOTAS
from graph.content.content_store import open_content_store
from graph.errors import QuotaError, TooLargeError
from graph.log.entry import Outcome, Receipt
from graph.node import load_node
from graph.platform import Platform, platform_on, utc_now
from graph.quotas.caller import Caller
from graph.quotas.counters import Counters, counted_in
from graph.quotas.decision import Account, AccountKind, Amount, Part, hour_of
from graph.settings import Settings
from graph.store import Store
from graph.submission import submitter
from graph.submission.sources import Sources
from graph.submission.submission import Submission

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


async def machine_check(platform: Platform) -> str:
    """Return the outcome of the node's check of the claim 1 of FRIEND."""
    (row,) = await platform.store.read("machine_checks_of", hashes=[hash_of(claim(1, FRIEND))])
    check: str = row["machine_check"]
    return check


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


async def test_the_default_quotas_hold_each_account_to_its_limits(store: Store, tmp_path: Path) -> None:
    async with node(store, tmp_path) as (platform, client), counted_in(tmp_path) as counters:
        await accept(platform, signed_registration(STRANGER))

        def fill(kind: AccountKind, name: str, **left: int) -> None:
            quota = getattr(DEFAULT_QUOTAS, kind.value)
            amount = Amount(**{limit: getattr(quota, limit) - number for limit, number in left.items()})
            counters.add([Part(Account(kind, name), amount)], hour_of(utc_now()))

        async def statement(number: int, seed: int) -> httpx.Response:
            return await post(client, "/statements", claim(number, seed))

        fill(AccountKind.STRANGER, agent_id(STRANGER), documents=1)
        assert (await statement(1, STRANGER)).status_code == 201
        assert refused_by(await statement(2, STRANGER)) == "stranger.documents"
        fill(AccountKind.ADDRESS, "127.0.0.1", agents=1)
        assert (await post(client, "/agents", signed_registration(31))).status_code == 201
        assert refused_by(await post(client, "/agents", signed_registration(32))) == "address.agents"
        fill(AccountKind.ADDRESS, "127.0.0.1", documents=0)
        assert refused_by(await statement(1, 31)) == "address.documents"
        assert refused_by(await post(client, "/statements", b"{}")) == "address.documents"

        fill(AccountKind.ENDORSED, agent_id(FRIEND), documents=1)
        fill(AccountKind.OPERATOR, agent_id(OPERATOR_A), agents=1, documents=3)
        assert (await statement(1, FRIEND)).status_code == 201
        assert refused_by(await statement(2, FRIEND)) == "endorsed.documents"
        await accept(platform, signed_registration(2), signed_registration(3))
        for seed, status in ((2, 201), (3, 429)):
            endorsement = signed_endorsement(signed_registration(seed), OPERATOR_A)
            assert (await post(client, "/endorsements", endorsement)).status_code == status
        assert (await statement(1, 2)).status_code == 201
        assert refused_by(await statement(2, 2)) == "operator.documents"
        assert (await post(client, "/statements", claim(3), OPERATOR)).status_code == 201


async def test_a_long_statement_counts_as_several_documents(store: Store, tmp_path: Path) -> None:
    async with node(store, tmp_path, {"stranger": {"documents": 10}}) as (platform, client):
        await accept(platform, signed_registration(STRANGER))
        long = signed_statement(STRANGER, evidence=[segment()] * 50)
        assert len(long) > 5 * 4096
        assert (await post(client, "/statements", long)).status_code == 201
        again = signed_statement(STRANGER, claim="Another claim.", evidence=[segment()] * 50)
        assert refused_by(await post(client, "/statements", again)) == "stranger.documents"
        assert (await post(client, "/statements", claim(1))).status_code == 201
        assert (await post(client, "/statements", signed_statement(FRIEND, evidence=[segment()] * 100))).is_success


async def test_a_verification_request_of_a_stranger_counts_as_five_documents(store: Store, tmp_path: Path) -> None:
    async with node(store, tmp_path, {"stranger": {"documents": 8}, "endorsed": {"documents": 3}}) as (
        platform,
        client,
    ):
        await accept(platform, signed_registration(STRANGER), claim(1), claim(1, FRIEND))
        first, second = (signed_request(claim(1), STRANGER, number=number) for number in (1, 2))
        assert (await post(client, "/verification-requests", first)).is_success
        assert refused_by(await post(client, "/verification-requests", second)) == "stranger.documents"
        for number in (1, 2, 3):
            request = signed_request(claim(1, FRIEND), FRIEND, number=number)
            assert (await post(client, "/verification-requests", request)).is_success


async def test_a_statement_of_a_stranger_cites_few_passages(store: Store, tmp_path: Path) -> None:
    async with node(store, tmp_path) as (platform, client):
        await accept(platform, signed_registration(STRANGER))
        answer = await post(client, "/statements", signed_statement(STRANGER, evidence=[segment()] * 51))
        assert (answer.status_code, answer.json()["code"]) == (413, "TOO_LARGE")
        assert "at most 50 passages" in answer.json()["detail"]
        endorsed = signed_statement(FRIEND, evidence=[segment()] * 51)
        known = reference_to(claim(1, FRIEND))
        later = signed_statement(FRIEND, claim="Later.", evidence=[segment()] * 51, was_revision_of=known)
        (refused,) = await platform.submit_many([later], caller=HERE)
        assert isinstance(refused, Exception) and not isinstance(refused, TooLargeError)
        await accept(platform, claim(1, FRIEND))
        # One that was refused before, one that stands twice in a call, and a copy: it is an endorsed agent's still.
        outcomes = await platform.submit_many([later, endorsed, endorsed], caller=HERE)
        outcomes += await platform.submit_many([later, endorsed], caller=HERE)
        assert all(isinstance(outcome, Receipt) for outcome in outcomes), outcomes


async def test_what_a_quota_refuses_is_refused_again_in_the_same_call(store: Store, tmp_path: Path) -> None:
    async with node(store, tmp_path, {"stranger": {"documents": 2}}) as (platform, _):
        await accept(platform, signed_registration(STRANGER))
        outcomes = await platform.submit_many([claim(1), claim(2), claim(3), claim(3), claim(3)], caller=HERE)
        assert [isinstance(outcome, QuotaError) for outcome in outcomes] == [False, False, True, True, True]


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


async def test_bytes_that_are_here_cause_no_work_when_they_come_again(store: Store, tmp_path: Path) -> None:
    async with node(store, tmp_path) as (platform, client):
        await accept(platform, signed_source(FRIEND), claim(1, FRIEND))
        address = f"/sources/{sha256_digest(SOURCE)}"
        assert (await client.put(address, content=SOURCE)).status_code == 201
        queries: list[str] = []
        store.observe = queries.append
        answers = await asyncio.gather(*(client.put(address, content=SOURCE) for _ in range(3)))
        store.observe = None
        assert [answer.status_code for answer in answers] == [200, 200, 200]
        assert not {"lock_log_head", "statements_citing_document", "chunks_of_document"} & set(queries)
        assert (await client.put(address, content=b"something else")).status_code == 422
        # Where the bytes were lost all that follows from them is done again.
        await platform.content.remove(sha256_digest(SOURCE))
        await recheck(platform)
        assert await machine_check(platform) == "INCONCLUSIVE"
        assert (await client.put(address, content=SOURCE)).status_code == 201
        assert await machine_check(platform) == "PASS"


async def test_verdicts_on_statements_of_strangers_take_no_turn_of_an_endorsed_agent(
    store: Store, tmp_path: Path
) -> None:
    async with node(store, tmp_path) as (platform, _):
        await accept(platform, signed_registration(STRANGER), signed_source(FRIEND), claim(1), claim(2, FRIEND))
        calls: list[list[Submission]] = []

        async def append(submissions: Sequence[Submission], caller: Caller | None = None) -> list[Outcome]:
            calls.append(list(submissions))
            return await platform.append(submissions, caller)

        sources = Sources(
            store,
            platform.content,
            platform.node,
            platform.sources.evidence,
            append,
            platform.clock,
            platform.quotas,
        )
        await sources.put(sha256_digest(SOURCE), pieces(SOURCE))
        assert [[one.charge.of_stranger for one in call] for call in calls] == [[False], [True]]


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


def test_servers_that_start_together_open_the_counts_of_a_new_folder(tmp_path: Path) -> None:
    begin = Barrier(4)

    def start(folder: Path) -> None:
        begin.wait()
        Counters(folder).close()

    with ThreadPoolExecutor(4) as servers:
        for number in range(40):
            for started in [servers.submit(start, tmp_path / str(number)) for _ in range(4)]:
                started.result()


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


async def test_what_is_refused_of_an_endorsed_agent_counts_for_the_address_when_it_comes_again(
    store: Store, tmp_path: Path
) -> None:
    async with node(store, tmp_path, {"address": {"documents": 2}}) as (_, client):
        unknown = signed_retraction(claim(9, FRIEND), FRIEND)
        for _ in range(3):
            assert not (await post(client, "/retractions", unknown)).is_success
        assert refused_by(await post(client, "/retractions", unknown)) == "address.documents"
        assert (await post(client, "/statements", claim(9, FRIEND))).status_code == 201


async def pieces_of(content: bytes, size: int = 65_536) -> AsyncIterator[bytes]:
    """Yield a body whose length is not announced."""
    for start in range(0, len(content), size):
        yield content[start : start + size]


async def test_bytes_count_for_the_address_until_they_are_the_source_of_an_endorsed_agent(
    store: Store, tmp_path: Path
) -> None:
    texts = [bytes([65 + number]) * 12_000 for number in range(5)]
    paths = [f"/sources/{sha256_digest(text)}" for text in texts]
    async with node(store, tmp_path, {"address": {"bytes": 30_000}}) as (platform, client):
        await accept(
            platform, *(signed_source(FRIEND, source=text, source_id=f"urn:doc:{text[:1].decode()}") for text in texts)
        )
        # Each of these counts for the agent once it is kept, so that all of them have room.
        for path, text in zip(paths[:4], texts[:4], strict=True):
            assert (await client.put(path, content=text)).status_code == 201
        wrong = texts[4].replace(b"E", b"e")
        assert (await client.put(paths[4], content=pieces_of(wrong))).status_code == 422
        assert (await client.put(paths[4], content=wrong)).status_code == 422
        assert refused_by(await client.put(paths[4], content=wrong)) == "address.bytes"
        assert refused_by(await client.put(paths[4], content=pieces_of(wrong))) == "address.bytes"
        # The operator brings what is the agent's whatever others have sent.
        assert (await client.put(paths[4], content=texts[4], headers=bearer(OPERATOR))).status_code == 201


async def test_an_upload_ends_once_it_is_longer_than_its_registration_says(store: Store, tmp_path: Path) -> None:
    async with node(store, tmp_path) as (platform, client):
        await accept(platform, signed_source(FRIEND))
        path = f"/sources/{sha256_digest(SOURCE)}"
        found = f"is registered with {len(SOURCE)} bytes"
        for body in (SOURCE + b"x", pieces_of(SOURCE + b"x" * 100_000)):
            answer = await client.put(path, content=body)
            assert answer.status_code == 422 and found in answer.json()["detail"]
        # If two agents have registered it, one of them may have named a length that is wrong.
        await accept(platform, signed_registration(STRANGER), signed_source(STRANGER))
        answer = await client.put(path, content=SOURCE + b"x")
        assert answer.status_code == 422 and found not in answer.json()["detail"]
        assert (await client.put(path, content=SOURCE)).status_code == 201


async def test_a_body_that_announces_no_length_ends_when_the_address_has_no_room_for_it(
    store: Store, tmp_path: Path
) -> None:
    async with node(store, tmp_path, {"address": {"bytes": 30_000}}) as (platform, client):
        for path in ("/packs", "/packets", "/passports", "/packet-records"):
            assert refused_by(await client.post(path, content=pieces_of(b" " * 40_000))) == "address.bytes"
        # Eight mebibytes may be a retry, or of endorsed agents; what is longer waits on the disk.
        long = b"\n" * (9 * 2**20)
        assert refused_by(await client.post("/statements", content=pieces_of(long), headers=NDJSON)) == "address.bytes"
        answer = await client.post("/statements", content=pieces_of(long), headers=NDJSON | bearer(OPERATOR))
        assert answer.status_code == 200
        assert (await client.post("/statements", content=b"\n" * 40_000, headers=NDJSON)).status_code == 200
        # Bodies that are here at the same time need room together.
        first, second = await platform.quotas.body(HERE), await platform.quotas.body(HERE)
        assert len([piece async for piece in first.metered(pieces_of(b"x" * 20_000))]) == 1
        with pytest.raises(QuotaError):
            [piece async for piece in second.metered(pieces_of(b"x" * 20_000))]
        first.release()
        second.release()
        third = await platform.quotas.body(HERE)
        assert len([piece async for piece in third.metered(pieces_of(b"x" * 20_000))]) == 1
        third.release()


async def test_bodies_that_are_no_record_count_for_the_address(store: Store, tmp_path: Path) -> None:
    async with node(store, tmp_path, {"address": {"documents": 4}}) as (_, client):
        for path in ("/packs", "/packets", "/passports", "/packet-records"):
            assert (await client.post(path, content=b"{")).status_code in (400, 422)
        assert refused_by(await client.post("/packs", content=b"{")) == "address.documents"


async def test_lines_that_are_no_message_count_for_the_address(store: Store, tmp_path: Path) -> None:
    async with node(store, tmp_path, {"address": {"documents": 3}}) as (_, client):
        answer = await client.post("/statements", content=b"\n".join([b"{", *[b"[]"] * 4]), headers=NDJSON)
        lines = [json.loads(line) for line in answer.text.splitlines()]
        assert [line["status"] for line in lines] == [400, 400, 400, 429, 429]
        assert refused_by(await post(client, "/statements", b"{")) == "address.documents"
        assert (await post(client, "/statements", b"{", OPERATOR)).status_code == 400
        assert (await post(client, "/statements", claim(1, FRIEND))).status_code == 201


async def test_a_copy_is_free_and_further_copies_in_one_body_count(store: Store, tmp_path: Path) -> None:
    async with node(store, tmp_path, {"address": {"documents": 3}}) as (platform, client):
        await accept(platform, claim(0, FRIEND), claim(1, FRIEND))
        bodies = [claim(0, FRIEND), claim(1, FRIEND), *[claim(0, FRIEND)] * 5]
        answer = await client.post("/statements", content=b"\n".join(bodies), headers=NDJSON)
        lines = [json.loads(line) for line in answer.text.splitlines()]
        assert [line.get("status", "here") for line in lines] == ["here"] * 5 + [429] * 2
        # All of it may be sent again although the quota is used up.
        answer = await client.post("/statements", content=b"\n".join(bodies[:2]), headers=NDJSON)
        assert [json.loads(line).get("created") for line in answer.text.splitlines()] == [False, False]
        answer = await client.post("/statements", content=b"\n".join(bodies), headers=NDJSON | bearer(OPERATOR))
        assert [json.loads(line).get("created") for line in answer.text.splitlines()] == [False] * 7


async def test_bodies_of_one_address_are_read_one_after_another_and_those_of_copies_last(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with node(store, tmp_path) as (platform, client):
        body = b"\n".join(claim(number, FRIEND) for number in range(20))
        further = b"\n".join(claim(number, FRIEND) for number in range(20, 32))
        reading, most, read = 0, 0, platform._submitter._read
        order: list[bool] = []

        async def noted(documents: Sequence[bytes], *arguments: Any) -> Any:
            nonlocal reading, most
            reading += 1
            most = max(most, reading)
            order.append(documents[0] in further)
            await asyncio.sleep(0.03)
            found = await read(documents, *arguments)
            reading -= 1
            return found

        monkeypatch.setattr(platform._submitter, "_read", noted)
        for headers, is_operator in ((NDJSON, False), (NDJSON | bearer(OPERATOR), True)):
            most = 0
            sent = [client.post("/statements", content=body, headers=headers) for _ in range(4)]
            answers = await asyncio.gather(*sent)
            assert [len(answer.text.splitlines()) for answer in answers] == [20] * 4
            assert (most > 1) == is_operator

        monkeypatch.setattr(submitter, "_READ_FIRST", 4)
        monkeypatch.setattr(submitter, "_READ_AT_ONCE", 4)
        order.clear()
        async with asyncio.TaskGroup() as tasks:
            for _ in range(8):
                tasks.create_task(client.post("/statements", content=body, headers=NDJSON))
            while len(order) < 12:
                await asyncio.sleep(0.001)
            tasks.create_task(client.post("/statements", content=further, headers=NDJSON))
        places = [place for place, is_new in enumerate(order) if is_new]
        assert (len(places), len(order)) == (3, 43)
        # The call with new documents waits for the call that is read and one behind, not for all eight.
        assert max(after - before for before, after in pairwise(places)) <= 3, places


async def test_lease_requests_of_strangers_count_for_the_address(store: Store, tmp_path: Path) -> None:
    async with node(store, tmp_path, {"address": {"documents": 3}}) as (platform, client):
        await accept(platform, signed_registration(STRANGER))

        def asked(seed: int, number: int) -> bytes:
            node_agent = platform.node.agent_id
            return signed_lease_request(seed, number=number, audience=node_agent, time=utc_now())

        for number in (1, 2):
            assert (await client.post("/leases", content=asked(STRANGER, number))).status_code == 200
        friends = asked(FRIEND, 1)
        assert (await client.post("/leases", content=friends)).status_code == 200
        # It is taken once, and its copy is no call of the agent's.
        assert (await client.post("/leases", content=friends)).status_code == 409
        assert refused_by(await client.post("/leases", content=asked(STRANGER, 3))) == "address.documents"
        assert refused_by(await client.post("/leases", content=b"{")) == "address.documents"
        assert (await client.post("/leases", content=asked(FRIEND, 2))).status_code == 200


def test_each_route_that_takes_something_in_knows_its_caller() -> None:
    # Nothing is put in by these, and their bodies have a mebibyte at most.
    questions = {"/messages/fetch", "/sparql", "/ask", "/cypher"}
    found = {}
    for module in iter_modules(graph.http.__path__, "graph.http."):
        router = getattr(import_module(module.name), "router", None)
        for route in router.routes if router is not None else ():
            if isinstance(route, APIRoute) and set(route.methods or ()) & {"POST", "PUT", "PATCH", "DELETE"}:
                found[route.path] = "caller" in signature(route.endpoint).parameters
    assert {"/statements", "/leases", "/packs", "/sources/{document_hash}"} <= found.keys()
    assert {path for path, has_caller in found.items() if not has_caller} == questions


async def test_a_client_that_hangs_up_leaves_no_fault_in_the_log(
    store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "graph.app")
    async with node(store, tmp_path) as (_, client):
        for path in ("/packs", "/statements"):
            _, writer = await asyncio.open_connection(client.base_url.host, client.base_url.port)
            head = f"POST {path} HTTP/1.1\r\nHost: {client.base_url.netloc.decode()}\r\nContent-Length: 1000\r\n\r\n"
            writer.write(head.encode() + b"half")
            await writer.drain()
            await asyncio.sleep(0.2)
            writer.close()
        async with asyncio.timeout(10):
            while sum("the client has gone" in record.message for record in caplog.records) < 2:
                await asyncio.sleep(0.02)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING or record.exc_info]
