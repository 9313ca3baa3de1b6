"""The agents' client against a real server."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from builders import (
    SOURCE,
    agent_id,
    segment,
    signed_endorsement,
    signed_registration,
    signed_request,
    signed_response,
    signed_source,
    signed_statement,
)
from platform_fixture import platform
from scenario import AUTHOR, OPERATOR_A, VERIFIER_A, settle, signed_node_policy
from served import served

from a2ap.canonical import sha256_digest
from a2ap.client import Client, ProblemError, Receipt, UnreachableError, receipts
from a2ap.message import read_message
from graph.platform import Platform

__all__ = ["platform"]

T = TypeVar("T")


async def call(platform: Platform, work: Callable[[Client], T]) -> T:
    """Run an agent's work in a thread, as it would run in another process."""
    async with served(platform) as address:

        def run() -> T:
            with Client(address) as client:
                return work(client)

        return await asyncio.to_thread(run)


async def test_the_whole_life_of_a_statement(platform: Platform) -> None:
    statement = signed_statement(AUTHOR)

    def live(client: Client) -> dict[str, Any]:
        assert client.health()
        for number in (AUTHOR, VERIFIER_A, OPERATOR_A):
            assert client.register(signed_registration(number)).created
        client.endorse(signed_endorsement(signed_registration(VERIFIER_A), OPERATOR_A))
        client.set_policy(signed_node_policy(platform, quorum=1, threshold=0.5))
        client.register_source(signed_source(AUTHOR))
        client.put_source(sha256_digest(SOURCE), SOURCE)
        receipt = client.submit(statement)
        client.request_verification(signed_request(statement, AUTHOR))
        client.respond(signed_response(statement, VERIFIER_A))
        assert client.statement(receipt.id) == statement
        return client.graphql("query ($id: ID!) { statement(id: $id) { verified } }", {"id": receipt.id})

    assert await call(platform, live) == {"statement": {"verified": True}}


async def test_the_same_document_again_gets_the_same_receipt(platform: Platform) -> None:
    await settle(platform)
    document = read_message(signed_statement(AUTHOR)).envelope.document

    def twice(client: Client) -> tuple[Receipt, Receipt]:
        return client.submit(dict(document)), client.submit(dict(document))

    first, second = await call(platform, twice)

    assert (first.created, second.created) == (True, False)
    assert first.log_index == second.log_index
    assert first.signed_hash == read_message(signed_statement(AUTHOR)).envelope.signed_hash


async def test_many_documents_are_answered_one_by_one(platform: Platform) -> None:
    await settle(platform)
    good = [signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(250)]
    documents = [*good[:100], b'{\n "@type": "nothing"\n}', *good[100:]]

    answers = await call(platform, lambda client: client.submit_many(documents))

    refused = answers[100]
    assert isinstance(refused, ProblemError)
    assert refused.status == 400
    assert [answer.created for answer in answers if isinstance(answer, Receipt)] == [True] * 250
    with pytest.raises(ProblemError, match="400"):
        list(receipts(answers))
    assert await call(platform, lambda client: client.submit_many([])) == []


async def test_a_refusal_carries_the_problem_details(platform: Platform) -> None:
    await settle(platform)
    wrong = signed_statement(AUTHOR, evidence=[segment(content_hash=sha256_digest(b"other"))])

    with pytest.raises(ProblemError) as caught:
        await call(platform, lambda client: client.submit(wrong))

    assert caught.value.status == 422
    assert "contentHash" in caught.value.detail
    assert str(caught.value).startswith("422 ")

    with pytest.raises(ProblemError) as missing:
        await call(platform, lambda client: client.statement("urn:uuid:00000000-0000-4000-8000-000000000000"))
    assert missing.value.status == 404


async def test_sources_are_given_whole_and_in_part(platform: Platform) -> None:
    await settle(platform)
    name = sha256_digest(SOURCE)

    def read(client: Client) -> tuple[bytes, bytes, bytes]:
        return client.source(name), client.source(name, 8, 20), client.source(name, start=8)

    assert await call(platform, read) == (SOURCE, SOURCE[8:20], SOURCE[8:])


async def test_an_agents_registration_is_given_as_it_signed_it(platform: Platform) -> None:
    await settle(platform)

    assert await call(platform, lambda client: client.agent(agent_id(AUTHOR))) == signed_registration(AUTHOR)


async def test_an_error_in_graphql_is_a_problem(platform: Platform) -> None:
    with pytest.raises(ProblemError, match="nonsense"):
        await call(platform, lambda client: client.graphql("{ nonsense }"))


async def test_a_proxy_is_not_asked_for_this_machine(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)

    assert await call(platform, lambda client: client.health())


def test_a_platform_that_is_not_there_is_unreachable() -> None:
    with Client("http://127.0.0.1:9", timeout=2) as client:
        assert not client.health()
        with pytest.raises(UnreachableError, match="does not answer"):
            client.statement("urn:uuid:x")
