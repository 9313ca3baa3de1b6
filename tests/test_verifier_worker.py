"""A verifier at work: it answers what it is asked, once, by its own reading, within its budget, and loses nothing."""

import asyncio
import json
from typing import Any

import pytest
from builders import (
    SOURCE,
    agent_id,
    envelope_of,
    segment,
    sign,
    signed_request,
    signed_statement,
    statement_message,
)
from model_server import model_server
from scenario import AUTHOR, STRANGER, VERIFIER_A, accept
from verifier_world import FALSE, OPEN, TRUE, World, judgement, platform, world

from a2ap.canonical import sha256_digest
from a2ap.client import Client, Receipt, UnreachableError
from a2ap.messages.finding import FindingStatus
from a2ap.messages.message import read_message
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.messages.verification_response import Verdict
from a2ap.verifier.budget import Limits
from a2ap.verifier.errors import VerifierError
from a2ap.verifier.fetching import Fetching
from a2ap.verifier.task import Terms
from graph.models.chat_model import ChatModel
from graph.verifier.again import run_again
from graph.verifier.criteria import Tools, panel_of

__all__ = ["platform", "world"]


async def test_a_true_claim_is_validated_and_a_false_one_challenged(world: World) -> None:
    true, false = await world.asked(TRUE), await world.asked(FALSE)

    said = await asyncio.to_thread(world.verifier().answer)

    assert len(said) == 2
    (validated,) = await world.answers(true)
    (challenged,) = await world.answers(false)
    assert (validated.verdict, challenged.verdict) == (Verdict.VALIDATED, Verdict.CHALLENGED)
    assert validated.envelope.agent_id == agent_id(VERIFIER_A)
    assert [finding.status for finding in validated.findings] == [FindingStatus.PASS] * 3
    assert validated.request is not None and validated.request.id == envelope_of(signed_request(true, AUTHOR)).id
    assert "do not stand in the cited bytes" in (challenged.reason or "")


async def test_a_request_is_answered_once(world: World) -> None:
    statement = await world.asked()
    await asyncio.to_thread(world.verifier().answer)

    assert await asyncio.to_thread(world.verifier().answer) == []

    assert len(await world.answers(statement)) == 1


async def test_only_the_criteria_that_are_asked_for_and_judged_here_are_answered(world: World) -> None:
    statement = signed_statement(AUTHOR, claim=TRUE)
    criteria = ("logical-consistency", "timestamp-match", "example.org/tone")
    await accept(world.platform, statement, signed_request(statement, AUTHOR, criteria=criteria))

    await asyncio.to_thread(
        world.verifier(criteria=("source-accuracy", "timestamp-match", "logical-consistency")).answer
    )

    (answer,) = await world.answers(statement)
    assert [finding.criterion for finding in answer.findings] == ["timestamp-match", "logical-consistency"]
    assert answer.verdict is Verdict.VALIDATED


async def test_what_cannot_be_read_is_declined_with_the_reason(world: World) -> None:
    elsewhere = b"Nobody has handed in these bytes.\n"
    evidence = [segment("Nobody has", source=elsewhere, source_id="urn:doc:test:elsewhere")]
    await world.asked("A speaker said: “Nobody has.”", evidence=evidence)

    (said,) = await asyncio.to_thread(world.verifier().answer)

    assert said.startswith("declined") and f"{sha256_digest(elsewhere)} cannot be read here" in said
    (decline,) = [read_message(json.dumps(message).encode()) for message in world.verifier().desk.answers()]
    assert isinstance(decline, VerificationDecline)
    assert await asyncio.to_thread(world.verifier().answer) == []


async def test_a_run_is_recorded_and_comes_out_the_same_again(world: World) -> None:
    statement = await world.asked(FALSE)
    verifier = world.verifier()
    await asyncio.to_thread(verifier.answer)
    (answer,) = await world.answers(statement)

    record = verifier.desk.records.find(answer.envelope.id)

    assert record.statement_hash == envelope_of(statement).signed_hash
    (read,) = record.read
    assert (read.document_hash, read.length) == (sha256_digest(SOURCE), len(SOURCE))
    assert read.ranges == ((segment()["byteRange"]["start"], segment()["byteRange"]["end"]),)
    assert record.versions["logical-consistency"] == "word-alignment 4"
    assert record.findings == answer.findings

    def again(method: str) -> tuple[Any, ...]:
        with Client(world.url) as client:
            return run_again(record, Fetching(client), panel_of(record.criteria, Tools(method)))

    assert await asyncio.to_thread(again, "words") == ()
    differences = await asyncio.to_thread(again, "search")
    assert "version of logical-consistency" in {difference.about for difference in differences}
    with pytest.raises(VerifierError, match="no verdict of this verifier"):
        verifier.desk.records.find("urn:uuid:550e8400-e29b-41d4-a716-446655440000")


async def test_what_waits_for_approval_is_not_signed(world: World) -> None:
    statement = await world.asked()
    verifier = world.verifier(terms=Terms(review=True))

    (said,) = await asyncio.to_thread(verifier.answer)

    assert "waits for approval" in said
    assert await world.answers(statement) == []
    (held,) = verifier.desk.held.all()
    assert verifier.desk.is_answered(held.request_hash)
    assert verifier.desk.answers() == []
    with Client(world.url) as client:
        sent = await asyncio.to_thread(verifier.desk.send, verifier.desk.sign_verdict(held), client)
    assert isinstance(sent, Receipt)
    assert [answer.envelope.id for answer in await world.answers(statement)] == [held.response_id]


async def test_a_budget_is_kept_over_restarts(world: World) -> None:
    for number in range(3):
        await world.asked(f"A speaker said: “{number}”")
    verifier = world.verifier(limits=Limits(verdicts=2), terms=Terms(most=1))

    assert len(await asyncio.to_thread(verifier.answer)) == 3

    assert await asyncio.to_thread(verifier.answer) == ["the budget of today is spent"]


async def test_a_requester_who_had_enough_is_declined_and_others_are_not(world: World) -> None:
    await world.asked(TRUE)
    await world.asked(FALSE)
    other = await world.asked(OPEN, requester=STRANGER)

    said = await asyncio.to_thread(world.verifier(limits=Limits(for_requester=1)).answer)

    assert sum(line.startswith("declined") and "has had 1 verdict today" in line for line in said) == 1
    assert len(await world.answers(other)) == 1


async def test_a_model_is_asked_with_the_claim_as_data_and_what_it_says_is_recorded(world: World) -> None:
    statement = await world.asked(OPEN)
    with model_server(lambda system, user: judgement("PASS")) as server:
        verifier = world.verifier(method="model", model=ChatModel(server.url, "test-model"))
        await asyncio.to_thread(verifier.answer)

        (answer,) = await world.answers(statement)
        assert answer.verdict is Verdict.VALIDATED
        record = verifier.desk.records.find(answer.envelope.id)
        (asked,) = record.asked
        assert (asked.model, asked.answer) == ("test-model", judgement("PASS"))
        marker, *_, last = asked.question.split("\n")
        assert marker == last and marker.startswith("=====")
        assert f"Claim: {OPEN}" in asked.question

        def again() -> tuple[Any, ...]:
            with Client(world.url) as client:
                panel = panel_of(record.criteria, Tools("model", verifier.model))
                return run_again(record, Fetching(client), panel)

        assert await asyncio.to_thread(again) == ()
    assert server.requests[0]["messages"] == server.requests[1]["messages"]


@pytest.mark.parametrize("text", ["Sure!", "{}", "```json\n" + judgement("PASS") + "\n```", judgement("MAYBE"), "[1]"])
async def test_a_model_that_answers_in_another_form_decides_nothing(world: World, text: str) -> None:
    statement = await world.asked(OPEN)
    with model_server(lambda system, user: text) as server:
        verifier = world.verifier(method="model", model=ChatModel(server.url, "test-model"))
        await asyncio.to_thread(verifier.answer)

    (answer,) = await world.answers(statement)
    assert answer.verdict is Verdict.INSUFFICIENT_EVIDENCE
    assert {f.status for f in answer.findings if f.criterion != "source-accuracy"} == {FindingStatus.INCONCLUSIVE}
    assert len(server.requests) == 1


async def test_a_model_that_does_not_answer_leaves_the_request_to_others(world: World) -> None:
    statement = await world.asked(OPEN)
    verifier = world.verifier(method="model", model=ChatModel("http://127.0.0.1:9/v1", "test-model"))

    (said,) = await asyncio.to_thread(verifier.answer)

    assert "left to others: test-model cannot be reached" in said
    assert await world.answers(statement) == []


async def test_the_questions_to_a_model_have_a_budget(world: World) -> None:
    await world.asked(OPEN)
    await world.asked(TRUE)
    with model_server(lambda system, user: judgement("PASS")) as server:
        verifier = world.verifier(method="model", model=ChatModel(server.url, "test-model"), limits=Limits(to_model=1))
        await asyncio.to_thread(verifier.answer)
        await asyncio.to_thread(verifier.answer)

    assert len(server.requests) == 1


class CutOff(Client):
    """A client whose answers never arrive."""

    def respond(self, response: Any) -> Receipt:
        raise UnreachableError("the line is dead")


async def test_what_was_signed_and_not_sent_is_sent_as_it_was_by_the_next_run(world: World) -> None:
    statement = await world.asked()
    with pytest.raises(UnreachableError, match="the line is dead"):
        await asyncio.to_thread(world.verifier(client=CutOff).answer)
    assert await world.answers(statement) == []
    (signed,) = world.verifier().desk.unsent()

    (said,) = await asyncio.to_thread(world.verifier().answer)

    assert said.startswith("VALIDATED")
    (answer,) = await world.answers(statement)
    assert answer.envelope.document == signed
    assert list(world.verifier().desk.unsent()) == []


async def test_a_pack_that_is_lost_keeps_no_verdict_back(world: World) -> None:
    statement = await world.asked()
    with pytest.raises(UnreachableError, match="the line is dead"):
        await asyncio.to_thread(world.verifier(client=CutOff).answer)
    for path in (world.verifier().packs.root / "objects").rglob("*"):
        if path.is_file():
            path.unlink()

    (said,) = await asyncio.to_thread(world.verifier().answer)

    assert said.startswith("VALIDATED")
    assert len(await world.answers(statement)) == 1
    assert list(world.verifier().desk.unsent()) == []


async def test_a_line_that_was_cut_while_written_is_forgotten(world: World) -> None:
    statement = await world.asked()
    folder = world.verifier().desk.folder
    (folder / "signed.ndjson").write_text('{"purpose": "answer to sha256:12')
    (folder / "arrived.ndjson").write_text('{"id": "urn:uu')

    await asyncio.to_thread(world.verifier().answer)

    assert len(await world.answers(statement)) == 1
    assert list(world.verifier().desk.unsent()) == []


async def test_a_statement_that_its_author_did_not_sign_is_called_so(world: World) -> None:
    statement = await world.asked()
    message = json.loads(sign(statement_message(AUTHOR, claim=TRUE), 99))

    class Forging(Client):
        def statement(self, statement_id: str) -> bytes:
            return json.dumps(
                message | {"signature": {**message["signature"], "publicKey": f"{agent_id(AUTHOR)}#key-1"}}
            ).encode()

    await asyncio.to_thread(world.verifier(client=Forging).answer)

    (answer,) = await world.answers(statement)
    assert answer.verdict is Verdict.INVALID_SIGNATURE
    assert [finding.status for finding in answer.findings] == [FindingStatus.FAIL]


async def test_another_statement_under_the_same_name_is_not_judged(world: World) -> None:
    await world.asked(TRUE)
    other = signed_statement(AUTHOR, claim=FALSE)

    class Mixing(Client):
        def statement(self, statement_id: str) -> bytes:
            return other

    (said,) = await asyncio.to_thread(world.verifier(client=Mixing).answer)

    assert said.startswith("declined") and "is not the statement that" in said


async def test_one_process_at_a_time_works_at_a_desk(world: World) -> None:
    lock = world.verifier().desk.lock()
    with pytest.raises(VerifierError, match="another process works as"):
        world.verifier().desk.lock()
    lock.close()
    world.verifier().desk.lock().close()
