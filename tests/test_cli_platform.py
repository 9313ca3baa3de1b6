"""The commands of `a2ap` that talk to a platform, against one that really serves."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import (
    QUOTE,
    SOURCE,
    signed_registration,
    signed_request,
    signed_source,
    signed_statement,
)
from cli_agents import Agent, author, new_agent, written
from cli_runner import Run, a2ap, serving
from embedding_server import embedding_server
from rdflib import Graph

from a2ap.canonical import sha256_digest
from a2ap.client import Client
from a2ap.json_text import read_json
from a2ap.messages.message import read_message
from a2ap.messages.verification_request import VerificationRequest
from a2ap.passport.passport import read_chain

__all__ = ["a2ap", "author"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Yield the address and the data folder of a platform."""
    data = tmp_path_factory.mktemp("platform")
    with serving(data) as (_, address):
        yield address, data


@pytest.fixture
def url(server: tuple[str, Path], monkeypatch: pytest.MonkeyPatch, a2ap: Run) -> str:
    """Return the address, which is also in A2AP_URL."""
    monkeypatch.setenv("A2AP_URL", server[0])
    return server[0]


def registered(a2ap: Run, agent: Agent) -> Agent:
    a2ap("register", "--key", agent.key, "--name", "Clerk", "--version", "1", "--publisher", "City")
    return agent


def test_the_life_of_a_statement(a2ap: Run, url: str, author: Agent, tmp_path: Path) -> None:
    verifier, operator = registered(a2ap, new_agent(tmp_path)), registered(a2ap, new_agent(tmp_path))
    registered(a2ap, author)
    source = written(tmp_path / "council.vtt", SOURCE + str(author.seed).encode())
    urn = f"urn:doc:test:{author.seed}"
    a2ap("source", "add", source, "--urn", urn, "--key", author.key, "--title", "Council")
    claim = f"The height limit stays, says {author.seed}."
    said = a2ap(
        "claim",
        claim,
        "--key",
        author.key,
        "--source",
        source,
        "--urn",
        urn,
        "--quote",
        QUOTE,
        "--confidence",
        0.9,
        "--json",
    )
    statement = json.loads(said.out)["id"]
    assert "is log entry" in a2ap("endorse", verifier.id, "--key", operator.key).out
    assert "is log entry" in a2ap("request", statement, "--key", author.key).out
    findings = ("--finding", "source-accuracy=PASS:it says so", "--finding", "evidence-sufficiency=pass")
    a2ap(
        "respond",
        statement,
        "--key",
        verifier.key,
        "--verdict",
        "validated",
        "--confidence",
        0.8,
        *findings,
        "--reason",
        "read it",
    )
    challenge: tuple[object, ...] = ("--verdict", "CHALLENGED", "--confidence", 0.1, "--reason", "too short")
    challenge += ("--finding", "logical-consistency=inconclusive")
    challenged = json.loads(a2ap("respond", statement, "--key", operator.key, *challenge, "--json").out)["id"]
    assert "is log entry" in a2ap("answer", challenged, "--key", author.key, "--text", "Read on.").out
    answer = a2ap("ask", f"What did they say about height limit {author.seed}?").out
    assert claim in answer and QUOTE in answer and "Clerk" in answer
    facts, others = answer.split("Not yet accepted", 1)
    assert "Accepted" not in facts and "1 not yet accepted" in facts, "one of two verifiers challenged it"
    assert f"Clerk states: {claim}" in others and "missing: " in others
    assert "UNWIND $statements AS hash" in others and '$statements = ["sha256:' in others, "as it ran"
    (found,) = [
        answer
        for answer in json.loads(a2ap("ask", claim, "--first", 100, "--json").out)["answers"]
        if answer["statement"] == statement
    ]
    assert [given["agent"] for given in found["verifications"]][1:] == [verifier.id, operator.id]
    assert found["evidence"][0]["timestamp"] == {"start": "00:02:15", "end": "00:02:19"}


def test_the_doctor_finds_no_problem_in_a_node_that_runs_and_tells_no_secret(
    a2ap: Run, server: tuple[str, Path], url: str
) -> None:
    _, data = server
    told = a2ap("doctor", "--data", data).out
    assert told.splitlines()[-1].startswith("0 problems and ")
    assert "ok       engine: the embedded engine runs, process " in told and f"ok       node: {url} is ready" in told
    keys = [json.loads((data / name).read_text())["seed"] for name in ("node.key", "log.key")]
    others = [(data / name).read_text().strip() for name in ("operator.token", "engine/root.password")]
    assert not [secret for secret in keys + others if secret in told]


def test_what_would_be_sent_can_be_printed_instead(a2ap: Run, url: str, author: Agent, tmp_path: Path) -> None:
    name = ("--name", "Clerk", "--version", "2", "--publisher", "City", "--capability", "a", "--capability", "b")
    printed = a2ap("register", "--key", author.key, *name, "--alias", f"agent:{author.seed}:pubkey", "--print")
    message = read_message(printed.out.encode())
    assert message.envelope.document["agent"]["capabilities"] == ["a", "b"]
    document = written(tmp_path / "agent.json", printed.out.encode())
    assert a2ap("submit", document).out == "1 accepted, 0 known already, 0 refused\n"
    source = written(tmp_path / "council.vtt", SOURCE)
    claim = (
        "claim",
        "It says so.",
        "--source",
        source,
        "--urn",
        "urn:doc:x",
        "--quote",
        "outdoor tables",
        "--confidence",
        1,
    )
    statement = a2ap(*claim, "--key", author.key, "--registration", document, "--print").out
    assert read_message(statement.encode()).envelope.agent_id == author.id
    nobody = "urn:uuid:00000000-0000-4000-8000-000000000000"
    hashed = ("--target-hash", "sha256:" + "0" * 64, "--key", author.key, "--print")
    read_message(a2ap("request", nobody, *hashed).out.encode())
    terms = ("--deadline", "2999-01-01T00:00:00Z", "--wanted", 2, "--eligible", author.id)
    asked = read_message(a2ap("request", nobody, *hashed, *terms).out.encode())
    assert isinstance(asked, VerificationRequest)
    assert (asked.wanted_verdicts, asked.eligible_verifiers) == (2, (author.id,))
    named = ("--request", asked.envelope.id, "--request-hash", asked.envelope.signed_hash)
    read_message(a2ap("decline", nobody, *hashed, *named, "--reason", "Not my field.").out.encode())
    read_message(a2ap("respond", nobody, "--verdict", "CHALLENGED", "--confidence", 0.5, *hashed).out.encode())


def test_a_source_is_sent_in_pieces_and_once(a2ap: Run, url: str, author: Agent, tmp_path: Path) -> None:
    registered(a2ap, author)
    content = (SOURCE + str(author.seed).encode()) * 20_000
    source = written(tmp_path / "long.txt", content)
    add = ("source", "add", source, "--key", author.key, "--urn")
    assert "already" not in a2ap(*add, f"urn:doc:long:{author.seed}").err
    with Client(url) as client:
        assert client.source(sha256_digest(content)) == content
    assert f"has these {len(content):,} bytes already" in a2ap(*add, f"urn:doc:other:{author.seed}").err


def test_a_refusal_of_the_platform_is_one_line(a2ap: Run, url: str, author: Agent, tmp_path: Path) -> None:
    source = written(tmp_path / "council.vtt", SOURCE)
    said = a2ap("source", "add", source, "--urn", "urn:doc:x", "--key", author.key, status=1).only_error
    assert "403" in said and author.id in said
    bad = ("--verdict", "VALIDATED", "--confidence", 1, "--target-hash", "sha256:" + "0" * 64, "--key", author.key)
    said = a2ap("respond", "urn:uuid:00000000-0000-4000-8000-000000000000", *bad, status=1).only_error
    assert "no finding is PASS" in said
    assert "--finding x: there is no =" in a2ap("respond", "x", *bad, "--finding", "x", status=1).only_error


def test_files_folders_and_lines_are_submitted_whatever_their_order(
    a2ap: Run, url: str, author: Agent, tmp_path: Path
) -> None:
    statement = signed_statement(author.seed)
    written(tmp_path / "in" / "a" / "1-request.json", signed_request(statement, author.seed))
    written(tmp_path / "in" / "a" / "2-statement.jsonld", json.dumps(read_json(statement), indent=2).encode())
    lines = [signed_registration(author.seed), b"", signed_source(author.seed), b"{nonsense"]
    ndjson = written(tmp_path / "in" / "b.ndjson", b"\n".join(lines))
    written(tmp_path / "in" / "ignored.txt", b"not a document")
    empty = written(tmp_path / "empty.json", b" \n")
    said = a2ap("submit", tmp_path / "in", empty, status=1)
    assert said.out == "4 accepted, 0 known already, 2 refused\n"
    first, second = sorted(said.err.splitlines())
    assert first == f"{empty}: is empty"
    assert second.startswith(f"{ndjson}:4: 400 ")
    assert a2ap("submit", ndjson, tmp_path / "in", status=1).out == "0 accepted, 6 known already, 2 refused\n"


def test_what_still_lacks_its_agent_is_refused_at_the_end(a2ap: Run, url: str, author: Agent, tmp_path: Path) -> None:
    document = written(tmp_path / "statement.json", signed_statement(author.seed))
    said = a2ap("submit", document, status=1)
    assert said.out == "0 accepted, 0 known already, 1 refused\n"
    assert said.only_error.startswith(f"{document}: ") and author.id in said.err


def test_an_export_comes_from_the_server_or_from_the_data_beside_it(
    a2ap: Run, url: str, server: tuple[str, Path], author: Agent, tmp_path: Path
) -> None:
    registered(a2ap, author)
    asked, opened = tmp_path / "asked.ttl", tmp_path / "opened.ttl"
    a2ap("export", "--format", "turtle", "--url", url, "--out", asked)
    a2ap("export", "--format", "turtle", "--data", server[1], "--out", opened)
    assert asked.read_bytes() == opened.read_bytes()
    assert author.id in {str(subject) for subject in Graph().parse(asked).subjects()}
    assert json.loads(a2ap("export", "--format", "json-ld", "--url", url).out)["@graph"]
    token = (server[1] / "operator.token").read_text().strip()
    assert "cleared for safety-sensitive" in a2ap("export", "--url", url, "--token", token).out
    assert "401" in a2ap("export", "--url", url, "--token", "x" * 20, status=1).only_error
    written = [one.name + end for one in (asked, opened) for end in ("", ".manifest.json")]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([f"{author.seed}.key", *written])


def test_a_rebuild_in_another_folder_gives_the_same_graph(
    a2ap: Run, url: str, server: tuple[str, Path], author: Agent, tmp_path: Path
) -> None:
    registered(a2ap, author)
    log, new = tmp_path / "log.ndjson", tmp_path / "new"
    a2ap("export", "--format", "log", "--url", url, "--out", log)
    before = a2ap("export", "--data", server[1], "--clearance", "safety-sensitive").out
    size = len(log.read_text().splitlines())
    said = a2ap("rebuild", "--log", log, "--objects", server[1], "--data", new).out
    assert said == f"{size} log entries are in the graph again\n"
    after = a2ap("export", "--data", new, "--clearance", "safety-sensitive").out
    assert without_lock(after) == without_lock(before)
    assert "already has" in a2ap("rebuild", "--log", log, "--data", new, status=1).only_error
    assert "has no stored bytes" in a2ap("rebuild", "--log", log, "--objects", tmp_path, status=1).only_error


def without_lock(script: str) -> str:
    """Return a script without the nonce of the last writer, which no log has."""
    return re.sub(r"\['[0-9a-f]*', 'log', ", "['', 'log', ", script)


def test_passports_are_handed_in_and_fetched_byte_for_byte(a2ap: Run, url: str, author: Agent, tmp_path: Path) -> None:
    registered(a2ap, author)
    file, address = tmp_path / "run.passports.json", ("--url", url)
    a2ap("passport", "init", file, "--key", author.key, "--output", f"of {author.seed}")
    a2ap("passport", "commit", file, "--key", author.key, "--output", "and more")
    sent = json.loads(a2ap("passport", "submit", file, "--boundary", "public", "--json", *address).out)["records"]
    assert [one["created"] for one in sent] == [True, True]
    again = a2ap("passport", "submit", file, "--boundary", "public", *address).out
    assert again.count("was there already") == 2
    own = json.loads(a2ap("passport", "submit", file, "--boundary", "public", "--key", author.key, "--json").out)
    assert [one["created"] for one in own["records"]] == [True, True]
    for one, passport in zip(sent, read_chain(file.read_bytes()).passports, strict=True):
        assert a2ap("passport", "fetch", one["recordHash"], *address).out.encode() == passport.data
    assert "404" in a2ap("passport", "fetch", "sha256:" + "0" * 64, status=1).only_error


def test_the_index_of_meaning_is_built_beside_a_server(
    a2ap: Run, server: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "A2AP_EMBEDDINGS_MODEL is not set" in a2ap("search", "index", "--data", server[1], status=1).only_error
    with embedding_server() as model:
        monkeypatch.setenv("A2AP_EMBEDDINGS_URL", model.url)
        monkeypatch.setenv("A2AP_EMBEDDINGS_MODEL", "words")
        first = a2ap("search", "index", "--data", server[1]).out
        assert re.fullmatch(r"The index goes to entry \d+ of the log, by words\n", first)
        asked = len(model.requests)
        assert a2ap("search", "index", "--data", server[1]).out == first
        assert model.requests[asked:] == [{**model.requests[0]}], "only how many numbers the model gives"


def test_questions_and_queries_are_answered(a2ap: Run, url: str, author: Agent) -> None:
    registered(a2ap, author)
    said = a2ap("ask", "How many agents are registered?")
    assert "agents" in said.out and "MATCH (a:Agent)" in said.out and "\n$" not in said.out
    assert "MATCH" not in a2ap("ask", "How many agents are registered?", "--no-query").out
    assert said.only_error == "No model is configured: the answer is from templates for common questions."
    found = json.loads(a2ap("ask", "What are the newest statements?", "--json").out)
    assert (found["answeredBy"], found["template"]) == ("templates", "questions/newest")
    a2ap("ask", "What are the newest statements?")
    assert "examples/version_drift $one $other: On which statements" in a2ap("cypher", "--list").out
    assert "agreements" in a2ap("cypher", "examples/agreements").out
    own = ("--text", "MATCH (a:Agent {agent_id: $id}) RETURN a.name AS name", "--parameter", f"id={author.id}")
    assert json.loads(a2ap("cypher", *own, "--json").out)["rows"] == [["Clerk"]]
    assert a2ap("cypher", *own).only_error == "1 row"
    assert "'SET' begins no clause" in a2ap("cypher", "--text", "MATCH (a:Agent) SET a.x = 1", status=1).only_error
    assert "give the name of a query" in a2ap("cypher", status=1).only_error
    assert "is not NAME=VALUE" in a2ap("cypher", "examples/agreements", "--parameter", "x", status=1).only_error
