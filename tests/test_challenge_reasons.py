"""A challenge says why, in its reason or in what it faults: refused at the door without, and carried from peers."""

from typing import Any

import httpx
import pytest
from builders import envelope_of, message_id, signed_registration, signed_response, signed_statement
from graph_contents import count_everything, whole_graph
from http_client import client
from peer_simulator import PeerSimulator
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import AUTHOR, VERIFIER_A, accept, settle
from test_federation import pulled

from a2ap.messages.finding import Finding, FindingStatus, build_finding
from a2ap.messages.message import read_message
from a2ap.messages.verification_response import Verdict, VerificationResponse
from a2ap.signing.disclosure import make_disclosure
from graph.platform import Platform
from graph.scores.on_demand import consensus_of_statements

__all__ = ["client", "platform"]

STATEMENT = signed_statement(AUTHOR)
HIDDEN = make_disclosure("It says otherwise.", bytes(16))
PASSED = Finding("logical-consistency", FindingStatus.PASS, "It follows.", 0.9)


def challenge(**changes: Any) -> bytes:
    changes = {"findings": [], "response_id": message_id("why", repr(changes)), **changes}
    return signed_response(STATEMENT, VERIFIER_A, verdict=Verdict.CHALLENGED, **changes)


def fault(words: str, criterion: str = "source-accuracy") -> Finding:
    return Finding(criterion, FindingStatus.FAIL, words, 0.9)


WITHOUT: dict[str, bytes] = {
    "nothing at all": challenge(),
    "an empty reason": challenge(reason=" \n"),
    "a fault without words": challenge(findings=[fault("")]),
    "words about what passes": challenge(findings=[PASSED, fault(" ")]),
}
WITH: dict[str, bytes] = {
    "a reason": challenge(reason="It says otherwise."),
    "a fault in words": challenge(findings=[fault("It says otherwise.")]),
    "a fault by a criterion of others": challenge(findings=[fault("It sneers.", "tone@others.example")]),
    "a reason taken away since": challenge(reason=HIDDEN),
    "a fault whose words were taken away": challenge(
        findings=[build_finding("source-accuracy", FindingStatus.FAIL, HIDDEN, 0.9)]
    ),
}


def says_why(document: bytes) -> bool:
    message = read_message(document)
    assert isinstance(message, VerificationResponse)
    return message.says_why


def test_who_reads_a_challenge_knows_whether_it_says_why() -> None:
    assert not any(map(says_why, WITHOUT.values()))
    assert all(map(says_why, WITH.values()))


async def test_a_challenge_that_does_not_say_why_is_refused_and_changes_nothing(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    await settle(platform)
    await accept(platform, STATEMENT)
    before = await count_everything(platform.store)
    for document in WITHOUT.values():
        answer = await client.post("/verifications", content=document)
        problem = answer.json()
        assert (answer.status_code, problem["code"], problem["path"]) == (422, "REFUSED", "reason"), problem
        assert envelope_of(document).id in problem["detail"] and "says nowhere why" in problem["detail"]
    assert await count_everything(platform.store) == before


async def test_a_challenge_that_says_why_anywhere_is_taken(platform: Platform) -> None:
    await settle(platform)
    await accept(platform, STATEMENT, *WITH.values())


@pytest.mark.parametrize("verdict", [Verdict.INSUFFICIENT_EVIDENCE, Verdict.INVALID_SIGNATURE])
def test_other_verdicts_need_no_reason(verdict: Verdict) -> None:
    assert not says_why(signed_response(STATEMENT, VERIFIER_A, verdict=verdict, findings=[]))


async def test_a_peers_challenge_is_carried_without_a_reason_and_counts_as_its_findings_say(platform: Platform) -> None:
    peer, statement = PeerSimulator(), signed_statement(1)
    mute = signed_response(statement, 2, verdict=Verdict.CHALLENGED, findings=[])
    peer.add(signed_registration(1), statement, signed_registration(2), mute)

    report = await pulled(platform, peer)

    assert report.taken == 4
    name = envelope_of(statement).signed_hash
    (consensus,) = (await consensus_of_statements(platform.store, [name])).values()
    (reading,) = [one for one in consensus.readings if one.verdict is Verdict.CHALLENGED]
    assert {status for _, status, _ in reading.answers} == {FindingStatus.FAIL}
    before = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == before
