"""The commands of `a2ap` that need no platform, their errors, and their documentation."""

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main
from builders import (
    SOURCE,
    agent_id,
    agent_key,
    envelope_of,
    key_id,
    signed_lease_request,
    signed_registration,
    signed_statement,
    statement_message,
)
from cli_agents import Agent, author, written
from cli_runner import Run, a2ap

from a2ap.canonical import sha256_digest
from a2ap.json_text import read_json, write_json
from a2ap.messages.lease_request import read_lease_request
from a2ap.signing.signature import sign_message
from graph.cli.command_table import ALIASES, COMMANDS, Group
from graph.cli.main import app

__all__ = ["a2ap", "author"]

ROOT = Path(__file__).resolve().parent.parent


def commands() -> dict[str, Any]:
    """Return every command by its full name."""
    found: dict[str, Any] = {}
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        inner: dict[str, Any] = getattr(command, "commands", {})
        # A group with options of its own does something without a subcommand.
        found |= {name: command} if not inner or command.params else {}
        found |= {f"{name} {sub}": inner[sub] for sub in inner}
    return found


def test_every_command_and_option_is_documented() -> None:
    text = (ROOT / "docs" / "reference" / "cli.md").read_text()
    sections = {
        match[1]: match[2] for match in re.finditer(r"^## `a2ap ([a-z -]+)`\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    }
    assert sorted(sections) == sorted(commands())
    common = text.partition("## Common options\n")[2].partition("\n## ")[0]
    for name, command in commands().items():
        for option in [option for parameter in command.params for option in parameter.opts if option.startswith("--")]:
            assert option == "--help" or f"`{option}" in sections[name] + common, f"{name} {option}"


def test_every_command_has_help(a2ap: Run) -> None:
    listed = a2ap("--help").out
    for name, command in commands().items():
        assert f"a2ap {name} " in a2ap(*name.split(), "--help").out
        assert command.help and len(command.help.splitlines()[0]) < 60
        assert name.split()[0] in listed


def test_a_command_is_listed_by_the_first_line_of_its_own_help() -> None:
    loaded = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    listed = {name: (entry, loaded[name]) for name, entry in COMMANDS.items()}
    for name, entry in COMMANDS.items():
        if isinstance(entry, Group):
            listed |= {f"{name} {sub}": (one, loaded[name].commands[sub]) for sub, one in entry.entries.items()}
    assert {name: entry.summary for name, (entry, _) in listed.items()} == {
        name: command.help.splitlines()[0] for name, (_, command) in listed.items()
    }


def test_a_command_has_the_name_that_it_had_before_too_and_no_help_lists_that(a2ap: Run) -> None:
    listed = a2ap("--help").out
    for former, (group, name) in ALIASES.items():
        shown = a2ap(former, "--help").out.replace(f"a2ap {former} ", f"a2ap {group} {name} ")
        assert shown.split() == a2ap(group, name, "--help").out.split()
        assert f"\n  {former} " not in listed
    assert a2ap("request", "urn:uuid:x", status=2).err == a2ap("request", "create", "urn:uuid:x", status=2).err
    assert a2ap("request", status=2).out == a2ap("request", "--help").out
    assert "No such command 'laese'" in a2ap("request", "laese", status=2).only_error


@pytest.mark.parametrize(
    ("words", "completed"),
    [("a2ap ke", ["key"]), ("a2ap key r", ["rotate", "recover", "revoke"]), ("a2ap log audit --js", ["--json"])],
)
def test_a_shell_completes_groups_commands_and_options(words: str, completed: list[str]) -> None:
    place = {"_A2AP_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    command = (sys.executable, "-m", "graph.cli")
    done = subprocess.run(command, env={**os.environ, **place}, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == completed


def test_the_list_of_commands_imports_none_of_them() -> None:
    look = "import sys, graph.cli.main; print(*[n for n in sys.modules if n in ('neo4j', 'httpx', 'graph.store')])"
    done = subprocess.run((sys.executable, "-c", look), capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["keygen", "--colour"], "No such option: --colour"),
        (["ask"], "Missing argument"),
        (["respond", "urn:uuid:x", "--key", "k", "--verdict", "MAYBE", "--confidence", "1"], "MAYBE"),
        (["export", "--format", "pdf"], "pdf"),
    ],
)
def test_what_is_not_understood_is_one_line_and_status_2(a2ap: Run, arguments: list[str], said: str) -> None:
    assert said in a2ap(*arguments, status=2).only_error


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["verify", "missing.json"], "missing.json: No such file or directory"),
        (["sign", "missing.json", "--key", "missing.key"], "No such file or directory"),
        (["ask", "Why?", "--url", "http://127.0.0.1:9"], "http://127.0.0.1:9 does not answer"),
        (["ask", "Why?", "--url", "http://["], "--url is 'http://[', not an http or https address"),
        (["export", "--url", "http://127.0.0.1:9"], "does not answer to the end: nothing listens there"),
        (["export", "--url", "http://127.0.0.1:99999"], "--url is 'http://127.0.0.1:99999', not an http"),
        (["export", "--url", "ftp://example.org"], "--url is 'ftp://example.org', not an http"),
        (["export", "--url", "http://127.0.0.1:9", "--clearance", "private"], "token"),
        (["export", "--data", "/nowhere/at/all"], "there is no data folder /nowhere/at/all"),
        (["rebuild", "--log", "missing.ndjson"], "missing.ndjson: No such file or directory"),
        (["keygen", "--agent", "no colon"], "not an absolute IRI"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_status_1(
    a2ap: Run, arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in a2ap(*arguments, status=1).only_error


def test_a_wrong_setting_is_named(a2ap: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A2AP_PORT", "high")
    assert a2ap("serve", status=1).only_error == "a2ap: A2AP_PORT is 'high', not a port number"


def test_a_key_is_private_new_and_never_overwritten(a2ap: Run, tmp_path: Path) -> None:
    path = tmp_path / "agent.key"
    said = json.loads(a2ap("keygen", "--out", path, "--json").out)
    assert said["agent"] == said["publicKey"] and said["keyId"] == f"{said['publicKey']}#1"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    kept = path.read_bytes()
    assert a2ap("keygen", "--out", path, status=1).only_error == f"a2ap: {path} is there already"
    assert path.read_bytes() == kept
    assert (
        "agent       urn:agent:clerk" in a2ap("keygen", "--agent", "urn:agent:clerk", "--out", tmp_path / "b.key").out
    )


def test_a_key_that_others_can_read_is_refused(a2ap: Run, author: Agent, tmp_path: Path) -> None:
    author.key.chmod(0o644)
    document = written(tmp_path / "statement.json", write_json(statement_message(author.seed)))
    assert "has mode 0644" in a2ap("sign", document, "--key", author.key, status=1).only_error


def test_signing_adds_the_signature_and_nothing_else(a2ap: Run, author: Agent, tmp_path: Path) -> None:
    message = statement_message(author.seed)
    document = written(tmp_path / "statement.json", json.dumps(message, indent=2).encode())
    signed = read_json(a2ap("sign", document, "--key", author.key).out.encode())
    assert signed == sign_message(message, agent_key(author.seed), key_id(author.seed))


def test_a_lease_request_is_signed_like_a_message(a2ap: Run, author: Agent, tmp_path: Path) -> None:
    request = read_json(signed_lease_request(author.seed))
    del request["signature"]
    document = written(tmp_path / "lease.json", write_json(request))
    signed = a2ap("sign", document, "--key", author.key).out.encode()
    assert read_lease_request(signed).agent_id == author.id
    other = written(tmp_path / "other.json", signed_lease_request(1))
    said = a2ap("sign", other, "--replace", "--key", author.key, status=1).only_error
    assert said == f"a2ap: the document is by {agent_id(1)}, and the key is that of {author.id}"


def test_signing_says_what_is_missing_and_whose_document_it_is(a2ap: Run, author: Agent, tmp_path: Path) -> None:
    message = statement_message(author.seed)
    del message["claim"]["contentHash"]
    document = written(tmp_path / "bare.json", write_json(message))
    assert a2ap("sign", document, "--key", author.key, status=1).only_error == "a2ap: claim.contentHash is missing"
    other = written(tmp_path / "other.json", write_json(statement_message(1)))
    said = a2ap("sign", other, "--key", author.key, status=1).only_error
    assert said == f"a2ap: the document is by {agent_id(1)}, and the key is that of {author.id}"


def test_a_signature_is_replaced_only_when_asked_to(a2ap: Run, author: Agent, tmp_path: Path) -> None:
    signed = signed_statement(author.seed)
    document = written(tmp_path / "signed.json", signed)
    assert "--replace" in a2ap("sign", document, "--key", author.key, status=1).only_error
    assert a2ap("sign", document, "--key", author.key, "--replace").out.encode().strip() == signed


def test_verify_says_what_holds_and_what_it_did_not_check(a2ap: Run, tmp_path: Path) -> None:
    document = written(tmp_path / "statement.json", signed_statement(1))
    said = a2ap("verify", document, "--key", agent_key(1).public_key.did_key).out.splitlines()
    assert [line.split("  ")[0] for line in said] == ["holds"] * 4 + ["not checked"] * 2 + [said[-1]]
    assert said[-1] == f"signed hash {envelope_of(signed_statement(1)).signed_hash}"
    registration = written(tmp_path / "agent.json", signed_registration(1))
    source = written(tmp_path / "council.vtt", SOURCE)
    said = a2ap("verify", document, "--registration", registration, "--source", source).out.splitlines()
    assert [line.split("  ")[0] for line in said] == ["holds"] * 8 + ["not checked", said[-1]]
    assert "by the key that it registers" in a2ap("verify", registration).out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--key", agent_key(1).public_key.base64], None),
        ([], "not checked  signature"),
        (["--key", agent_key(2).public_key.did_key], "FAILS        signature"),
        (["--key", agent_key(1).public_key.base64, "--source", "other.vtt"], "FAILS        evidence"),
    ],
)
def test_verify_succeeds_only_where_the_signature_holds(
    a2ap: Run, arguments: list[str], said: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "other.vtt", SOURCE.replace(b"forty", b"fifty"))
    document = written(tmp_path / "statement.json", signed_statement(1))
    assert (said or "none of its sources") in a2ap("verify", document, *arguments, status=int(said is not None)).out


def test_verify_names_a_source_that_is_not_what_was_cited(a2ap: Run, tmp_path: Path) -> None:
    tampered = SOURCE.replace(b"forty", b"fifty")
    document = written(tmp_path / "statement.json", signed_statement(1))
    registration = written(tmp_path / "agent.json", signed_registration(1))
    right, other = written(tmp_path / "council.vtt", SOURCE), written(tmp_path / "other.vtt", tampered)
    for sources in (["--source", other], ["--source", right, "--source", other]):
        said = a2ap("verify", document, "--registration", registration, *sources, status=1).out
        line = next(line for line in said.splitlines() if line.startswith("FAILS        evidence"))
        assert sha256_digest(tampered) in line and sha256_digest(SOURCE) in line


def test_verify_finds_what_was_altered(a2ap: Run, tmp_path: Path) -> None:
    altered = read_json(signed_statement(1))
    altered["generatedAtTime"] = "2025-10-15T10:30:00Z"
    document = written(tmp_path / "altered.json", write_json(altered))
    assert "FAILS        signature" in a2ap("verify", document, "--key", agent_key(1).public_key.did_key, status=1).out
    altered["claim"]["text"] = "The council drops the limit."
    document = written(tmp_path / "altered.json", write_json(altered))
    key = agent_key(1).public_key.did_key
    assert "FAILS        content hash: claim.contentHash" in a2ap("verify", document, "--key", key, status=1).out
    lying = signed_statement(1, evidence=[{**statement_message(1)["evidence"][0], "byteRange": {"start": 0, "end": 6}}])
    document, source = written(tmp_path / "lying.json", lying), written(tmp_path / "council.vtt", SOURCE)
    assert "FAILS        evidence" in a2ap("verify", document, "--key", key, "--source", source, status=1).out


@pytest.mark.parametrize(
    ("quote", "said"),
    [("not there", "the source does not say 'not there'"), ("00:02:1", "quote more of it"), ("", "does not say ''")],
)
def test_a_quote_must_stand_in_the_source_once(a2ap: Run, author: Agent, tmp_path: Path, quote: str, said: str) -> None:
    source = written(tmp_path / "council.vtt", SOURCE)
    command = ("claim", "It says so.", "--source", source, "--urn", "urn:doc:x", "--quote", quote, "--confidence", 1)
    assert said in a2ap(*command, "--key", author.key, status=1).only_error
