"""Statements without a verdict that counts: pages say that there is no score yet, and show no number."""

import json

import httpx
from builders import agent_id, signed_request, signed_response, signed_statement
from http_client import ask, client
from page_reader import Parsed, open_page, open_past_page
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, VERIFIER_A, accept, hash_of, settle

from graph.platform import Platform
from graph.scoring.consensus import compute_consensus
from graph.scoring.result import GateState
from graph.scoring.votes import ConsensusPolicy

__all__ = ["client", "platform"]

JUDGED = """query ($id: ID!) {
  statement(id: $id) { consensus { score judged } }
  consensusTimeline(statementId: $id) { nodes { score judged } }
}"""


def words(page: Parsed) -> str:
    return " ".join(page.one("main").text.split())


async def test_a_statement_without_a_verdict_that_counts_shows_no_score(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    # The verdict of a verifier on its own statement has no weight.
    before, name = (await ask(client, "{ log { size } }"))["log"]["size"], hash_of(statement)
    await accept(platform, statement, signed_request(statement, AUTHOR), signed_response(statement, AUTHOR))
    size = (await ask(client, "{ log { size } }"))["log"]["size"]
    for address in (
        f"/statements/{name}",
        "/",
        "/statements",
        f"/agents/{agent_id(AUTHOR)}",
        "/desk",
        f"/cite/{name}",
        f"/dossier?statement={name}",
        "/export",
    ):
        text = words(await open_page(client, address))
        assert "no score yet" in text and "0.00" not in text, address
    compared = words(await open_past_page(client, f"/log/compare?from={before}&to={size}"))
    assert "no score yet not verified" in compared and "0.00" not in compared
    page = await open_page(client, f"/statements/{name}")
    assert "this node's own check, no vote and no score" in words(page)
    (review,) = [one.text for one in page.named("script") if one.attributes.get("type") == "application/ld+json"]
    assert "reviewRating" not in json.loads(review)
    found = await ask(client, JUDGED, {"id": name})
    assert found["statement"]["consensus"] == {"score": 0, "judged": False}
    assert {one["judged"] for one in found["consensusTimeline"]["nodes"]} == {False}


def test_a_score_of_zero_is_a_score_if_the_quote_is_not_in_the_source() -> None:
    def is_judged(gate: GateState) -> bool:
        found = compute_consensus(
            (), author=agent_id(AUTHOR), author_operators=frozenset(), gate=gate, policy=ConsensusPolicy()
        )
        assert found.score == 0
        return found.is_judged

    assert is_judged(GateState.CLOSED) and not is_judged(GateState.OPEN)


async def test_the_first_verdict_that_counts_gives_a_score(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement, signed_response(statement, STRANGER), signed_response(statement, VERIFIER_A))
    found = await ask(client, JUDGED, {"id": hash_of(statement)})
    assert found["statement"]["consensus"]["judged"]
    assert "no score yet" not in words(await open_page(client, "/statements"))
