"""Manifests of exports that others made: their shape, and the checkpoint that a log's key is to check."""

import base64
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from builders import agent_key

from a2ap.log.checkpoint import Checkpoint, sign_checkpoint
from a2ap.log.signed_note import VerifierKey
from a2ap.signing.data_integrity import create_proof
from graph.errors import ManifestError
from graph.export.check_manifest import check_export
from graph.export.manifest import MANIFEST, MANIFEST_TYPE, MANIFEST_VERSION, hash_file
from graph.node import node_id

NODE, LOG, ROOT = agent_key(1), agent_key(2), bytes(32)
ORIGIN = node_id(NODE.public_key)
LOG_KEY = VerifierKey(ORIGIN, LOG.public_key)


def export(folder: Path, **log: Any) -> dict[str, Any]:
    (folder / "x.csv").write_bytes(b"a,b")
    file = hash_file(folder / "x.csv")
    members = {"origin": ORIGIN, "size": 1, "rootHash": base64.b64encode(ROOT).decode(), **log}
    return {
        "type": MANIFEST_TYPE,
        "version": MANIFEST_VERSION,
        "log": {name: value for name, value in members.items() if value is not None},
        "files": [{"name": file.name, "bytes": file.bytes, "sha256": file.sha256}],
    }


def write(folder: Path, manifest: dict[str, Any]) -> Path:
    proof = create_proof(manifest, NODE, datetime(2026, 1, 1, tzinfo=UTC))
    (folder / MANIFEST).write_text(json.dumps({**manifest, "proof": proof}))
    return folder


def checkpoint(origin: str = ORIGIN) -> str:
    return sign_checkpoint(Checkpoint(origin, 1, ROOT), LOG)


def test_a_manifest_with_its_checkpoint_holds(tmp_path: Path) -> None:
    write(tmp_path, export(tmp_path, checkpoint=checkpoint()))
    assert "this root" in check_export(tmp_path, LOG_KEY).shown[2]


@pytest.mark.parametrize("name", ["name", "bytes", "sha256"])
@pytest.mark.parametrize("value", [None, [], 1.0])
def test_a_file_lacks_nothing_and_has_nothing_of_another_kind(tmp_path: Path, name: str, value: Any) -> None:
    manifest = export(tmp_path)
    entry = manifest["files"][0]
    for changed in ({**entry, name: value}, {one: entry[one] for one in entry if one != name}):
        with pytest.raises(ManifestError, match="is not the manifest of an export"):
            check_export(write(tmp_path, {**manifest, "files": [changed]}))


@pytest.mark.parametrize("log", [{"size": None}, {"size": "1"}, {"checkpoint": 5}, {"rootHash": 5}, {"origin": 5}])
def test_a_log_is_of_its_kind(tmp_path: Path, log: dict[str, Any]) -> None:
    with pytest.raises(ManifestError, match="is not the manifest of an export"):
        check_export(write(tmp_path, export(tmp_path, **log)), LOG_KEY)


def test_a_key_of_the_log_needs_a_checkpoint_of_that_log(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match="has no checkpoint"):
        check_export(write(tmp_path, export(tmp_path)), LOG_KEY)
    write(tmp_path, export(tmp_path, checkpoint=checkpoint("urn:agent:other")))
    for key in (LOG_KEY, VerifierKey("urn:agent:other", LOG.public_key)):
        with pytest.raises(ManifestError, match="checkpoint"):
            check_export(tmp_path, key)
