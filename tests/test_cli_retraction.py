"""`a2ap statement retract`, `redact` and `source expire`, against a platform that really serves."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import QUOTE, SOURCE, agent_key, key_id, segment
from cli_agents import Agent, author, written
from cli_runner import Run, a2ap, serving

from a2ap.canonical import sha256_digest
from a2ap.client import Client, ProblemError
from a2ap.json_text import read_json
from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.message import read_message
from a2ap.messages.statement import build_statement
from a2ap.signing.disclosure import make_disclosure
from a2ap.signing.signature import sign_message
from a2ap.times import parse_instant

__all__ = ["a2ap", "author"]

LATE = "2000-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Yield the address and the data folder of a platform."""
    data = tmp_path_factory.mktemp("platform")
    with serving(data) as (_, address):
        yield address, data


@pytest.fixture
def node_key(server: tuple[str, Path], monkeypatch: pytest.MonkeyPatch, a2ap: Run) -> Path:
    """Return the node's key file; the platform's address is in A2AP_URL."""
    monkeypatch.setenv("A2AP_URL", server[0])
    return server[1] / "node.key"


def a_source(a2ap: Run, author: Agent, folder: Path, *options: str) -> tuple[bytes, str, Path]:
    """Register the author and a source of its own; return its bytes, its name and its file."""
    a2ap("register", "--key", author.key, "--name", "Clerk", "--version", "1", "--publisher", "City")
    data = SOURCE + str(author.seed).encode()
    file, urn = written(folder / "council.vtt", data), f"urn:doc:test:{author.seed}"
    a2ap("source", "add", file, "--urn", urn, "--key", author.key, *options)
    return data, urn, file


def a_claim(a2ap: Run, author: Agent, urn: str, file: Path) -> str:
    said = ("claim", f"The limit stays, says {author.seed}.", "--key", author.key, "--source", file, "--urn", urn)
    return str(json.loads(a2ap(*said, "--quote", QUOTE, "--confidence", 0.9, "--json").out)["id"])


def test_a_statement_is_taken_back(a2ap: Run, node_key: Path, author: Agent, tmp_path: Path) -> None:
    _, urn, file = a_source(a2ap, author, tmp_path)
    statement = a_claim(a2ap, author, urn, file)

    assert "is log entry" in a2ap("retract", statement, "--key", author.key, "--reason", "I misheard.").out

    answer = a2ap("ask", f"What did they say about the limit, {author.seed}?").out
    assert "✗ retracted by its author: I misheard." in answer
    assert "already retracted" in a2ap("retract", statement, "--key", author.key, status=1).only_error


def test_a_disclosure_is_erased_by_its_author(
    a2ap: Run, node_key: Path, author: Agent, tmp_path: Path, server: tuple[str, Path]
) -> None:
    data, urn, _ = a_source(a2ap, author, tmp_path)
    disclosure = make_disclosure(QUOTE, bytes(16))
    message = build_statement(
        generated_at=parse_instant(LATE),
        agent=AgentDescription(author.id, "Clerk", "1", "City"),
        claim=f"The limit is forty feet, says {author.seed}.",
        confidence=0.5,
        evidence=[{**segment(source=data, source_id=urn), "quoteText": disclosure.reference}],
        disclosures=[disclosure],
    )
    with Client(server[0]) as client:
        client.submit(sign_message(message, agent_key(author.seed), key_id(author.seed)))
        a2ap("redact", "message", message["@id"], "--key", author.key, "--reason", "asked for")
        left = client.statement(message["@id"])
    assert "disclosures" not in read_json(left)
    said = a2ap("redact", "message", message["@id"], "--key", author.key, "--reason", "again", status=1)
    assert "discloses nothing" in said.only_error


def test_passages_and_then_all_of_a_source_are_erased_by_the_node(
    a2ap: Run, node_key: Path, author: Agent, tmp_path: Path, server: tuple[str, Path]
) -> None:
    data, urn, file = a_source(a2ap, author, tmp_path)
    a_claim(a2ap, author, urn, file)
    name, start = sha256_digest(data), data.index(QUOTE.encode())
    passage = f"{start}:{start + len(QUOTE)}"
    redact = ("redact", "source", name, "--key", node_key, "--reason", "a court said so")

    printed = a2ap(*redact, "--range", passage, "--legal-basis", "GDPR Art. 17", "--print").out
    assert read_message(printed.encode()).envelope.document["byteRanges"] == [
        {"start": start, "end": start + len(QUOTE)}
    ]
    a2ap(*redact, "--range", passage)
    left = data.replace(QUOTE.encode(), b" " * len(QUOTE))
    with Client(server[0]) as client:
        with pytest.raises(ProblemError, match="redacted by"):
            client.source(name)
        assert client.source(sha256_digest(left)) == left
        a2ap(*redact, "--range", "0:6", "--remainder", sha256_digest(left))
        assert client.source(sha256_digest(b" " * 6 + left[6:])) == b" " * 6 + left[6:]
        a2ap(*redact)
        with pytest.raises(ProblemError):
            client.source(sha256_digest(b" " * 6 + left[6:]))
    assert "redacted by" in a2ap(*redact, status=1).only_error
    for text in ("6", "6:6", "9:3", "a:b"):
        assert "not START:END" in a2ap(*redact, "--range", text, status=1).only_error


def test_a_source_whose_date_has_passed_is_erased_at_once(
    a2ap: Run, node_key: Path, author: Agent, tmp_path: Path, server: tuple[str, Path]
) -> None:
    terms = ("--licence", "CC-BY-4.0", "--rights-holder", "City clerk", "--retain-until", LATE)
    data, urn, file = a_source(a2ap, author, tmp_path)
    adding = ("source", "add", file, *terms, "--json", "--urn")
    told = a2ap(*adding, urn, "--key", author.key)
    assert "the date in force is none" in told.err and json.loads(told.out)
    folder = ("--data", server[1])
    assert a2ap("retention", *folder).out == "no source is due\n"
    assert "date in force" not in a2ap(*adding, f"{urn}:kept", "--key", node_key).err

    assert sha256_digest(data) in a2ap("retention", *folder).out
    assert a2ap("retention", *folder).out == "no source is due\n"
    assert json.loads(a2ap("retention", *folder, "--json").out) == {"erased": []}
    with Client(server[0]) as client, pytest.raises(ProblemError, match="retention"):
        client.source(sha256_digest(data))


def test_a_date_that_is_none_is_said_in_one_line(a2ap: Run, node_key: Path, author: Agent, tmp_path: Path) -> None:
    file = written(tmp_path / "x.txt", b"x")
    said = a2ap("source", "add", file, "--urn", "urn:x", "--key", author.key, "--retain-until", "soon", status=1)
    assert "--retain-until" in said.only_error
