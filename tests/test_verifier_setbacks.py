"""A model that fails, is slow or is asked too much, and statements of peers: what becomes of the requests."""

import asyncio
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from builders import (
    TIME,
    agent_id,
    agent_key,
    description,
    segment,
    sign_as,
    signed_registration,
    signed_request,
    statement_message,
)
from graph_contents import run_raw
from hypothesis import given
from hypothesis import strategies as st
from model_server import ModelServer, model_server
from peer_simulator import PeerSimulator
from scenario import AUTHOR, accept
from verifier_world import FALSE, OPEN, TRUE, World, judgement, platform, world

from a2ap.client import Client, ProblemError, Receipt
from a2ap.messages.finding import FindingStatus
from a2ap.messages.message import read_message
from a2ap.messages.scoping import scope_message
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.messages.verification_response import Verdict
from a2ap.verifier.errors import VerifierError
from a2ap.verifier.fetching import Fetching
from a2ap.verifier.setbacks import Setbacks
from a2ap.verifier.task import Task, Terms
from graph.models.chat_model import ChatModel
from graph.models.errors import ModelDownError, ModelError
from graph.submission.submission import Submission
from graph.verifier.material import Material
from graph.verifier.model_answer import left_out
from graph.verifier.source_check import check_sources

__all__ = ["platform", "world"]


@dataclass
class Clock:
    """A clock that a test moves."""

    now: datetime = field(default_factory=lambda: datetime.now(UTC).replace(microsecond=0))

    def __call__(self) -> datetime:
        return self.now


def model_at(server: ModelServer) -> dict[str, Any]:
    return {"method": "model", "model": ChatModel(server.url, "test-model")}


async def expire_leases(world: World) -> None:
    await run_raw(world.platform.store, "MATCH (l:Lease) SET l.expires_micros = 1")


async def test_a_request_on_which_the_model_fails_is_given_back_tried_later_and_declined(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.requests.lease_check.MAX_AGE", timedelta(days=1))
    statement, clock = await world.asked(OPEN), Clock()
    with model_server(lambda system, user: judgement("PASS")) as server:
        server.status = 500
        verifier = world.verifier(clock=clock, **model_at(server))

        (said,) = await asyncio.to_thread(verifier.answer)
        assert "is left to others: test-model answered 500" in said and "it is tried again from" in said
        (lease,) = await run_raw(world.platform.store, "MATCH (l:Lease) RETURN l.expires_micros AS until")
        assert lease["until"] / 1e6 - datetime.now(UTC).timestamp() < 11

        await expire_leases(world)
        assert await asyncio.to_thread(verifier.answer) == []
        assert len(server.requests) == 1

        for wait, sign in ((61, "is left to others"), (241, "declined")):
            clock.now += timedelta(seconds=wait)
            await expire_leases(world)
            said = "\n".join(await asyncio.to_thread(verifier.answer))
            assert sign in said
        assert "is declined after 3 failures: test-model answered 500" in said
        assert len(server.requests) == 3

    assert await world.answers(statement) == []
    (decline,) = [read_message(json.dumps(message).encode()) for message in verifier.desk.answers()]
    assert isinstance(decline, VerificationDecline)
    assert decline.reason == "the model failed on it 3 times"
    assert json.loads((verifier.desk.folder / "setbacks.json").read_text()) == {}


class Refusing(Client):
    """A client whose platform refuses every verdict."""

    def respond(self, response: Any) -> Receipt:
        raise ProblemError(422, "Invalid message", "the verdict is refused")


@pytest.mark.parametrize("changes", [{"client": Refusing}, {"terms": Terms(review=True)}], ids=["refused", "held"])
async def test_a_request_whose_answer_the_node_has_not_taken_is_given_back_each_time(
    world: World, changes: dict[str, Any]
) -> None:
    statement, verifier = await world.asked(), world.verifier(**changes)
    for lines in (1, 0):
        assert len(await asyncio.to_thread(verifier.answer)) == lines
        (lease,) = await run_raw(world.platform.store, "MATCH (l:Lease) RETURN l.expires_micros AS until")
        assert lease["until"] / 1e6 - datetime.now(UTC).timestamp() < 11
        await expire_leases(world)
    assert await world.answers(statement) == []


async def test_other_requests_are_answered_while_the_model_fails_on_one(world: World) -> None:
    await world.asked(OPEN)
    other = await world.asked(TRUE)
    with model_server(lambda system, user: judgement("PASS") if TRUE in user else "x" * 10) as server:
        failing = world.verifier(**model_at(server))
        real = failing.model

        class Choosy(ChatModel):
            def complete(self, instructions: str, question: str) -> str:
                if OPEN in question:
                    raise ModelError("test-model chokes on it")
                return super().complete(instructions, question)

        assert real is not None
        failing.model = Choosy(real.url, real.name)
        said = await asyncio.to_thread(failing.answer)

    assert any("chokes on it" in line for line in said)
    assert len(await world.answers(other)) == 1


@pytest.mark.parametrize("status", [401, 429, 503])
async def test_a_model_that_answers_nobody_costs_no_request_anything(world: World, status: int) -> None:
    await world.asked(OPEN)
    await world.asked(TRUE)
    with model_server(lambda system, user: judgement("PASS")) as server:
        server.status = status
        verifier = world.verifier(**model_at(server))
        (said,) = await asyncio.to_thread(verifier.answer)
    assert f"is left to others: test-model answered {status}" in said
    assert len(server.requests) == 1
    assert not (verifier.desk.folder / "setbacks.json").exists()
    rows = await run_raw(world.platform.store, "MATCH (l:Lease) RETURN l.expires_micros AS until")
    assert all(row["until"] / 1e6 - datetime.now(UTC).timestamp() < 11 for row in rows)


async def test_a_lease_is_renewed_while_a_slow_model_works(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("a2ap.verifier.leasing._RENEWALS", 100)
    statement = await world.asked(OPEN)
    asked, go_on = Event(), Event()

    def answer(system: str, user: str) -> str:
        asked.set()
        go_on.wait(60)
        return judgement("PASS")

    async def expiry() -> int:
        (row,) = await run_raw(world.platform.store, "MATCH (l:Lease) RETURN l.expires_micros AS until")
        return int(row["until"])

    with model_server(answer) as server:
        verifier = world.verifier(method="model", terms=Terms(seconds=10), model=ChatModel(server.url, "test-model"))
        work = asyncio.create_task(asyncio.to_thread(verifier.answer))
        assert await asyncio.to_thread(asked.wait, 60)
        before = await expiry()
        while await expiry() < before + 1_000_000:
            await asyncio.sleep(0.1)
        go_on.set()
        await work

    (given,) = await world.answers(statement)
    assert given.verdict is Verdict.VALIDATED


async def test_more_than_a_question_holds_is_not_asked_and_left_open(world: World) -> None:
    statement = await world.asked(OPEN)
    with model_server(lambda system, user: judgement("PASS")) as server:
        verifier = world.verifier(method="model", model_bytes=60, model=ChatModel(server.url, "test-model"))
        await asyncio.to_thread(verifier.answer)

    (answer,) = await world.answers(statement)
    assert answer.verdict is Verdict.INSUFFICIENT_EVIDENCE
    assert server.requests == []
    open_ones = [one for one in answer.findings if one.status is FindingStatus.INCONCLUSIVE]
    assert len(open_ones) == 2
    assert all("from evidence[0] on, are more than the 60 bytes of a question" in one.evidence for one in open_ones)
    record = verifier.desk.records.find(answer.envelope.id)
    assert (record.model_bytes, record.asked) == (60, ())


async def test_what_words_find_wrong_stays_wrong_where_the_model_is_not_asked(world: World) -> None:
    statement = await world.asked(FALSE)
    with model_server(lambda system, user: judgement("PASS")) as server:
        verifier = world.verifier(method="model", model_bytes=60, model=ChatModel(server.url, "test-model"))
        await asyncio.to_thread(verifier.answer)

    (answer,) = await world.answers(statement)
    assert answer.verdict is Verdict.CHALLENGED


async def test_a_criterion_of_another_package_is_answered_over_the_wire(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package"
    information = package / "spoken_tone-1.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: spoken-tone\nVersion: 1\n")
    (information / "entry_points.txt").write_text("[a2ap.criteria]\nexample.org/spoken-tone = spoken_tone:make\n")
    # As docs/how-to/verification.md has it.
    text = (Path(__file__).parents[1] / "docs" / "how-to" / "verification.md").read_text()
    code = text.partition("```python\n")[2].partition("```")[0]
    (package / "spoken_tone.py").write_text(code.replace("example.org/tone", "example.org/spoken-tone"))
    monkeypatch.syspath_prepend(str(package))
    statement = await world.asked(TRUE, criteria=("example.org/spoken-tone",))

    await asyncio.to_thread(world.verifier(criteria=("example.org/spoken-tone",)).answer)

    (answer,) = await world.answers(statement)
    (finding,) = answer.findings
    assert (finding.criterion, finding.status) == ("example.org/spoken-tone", FindingStatus.PASS)


async def test_statements_of_a_peer_are_judged_with_the_peers_own_key(world: World) -> None:
    """The peer's author has the name of an agent of ours, and another key."""
    peer = PeerSimulator()
    message = statement_message(AUTHOR, claim=TRUE, evidence=[segment()])
    statement = sign_as(message, agent_key(99), f"{agent_id(AUTHOR)}#key-1")
    documents = [
        peer.node.registration(TIME).envelope.received,
        signed_registration(99, agent=description(AUTHOR)),
        statement,
    ]
    for place, document in enumerate(documents):
        scoped = scope_message(read_message(document), peer.origin)
        (outcome,) = await world.platform.append([Submission(scoped, origin=peer.origin, origin_index=place)])
        assert not isinstance(outcome, Exception), outcome
    await accept(world.platform, signed_request(statement, AUTHOR))

    (said,) = await asyncio.to_thread(world.verifier().answer)

    assert said.startswith("VALIDATED")
    (answer,) = await world.answers(statement)
    assert answer.verdict is Verdict.VALIDATED


async def test_sources_beyond_what_is_read_of_one_statement_are_missing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("a2ap.verifier.fetching.MAX_SOURCES", 10)
    statement = read_message(await world.asked())

    def fetched() -> Material:
        with Client(world.url) as client:
            return Material.of(Fetching(client).material(statement))  # type: ignore[arg-type]

    material = await asyncio.to_thread(fetched)
    assert not material.sources and len(material.missing) == 1


async def test_what_is_cited_beyond_what_is_compared_is_open(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    first = segment()
    length = first["byteRange"]["end"] - first["byteRange"]["start"]
    monkeypatch.setattr("graph.verifier.source_check.MOST_COMPARED", length)
    statement = read_message(await world.asked(TRUE, evidence=[first, first]))

    def fetched() -> Material:
        with Client(world.url) as client:
            return Material.of(Fetching(client).material(statement))  # type: ignore[arg-type]

    material = await asyncio.to_thread(fetched)
    findings = check_sources(material.statement, material.sources)
    assert {finding.status for finding in findings} == {FindingStatus.INCONCLUSIVE}
    assert "evidence[1] was not compared" in findings[0].evidence
    assert left_out(material.statement, material.transcripts, len(TRUE.encode()) + 2 * length) == ""
    told = left_out(material.statement, material.transcripts, len(TRUE.encode()) + 2 * length - 1)
    assert told.startswith(f"{length} bytes, from evidence[1] on,")
    assert "the claim has" in left_out(material.statement, material.transcripts, 5)


# Pure.


def test_the_wait_grows_and_a_restart_forgets_nothing(tmp_path: Path) -> None:
    clock = Clock()
    setbacks = Setbacks(tmp_path / "setbacks.json", clock)
    assert setbacks.may_try("a")
    found = [setbacks.note("a") for _ in range(3)]
    assert [one.failures for one in found] == [1, 2, 3]
    assert [(one.again_at - clock.now).total_seconds() for one in found] == [60, 240, 960]

    again = Setbacks(tmp_path / "setbacks.json", clock)
    assert not again.may_try("a") and again.may_try("b")
    clock.now += timedelta(seconds=960)
    assert again.may_try("a")
    again.forget("a")
    assert Setbacks(tmp_path / "setbacks.json", clock).note("a").failures == 1


def test_what_failed_long_ago_is_forgotten(tmp_path: Path) -> None:
    clock = Clock()
    setbacks = Setbacks(tmp_path / "setbacks.json", clock)
    setbacks.note("a")
    clock.now += timedelta(days=8)
    setbacks.note("b")
    assert list(json.loads((tmp_path / "setbacks.json").read_text())) == ["b"]


@given(st.text(max_size=30))
def test_a_file_of_setbacks_is_read_or_is_a_clear_error(text: str) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / "setbacks.json"
        path.write_text(text, encoding="utf-8")
        try:
            assert Setbacks(path, Clock()).may_try("a")
        except VerifierError as error:
            assert "cannot be read" in str(error)


def test_a_lease_that_is_none_is_a_clear_error() -> None:
    with pytest.raises(VerifierError, match="a lease that cannot be read"):
        Task.of({"lease": "urn:uuid:1", "request": {}})


def test_a_model_that_is_down_is_told_from_one_that_fails() -> None:
    with model_server(lambda system, user: "-") as server:
        model = ChatModel(server.url, "test-model")
        server.status = 503
        with pytest.raises(ModelDownError):
            model.complete("i", "q")
        server.status = 400
        with pytest.raises(ModelError) as failed:
            model.complete("i", "q")
        assert not isinstance(failed.value, ModelDownError)
    with pytest.raises(ModelDownError, match="cannot be reached"):
        ChatModel("http://127.0.0.1:9/v1", "test-model").complete("i", "q")
