"""Go's own encoding/json makes the same packs of the same logs, whatever is in them."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from go_tool import NoGoError, build_packcheck
from hypothesis import given
from hypothesis import strategies as st
from packs import CREATED, log_json, logs, to_bytes
from patience import PATIENT
from vectors_file import load_vectors

from a2ap.pack.check_pack import check_pack
from a2ap.pack.draft import fork_pack
from a2ap.pack.errors import PackError
from a2ap.pack.execution_log import read_log
from a2ap.pack.manifest import ManifestForm, write_manifest
from a2ap.pack.packing import pack_log
from a2ap.pack.read_manifest import read_manifest
from graph.content.pack_folder import PackFolder

Ask = Callable[[bytes], dict[str, Any]]


@pytest.fixture(scope="module")
def packcheck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return build_packcheck(tmp_path_factory.mktemp("go"))
    except NoGoError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def ask(packcheck: Path) -> Iterator[Ask]:
    with subprocess.Popen([packcheck, "pack"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        stdin, stdout = process.stdin, process.stdout
        assert stdin is not None and stdout is not None

        def ask(log: bytes) -> dict[str, Any]:
            line = {"log": base64.b64encode(log).decode(), "created": CREATED}
            stdin.write(json.dumps(line).encode() + b"\n")
            stdin.flush()
            answer: dict[str, Any] = json.loads(stdout.readline())
            return answer

        yield ask
        stdin.close()


def compare(ask: Ask, log: bytes) -> None:
    answer = ask(log)
    try:
        pack = pack_log(read_log(log), CREATED)
    except PackError as error:
        assert "error" in answer, (log, str(error))
        return
    assert "manifest" in answer, (log, answer)
    assert pack.data == base64.b64decode(answer["manifest"]), log
    assert dict(pack.blobs) == {name: base64.b64decode(text or "") for name, text in answer["blobs"].items()}
    if "draft" not in answer:
        with pytest.raises(PackError):
            read_manifest(pack.data)
        return
    manifest = read_manifest(pack.data).manifest
    draft = base64.b64decode(answer["draft"])
    assert fork_pack(manifest, pack.hash) == draft
    assert write_manifest(read_manifest(draft).manifest, ManifestForm.UPSTREAM_FORK) == base64.b64decode(answer["fork"])


def test_go_agrees_on_the_vectors(ask: Ask):
    for vector in load_vectors("context_packs.json"):
        compare(ask, bytes.fromhex(vector["log_utf8_hex"]))


@PATIENT
@given(logs, st.booleans())
def test_go_agrees_on_any_log(ask: Ask, log: dict[str, Any], ascii_only: bool):
    compare(ask, to_bytes(log, ascii_only=ascii_only))


# Names that stand twice or in another case, and values of another kind: what Go makes of each is its own affair.
PIECES = st.sampled_from(
    [
        '"prompts":[{"role":"a","content":"b"},{"role":"c"},{"content":"d"}]',
        '"prompts":[{"role":"x"}]',
        '"prompts":[{},{},{},{}]',
        '"prompts":[null,{"ROLE":"y"}]',
        '"prompts":[]',
        '"prompts":null',
        '"model":{"parameters":{"a":1,"b":{"c":1}}}',
        '"MODEL":{"parameters":{"b":{"d":2},"a":null}}',
        '"model":{"identifier":null,"parameters":null}',
        '"model":null',
        '"environment":{"tool_versions":{"a":"1","b":null}}',
        '"environment":{"Tool_Ver\u017fions":{"b":"2"}}',
        '"environment":{"runtime":""}',
        '"\u017fteps":[{"type":"t","tool":"u","index":-0,"timestamp":"2026-01-15T1:30:00,5+00:30"}]',
        '"steps":[{"output":"o","deterministic":true},{"type":"t","tool":"u"}]',
        '"steps":[{"type":"t","tool":"u","index":1e0}]',
        '"steps":[{"type":"t","tool":"u","index":9223372036854775807}]',
        '"steps":[{"type":"t","tool":"u","timestamp":""}]',
        '"outputs":[{"name":"\\ud83d\\ude00","content":"\\ud83d x"}]',
        '"outputs":[{"content":"no name"}]',
        '"inputs":[{"name":1}]',
        '"inputs":{}',
        '"system_prompt":"again"',
        '"system_prompt":null',
        '"system_prompt":7',
        '"hash":""',
    ]
)
BASE = '"model":{"identifier":"m"},"system_prompt":"s","environment":{"os":"linux","runtime":"r"}'


@PATIENT
@given(st.lists(PIECES, max_size=5))
def test_go_agrees_on_names_that_stand_twice_and_values_of_other_kinds(ask: Ask, pieces: list[str]):
    compare(ask, f"{{{','.join([BASE, *pieces])}}}".encode())


@PATIENT
@given(st.binary(max_size=12), st.integers(0, 300))
def test_go_agrees_on_damaged_logs(ask: Ask, damage: bytes, at: int):
    data = json.dumps(log_json()).encode()
    compare(ask, data[:at] + damage + data[at + len(damage) :])


def test_a_store_that_go_makes_opens_here(packcheck: Path, tmp_path: Path):
    subprocess.run([packcheck, "init", tmp_path], check=True)
    log = json.dumps(log_json()).encode()
    made = subprocess.run([packcheck, "add", tmp_path, CREATED], input=log, capture_output=True, check=True)
    folder = PackFolder(tmp_path)
    (name,) = folder.names()
    assert (name, folder.damaged_entries()) == (made.stdout.decode().strip(), ())
    opened = asyncio.run(folder.load(name))
    assert opened == pack_log(read_log(log), CREATED)
    held = asyncio.run(folder.held(opened.manifest.blobs))
    assert check_pack(name, opened.data, held, known=folder.names()).findings == ()
    child = pack_log(read_log(log), "2027-01-01T00:00:00Z", name)
    assert asyncio.run(folder.add(child))
    found = json.loads(subprocess.run([packcheck, "open", tmp_path], capture_output=True, check=True).stdout)
    assert found[child.hash]["parent"] == name


def test_a_store_that_we_make_opens_in_go(packcheck: Path, tmp_path: Path):
    folder = PackFolder(tmp_path)
    packs = [
        pack_log(read_log(bytes.fromhex(vector["log_utf8_hex"])), vector["created"])
        for vector in load_vectors("context_packs.json")
        if "parse_error" not in vector
    ]
    for pack in packs:
        asyncio.run(folder.add(pack))
    assert json.loads((tmp_path / ".ctx" / "config.json").read_bytes()) == {"version": "0.1"}
    assert subprocess.run([packcheck, "init", tmp_path]).returncode == 1
    done = subprocess.run([packcheck, "open", tmp_path], capture_output=True, check=True)
    found = json.loads(done.stdout)
    assert sorted(found) == sorted({pack.hash for pack in packs})
    for pack in packs:
        texts = {name: content.decode() for name, content in pack.blobs.items()}
        assert (found[pack.hash]["model"], found[pack.hash]["texts"]) == (pack.manifest.model.identifier, texts)
    again = subprocess.run([packcheck, "add", tmp_path, CREATED], input=json.dumps(log_json()).encode(), check=True)
    assert again.returncode == 0
