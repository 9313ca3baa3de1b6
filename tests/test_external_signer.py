"""Keys that stay with a command, and that no private key shows up anywhere."""

import asyncio
import base64
import json
import logging
import shlex
import sqlite3
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from builders import (
    agent_id,
    agent_key,
    key_id,
    request_message,
    signed_registration,
    signed_statement,
    statement_message,
)
from cli_agents import written
from cli_runner import Run, a2ap, serving
from graph_contents import run_raw
from key_world import key_rows, key_world, revocation_by_node
from platform_fixture import platform
from scenario import AUTHOR, accept, settle

from a2ap.json_text import write_json
from a2ap.key_file import KeyFile, KeyIdentity, read_key_file, read_key_identity, write_key_file, write_key_identity
from a2ap.messages.message import read_message
from a2ap.signing.keys import SigningKey
from a2ap.signing.signature import sign_message, verify_signature
from graph.content.content_store import open_content_store
from graph.errors import SignerError
from graph.federation.peer_client import PeerClient
from graph.keys.external_signer import ExternalSigner, open_signer
from graph.keys.node_signers import open_node
from graph.node import node_from_key
from graph.platform import Platform, platform_on, utc_now
from graph.quotas.counters import FILE as COUNTS
from graph.settings import Settings, SettingsError
from graph.store import Store
from graph.submission.log_key_rotation import rotate_log_key

__all__ = ["a2ap", "platform"]

_ROOT = Path(__file__).parents[1]
_SIGNER = """
import base64, sys
from pathlib import Path
sys.path.insert(0, {root!r})
from a2ap.signing.keys import SigningKey
key = SigningKey(base64.b64decode(Path({seed!r}).read_text()))
if sys.argv[-1] == "--public-key":
    print(key.public_key.{form})
else:
    signature = key.sign(sys.stdin.buffer.read())
    sys.stdout.buffer.write({answer})
"""
RAW, BASE64 = "signature", "base64.b64encode(signature) + b'\\n'"


def signer_of(folder: Path, key: SigningKey, *, answer: str = RAW, form: str = "did_key") -> str:
    """Return the command line of a signer that keeps a key."""
    folder.mkdir(parents=True, exist_ok=True)
    seed = written(folder / "kept.seed", base64.b64encode(key.seed))
    text = _SIGNER.format(root=str(_ROOT), seed=str(seed), form=form, answer=answer)
    script = written(folder / "signer.py", text.encode())
    return shlex.join([sys.executable, str(script)])


def command_that(folder: Path, python: str) -> str:
    return shlex.join([sys.executable, str(written(folder / "command.py", python.encode()))])


@pytest.mark.parametrize("answer", [RAW, BASE64])
@pytest.mark.parametrize("form", ["did_key", "base64"])
def test_a_command_signs_as_its_key_would(tmp_path: Path, answer: str, form: str) -> None:
    key = agent_key(1)
    signer = open_signer(signer_of(tmp_path, key, answer=answer, form=form))
    assert signer.public_key == key.public_key
    assert signer.sign(b"what is signed") == key.sign(b"what is signed")


def test_a_message_signed_by_a_command_verifies(tmp_path: Path) -> None:
    signer = open_signer(signer_of(tmp_path, agent_key(1)), agent_key(1).public_key)
    envelope = read_message(write_json(sign_message(statement_message(1), signer, key_id(1)))).envelope
    assert envelope.signature is not None
    verify_signature(envelope.signature, envelope.signed_bytes, agent_key(1).public_key)


def test_a_signature_of_another_key_is_not_used(tmp_path: Path) -> None:
    signer = open_signer(signer_of(tmp_path, agent_key(2)), agent_key(1).public_key)
    with pytest.raises(SignerError, match=f"does not sign with {agent_key(1).public_key.did_key}"):
        signer.sign(b"what is signed")


@pytest.mark.parametrize(
    ("python", "problem"),
    [
        ("import sys; sys.exit('the seed is hunter2')", "ended with status 1"),
        ("print('hunter2')", "answered with 8 bytes, which is no signature"),
        ("print('hunter2' * 1000)", "answered with 7001 bytes, which is no signature"),
        ("pass", "answered with 0 bytes"),
        ("import time; time.sleep(60)", "did not sign within 0.5 seconds"),
    ],
)
def test_a_command_that_does_not_sign_is_named_and_not_quoted(tmp_path: Path, python: str, problem: str) -> None:
    words = tuple(shlex.split(command_that(tmp_path, python)))
    signer = ExternalSigner(words, agent_key(1).public_key, timeout=0.5 if "sleep" in python else 30)
    with pytest.raises(SignerError, match=problem) as refused:
        signer.sign(b"what is signed")
    assert "hunter2" not in str(refused.value)
    assert str(tmp_path) not in "".join(str(part) for part in _chain(refused.value))
    assert "command.py" not in repr(signer)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and those that a traceback shows with it."""
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("", "is empty"),
        ("'", "cannot be read"),
        ("/nowhere/signer", "cannot be run: No such file"),
        (shlex.join([sys.executable, "-c", "print('hunter2')"]), "does not answer with an Ed25519 public key"),
    ],
)
def test_a_command_that_is_none_is_refused(command: str, problem: str) -> None:
    with pytest.raises(SignerError, match=problem) as refused:
        open_signer(command)
    assert "hunter2" not in str(refused.value)


def test_a_node_whose_key_is_elsewhere_is_the_same_node(tmp_path: Path) -> None:
    key = agent_key(77)
    settings = Settings(data=tmp_path, node_signer=signer_of(tmp_path, key), node_public_key=key.public_key.did_key)
    node, here = open_node(settings), node_from_key(key)
    assert (node.agent_id, node.key_id) == (here.agent_id, here.key_id)
    assert node.derived_id("policy|0") == here.derived_id("policy|0")
    assert not (tmp_path / "node.key").exists()


def test_a_key_is_in_one_place(tmp_path: Path) -> None:
    environment = {"A2AP_DATA": str(tmp_path), "A2AP_NODE_SIGNER": "signer", "A2AP_NODE_KEY": "node.key"}
    with pytest.raises(SettingsError, match="A2AP_NODE_SIGNER and A2AP_NODE_KEY are both set"):
        Settings.from_environment(environment)
    with pytest.raises(SettingsError, match="A2AP_LOG_PUBLIC_KEY is set although"):
        Settings.from_environment({"A2AP_DATA": str(tmp_path), "A2AP_LOG_PUBLIC_KEY": "did:key:z"})
    settings = Settings.from_environment({"A2AP_DATA": str(tmp_path), "A2AP_LOG_SIGNER": "signer --pin 1234"})
    assert settings.log_signer == "signer --pin 1234"
    assert "1234" not in repr(settings)


async def test_a_platform_runs_with_both_keys_elsewhere(store: Store, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data")
    node_key, log_key = agent_key(78), agent_key(79)
    node = node_from_key(open_signer(signer_of(tmp_path / "node", node_key)))
    log_signer = open_signer(signer_of(tmp_path / "log", log_key, answer=BASE64))
    async with platform_on(store, open_content_store(settings), node, settings, log_signer=log_signer) as platform:
        world = await key_world(platform)
        await accept(platform, revocation_by_node(platform, 1))
        assert platform.log.verifier_key.public_key == log_key.public_key
        assert world.size < platform.log.checkpoint.tree_size
    assert not list((tmp_path / "data").rglob("*.key"))


async def test_a_command_that_signs_slowly_keeps_nobody_else_waiting(store: Store, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data")
    signer = open_signer(signer_of(tmp_path / "node", agent_key(78)))
    assert isinstance(signer, ExternalSigner)
    async with platform_on(store, open_content_store(settings), node_from_key(signer), settings) as platform:
        await settle(platform)
        slow = command_that(tmp_path, f"import runpy, time; time.sleep(1); runpy.run_path({signer.command[1]!r})")
        object.__setattr__(signer, "command", tuple(shlex.split(slow)))
        statement = signed_statement(AUTHOR)
        asked = [write_json(request_message(statement, AUTHOR, number=number)) for number in (1, 2)]
        for work in (
            lambda: accept(platform, statement),
            lambda: platform.submit(asked[0], authenticated=True),
            lambda: platform.submit_many(asked[1:], authenticated=True),
        ):
            assert await longest_wait(work()) < 0.8


async def test_a_command_that_signs_requests_slowly_keeps_nobody_else_waiting(tmp_path: Path) -> None:
    fast = open_signer(signer_of(tmp_path / "node", agent_key(78)))
    assert isinstance(fast, ExternalSigner)
    slow = f"import runpy, time; time.sleep(1); runpy.run_path({fast.command[1]!r})"
    object.__setattr__(fast, "command", tuple(shlex.split(command_that(tmp_path, slow))))

    async def piece() -> AsyncIterator[bytes]:
        yield b"checkpoint"

    transport = httpx.MockTransport(lambda request: httpx.Response(200, content=piece()))
    async with httpx.AsyncClient(transport=transport) as http:
        client = PeerClient(http, "http://127.0.0.1:9", fast, utc_now, 2**20)
        assert await longest_wait(client.checkpoint()) < 0.8


async def longest_wait(work: Awaitable[object]) -> float:
    """Return for how long at most nobody else had a turn while something was done, in seconds."""
    task = asyncio.ensure_future(work)
    longest, before = 0.0, time.monotonic()
    while not task.done():
        await asyncio.sleep(0.01)
        longest, before = max(longest, time.monotonic() - before), time.monotonic()
    await task
    return longest


async def test_the_log_is_handed_from_one_command_to_the_next(store: Store, tmp_path: Path) -> None:
    old, new = agent_key(81), agent_key(82)
    first = open_signer(signer_of(tmp_path / "first", old))
    settings = Settings(data=tmp_path / "data", log_next_signer=signer_of(tmp_path / "next", new))
    content, node = open_content_store(settings), node_from_key(agent_key(83))
    async with platform_on(store, content, node, settings, log_signer=first) as platform:
        await rotate_log_key(platform.node, platform.log, platform.append, utc_now)
        assert platform.log.verifier_key.public_key == new.public_key
        await accept(platform, signed_registration(1))
    second = open_signer(signer_of(tmp_path / "next", new))
    async with platform_on(store, content, node, Settings(data=tmp_path / "data"), log_signer=second) as platform:
        await accept(platform, signed_registration(2))
        assert platform.log.verifier_key.public_key == new.public_key


def test_a_file_may_say_whose_key_a_command_keeps(tmp_path: Path) -> None:
    identity = KeyIdentity(agent_id(1), key_id(1), agent_key(1).public_key)
    write_key_identity(tmp_path / "a.key", identity)
    assert read_key_identity(tmp_path / "a.key") == identity
    write_key_file(tmp_path / "b.key", KeyFile(agent_id(1), key_id(1), agent_key(1)))
    assert read_key_identity(tmp_path / "b.key") == identity


async def test_no_private_key_is_in_the_database_a_log_line_an_error_or_a_repr(
    platform: Platform, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    keys = [agent_key(number) for number in (1, 2, 3, 11, 12, 21, 801, 802, 901, 902)]
    kept = [read_key_file(file).key for file in tmp_path.rglob("*.key")]
    assert kept
    world = await key_world(platform)
    said: list[str] = []
    for refused in (world.statement[:-1], b"{}", signed_registration(1), revocation_by_node(platform, 55)):
        outcome = await platform.submit_many([refused])
        said += [str(outcome), repr(outcome)]
    await accept(platform, revocation_by_node(platform, 2, not_trusted_since=0))
    said += [repr(await key_rows(platform, number)) for number in (1, 2)]
    said += [repr(value) for value in (platform.node, platform.settings, keys, kept, platform.log)]
    said.append(caplog.text)
    said.append(repr(await run_raw(platform.store, "MATCH (n) RETURN properties(n) AS properties")))
    said.append(repr(await run_raw(platform.store, "MATCH ()-[r]->() RETURN properties(r) AS properties")))
    # The counts of quotas have long runs of zeros, as seeds of the tests' keys do, so that they are read as text.
    (counts,) = tmp_path.rglob(COUNTS)
    with closing(sqlite3.connect(counts)) as database:
        said += database.iterdump()
    files = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file() and file.suffix != ".key"}
    stored = [data for file, data in files.items() if not file.name.startswith(COUNTS)]
    assert not any(key.seed in data for key in kept for data in files.values())
    text = "\n".join(said)
    for key in (*keys, *kept):
        for form in _forms(key.seed):
            assert form not in text
            assert not any(form.encode() in data for data in stored)
        assert not any(key.seed in data for data in stored)


def _forms(seed: bytes) -> tuple[str, ...]:
    """Return a seed as it might be written by mistake."""
    return (
        seed.hex(),
        base64.b64encode(seed).decode(),
        base64.urlsafe_b64encode(seed).decode().rstrip("="),
        repr(seed),
    )


def test_agents_sign_with_commands_and_keys_change_hands(
    a2ap: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = agent_id(7001)
    first, second = (signer_of(tmp_path / name, agent_key(number)) for name, number in (("a", 7001), ("b", 7002)))
    a2ap("keygen", "--agent", agent, "--out", tmp_path / "a.key", "--signer", first)
    assert "seed" not in json.loads((tmp_path / "a.key").read_text())
    made = a2ap("keygen", "--agent", agent, "--recovery", "--out", tmp_path / "recovery.key", "--json")
    recovery = json.loads(made.out)
    assert recovery["keyId"] == recovery["publicKey"]
    keys = {name: agent_key(number) for name, number in (("NODE", 7101), ("LOG", 7102), ("TRANSPORT", 7103))}
    signers = {f"A2AP_{name}_SIGNER": signer_of(tmp_path / name, key) for name, key in keys.items()}
    with serving(tmp_path / "data", **signers) as (_, address):
        monkeypatch.setenv("A2AP_URL", address)
        described = ("--name", "Clerk", "--version", "1", "--publisher", "City")
        a2ap(
            "register", "--key", tmp_path / "a.key", "--signer", first, *described,
            "--recovery-key", recovery["publicKey"],
        )  # fmt: skip
        a2ap(
            "key", "rotate", "--key", tmp_path / "a.key", "--signer", first,
            "--new", tmp_path / "b.key", "--new-signer", second, "--name", "2",
        )  # fmt: skip
        refused = a2ap("deactivate", "--key", tmp_path / "a.key", "--signer", first, status=1)
        assert f"key {agent}#1 was replaced by entry" in refused.only_error
        wrong = a2ap("deactivate", "--key", tmp_path / "a.key", "--signer", second, status=1)
        assert "does not sign with" in wrong.only_error
        a2ap("key", "add", "--key", tmp_path / "b.key", "--signer", second, "--new", tmp_path / "c.key", "--name", "3")
        a2ap(
            "key", "revoke", f"{agent}#2", "--key", tmp_path / "recovery.key",
            "--reason", "keyCompromise", "--since", "0",
        )  # fmt: skip
        a2ap("key", "recover", "--key", tmp_path / "recovery.key", "--new", tmp_path / "d.key", "--name", "4")
        listed = [line.split(", ", 1) for line in a2ap("key", "list", agent).out.splitlines()]
        assert [line[0].split()[0] for line in listed] == [f"{agent}#{name}" for name in (1, 2, 3, 4)]
        assert listed[0][1].startswith("replaced by entry")
        assert "keyCompromise, by recovery" in listed[1][1]
        assert "registeredByUntrustedKey" in listed[2][1]
        assert listed[3][1] == "valid"
        a2ap("deactivate", "--key", tmp_path / "d.key", "--reason", "The clerk has left.")
        assert (
            "was deactivated"
            in a2ap("key", "add", "--key", tmp_path / "d.key", "--new", tmp_path / "e.key", status=1).only_error
        )

        described_here = json.loads(urllib.request.urlopen(f"{address}/.well-known/a2ap").read())
        assert described_here["transportKey"] == keys["TRANSPORT"].public_key.did_key
        assert not list((tmp_path / "data").rglob("*.key"))
        node, node_signer = tmp_path / "node.key", signers["A2AP_NODE_SIGNER"]
        a2ap("keygen", "--agent", node_from_key(keys["NODE"]).agent_id, "--out", node, "--signer", node_signer)
        first, *quotas = a2ap("admission", "show").out.splitlines()
        assert first == "open, as a new node is"
        assert [line.split()[:2] for line in quotas] == [
            ["quota", f"{name}:"] for name in ("stranger", "endorsed", "operator", "address")
        ]
        invited = a2ap(
            "admission", "set", "invitation", "--key", node, "--signer", node_signer, "--invitations", "1"
        )  # fmt: skip
        secret = invited.only_error.removeprefix("invitation ")
        assert "invitations 1" in a2ap("admission", "show").out
        a2ap("keygen", "--agent", agent_id(7003), "--out", tmp_path / "f.key")
        a2ap("register", "--key", tmp_path / "f.key", *described, status=1)
        a2ap("register", "--key", tmp_path / "f.key", *described, "--invitation", secret)

        reached = a2ap("blast-radius", "--of-key", f"{agent}#2", "--json")
        assert [item["name"] for item in json.loads(reached.out)["items"]] == [f"{agent}#3"]
        assert "1 as of" in a2ap("blast-radius", "--of-key", f"{agent}#2").only_error
        assert a2ap("blast-radius", status=1).only_error.endswith("and --of-statement")
