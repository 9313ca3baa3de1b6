"""The agents' client against a real server."""

import asyncio
import json
from collections.abc import Callable
from typing import Any, TypeVar

import httpx
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
from a2ap.messages.message import read_message
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
        client.set_policy(signed_node_policy(platform, seeds=(agent_id(OPERATOR_A),), quorum=1, threshold=0.5))
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


async def test_documents_with_line_breaks_keep_their_bytes_and_their_place(platform: Platform) -> None:
    await settle(platform)
    plain = [signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(5)]
    pretty = json.dumps(json.loads(plain[1]), indent=2, ensure_ascii=False).encode()
    verdict = json.dumps(json.loads(signed_response(plain[1], VERIFIER_A)), indent=2).encode() + b"\r\n"
    documents = [plain[0], pretty, verdict, plain[2], b'{\n "@type": "nothing"\n}', plain[3] + b"\n", plain[4]]

    answers = await call(platform, lambda client: client.submit_many(documents))

    refused = answers.pop(4)
    del documents[4]
    assert isinstance(refused, ProblemError) and refused.status == 400
    found = list(receipts(answers))
    assert [receipt.document_hash for receipt in found] == [sha256_digest(document) for document in documents]
    assert [receipt.log_index for receipt in found] == sorted(receipt.log_index for receipt in found)


def client_of(answer: httpx.Response | Exception, asked: list[str] | None = None) -> Client:
    """Return a client of a platform that has one answer to everything; `asked` gets the paths."""

    def handle(request: httpx.Request) -> httpx.Response:
        if asked is not None:
            asked.append(request.url.raw_path.decode())
        if isinstance(answer, Exception):
            raise answer
        return answer

    return Client("http://platform.test", transport=httpx.MockTransport(handle))


def test_leases_are_what_the_platform_gives() -> None:
    asked: list[str] = []
    lease = {"lease": "urn:uuid:1", "expiresAt": "2026-01-01T00:00:00Z", "request": {}, "statement": {}}
    assert client_of(httpx.Response(200, json={"leases": [lease]}), asked).lease(b"{}", wait=2.5) == [lease]
    assert asked == ["/leases?wait=2.5"]


@pytest.mark.parametrize("answer", [{}, {"leases": None}, {"leases": [7]}, {"leases": {}}, []])
def test_what_is_no_list_of_leases_is_no_answer(answer: object) -> None:
    with pytest.raises(UnreachableError):
        client_of(httpx.Response(200, json=answer)).lease(b"{}")


@pytest.mark.parametrize("status", ["soon", None, [], {}, True, float("nan")])
def test_a_problem_with_an_odd_status_is_a_problem_all_the_same(status: object) -> None:
    body = json.dumps({"title": "No", "status": status, "path": 7})
    with pytest.raises(ProblemError, match="422 No") as caught:
        client_of(httpx.Response(422, text=body)).submit(b"{}")
    assert caught.value.path is None


@pytest.mark.parametrize(("stated", "expected"), [(60, 60), ("60", None), (None, None), (True, None)])
def test_a_problem_says_when_to_try_again(stated: object, expected: int | None) -> None:
    answer = httpx.Response(429, text=json.dumps({"title": "Too many", "status": 429, "retryAfter": stated}))
    with pytest.raises(ProblemError) as caught:
        client_of(answer).submit(b"{}")
    assert caught.value.retry_after == expected


@pytest.mark.parametrize(
    "line", ["7", "null", '"logIndex"', "[]", '{"logIndex": "x"}', '{"logIndex": 1, "id": 2}', "{"]
)
def test_an_odd_line_is_no_answer(line: str) -> None:
    with pytest.raises(UnreachableError, match="the platform answered with"):
        client_of(httpx.Response(200, text=line + "\n")).submit_many([b"{}"])


@pytest.mark.parametrize("errors", ["broken", ["broken"], {"message": "broken"}])
def test_an_odd_graphql_error_is_a_problem(errors: object) -> None:
    with pytest.raises(ProblemError, match="broken"):
        client_of(httpx.Response(200, json={"errors": errors})).graphql("{ x }")


def test_an_id_stays_one_part_of_the_path() -> None:
    asked: list[str] = []
    client_of(httpx.Response(200), asked).statement("urn:uuid:x/../y?z#é")
    assert asked == ["/statements/urn:uuid:x%2F..%2Fy%3Fz%23%C3%A9"]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (httpx.ConnectTimeout(""), "timed out"),
        (httpx.ReadError(""), "read error"),
        (httpx.RemoteProtocolError("Server disconnected without sending a response."), "server disconnected"),
    ],
)
def test_why_there_is_no_answer_is_said_in_words(error: Exception, said: str) -> None:
    with pytest.raises(UnreachableError, match=f"^http://platform.test does not answer: {said}"):
        client_of(error).statement("urn:uuid:x")


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
        with pytest.raises(UnreachableError, match=r"^http://127\.0\.0\.1:9 does not answer: connection refused$"):
            client.statement("urn:uuid:x")
