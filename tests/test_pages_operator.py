"""The operator's page: failing tasks, policies in words, the effect of another policy, quotas and peers."""

import httpx
import pytest
from builders import envelope_of, signed_statement
from http_client import OPERATOR, READERS, client, sign_in
from page_reader import BROWSER, Parsed, open_page
from peer_simulator import PeerSimulator
from platform_fixture import platform
from scenario import AUTHOR, accept, settle, signed_node_policy, verified_world
from test_federation import agree, agreement

from graph.platform import Platform

__all__ = ["client", "platform"]


async def operator_page(client: httpx.AsyncClient, address: str = "/operator") -> Parsed:
    await sign_in(client, OPERATOR)
    return await open_page(client, address)


def text_of(page: Parsed) -> str:
    return " ".join(page.one("main").text.split())


async def test_the_operators_page_is_for_the_operator_alone(client: httpx.AsyncClient) -> None:
    page = await open_page(client, "/operator", 403)
    assert "./session?to=operator" in page.links
    await sign_in(client, READERS["confidential"])
    await open_page(client, "/operator", 403)
    assert "./operator" not in (await open_page(client, "/")).links
    await operator_page(client)
    assert "./operator" in (await open_page(client, "/")).links


async def test_the_policies_in_force_stand_on_the_page_in_words(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    text = text_of(await operator_page(client))
    assert (
        "A statement is verified if its score is at least 0.7 and verdicts of at least 2 independent operators" in text
    )
    assert "source accuracy, evidence sufficiency, logical consistency" in text
    assert "Any agent may register." in text and "no failing task" in text and "This node has no peer." in text


async def test_another_policy_shows_the_statements_that_it_would_change(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    world = await verified_world(platform)
    claim = envelope_of(world.statement).document["claim"]["text"]
    page = await operator_page(client, "/operator?threshold=0.7&quorum=50")
    text = text_of(page)
    assert "Would no longer be verified: 1" in text and claim in text and "Would become verified: 0" in text
    assert "a2ap policy set --key NODE.key --threshold 0.7 --quorum 50" in text


async def test_a_peer_stands_on_the_page_with_its_progress(platform: Platform, client: httpx.AsyncClient) -> None:
    peer = PeerSimulator()
    await agree(platform, agreement(peer, "https://peer.example"))
    text = text_of(await operator_page(client))
    assert f"{peer.origin}https://peer.example pulled public0 of 0" in text


async def test_a_failing_task_stands_on_the_page_with_its_error(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*arguments: object) -> None:
        raise ValueError("no numbers")

    await settle(platform)
    monkeypatch.setattr("graph.submission.epoch_keeper.read_votes", fail)
    await accept(platform, signed_node_policy(platform, 3, epoch_length=1), signed_statement(AUTHOR))
    await platform.epochs.settled()
    text = text_of(await operator_page(client))
    assert "epoch" in text and "ValueError: no numbers" in text and "no failing task" not in text


async def test_the_page_of_the_operator_has_no_past(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    await sign_in(client, OPERATOR)
    answer = await client.get("/operator?asOf=2", headers={"accept": BROWSER})
    assert "This page has no past: it shows the present." in answer.text and "as it was at log size" not in answer.text


async def test_values_that_no_policy_may_have_are_refused_with_the_name_of_the_field(client: httpx.AsyncClient) -> None:
    await operator_page(client)
    for field, value in (("threshold", "1.5"), ("threshold", "much"), ("quorum", "two"), ("quorum", "0")):
        page = await open_page(client, f"/operator?{field}={value}", 400)
        assert field in text_of(page)
