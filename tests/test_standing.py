"""How a statement stands, over every door: said, as quoted, or holding, and never a score without its grounds."""

import asyncio
import json
import re
from typing import Any

import httpx
import pytest
from builders import CLAIM, QUOTE, segment, signed_response, signed_statement
from cli_runner import Run, a2ap
from cypher_world import SECRET, SECRET_ID, SECRET_SOURCE, hide_a_source
from http_client import OPERATOR, ask, bearer, client
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_A, VERIFIER_B, accept, hash_of, settle
from served import served

from graph.graphql.subscriptions.place import Place, write_place
from graph.platform import Platform

__all__ = ["a2ap", "client", "platform"]

SAID = "said, as quoted: the verdicts establish that the cited source says it, not that it is so"
HOLDS = "holds: the verdicts establish the claim by the evidence that it cites"
OPEN = "not verified: the verdicts do not establish the claim"
QUESTION = "What did they say about the height limit?"
READ = "{ claimText claimKind standing verified consensus { interval { low high } operators } }"
STATEMENTS = f"{{ statements(first: 50) {{ nodes {READ} }} }}"
ASK = (
    f"query ($q: String!) {{ ask(question: $q) {{ accepted {{ text statement {READ} }} notYetAccepted {{ text }} }} }}"
)


async def world(platform: Platform) -> dict[str, bytes]:
    """Hand in a claim of the source's words and one of the author's, both verified, and three on a closed source."""
    await settle(platform)
    told = signed_statement(AUTHOR, claim=QUOTE.upper())
    own = signed_statement(AUTHOR, claim=CLAIM)
    verdicts = [signed_response(one, by) for one in (told, own) for by in (VERIFIER_A, VERIFIER_B)]
    await accept(platform, told, own, *verdicts)
    meeting = await hide_a_source(platform)
    evidence = [segment(SECRET, source=SECRET_SOURCE, source_id=SECRET_ID)]
    closed = signed_statement(AUTHOR, claim=f"{SECRET.capitalize()}.", evidence=evidence)
    said = signed_statement(AUTHOR, claim=f"The clerk said that {SECRET}.", evidence=evidence)
    await accept(platform, closed, said)
    return {"told": told, "own": own, "meeting": meeting, "closed": closed, "said": said}


def known(rows: list[dict[str, Any]]) -> dict[str, tuple[str | None, str]]:
    return {row["claimText"]: (row["claimKind"], row["standing"]) for row in rows}


@pytest.mark.both_engines
async def test_a_claim_is_said_or_holds_and_its_kind_tells_nothing_withheld(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await world(platform)
    evidence = [segment(QUOTE), segment(SECRET, source=SECRET_SOURCE, source_id=SECRET_ID)]
    await accept(platform, signed_statement(AUTHOR, claim=QUOTE, evidence=evidence))
    public = (await ask(client, STATEMENTS))["statements"]["nodes"]
    cleared = (await ask(client, STATEMENTS, token=OPERATOR))["statements"]["nodes"]

    quoted, attributed = f"{SECRET.capitalize()}.", f"The clerk said that {SECRET}."
    expected = {QUOTE.upper(): ("REPORTS", SAID), CLAIM: ("ASSERTS", HOLDS), attributed: ("REPORTS", OPEN)}
    closed = {quoted: "REPORTS", QUOTE: "REPORTS", "There was a meeting.": "ASSERTS"}
    assert known(cleared) == expected | {claim: (kind, OPEN) for claim, kind in closed.items()}
    # Whether a claim is the closed source's words is not told: all of them look alike.
    assert known(public) == expected | dict.fromkeys(closed, (None, OPEN))
    for row in public:
        assert (row["consensus"]["interval"] is not None) is row["verified"]
        assert row["consensus"]["operators"] == (2 if row["verified"] else 0)


async def test_no_answer_passes_a_quoted_claim_for_a_fact(platform: Platform, client: httpx.AsyncClient) -> None:
    statements = await world(platform)
    told = f"The cited source says: “{QUOTE.upper()}”"

    found = (await ask(client, ASK, {"q": QUESTION}))["ask"]
    over = (await client.post("/ask", json={"question": QUESTION})).json()
    for answer in (found, over):
        assert {one["text"] for one in answer["accepted"]} == {told, CLAIM}
        assert known([one["statement"] for one in answer["accepted"]]) == {
            QUOTE.upper(): ("REPORTS", SAID),
            CLAIM: ("ASSERTS", HOLDS),
        }
    grounds = found["accepted"][0]["statement"]["consensus"]
    assert {one["statement"]["operators"] for one in over["accepted"]} == {2} == {grounds["operators"]}
    assert over["accepted"][0]["statement"]["interval"] == grounds["interval"]

    hits = (await client.get("/search", params={"q": "height limit"})).json()["hits"]
    assert {hit["statement"]["hash"]: (hit["claimKind"], hit["standing"], hit["operators"]) for hit in hits} == {
        hash_of(statements["told"]): ("REPORTS", SAID, 2),
        hash_of(statements["own"]): ("ASSERTS", HOLDS, 2),
    }
    assert all(hit["interval"] == grounds["interval"] for hit in hits)
    for headers, kinds in (({}, {None, "REPORTS"}), (bearer(OPERATOR), {"ASSERTS", "REPORTS"})):
        hits = (await client.get("/search", params={"q": "claim:builder OR claim:meeting"}, headers=headers)).json()[
            "hits"
        ]
        assert {hit["claimKind"] for hit in hits} == kinds


async def test_the_commands_say_it_beside_interval_and_operators(platform: Platform, a2ap: Run) -> None:
    statements = await world(platform)
    grounds = r"0\.\d\d \(95 %: 0\.\d\d–[01]\.\d\d, 2 operators\)"
    async with served(platform) as url:

        async def run(*arguments: object) -> str:
            return (await asyncio.to_thread(a2ap, *arguments, "--url", url)).out

        asked = await run("ask", QUESTION)
        told = json.loads(await run("ask", QUESTION, "--json"))["answers"]
        found = await run("search", "height", "limit")
        start, name = write_place(platform.log.origin, Place(0)), hash_of(statements["told"])
        scores = await run("watch", "scores", "--statement", name, "--after", start, "--first", "1")

    assert ": 1 said, as quoted; 1 holds.\n" in asked
    said, holds = asked.split("\nHolds:\n")
    assert f"The cited source says: “{QUOTE.upper()}”" in said and re.search(
        f"✓ said, as quoted, score {grounds}", said
    )
    assert CLAIM in holds and re.search(f"✓ holds, score {grounds}", holds)
    assert {one["standing"]: one["operators"] for one in told} == {SAID: 2, HOLDS: 2}
    assert all(one["interval"]["low"] < one["consensusScore"] < one["interval"]["high"] for one in told)
    assert len(re.findall(f"by urn:agent:.+\n   (?:said, as quoted|holds), score {grounds}\n", found)) == 2
    assert re.search(r"0\.\d{4} \(95 %: .*, 2 operators\)  said, as quoted  urn:uuid:", scores)
