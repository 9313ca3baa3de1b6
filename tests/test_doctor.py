"""`a2ap doctor`: each problem is found where it is planted, with cause and remedy; nothing is changed or given away."""

import json
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from builders import agent_key
from cli_runner import Run, a2ap
from platform_fixture import platform
from served import served

from a2ap.key_file import KeyFile, write_key_file
from a2ap.log.checkpoint import Checkpoint, sign_checkpoint
from a2ap.log.cosignature import cosign
from a2ap.log.policy_file import KnownWitness, PolicyFile
from a2ap.log.signed_note import COSIGNATURE, VerifierKey, add_signature
from a2ap.log.witness_policy import WitnessPolicy
from graph.database.endpoint import Endpoint
from graph.doctor.examination import examine
from graph.doctor.finding import Finding, Level
from graph.doctor.judgements import (
    judge_checkpoint,
    judge_clock,
    judge_model,
    judge_names,
    judge_open_files,
    judge_policy,
    judge_proxies,
    judge_space,
    judge_witnesses,
)
from graph.node import node_from_key
from graph.platform import Platform, utc_now

__all__ = ["a2ap", "platform"]

OK, WARNING, PROBLEM = Level
NOW = datetime(2026, 1, 2, 12, tzinfo=UTC)
NODE_KEY, LOG_KEY = agent_key(8000), agent_key(8001)
NODE = node_from_key(NODE_KEY).agent_id
LOG = VerifierKey(NODE, LOG_KEY.public_key)
WRONG = VerifierKey(NODE, NODE_KEY.public_key)
NOTE = sign_checkpoint(Checkpoint(NODE, 7, bytes(32)), LOG_KEY)
WITNESS = VerifierKey("w1.example", agent_key(8002).public_key, COSIGNATURE)
COSIGNED = add_signature(NOTE, cosign(NOTE, WITNESS.name, agent_key(8002), int(NOW.timestamp()) - 7200))
DEAD = "http://127.0.0.1:9"


def policy_file(url: str | None = "https://w1.example/") -> PolicyFile:
    return PolicyFile((), (KnownWitness(WITNESS, url),), WitnessPolicy(1, (WITNESS,)))


def policy(*seeds: str) -> dict[str, Any]:
    return {"seeds": list(seeds), "quorum": 2, "threshold": 0.7}


def witnesses(note: str | None, minutes: int = 60, file: PolicyFile | None = None) -> Finding:
    return judge_witnesses(note, timedelta(minutes=minutes), file or policy_file(), NOW)


JUDGED = {
    "space": (judge_space(2**33, 2**20, 2**30, "/data"), OK, "8,192 MiB are free in /data"),
    "little space": (judge_space(2**29, 2**20, 2**30, "/data"), WARNING, "fewer than 1,024 MiB"),
    "no space": (judge_space(4096, 2**20, 2**30, "/data"), PROBLEM, "0 MiB are free in /data, and nothing more is"),
    "files": (judge_open_files(4096, 1024, 1024, 512), OK, "4096 may be open"),
    "few files": (judge_open_files(1024, 1024, 1024, 512), WARNING, "512 connections are served and not 1024"),
    "too few files": (judge_open_files(256, 1024, 1024, 512), PROBLEM, "1024 are needed"),
    "clock": (judge_clock(NOW, {"a file": NOW + timedelta(seconds=9)}), OK, "2026-01-02 12:00:00 UTC"),
    "slow clock": (judge_clock(NOW, {"a file": NOW + timedelta(hours=1)}), PROBLEM, "3,600 seconds less than a file"),
    "own names": (judge_names("127.0.0.1", ("n.example",), None), OK, "localhost, n.example"),
    "no name": (judge_names("0.0.0.0", (), None), WARNING, "answers to no name but localhost"),
    "public name": (judge_names("0.0.0.0", (), "https://n.example/a"), OK, "localhost, n.example"),
    "no proxy": (judge_proxies("127.0.0.1", "https://n.example", ()), WARNING, "none is trusted"),
    "proxy": (judge_proxies("127.0.0.1", "https://n.example", ("10.0.0.1",)), OK, "10.0.0.1"),
    "no model": (judge_model("model", "URL", "MODEL", None, None), OK, "none"),
    "half a model": (judge_model("model", "URL", "MODEL", "http://m.example", None), PROBLEM, "MODEL is not"),
    "no address": (judge_model("model", "URL", "MODEL", None, "large"), WARNING, "URL is not"),
    "seeds": (judge_policy(policy("urn:agent:a")), OK, "1 seed, a threshold of 0.7, a quorum of 2"),
    "no seeds": (judge_policy(policy()), WARNING, "no seeds, so no statement is ever verified"),
    "no policy": (judge_policy(None), PROBLEM, "no policy"),
    "log": (judge_checkpoint(NOTE, timedelta(minutes=3), NODE, [LOG], "/data"), OK, "7 entries, the checkpoint was"),
    "no log": (judge_checkpoint(None, None, NODE, [LOG], "/data"), OK, "the first start signs one"),
    "another log": (judge_checkpoint(NOTE, None, "urn:agent:b", [], "/data"), PROBLEM, f"is of {NODE}"),
    "another key": (judge_checkpoint(NOTE, None, NODE, [WRONG], "/data"), PROBLEM, "not signed with"),
    "no checkpoint": (judge_checkpoint("torn", None, NODE, [LOG], "/data"), PROBLEM, "cannot be read"),
    "no witness": (judge_witnesses(NOTE, None, None, NOW), WARNING, "could show two readers two logs"),
    "no witness's address": (witnesses(NOTE, file=policy_file(None)), WARNING, "no witness with an address"),
    "cosigned": (witnesses(COSIGNED), OK, "1 cosigned the checkpoint of 7 entries, 2 hours ago or later"),
    "not cosigned": (witnesses(NOTE), WARNING, "7 entries is not cosigned by w1.example"),
    "not cosigned yet": (witnesses(NOTE, minutes=1), OK, "did not cosign yet; the checkpoint was written 1 minute ago"),
    "cosigned wrong": (witnesses(COSIGNED.replace("\n7\n", "\n8\n")), PROBLEM, "w1.example does not hold"),
}  # fmt: skip


@pytest.mark.parametrize("name", JUDGED)
def test_a_fact_is_judged(name: str) -> None:
    finding, level, cause = JUDGED[name]
    assert (finding.level, finding.remedy is None) == (level, level is OK)
    assert cause in finding.cause


# --- a data folder without a server


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a data folder as a server leaves it, but for the engine."""
    folder = tmp_path / "data"
    (folder / "log").mkdir(mode=0o700, parents=True)
    folder.chmod(0o700)
    write_key_file(folder / "node.key", KeyFile(NODE, f"{NODE}#1", NODE_KEY))
    write_key_file(folder / "log.key", KeyFile(NODE, LOG.text, LOG_KEY))
    (folder / "log" / "checkpoint").write_text(NOTE)
    (folder / "operator.token").write_text("a token of the operator\n")
    (folder / "operator.token").chmod(0o600)
    return folder


def found(a2ap: Run, *arguments: object, status: int = 0) -> dict[str, dict[str, str]]:
    """Return the findings that are no passed check, by their checks; each has a remedy."""
    told = json.loads(a2ap("doctor", "--json", *arguments, status=status).out)
    bad = {one["check"]: one for one in told["findings"] if one["level"] != "ok"}
    assert all(one["cause"] and one["remedy"] for one in bad.values())
    assert told["problems"] == sum(one["level"] == "problem" for one in bad.values())
    return bad


def test_a_whole_folder_has_no_problem_and_is_left_as_it_is(
    a2ap: Run, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A2AP_PORT", "9")
    before = {path: path.stat().st_mtime_ns for path in data.rglob("*")}
    told = a2ap("doctor", "--data", data)
    assert told.out.endswith("0 problems and 2 warnings\n")
    assert f"warning  node: nothing answers at {DEAD}" in told.out
    (line,) = [line for line in told.out.splitlines() if line.startswith("warning  witnesses: ")]
    for words in (
        "nobody cosigns this log, so its operator could show two readers two logs",
        "have witnesses asked that speak C2SP tlog-witness",
        "A2AP_WITNESSES",
        "docs/how-to/audit.md#witnesses",
    ):
        assert words in line
    page = (
        (Path(__file__).parent.parent / "docs" / "how-to" / "audit.md")
        .read_text("utf-8")
        .partition("## Witnesses\n")[2]
        .partition("\n## ")[0]
    )
    for words in ("A2AP_WITNESSES", "a2ap log key", "https://github.com/transparency-dev/witness-network"):
        assert words in page
    assert f"ok       node key: {NODE}" in told.out and "ok       log: 7 entries" in told.out
    assert {path: path.stat().st_mtime_ns for path in data.rglob("*")} == before


def _mode(name: str) -> Any:
    return lambda data: (data / name).chmod(0o644)


def _gone(name: str) -> Any:
    return lambda data: (data / name).unlink()


PLANTED = {
    "a node key that others can read": (_mode("node.key"), "node key", "has mode 0644"),
    "a log key that others can read": (_mode("log.key"), "log key", "has mode 0644"),
    "a node key that is lost": (_gone("node.key"), "node key", "is not there, and a log that was signed is"),
    "a token that others can read": (_mode("operator.token"), "secrets", "operator.token"),
    "a folder that others can write to": (lambda data: data.chmod(0o777), "data folder", "mode 0777"),
    "a torn checkpoint": (lambda data: (data / "log/checkpoint").write_text("x"), "log", "cannot be read"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_wrong_in_a_folder_is_found(a2ap: Run, data: Path, name: str) -> None:
    plant, check, cause = PLANTED[name]
    plant(data)
    bad = found(a2ap, "--data", data, "--url", DEAD, status=1)
    assert bad[check]["level"] == "problem" and cause in bad[check]["cause"]
    assert bad["node"]["level"] == "problem", "who gives an address expects an answer there"
    assert set(bad) == {check, "node", "witnesses"}


SET = {
    "settings": ({"A2AP_PORT": "many"}, "A2AP_PORT is 'many'"),
    "model": ({"A2AP_LLM_URL": "http://m.example"}, "A2AP_LLM_MODEL is not"),
    "embeddings": ({"A2AP_EMBEDDINGS_MODEL": "mine"}, "A2AP_EMBEDDINGS_MODEL is 'mine'"),
    "tokens": ({"A2AP_OPERATOR_TOKEN": "hush-hush"}, "fewer than 16 characters"),
    "log key": ({"A2AP_LOG_SIGNER": "/no/such/program --pin hush-hush"}, "A2AP_LOG_SIGNER is not a program"),
    "GraphQL operations": ({"A2AP_GRAPHQL_QUERIES": "/no/such/folder"}, "A2AP_GRAPHQL_QUERIES: /no/such/folder"),
    "database": ({"NEO4J_URI": "bolt://127.0.0.1:9", "NEO4J_PASSWORD": "hush-hush"}, "does not answer"),
    "witnesses": ({"A2AP_WITNESSES": "/no/such/file"}, "A2AP_WITNESSES: /no/such/file"),
}


@pytest.mark.parametrize("check", SET)
def test_a_setting_that_is_wrong_is_found_and_no_secret_is_shown(
    a2ap: Run, data: Path, monkeypatch: pytest.MonkeyPatch, check: str
) -> None:
    variables, cause = SET[check]
    for name, value in {"A2AP_PORT": "9", **variables}.items():
        monkeypatch.setenv(name, value)
    told = a2ap("doctor", "--data", data, status=1).out
    (line,) = [line for line in told.splitlines() if line.startswith("problem")]
    assert line.startswith(f"problem  {check}: ") and cause in line
    seed = json.loads((data / "node.key").read_text())["seed"]
    assert "hush-hush" not in told and "a token of" not in told and seed not in told


def test_a_data_folder_that_is_no_folder_is_found(a2ap: Run, tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "data").write_text("a file")
    monkeypatch.setenv("A2AP_DATA", str(tmp_path / "data"))
    assert "is not a folder" in found(a2ap, status=1)["data folder"]["cause"]


def test_a_data_folder_that_is_not_there_is_not_made(a2ap: Run, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("A2AP_PORT", "9")
    bad = found(a2ap, "--data", tmp_path / "none")
    assert bad["data folder"]["level"] == "warning" and not (tmp_path / "none").exists()


def test_the_login_of_a_database_is_tried(
    a2ap: Run, data: Path, engine: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"NEO4J_URI": engine.uri, "NEO4J_USER": engine.user, "A2AP_PORT": "9"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("NEO4J_DATABASE", engine.database)
    monkeypatch.setenv("NEO4J_PASSWORD", engine.password)
    assert f"ok       database: Neo4j at {engine.uri} takes the login" in a2ap("doctor", "--data", data).out
    monkeypatch.setenv("NEO4J_PASSWORD", "another password")
    assert "refused the login" in found(a2ap, "--data", data, status=1)["database"]["cause"]


# --- a node that runs


async def examined(platform: Platform, wanted_space: int = 1, **settings: Any) -> dict[str, Finding]:
    """Serve a node, examine it under settings that may be others, and return what is no passed check."""
    async with served(platform) as address:
        findings = await examine(replace(platform.settings, **settings), address, wanted_space, utc_now())
    return {finding.check: finding for finding in findings if finding.level is not OK}


async def test_a_new_node_has_no_seeds_and_no_witness(platform: Platform) -> None:
    bad = await examined(platform)
    assert {check: finding.level for check, finding in bad.items()} == {"policy": WARNING, "witnesses": WARNING}
    assert "so no statement is ever verified" in bad["policy"].cause


async def test_what_is_wrong_with_a_node_that_runs_is_found(platform: Platform, data: Path, tmp_path: Path) -> None:
    file = tmp_path / "witnesses"
    file.write_text(f"witness W1 {WITNESS.text} {DEAD}\nquorum W1\n")
    bad = await examined(platform, 2**60, names=("node.example",), witnesses=file)
    assert "does not answer to node.example, which A2AP_NAMES names" in bad["names"].cause
    assert bad["space"].level is WARNING
    assert "witnesses" not in bad, "the checkpoint is new, and the witness may still cosign it"
    os.utime(platform.settings.data / "log" / "checkpoint", (0, 0))
    assert "is not cosigned by w1.example" in (await examined(platform, witnesses=file))["witnesses"].cause
    assert f"and the data folder is that of {NODE}" in (await examined(platform, data=data))["node"].cause
