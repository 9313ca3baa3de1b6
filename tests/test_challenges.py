"""Requests, verdicts, declines, challenges and answers: what the door takes, what it refuses, and what is shown."""

from typing import Any

import httpx
import pytest
from builders import (
    TIME,
    agent_id,
    envelope_of,
    pointer_to,
    reference_to,
    segment,
    signed_answer,
    signed_decline,
    signed_request,
    signed_response,
    signed_retraction,
    signed_source,
    signed_statement,
)
from graph_contents import count_everything, whole_graph
from http_client import READERS, client
from http_client import ask_flat as ask
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, hash_of, pieces, settle

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.statement import Reference
from a2ap.messages.verification_response import Verdict
from graph.platform import Platform

__all__ = ["client", "platform"]

STATEMENT = signed_statement(AUTHOR)
OTHER = signed_statement(STRANGER, claim="The map is green.")
REQUEST = signed_request(
    STATEMENT, AUTHOR, wanted_verdicts=2, eligible_verifiers=[agent_id(VERIFIER_A), agent_id(VERIFIER_B)]
)
COUNTER = signed_statement(VERIFIER_A, claim="It drops the limit.", contradicts=[reference_to(STATEMENT)])
FIRST = signed_response(STATEMENT, VERIFIER_A)
FAULT = Finding("source-accuracy", FindingStatus.FAIL, "It says otherwise.", 0.8)
CHALLENGE = signed_response(
    STATEMENT,
    VERIFIER_A,
    verdict=Verdict.CHALLENGED,
    findings=[FAULT],
    reason="The source says otherwise.",
    request=reference_to(REQUEST),
    supersedes=reference_to(FIRST),
    evidence=[pointer_to()],
    counter_statement=reference_to(COUNTER),
    cross_references=[reference_to(OTHER)],
)

SHOWN = """query ($id: ID!) { statement(id: $id) {
  challenges { nodes { id agent { id } reason evidence { chunkId byteStart documentHash }
    request { id } supersedes { id } supersededBy { id } counterStatement { id contradicts { id } }
    crossReferences { id } challengeState { status reason }
    answers { nodes { text agent { id } evidence { byteEnd } withheld } } } }
  verifications { id supersededBy { id } }
  verificationRequests { nodes { id wantedVerdicts eligibleVerifiers deadline responses { nodes { id } }
    declines { nodes { reason agent { id } } } } }
} }"""


async def told(platform: Platform) -> None:
    """Settle, and hand in everything up to the challenge."""
    await settle(platform)
    await accept(platform, STATEMENT, OTHER, COUNTER, REQUEST, FIRST, CHALLENGE)


async def shown(client: httpx.AsyncClient, token: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = (await ask(client, SHOWN, {"id": hash_of(STATEMENT)}, token))["statement"]
    return found


async def state(client: httpx.AsyncClient) -> str:
    (challenge,) = (await shown(client))["challenges"]
    return f"{challenge['challengeState']['status']}: {challenge['challengeState']['reason']}"


async def test_a_challenge_is_shown_with_all_that_it_names(platform: Platform, client: httpx.AsyncClient) -> None:
    await told(platform)
    await accept(
        platform, signed_decline(REQUEST, VERIFIER_B), signed_answer(CHALLENGE, AUTHOR, evidence=[pointer_to()])
    )

    found = await shown(client)

    (challenge,) = found["challenges"]
    pointed = pointer_to()
    assert challenge["evidence"] == [
        {
            "chunkId": pointed["chunkId"],
            "byteStart": pointed["byteRange"]["start"],
            "documentHash": pointed["documentHash"],
        }
    ]
    assert challenge["request"] == {"id": envelope_of(REQUEST).id}
    assert challenge["supersedes"] == {"id": envelope_of(FIRST).id} and challenge["supersededBy"] is None
    assert challenge["counterStatement"] == {
        "id": envelope_of(COUNTER).id,
        "contradicts": [{"id": envelope_of(STATEMENT).id}],
    }
    assert challenge["crossReferences"] == [{"id": envelope_of(OTHER).id}]
    (answer,) = challenge["answers"]
    assert answer["agent"] == {"id": agent_id(AUTHOR)} and answer["text"] == "The source says so in its next sentence."
    by_id = {one["id"]: one["supersededBy"] for one in found["verifications"]}
    assert by_id[envelope_of(FIRST).id] == {"id": envelope_of(CHALLENGE).id}
    (request,) = found["verificationRequests"]
    assert request["wantedVerdicts"] == 2 and request["deadline"] is None
    assert request["eligibleVerifiers"] == [agent_id(VERIFIER_A), agent_id(VERIFIER_B)]
    assert request["responses"] == [{"id": envelope_of(CHALLENGE).id}]
    assert request["declines"] == [{"reason": "I do not read this language.", "agent": {"id": agent_id(VERIFIER_B)}}]


async def test_the_state_of_a_challenge_follows_what_happens(platform: Platform, client: httpx.AsyncClient) -> None:
    await told(platform)
    assert (await state(client)).startswith("OPEN")

    await accept(platform, signed_answer(CHALLENGE, AUTHOR))
    assert (await state(client)).startswith("ANSWERED")

    also = signed_response(
        STATEMENT,
        VERIFIER_B,
        verdict=Verdict.CHALLENGED,
        findings=[Finding("source-accuracy", FindingStatus.FAIL, "It does not.", 1)],
    )
    await accept(platform, also)
    by_id = {one["id"]: one["challengeState"] for one in (await shown(client))["challenges"]}
    assert by_id[envelope_of(CHALLENGE).id]["status"] in ("UPHELD", "ANSWERED")

    await accept(platform, signed_retraction(STATEMENT, AUTHOR))
    by_id = {one["id"]: one["challengeState"] for one in (await shown(client))["challenges"]}
    assert {one["status"] for one in by_id.values()} == {"UPHELD"}


async def test_a_challenge_that_its_verifier_supersedes_is_dismissed_and_stays(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await told(platform)
    later = signed_response(STATEMENT, VERIFIER_A, confidence=0.7, supersedes=reference_to(CHALLENGE))
    await accept(platform, later)

    (challenge,) = (await shown(client))["challenges"]
    assert challenge["challengeState"]["status"] == "DISMISSED"
    assert challenge["supersededBy"] == {"id": envelope_of(later).id}
    assert (await client.get(f"/verifications/{hash_of(CHALLENGE)}")).content == CHALLENGE

    await accept(platform, signed_retraction(later, VERIFIER_A))
    assert (await state(client)).startswith("OPEN")


async def test_a_challenge_that_fails_to_convince_is_dismissed(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    challenge = signed_response(STATEMENT, STRANGER, verdict=Verdict.CHALLENGED, confidence=0.1, findings=[FAULT])
    await accept(platform, STATEMENT, challenge)
    await accept(platform, *(signed_response(STATEMENT, seed, confidence=0.99) for seed in (VERIFIER_A, VERIFIER_B)))

    (found,) = (await shown(client))["challenges"]
    query = "query ($id: ID!) { statement(id: $id) { verified } }"
    verified = (await ask(client, query, {"id": hash_of(STATEMENT)}))["statement"]["verified"]
    assert (found["challengeState"]["status"] == "DISMISSED") == verified


def named(**changes: Any) -> bytes:
    return signed_response(STATEMENT, VERIFIER_A, verdict=Verdict.CHALLENGED, confidence=0.3, **changes)


UNKNOWN = Reference(envelope_of(OTHER).id, "sha256:" + "0" * 64)
MIXED = Reference(envelope_of(OTHER).id, hash_of(STATEMENT))
REFUSED: dict[str, tuple[bytes, int, str, str]] = {
    "a request that is not here": (named(request=UNKNOWN), 404, "request", "no request"),
    "a request with another's hash": (named(request=MIXED), 404, "request", "no request"),
    "a request about another statement": (
        signed_response(OTHER, VERIFIER_A, request=reference_to(REQUEST)),
        404,
        "request",
        "is about",
    ),
    "a request for others": (
        signed_response(STATEMENT, STRANGER, request=reference_to(REQUEST)),
        403,
        "request",
        "not among the eligible verifiers",
    ),
    "superseding what is not here": (named(supersedes=UNKNOWN), 404, "supersedes", "no verdict"),
    "superseding a statement": (named(supersedes=reference_to(OTHER)), 404, "supersedes", "no verdict"),
    "superseding another's verdict": (
        signed_response(STATEMENT, VERIFIER_B, supersedes=reference_to(FIRST)),
        403,
        "supersedes",
        f"is by {agent_id(VERIFIER_A)}",
    ),
    "superseding a verdict on another statement": (
        signed_response(OTHER, VERIFIER_A, supersedes=reference_to(FIRST)),
        404,
        "supersedes",
        "is about",
    ),
    "a counter statement that is not here": (
        named(counter_statement=UNKNOWN),
        404,
        "counterStatement",
        "is",
    ),
    "another's counter statement": (
        signed_response(STATEMENT, VERIFIER_B, verdict=Verdict.CHALLENGED, counter_statement=reference_to(COUNTER)),
        403,
        "counterStatement",
        f"is by {agent_id(VERIFIER_A)}",
    ),
    "a counter statement that contradicts nothing": (
        signed_response(STATEMENT, STRANGER, verdict=Verdict.CHALLENGED, counter_statement=reference_to(OTHER)),
        404,
        "counterStatement",
        "does not contradict",
    ),
    "a cross reference that does not bind": (named(cross_references=[MIXED]), 404, "crossReferences[0]", "is"),
}


@pytest.mark.parametrize(("document", "status", "path", "words"), REFUSED.values(), ids=REFUSED)
async def test_what_a_verdict_names_must_be_what_it_says(
    platform: Platform, client: httpx.AsyncClient, document: bytes, status: int, path: str, words: str
) -> None:
    await told(platform)
    before = await count_everything(platform.store)

    answer = await client.post("/verifications", content=document)

    problem = answer.json()
    assert (answer.status_code, problem["path"]) == (status, path), problem
    assert words in problem["detail"]
    assert await count_everything(platform.store) == before


REPLIES: dict[str, tuple[str, bytes, int, str]] = {
    "a decline of what is not here": ("/declines", signed_decline(signed_request(OTHER), VERIFIER_A), 404, "request"),
    "a decline by one who was not asked": ("/declines", signed_decline(REQUEST, STRANGER), 403, "request"),
    "an answer to what is not here": (
        "/challenge-answers",
        signed_answer(named(), AUTHOR),
        404,
        "targetVerification",
    ),
    "an answer to what is no challenge": (
        "/challenge-answers",
        signed_answer(FIRST, AUTHOR),
        404,
        "targetVerification",
    ),
    "an answer by another": ("/challenge-answers", signed_answer(CHALLENGE, VERIFIER_B), 403, "answeringAgent"),
    "a decline at another door": ("/challenge-answers", signed_decline(REQUEST, VERIFIER_A), 400, "@type"),
}


@pytest.mark.parametrize(("door", "document", "status", "path"), REPLIES.values(), ids=REPLIES)
async def test_declines_and_answers_are_to_what_is_here(
    platform: Platform, client: httpx.AsyncClient, door: str, document: bytes, status: int, path: str
) -> None:
    await told(platform)
    before = await count_everything(platform.store)

    answer = await client.post(door, content=document)

    assert (answer.status_code, answer.json()["path"]) == (status, path), answer.json()
    assert await count_everything(platform.store) == before


async def test_messages_of_one_batch_may_name_each_other(platform: Platform) -> None:
    await settle(platform)
    outcomes = await platform.submit_many(
        [
            STATEMENT,
            OTHER,
            COUNTER,
            REQUEST,
            FIRST,
            CHALLENGE,
            signed_decline(REQUEST, VERIFIER_B),
            signed_answer(CHALLENGE),
        ]
    )
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]


async def test_a_rebuild_gives_the_same_requests_declines_and_answers(platform: Platform) -> None:
    await told(platform)
    await accept(
        platform, signed_decline(REQUEST, VERIFIER_B), signed_answer(CHALLENGE, AUTHOR, evidence=[pointer_to()])
    )
    before = await whole_graph(platform.store)

    await rebuilt(platform)

    assert await whole_graph(platform.store) == before


async def test_words_about_a_confidential_source_are_withheld_at_every_door(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    memo, name, words = b"The merger is in May.", "urn:doc:test:memo", "It says May."
    await accept(platform, signed_source(AUTHOR, source=memo, source_id=name, boundary=Boundary.CONFIDENTIAL))
    await platform.sources.put(sha256_digest(memo), pieces(memo))
    cited = {key: value for key, value in segment("May", source=memo, source_id=name).items() if key != "quoteText"}
    statement = signed_statement(AUTHOR, claim="A merger comes.", evidence=[cited])
    request = signed_request(statement, AUTHOR)
    challenge = signed_response(statement, VERIFIER_A, verdict=Verdict.CHALLENGED, reason=words)
    decline, answer = signed_decline(request, VERIFIER_B, reason=words), signed_answer(challenge, AUTHOR, text=words)
    await accept(platform, statement, request, challenge, decline, answer)

    query = """query ($id: ID!) { statement(id: $id) { challenges { nodes { answers { nodes { text withheld } } } }
      verificationRequests { nodes { declines { nodes { reason withheld } } } } } }"""
    asked = {"id": hash_of(statement)}
    hidden = (await ask(client, query, asked))["statement"]
    clear = (await ask(client, query, asked, READERS["confidential"]))["statement"]
    (hidden_answer,), (hidden_decline,) = (
        hidden["challenges"][0]["answers"],
        hidden["verificationRequests"][0]["declines"],
    )
    assert hidden_answer["text"] == hidden_decline["reason"] == ""
    assert "confidential" in hidden_answer["withheld"] and "confidential" in hidden_decline["withheld"]
    assert clear["challenges"][0]["answers"][0]["text"] == words
    assert clear["verificationRequests"][0]["declines"][0]["reason"] == words
    for form in ("cypher", "turtle", "json-ld"):
        assert words not in (await client.get("/export", params={"format": form})).text
    for document in (decline, answer):
        assert (await client.get(f"/messages/{sha256_digest(document)}")).status_code == 403


OPEN = """query ($criteria: [String!], $after: String) {
  openRequests(filter: {criteria: $criteria}, after: $after, first: 2) { nodes { id } pageInfo { endCursor } } }"""


async def test_open_requests_are_listed_by_criteria_and_page(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    tone = signed_request(STATEMENT, AUTHOR, criteria=["example:tone"])
    wanted = signed_request(STATEMENT, AUTHOR, wanted_verdicts=1)
    last = signed_request(STATEMENT, AUTHOR, number=2)
    past = signed_request(STATEMENT, AUTHOR, number=3, deadline=TIME.replace(minute=31))
    await accept(platform, STATEMENT, tone, wanted, last, past)

    async def listed(**variables: Any) -> list[str]:
        return [one["id"] for one in (await ask(client, OPEN, variables))["openRequests"]["nodes"]]

    assert await listed() == [envelope_of(tone).id, envelope_of(wanted).id]
    assert await listed(criteria=["example:tone"]) == [envelope_of(tone).id]
    after = (await ask(client, OPEN))["openRequests"]["pageInfo"]["endCursor"]
    assert await listed(after=after) == [envelope_of(last).id]
    await accept(platform, signed_response(STATEMENT, VERIFIER_A, request=reference_to(wanted)))
    assert envelope_of(wanted).id not in await listed()


async def test_unknown_criteria_are_carried_and_weigh_nothing(platform: Platform, client: httpx.AsyncClient) -> None:
    await settle(platform)
    criteria = ["quote-exactness", "timestamp-match", "https://example.org/criteria#tone"]
    await accept(platform, STATEMENT)
    scores = "query ($id: ID!) { statement(id: $id) { verified consensusScore } }"
    before = (await ask(client, scores, {"id": hash_of(STATEMENT)}))["statement"]

    await accept(platform, *(signed_response(STATEMENT, seed, criteria=criteria) for seed in (VERIFIER_A, VERIFIER_B)))

    assert (await ask(client, scores, {"id": hash_of(STATEMENT)}))["statement"] == before
    query = "query ($id: ID!) { statement(id: $id) { verifications { findings { criterion } } } }"
    found = (await ask(client, query, {"id": hash_of(STATEMENT)}))["statement"]["verifications"][-1]
    assert [finding["criterion"] for finding in found["findings"]] == criteria
