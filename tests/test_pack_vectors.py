"""Packs are byte for byte those of ContextSubstrate's own code, forks and what it refuses among them."""

from dataclasses import replace
from typing import Any

import pytest
from vectors_file import load_vectors

from a2ap.pack.check_pack import check_pack, held_as
from a2ap.pack.draft import draft_name, finalize_draft, fork_pack, upstream_hash
from a2ap.pack.errors import PackError
from a2ap.pack.execution_log import read_log
from a2ap.pack.finding import FindingCode
from a2ap.pack.manifest import ManifestForm, hash_content, write_manifest
from a2ap.pack.packing import Pack, pack_log
from a2ap.pack.read_manifest import read_manifest

VECTORS = load_vectors("context_packs.json")
GOOD = [pytest.param(vector, id=vector["name"]) for vector in VECTORS if "parse_error" not in vector]
BAD = [pytest.param(vector, id=vector["name"]) for vector in VECTORS if "parse_error" in vector]


def packed(vector: dict[str, Any]) -> Pack:
    return pack_log(read_log(bytes.fromhex(vector["log_utf8_hex"])), vector["created"])


@pytest.mark.parametrize("vector", GOOD)
def test_manifest_hash_and_content_are_upstreams(vector: dict[str, Any]):
    pack = packed(vector)
    assert pack.data == bytes.fromhex(vector["manifest_utf8_hex"])
    assert pack.hash == vector["pack_hash"]
    stored = {name: content.hex() for name, content in {**pack.blobs, pack.hash: pack.data}.items()}
    assert {**vector["blobs"], pack.hash: pack.data.hex()} == stored


@pytest.mark.parametrize("vector", BAD)
def test_what_upstream_refuses_is_refused(vector: dict[str, Any]):
    with pytest.raises(PackError) as refused:
        packed(vector)
    for name in ("model.identifier", "environment.os", "steps[0].tool", "extra", "provider", "1e400"):
        assert (name in vector["parse_error"]) == (name in str(refused.value))


@pytest.mark.parametrize("vector", GOOD)
def test_the_draft_of_a_fork_is_upstreams_and_is_finished_canonically(vector: dict[str, Any]):
    pack = packed(vector)
    draft = fork_pack(read_manifest(pack.data).manifest, pack.hash)
    assert draft == bytes.fromhex(vector["draft_utf8_hex"])
    assert draft_name(pack.hash) == vector["draft_file"]
    finished = finalize_draft(draft, None, pack.blobs)
    assert finished.hash == vector["fork_canonical_hash"] == hash_content(finished.data)
    assert upstream_hash(finished) == vector["fork_upstream_hash"] != finished.hash
    assert read_manifest(finished.data).form is ManifestForm.CANONICAL


@pytest.mark.parametrize("vector", GOOD)
def test_a_fork_that_upstream_finished_is_read_as_it_is(vector: dict[str, Any]):
    data = bytes.fromhex(vector["fork_upstream_utf8_hex"])
    found = read_manifest(data)
    assert (found.form, found.is_valid) == (ManifestForm.UPSTREAM_FORK, True)
    assert write_manifest(found.manifest, found.form) == data
    held = {name: held_as(bytes.fromhex(content)) for name, content in vector["blobs"].items()}
    report = check_pack(vector["fork_upstream_hash"], data, held, known=[vector["pack_hash"]])
    assert report.holds
    (fork,) = [one for one in report.findings if one.code is FindingCode.FORM_UPSTREAM_FORK]
    assert vector["fork_canonical_hash"] in fork.words


@pytest.mark.parametrize("vector", GOOD)
def test_reading_and_writing_gives_the_same_bytes(vector: dict[str, Any]):
    data = bytes.fromhex(vector["manifest_utf8_hex"])
    found = read_manifest(data)
    assert (found.form, found.is_valid) == (ManifestForm.CANONICAL, True)
    assert write_manifest(found.manifest) == data
    assert check_pack(
        vector["pack_hash"], data, {n: held_as(bytes.fromhex(c)) for n, c in vector["blobs"].items()}
    ).holds


def test_another_time_is_another_pack_and_the_same_time_the_same():
    log = read_log(bytes.fromhex(VECTORS[0]["log_utf8_hex"]))
    first, again = pack_log(log, "2026-01-15T10:30:00Z"), pack_log(log, "2026-01-15T10:30:00.000Z")
    assert first == again
    assert pack_log(log, "2026-01-15T10:30:01Z").hash != first.hash
    assert pack_log(replace(log, inputs=()), "2026-01-15T10:30:00Z").hash != first.hash
