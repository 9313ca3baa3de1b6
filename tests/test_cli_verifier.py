"""`a2ap verifier` and `a2ap review` as processes: requests are answered, held, approved, and survive a kill."""

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from builders import SOURCE, message_id, signed_registration, signed_request, signed_source, signed_statement
from cli_agents import Agent, new_agent
from cli_runner import Run, a2ap, running, serving
from model_server import model_server

from a2ap.canonical import sha256_digest
from a2ap.client import Client

__all__ = ["a2ap"]

AUTHOR = 901
TRUE = "A speaker said: “The new zoning map keeps the height limit at forty feet.”"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a platform with an author and a source."""
    with serving(tmp_path_factory.mktemp("platform")) as (_, address):
        with Client(address) as client:
            client.register(signed_registration(AUTHOR))
            client.register_source(signed_source(AUTHOR))
            client.put_source(sha256_digest(SOURCE), SOURCE)
        yield address


@pytest.fixture
def verifier(url: str, tmp_path: Path) -> Agent:
    agent = new_agent(tmp_path)
    with Client(url) as client:
        client.register(signed_registration(agent.seed))
    return agent


def ask(url: str, verifier: Agent, claim: str = TRUE) -> str:
    """Have a statement made and this verifier asked about it; return the statement's id."""
    number = int(verifier.seed)
    statement = signed_statement(AUTHOR, claim=claim, statement_id=message_id("statement", number, claim))
    with Client(url) as client:
        client.submit(statement)
        client.request_verification(signed_request(statement, AUTHOR, eligible_verifiers=(verifier.id,)))
    return str(json.loads(statement)["@id"])


def verdicts(url: str, statement: str) -> list[str]:
    query = "query ($id: ID!) { statement(id: $id) { verifications { verdict machine } } }"
    with Client(url) as client:
        found = client.graphql(query, {"id": statement})["statement"]["verifications"]
    return [row["verdict"] for row in found if not row["machine"]]


def test_what_is_open_is_answered_once_and_again_the_same(a2ap: Run, url: str, verifier: Agent, tmp_path: Path) -> None:
    statement = ask(url, verifier)
    options = ("--key", verifier.key, "--url", url, "--data", tmp_path / "data")

    ended = a2ap("verifier", "--once", *options)

    assert f"VALIDATED on {statement} is log entry" in ended.out
    assert verdicts(url, statement) == ["VALIDATED"]
    assert a2ap("verifier", "--once", *options).out == ""
    (record,) = (tmp_path / "data").glob("verifiers/*/records/*.json")
    again = a2ap("verifier", "--again", f"urn:uuid:{record.stem}", *options)
    assert "the same comes out: VALIDATED" in again.out


def test_a_held_verdict_is_approved_or_rejected_by_a_person(
    a2ap: Run, url: str, verifier: Agent, tmp_path: Path
) -> None:
    first, second = ask(url, verifier), ask(url, verifier, "Somebody spoke of zoning.")
    data = ("--key", verifier.key, "--data", tmp_path / "data")

    a2ap("verifier", "--once", "--review", "--url", url, *data)

    assert verdicts(url, first) == verdicts(url, second) == []
    listed = json.loads(a2ap("review", "list", "--json", *data).out)["held"]
    by_statement = {record["statement"]["id"]: record["responseId"] for record in listed}
    assert set(by_statement) == {first, second}
    assert "- claim: Somebody spoke of zoning." in a2ap("review", "list", *data).out
    assert "VALIDATED" in a2ap("review", "approve", by_statement[first], "--url", url, *data).out
    rejected = a2ap("review", "reject", by_statement[second], "--reason", "not my field", "--url", url, *data)
    assert f"declined on {second}" in rejected.out
    assert (verdicts(url, first), verdicts(url, second)) == (["VALIDATED"], [])
    assert a2ap("review", "list", *data).out == ""
    assert a2ap("verifier", "--once", "--url", url, *data).out == ""


def test_a_worker_that_is_killed_while_it_judges_loses_nothing(url: str, verifier: Agent, tmp_path: Path) -> None:
    statement = ask(url, verifier, "Buildings stay as low as they are.")
    asked, go_on = Event(), Event()

    def answer(system: str, user: str) -> str:
        asked.set()
        go_on.wait(60)
        finding = {"status": "PASS", "reason": "It says so.", "confidence": 0.9}
        return json.dumps({"evidence-sufficiency": finding, "logical-consistency": finding})

    with model_server(answer) as server:
        model = {"A2AP_LLM_URL": server.url, "A2AP_LLM_MODEL": "test-model"}
        options = ("--by", "model", "--key", verifier.key, "--url", url, "--data", tmp_path / "data")
        with running("verifier", "--lease-seconds", 10, *options, **model) as process:
            assert asked.wait(120)
            process.popen.kill()
            process.popen.wait()
        assert verdicts(url, statement) == []
        go_on.set()
        with running("verifier", "--lease-seconds", 10, *options, **model) as process:
            process.wait_for(f"VALIDATED on {statement}")
            assert process.stop(signal.SIGTERM) == 0
    assert verdicts(url, statement) == ["VALIDATED"]


def test_a_worker_that_waits_stops_at_once(url: str, verifier: Agent, tmp_path: Path) -> None:
    with running("verifier", "--key", verifier.key, "--url", url, "--data", tmp_path / "data") as process:
        process.wait_for("answers source-accuracy")
        time.sleep(1)
        began = time.monotonic()
        assert process.stop(signal.SIGTERM) == 0
        assert time.monotonic() - began < 20


def test_what_cannot_be_done_is_said_in_one_line(a2ap: Run, url: str, verifier: Agent, tmp_path: Path) -> None:
    data = ("--key", verifier.key, "--url", url, "--data", tmp_path / "data")

    assert (
        "no installed package says how to judge"
        in a2ap("verifier", "--criteria", "unheard-of", *data, status=1).only_error
    )
    assert "not one of words, search" in a2ap("verifier", "--by", "magic", *data, status=1).only_error
    assert (
        "no verdict of this verifier"
        in a2ap("verifier", "--again", "urn:uuid:550e8400-e29b-41d4-a716-446655440000", *data, status=1).only_error
    )
    assert "no verdict of this verifier" in a2ap("review", "approve", "urn:uuid:1", *data, status=1).only_error
