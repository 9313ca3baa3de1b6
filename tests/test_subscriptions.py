"""Subscriptions over graphql-transport-ws: what comes, to whom, from which server, and how many may wait."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from builders import (
    agent_id,
    envelope_of,
    segment,
    signed_request,
    signed_response,
    signed_retraction,
    signed_source,
    signed_statement,
)
from http_client import READERS
from platform_fixture import platform
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, hash_of, pieces, settle
from subscribing import connected, connected_to, with_readers
from websockets.exceptions import ConnectionClosed, InvalidStatus

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.verification_response import Verdict
from graph.content.content_store import open_content_store
from graph.graphql.subscriptions import score_changes
from graph.graphql.subscriptions.last_seen import NOT_SEEN, LastSeen, Seen
from graph.http.session import opening_cookie
from graph.node import load_node
from graph.platform import Platform, platform_on

__all__ = ["platform"]

STATEMENT = signed_statement(AUTHOR)
REQUESTS = "subscription ($criteria: [String!]) { verificationRequests(criteria: $criteria) { id agent { id } } }"
VERDICTS = "subscription ($id: ID) { verdicts(statementId: $id) { id reason withheld statement { claimText } } }"
SCORES = """subscription ($id: ID, $topic: String) { scoreChanges(statementId: $id, topic: $topic) {
  score scoreBefore verified verifiedBefore statement { id status } } }"""


async def test_who_waits_for_requests_gets_those_on_its_criteria(platform: Platform) -> None:
    await settle(platform)
    await accept(platform, STATEMENT, signed_request(STATEMENT, AUTHOR))
    tone = signed_request(STATEMENT, AUTHOR, criteria=["example:tone"])
    other = signed_request(STATEMENT, AUTHOR, number=2)
    async with connected(platform) as subscriber:
        await subscriber.subscribe("1", REQUESTS, criteria=["example:tone"])
        await subscriber.subscribe("2", REQUESTS)
        await accept(platform, other, tone)

        assert await subscriber.event("1") == {"id": envelope_of(tone).id, "agent": {"id": agent_id(AUTHOR)}}
        assert [(await subscriber.event("2"))["id"] for _ in range(2)] == [
            envelope_of(other).id,
            envelope_of(tone).id,
        ]


async def test_who_waits_for_verdicts_gets_those_of_the_statement_from_any_server(
    platform: Platform, tmp_path: Path
) -> None:
    await settle(platform)
    other = signed_statement(AUTHOR, claim="The map is green.")
    await accept(platform, STATEMENT, other)
    second = signed_response(STATEMENT, VERIFIER_B)
    async with connected(platform) as subscriber:
        await subscriber.subscribe("1", VERDICTS, id=hash_of(STATEMENT))
        await accept(platform, signed_response(other, VERIFIER_A), signed_response(STATEMENT, VERIFIER_A))
        assert (await subscriber.event("1"))["id"] == envelope_of(signed_response(STATEMENT, VERIFIER_A)).id

        folder, settings = tmp_path, platform.settings
        content = open_content_store(settings)
        async with platform_on(platform.store, content, load_node(folder / "node.key"), settings) as elsewhere:
            await accept(elsewhere, second)
        assert (await subscriber.event("1"))["id"] == envelope_of(second).id


async def test_who_waits_for_scores_is_told_what_they_were(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.graphql.subscriptions.score_changes.SEARCH_PAUSE", 0.1)
    await settle(platform)
    await accept(platform, STATEMENT)
    async with connected(platform) as subscriber:
        await subscriber.subscribe("1", SCORES, id=hash_of(STATEMENT))
        await subscriber.subscribe("2", SCORES, topic="height limit")
        await accept(
            platform, *(signed_response(STATEMENT, seed, confidence=0.99) for seed in (VERIFIER_A, VERIFIER_B))
        )

        change = await subscriber.event("1")
        assert change["score"] > change["scoreBefore"] == 0.0
        assert await subscriber.event("2") == change
        while not change["verified"]:
            change = await subscriber.event("1")

        await accept(platform, signed_retraction(STATEMENT, AUTHOR))
        change = await subscriber.event("1")
        assert (change["verified"], change["verifiedBefore"]) == (False, True)
        assert change["statement"]["status"] == "RETRACTED"


async def test_a_change_names_a_size_at_which_it_was_so(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    """A verdict that comes after the size was looked at, and before the score is, is within the size that is named."""
    await settle(platform)
    await accept(platform, STATEMENT)
    grown, written = score_changes._Followed.grown, asyncio.Event()

    async def grown_on(followed: score_changes._Followed) -> None:
        await grown(followed)
        if not written.is_set():
            written.set()
            await accept(platform, signed_response(STATEMENT, VERIFIER_A, confidence=0.99))

    monkeypatch.setattr(score_changes._Followed, "grown", grown_on)
    async with connected(platform) as subscriber:
        query = "subscription ($id: ID) { scoreChanges(statementId: $id) { score logSize } }"
        await subscriber.subscribe("1", query, id=hash_of(STATEMENT))
        await accept(platform, signed_statement(AUTHOR, claim="Another."))
        change = await subscriber.event("1")
    assert change["score"] > 0.0
    assert change["logSize"] == platform.log.size


def test_of_what_was_seen_long_ago_nothing_is_known() -> None:
    seen = LastSeen(2)
    assert seen.put("a" * 12, Seen(0.5, True)) == NOT_SEEN
    assert seen.put("b" * 12, Seen(0.25, False)) == NOT_SEEN
    assert seen.put("a" * 12, Seen(0.75, True)) == (0.5, True)
    seen.put("c" * 12, Seen(0.1, False))
    assert seen.put("a" * 12, Seen(0.5, True)) == (0.75, True)
    assert seen.put("b" * 12, Seen(0.5, True)) == NOT_SEEN


async def test_a_topic_is_searched_once_in_a_while_however_fast_the_log_grows(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.graphql.subscriptions.score_changes.SEARCH_PAUSE", 2.0)
    searches = 0

    def count(name: str) -> None:
        nonlocal searches
        searches += name == "search_statements"

    await settle(platform)
    await accept(platform, STATEMENT)
    async with connected(platform) as subscriber:
        await subscriber.subscribe("1", SCORES, topic="height limit")
        platform.store.observe = count
        loop = asyncio.get_running_loop()
        began = loop.time()
        for number in range(10):
            await accept(platform, signed_response(STATEMENT, VERIFIER_A, confidence=0.5 + number / 30))
        change = await subscriber.event("1")
        assert searches <= 1 + (loop.time() - began) / 2.0
    assert change["score"] > change["scoreBefore"] == 0.0


async def test_events_show_a_reader_what_it_may_see(platform: Platform) -> None:
    await settle(platform)
    memo, name = b"The merger is in May.", "urn:doc:test:memo"
    await accept(platform, signed_source(AUTHOR, source=memo, source_id=name, boundary=Boundary.CONFIDENTIAL))
    await platform.sources.put(sha256_digest(memo), pieces(memo))
    statement = signed_statement(AUTHOR, claim="A merger comes.", evidence=[without_quote(memo, name)])
    await accept(platform, statement)
    challenge = signed_response(statement, VERIFIER_A, verdict=Verdict.CHALLENGED, reason="It says May.")

    async with connected(platform) as anybody:
        await anybody.subscribe("1", VERDICTS)
        await accept(platform, challenge)
        event = await anybody.event("1")
    assert event["reason"] is None and "confidential" in event["withheld"]

    again = signed_response(statement, VERIFIER_B, verdict=Verdict.CHALLENGED, reason="It says May.")
    async with connected(platform, READERS["confidential"], in_payload=True) as cleared:
        await cleared.subscribe("1", VERDICTS)
        await accept(platform, again)
        assert (await cleared.event("1"))["reason"] == "It says May."

    session = opening_cookie(READERS["confidential"], is_encrypted=False).partition(";")[0]
    async with with_readers(platform) as address, connected_to(platform, address, {"cookie": session}) as signed_in:
        await signed_in.subscribe("1", VERDICTS)
        await accept(platform, signed_response(statement, STRANGER, verdict=Verdict.CHALLENGED, reason="It says May."))
        assert (await signed_in.event("1"))["reason"] == "It says May."


def without_quote(source: bytes, name: str) -> dict[str, Any]:
    cited = segment("May", source=source, source_id=name)
    return {key: value for key, value in cited.items() if key != "quoteText"}


async def test_unknown_tokens_are_not_taken(platform: Platform) -> None:
    await settle(platform)
    with pytest.raises(InvalidStatus):
        async with connected(platform, "nobody-was-given-this-token"):
            pass
    with pytest.raises(ConnectionClosed):
        async with connected(platform, "nobody-was-given-this-token", in_payload=True):
            pass


DEEP = "subscription { verdicts " + "{ statement { verifications " * 8 + "{ id } " + "} }" * 8 + " }"
WRONG: dict[str, tuple[str, dict[str, Any], str]] = {
    "too deep": (DEEP, {}, "TOO_LARGE"),
    "no such field": ("subscription { nothing }", {}, "INVALID_QUERY"),
    "no such statement": (VERDICTS, {"id": "urn:uuid:0a1b2c3d-0000-4000-8000-000000000001"}, "NOT_FOUND"),
    "neither statement nor topic": (SCORES, {}, "INVALID_INPUT"),
}


@pytest.mark.parametrize(("query", "variables", "code"), WRONG.values(), ids=WRONG)
async def test_limits_and_errors_are_those_of_queries(
    platform: Platform, query: str, variables: dict[str, Any], code: str
) -> None:
    async with connected(platform) as subscriber:
        await subscriber.subscribe("1", query, **variables)
        message = await subscriber.message("1")

    errors = message["payload"] if message["type"] == "error" else message["payload"]["errors"]
    assert errors[0]["extensions"]["code"] == code


async def test_a_query_on_a_connection_sees_what_has_come_meanwhile(platform: Platform) -> None:
    await settle(platform)
    await accept(platform, STATEMENT)
    query = "query ($id: ID!) { statement(id: $id) { verifications { id } } }"
    async with connected(platform) as subscriber:
        await subscriber.subscribe("1", query, id=hash_of(STATEMENT))
        before = await subscriber.event("1")
        await accept(platform, signed_response(STATEMENT, VERIFIER_A))
        await subscriber.subscribe("2", query, id=hash_of(STATEMENT))
        after = await subscriber.event("2")

    assert len(after["verifications"]) == len(before["verifications"]) + 1


async def test_no_more_are_served_than_there_are_places_and_places_are_given_back(platform: Platform) -> None:
    platform.subscribers._most = 2
    async with connected(platform) as subscriber:
        for number in ("1", "2", "3"):
            await subscriber.subscribe(number, REQUESTS)
        message = await subscriber.message("3")
        assert platform.subscribers.count == 2
    errors = message["payload"] if message["type"] == "error" else message["payload"]["errors"]
    assert errors[0]["extensions"]["code"] == "TOO_MANY"
    await asyncio.sleep(0.1)
    assert platform.subscribers.count == 0


async def test_each_reader_has_a_share_of_the_places(platform: Platform) -> None:
    platform.subscribers._most_of_reader = 1
    async with connected(platform) as anybody, connected(platform, READERS["confidential"], in_payload=True) as cleared:
        await anybody.subscribe("1", REQUESTS)
        await anybody.subscribe("2", REQUESTS)
        message = await anybody.message("2")
        await cleared.subscribe("1", REQUESTS)
        assert platform.subscribers.count == 2
    errors = message["payload"] if message["type"] == "error" else message["payload"]["errors"]
    assert errors[0]["extensions"]["code"] == "TOO_MANY"
    assert "of this reader" in errors[0]["message"]


async def test_who_subscribed_to_what_does_not_come_hears_nothing(platform: Platform) -> None:
    await settle(platform)
    await accept(platform, STATEMENT)
    async with connected(platform) as subscriber:
        await subscriber.subscribe("1", REQUESTS, criteria=["example:tone"])
        await accept(platform, signed_request(STATEMENT, AUTHOR))
        assert await subscriber.is_silent()
