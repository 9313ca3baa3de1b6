"""Subscriptions that are cut off and go on: what both connections were told is what one would have been told."""

import base64
from collections.abc import Sequence
from typing import Any

import pytest
from builders import signed_request, signed_response, signed_statement
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_A, VERIFIER_B, accept, hash_of, settle
from subscribing import Subscriber, connected_to, with_readers

from a2ap.log.checkpoint import open_checkpoint
from a2ap.log.merkle import verify_consistency
from graph.graphql.subscriptions.place import Place, write_place
from graph.platform import Platform

__all__ = ["platform"]

VERDICTS = "subscription ($after: String) { verdicts(after: $after) { id logIndex cursor } }"
REQUESTS = "subscription ($after: String) { verificationRequests(after: $after) { id cursor } }"
SCORES = """subscription ($after: String, $id: ID) { scoreChanges(after: $after, statementId: $id) {
  score scoreBefore verified verifiedBefore logSize cursor } }"""
LOG = """subscription ($after: String, $first: Int! = 0) { logGrowth(after: $after, first: $first) {
  sizeBefore size cursor rootHash checkpoint consistencyProof entries { logIndex signedHash entry } } }"""

STATEMENTS = [signed_statement(AUTHOR, claim=f"Fact {number}.") for number in range(3)]
SOURCES = {"verdicts": VERDICTS, "requests": REQUESTS, "entries": LOG, "growth": LOG}
VARIABLES: dict[str, dict[str, Any]] = {"entries": {"first": 2}}


def parts() -> list[list[bytes]]:
    """Return what is handed in at once, a list for each time: verdicts and requests on three statements."""
    verdicts = [(one, verifier) for one in STATEMENTS for verifier in (VERIFIER_A, VERIFIER_B)]
    return [
        [signed_response(one, verifier), signed_request(one, AUTHOR, number=number)]
        for number, (one, verifier) in enumerate(verdicts, 1)
    ]


async def follow(subscriber: Subscriber, after: dict[str, str] | None = None) -> None:
    for name, query in SOURCES.items():
        place = {"after": after[name]} if after else {}
        await subscriber.subscribe(name, query, **place, **VARIABLES.get(name, {}))


async def hear(subscriber: Subscriber, name: str, size: int, sent: Sequence[list[bytes]]) -> list[Any]:
    """Return what a subscription is told of what was sent, with its cursors, until it has told everything."""
    told: list[Any] = []
    if name in ("verdicts", "requests"):
        return [await subscriber.told(name) for _ in sent]
    while not told or told[-1][0]["size"] < size:
        told.append(await subscriber.told(name))
    return told


async def test_who_comes_back_is_told_what_it_missed_once(platform: Platform) -> None:
    """One subscriber stays; another is cut off in between, and is told the rest by its cursors."""
    await settle(platform)
    await accept(platform, *STATEMENTS)
    start = platform.log.size
    sent = parts()
    async with with_readers(platform) as address, connected_to(platform, address) as staying:
        await follow(staying)
        async with connected_to(platform, address) as leaving:
            await follow(leaving)
            for part in sent[:2]:
                await accept(platform, *part)
            size = platform.log.size
            heard = {name: await hear(leaving, name, size, sent[:2]) for name in SOURCES}
        # The first of the verdicts and entries is gone back to: all that came behind it is told again, and no more.
        heard = {name: heard[name][:1] if name in ("verdicts", "entries") else heard[name] for name in SOURCES}
        for part in sent[2:4]:
            await accept(platform, *part)
        async with connected_to(platform, address) as back:
            await follow(back, {name: heard[name][-1][1] for name in SOURCES})
            for part in sent[4:]:
                await accept(platform, *part)
            size = platform.log.size
            for name in SOURCES:
                missing = sent[1:] if name == "verdicts" else sent[2:]
                heard[name] += await hear(back, name, size, missing)
        whole = {name: await hear(staying, name, size, sent) for name in SOURCES}

    for name in ("verdicts", "requests"):
        assert heard[name] == whole[name]
        assert len({cursor for _, cursor in whole[name]}) == len(sent)
        assert all(event["cursor"] == cursor for event, cursor in whole[name])
    for told in (heard, whole):
        entries = [entry for event, _ in told["entries"] for entry in event["entries"]]
        assert [entry["logIndex"] for entry in entries] == list(range(start, size))
        assert all(len(event["entries"]) <= 2 for event, _ in told["entries"])
        assert not any(event["entries"] for event, _ in told["growth"])
        for name in ("entries", "growth"):
            check_growth(platform, [event for event, _ in told[name]], start)
            assert all(event["cursor"] == cursor for event, cursor in told[name])


def check_growth(platform: Platform, events: Sequence[dict[str, Any]], start: int) -> None:
    """Check that each event continues the one before, as anybody can who has the key of the log."""
    keys = platform.log.keys
    assert keys is not None
    root: bytes | None = None
    for event in events:
        assert event["sizeBefore"] == start < event["size"]
        signed = open_checkpoint(event["checkpoint"], keys)
        assert signed.tree_size >= event["size"]
        now = base64.b64decode(event["rootHash"])
        if signed.tree_size == event["size"]:
            assert signed.root_hash == now
        if root is not None:
            proof = tuple(base64.b64decode(text) for text in event["consistencyProof"])
            verify_consistency(start, event["size"], root, now, proof)
        start, root = event["size"], now


@pytest.mark.both_engines
async def test_a_change_of_a_score_begins_where_the_last_one_ended(platform: Platform) -> None:
    """Also across connections, whatever came between; and behind a cursor of the log, where the verdicts had led."""
    await settle(platform)
    statement = STATEMENTS[0]
    named = hash_of(statement)
    await accept(platform, statement, signed_response(statement, VERIFIER_A, confidence=0.99))
    origin = platform.log.origin
    async with with_readers(platform) as address:
        async with connected_to(platform, address) as first:
            await first.subscribe("1", SCORES, id=named, after=write_place(origin, Place(platform.log.size - 1)))
            change, cursor = await first.told("1")
            assert change["scoreBefore"] == 0.0 < change["score"]
            assert change["cursor"] == cursor
        between = platform.log.size
        await accept(platform, *(signed_response(statement, VERIFIER_B, confidence=0.99),))
        async with connected_to(platform, address) as back:
            await back.subscribe("1", SCORES, id=named, after=cursor)
            await back.subscribe("2", SCORES, id=named, after=write_place(origin, Place(between)))
            await back.subscribe(
                "3", SCORES, id=hash_of(statement), after=write_place(origin, Place(platform.log.size))
            )
            later, last = await back.told("1")
            assert later["scoreBefore"] == pytest.approx(change["score"], abs=5e-5)
            assert later["score"] > change["score"] and later["verified"]
            assert (await back.event("2"))["scoreBefore"] == later["scoreBefore"]
        async with connected_to(platform, address) as again:
            await again.subscribe("1", SCORES, id=named, after=last)
            assert await again.is_silent()


async def test_a_cursor_that_is_not_of_this_log_is_one_clear_error(platform: Platform) -> None:
    await settle(platform)
    await accept(platform, STATEMENTS[0])
    wrong = {
        "no cursor of this node": "nonsense",
        "a cursor of the log of urn:other": write_place("urn:other", Place(0)),
        "behind 1000 entries": write_place(platform.log.origin, Place(1000)),
    }
    async with with_readers(platform) as address, connected_to(platform, address) as subscriber:
        for number, (message, cursor) in enumerate(wrong.items()):
            for name, query in (SOURCES | {"scores": SCORES}).items():
                variables = {"after": cursor} | ({"id": hash_of(STATEMENTS[0])} if name == "scores" else {})
                await subscriber.send(f"{name} {number}", {"query": query, "variables": variables})
                answer = await subscriber.message(f"{name} {number}")
                errors = answer["payload"] if answer["type"] == "error" else answer["payload"]["errors"]
                assert errors[0]["extensions"] == {"code": "INVALID_INPUT", "path": "after"}
                assert message in errors[0]["message"]
        await subscriber.send("log", {"query": "{ log { cursor size } }"})
        log = await subscriber.event("log")
        assert log["cursor"] == write_place(platform.log.origin, Place(log["size"]))
    assert platform.subscribers.count == 0
