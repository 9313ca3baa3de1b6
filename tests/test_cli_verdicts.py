"""The whole of a verification by the command line: request, lease, verdict, counter statement, answer, decline."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import QUOTE, SOURCE
from cli_agents import Agent, new_agent, written
from cli_runner import Run, a2ap, serving

from a2ap.messages.message import read_message
from a2ap.messages.reference import Reference
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_response import VerificationResponse

__all__ = ["a2ap"]

NOBODY = "urn:uuid:00000000-0000-4000-8000-000000000000"
OTHER = "urn:uuid:00000000-0000-4000-8000-000000000001"
HASH = "sha256:" + "0" * 64
TARGET = ("--target-hash", HASH, "--print")
URN = "urn:doc:council"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("platform")) as (_, address):
        yield address


@pytest.fixture
def url(address: str, monkeypatch: pytest.MonkeyPatch, a2ap: Run) -> str:
    monkeypatch.setenv("A2AP_URL", address)
    return address


def registered(a2ap: Run, folder: Path) -> Agent:
    agent = new_agent(folder)
    a2ap("register", "--key", agent.key, "--name", "Clerk", "--version", "1", "--publisher", "City")
    return agent


def sent(a2ap: Run, *arguments: object) -> str:
    """Return the id of what a command submitted."""
    return str(json.loads(a2ap(*arguments, "--json").out)["id"])


def test_a_verification_needs_nothing_but_the_command_line(a2ap: Run, url: str, tmp_path: Path) -> None:
    author, verifier, operator = (registered(a2ap, tmp_path) for _ in range(3))
    source = written(tmp_path / "council.vtt", SOURCE)
    a2ap("source", "add", source, "--urn", URN, "--key", author.key)
    a2ap("endorse", verifier.id, "--key", operator.key)
    cited = ("--source", source, "--urn", URN)
    claim = ("claim", "The limit stays.", *cited, "--quote", QUOTE, "--confidence", 0.9, "--key", author.key)
    statement = sent(a2ap, *claim)
    a2ap("request", statement, "--key", author.key)
    (lease,) = json.loads(a2ap("lease", "--key", verifier.key, "--seconds", 60, "--json").out)["leases"]
    request = ("--request", lease["request"]["id"], "--request-hash", lease["request"]["hash"])
    counter = sent(
        *(a2ap, "claim", "The limit goes.", *cited, "--quote", "outdoor tables", "--confidence", 0.8),
        *("--contradicts", statement, "--key", verifier.key),
    )
    challenge = ("--verdict", "CHALLENGED", "--confidence", 0.8, "--finding", "source-accuracy=FAIL:it does not")
    pointing = (*cited, "--evidence", "outdoor tables")
    respond = ("respond", statement, "--key", verifier.key, *challenge)
    first = sent(a2ap, *respond, *request, "--counter-statement", counter, "--cross-reference", counter, *pointing)
    assert not a2ap("lease", "--key", verifier.key).out
    second = sent(a2ap, *respond, "--supersedes", first)
    sent(a2ap, "answer", second, "--key", author.key, "--text", "Read on.", *pointing)
    revised = sent(a2ap, *claim, "--revises", statement)
    sent(a2ap, "request", revised, "--key", author.key)
    line = a2ap("lease", "--key", verifier.key).out
    assert revised in line and "--request-hash sha256:" in line
    (again,) = json.loads(a2ap("lease", "--key", verifier.key, "--renew", line.split()[0], "--json").out)["leases"]
    assert again["lease"] == line.split()[0]
    named = ("--request", again["request"]["id"], "--request-hash", again["request"]["hash"])
    sent(a2ap, "decline", revised, "--key", verifier.key, *named, "--reason", "Said before.")
    printed = a2ap(*claim, "--supports", counter, "--print").out
    supporting = read_message(printed.encode())
    assert isinstance(supporting, ProvenanceStatement)
    assert [one.id for one in supporting.supports] == [counter]


def test_entries_of_nobody_are_an_error_and_those_of_a_silent_agent_none(a2ap: Run, url: str, tmp_path: Path) -> None:
    agent = registered(a2ap, tmp_path)
    assert len(a2ap("log", "entries", agent.id).out.splitlines()) == 1
    assert not a2ap("log", "entries", agent.id, "--after", 10**6).out
    said = a2ap("log", "entries", "urn:agent:nobody", status=1).only_error
    assert said == f"a2ap: {url} knows no agent urn:agent:nobody"


def test_a_verdict_names_all_that_it_rests_on(a2ap: Run, tmp_path: Path) -> None:
    agent, source = new_agent(tmp_path), written(tmp_path / "council.vtt", SOURCE)
    printed = a2ap(
        *("respond", NOBODY, "--key", agent.key, *TARGET, "--verdict", "CHALLENGED", "--confidence", 0.5),
        *("--request", OTHER, "--request-hash", HASH, "--supersedes", f"{OTHER}={HASH}"),
        *("--counter-statement", f"{OTHER}={HASH}", "--cross-reference", f"{OTHER}={HASH}"),
        *("--source", source, "--urn", URN, "--evidence", "outdoor tables"),
    )
    verdict = read_message(printed.out.encode())
    assert isinstance(verdict, VerificationResponse)
    reference = Reference(OTHER, HASH)
    assert verdict.request == verdict.supersedes == verdict.counter_statement == reference
    assert verdict.cross_references == (reference,)
    (pointer,) = verdict.evidence
    assert SOURCE[pointer.byte_range.start : pointer.byte_range.end] == b"outdoor tables"
    assert pointer.quote is None and "outdoor tables" not in printed.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--request", OTHER), "--request and --request-hash belong together"),
        (("--request-hash", HASH), "--request and --request-hash belong together"),
        (("--evidence", "words"), "--evidence stands in a source: name it with --source and --urn"),
        (("--urn", URN), "--source and --urn say where --evidence stands, and there is none"),
        (("--supersedes", f"{OTHER}=md5:0"), "supersedes.targetHash"),
        (("--finding", "x=MAYBE"), "'MAYBE' is not one of PASS, FAIL, INCONCLUSIVE"),
    ],
)
def test_what_does_not_belong_together_is_one_line(
    a2ap: Run, tmp_path: Path, options: tuple[str, str], said: str
) -> None:
    verdict = ("--verdict", "CHALLENGED", "--confidence", 0.5, "--key", new_agent(tmp_path).key)
    assert said in a2ap("respond", NOBODY, *TARGET, *verdict, *options, status=1).only_error


def test_words_that_a_source_does_not_say_once_cannot_be_pointed_at(a2ap: Run, tmp_path: Path) -> None:
    agent, source = new_agent(tmp_path), written(tmp_path / "twice.txt", b"here and here")
    verdict = ("--verdict", "CHALLENGED", "--confidence", 0.5, "--key", agent.key, "--source", source, "--urn", URN)
    for words, said in (("nowhere", "does not say 'nowhere'"), ("here", "says 'here' at byte 0 and at byte 9")):
        assert said in a2ap("respond", NOBODY, *TARGET, *verdict, "--evidence", words, status=1).only_error


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--version", "two"), "--version is 'two', not a whole number"),
        (("--threshold", "high"), "--threshold is 'high', not a number"),
        (("--threshold", "nan"), "--threshold is 'nan', not a number"),
        (("--threshold", "2"), "--threshold is '2', which is more than 1"),
        (("--quorum", "0"), "--quorum is '0', which is less than 1"),
        (
            ("--method", "guess"),
            "--method is 'guess', not one of a2ap-posterior, a2ap-quorum, a2ap-0.1, majority, wawa",
        ),
    ],
)
def test_a_wrong_value_is_told_by_its_option_and_what_it_is_not(a2ap: Run, options: tuple[str, str], said: str) -> None:
    assert a2ap("policy", "set", "--key", "node.key", *options, status=2).only_error == f"a2ap: {said}"


def test_a_verdict_that_is_none_is_told_with_those_that_are(a2ap: Run) -> None:
    said = a2ap("respond", NOBODY, "--key", "k", "--verdict", "MAYBE", "--confidence", "1", status=2).only_error
    known = "validated, challenged, invalid_signature, insufficient_evidence"
    assert said == f"a2ap: --verdict is 'MAYBE', not one of {known}"
