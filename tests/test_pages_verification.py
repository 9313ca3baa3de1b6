"""The page of a verdict: its findings, its statement, its evidence, its challenge, and withheld words."""

import httpx
from builders import (
    SOURCE,
    envelope_of,
    key_revocation_message,
    pointer_to,
    reference_to,
    signed_answer,
    signed_request,
    signed_response,
    signed_statement,
)
from http_client import client
from page_reader import BROWSER, Parsed, open_page, open_past_page, parsed
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_A, VERIFIER_B, accept, hash_of, settle, signed_node_source, verified_world

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.verification_response import Verdict
from graph.platform import Platform

__all__ = ["client", "platform"]


def words(page: Parsed) -> str:
    return " ".join(page.one("main").text.split())


async def test_a_verdict_shows_its_findings_its_statement_and_the_request(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    request = signed_request(statement, AUTHOR)
    response = signed_response(statement, VERIFIER_A, request=reference_to(request), evidence=[pointer_to()])
    await accept(platform, statement, request, response)
    page = await open_page(client, f"/verifications/{hash_of(response)}")
    assert page.one("h1").text == "Validated by Test agent 2"
    assert "source accuracy pass 0.89 checked source-accuracy" in words(page)
    assert "Test agent 1 requested verdicts on" in words(page)
    assert f"../statements/{hash_of(statement)}" in page.links
    start, end = SOURCE.index(b"The new zoning"), SOURCE.index(b"forty feet.") + 11
    assert f"../sources/{sha256_digest(SOURCE)}?at={start}#bytes-{start}-{end}" in page.links
    assert {"../agents/urn:agent:test-2", "../agents/urn:agent:test-11"} <= set(page.links)


async def test_the_id_of_a_verdict_leads_to_its_hash_and_a_program_gets_the_document(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    signed_hash, address = hash_of(world.responses[0]), f"/verifications/{envelope_of(world.responses[0]).id}"
    led = await client.get(address, headers={"accept": BROWSER})
    assert (led.status_code, led.headers["location"]) == (307, f"../verifications/{signed_hash}")
    assert (await client.get(address)).content == world.responses[0]
    await open_page(client, f"/verifications/{sha256_digest(b'none')}", 404)
    await open_page(client, "/verifications/urn:uuid:none", 404)
    await open_page(client, f"/verifications/{hash_of(world.statement)}", 404)


async def test_a_challenge_has_both_sides(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    counter = signed_statement(VERIFIER_A, claim="The limit is fifty feet.", contradicts=[reference_to(statement)])
    await accept(platform, statement, counter)
    challenge = signed_response(
        statement,
        VERIFIER_A,
        verdict=Verdict.CHALLENGED,
        reason="It is <b>fifty</b>.",
        counter_statement=reference_to(counter),
    )
    await accept(platform, challenge)
    page = await open_page(client, f"/verifications/{hash_of(challenge)}")
    assert "Challenge: open" in words(page) and "No answer yet." in words(page)
    await accept(platform, signed_answer(challenge, AUTHOR, text="It is forty.", evidence=[pointer_to()]))
    page = await open_page(client, f"/verifications/{hash_of(challenge)}")
    assert "Challenge: answered" in words(page) and "It is forty." in words(page)
    assert "It is <b>fifty</b>." in words(page) and f"../statements/{hash_of(counter)}" in page.links


async def test_a_verdict_of_an_untrusted_key_says_that_it_has_no_weight(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    node = platform.node
    revocation = key_revocation_message(VERIFIER_A, revoking_agent=node.agent_id, not_trusted_since=0)
    await accept(platform, node.sign(revocation).envelope.received)
    page = await open_page(client, f"/verifications/{hash_of(world.responses[0])}")
    assert "The key that signed the verdict is not trusted." in words(page)
    page = await open_page(client, f"/verifications/{hash_of(world.responses[1])}")
    assert "not trusted" not in words(page)


async def test_the_words_of_a_verifier_are_withheld_with_the_source(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    findings = [Finding("source-accuracy", FindingStatus.PASS, "It quotes secret words.", 0.9)]
    response = signed_response(statement, VERIFIER_B, findings=findings, reason="Other secret words.")
    await accept(platform, statement, response)
    await accept(platform, signed_node_source(platform, SOURCE, boundary=Boundary.CONFIDENTIAL))
    answer = await client.get(f"/verifications/{hash_of(response)}", headers={"accept": BROWSER})
    page = parsed(answer.text)
    assert "The verifier's words are withheld: the source is confidential" in words(page)
    assert "secret words" not in answer.text


async def test_the_past_of_a_challenge_has_no_later_answer(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    challenge = signed_response(statement, VERIFIER_A, verdict=Verdict.CHALLENGED)
    await accept(platform, statement, challenge)
    size = (await client.post("/graphql", json={"query": "{ log { size } }"})).json()["data"]["log"]["size"]
    await accept(platform, signed_answer(challenge, AUTHOR))
    address = f"/verifications/{hash_of(challenge)}"
    assert "answered" in words(await open_page(client, address))
    assert "Challenge: open" in words(await open_past_page(client, f"{address}?asOf={size}"))
