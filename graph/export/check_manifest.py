"""Checks an export against its manifest, and states the facts that this proves and does not prove.

1. The files are those of the manifest, byte for byte, and there is no other beside them in its folder. A single file
   may have another name than the node gave it: its manifest is called after it.
2. The manifest is signed by the node whose log it names: a node's name is derived from its key.
3. With the log's key: it has a checkpoint, which is signed, and of the log, the size and the root that it names.

An audit proves that nothing was left out, and that the graph follows from the log.
"""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from a2ap.errors import A2APError
from a2ap.log.checkpoint import open_checkpoint
from a2ap.log.signed_note import VerifierKey
from a2ap.signing.data_integrity import read_proofs, verify_proof
from a2ap.signing.keys import PublicKey
from a2ap.times import format_instant
from graph.errors import ManifestError
from graph.export.manifest import MANIFEST, MANIFEST_TYPE, MANIFEST_VERSION, hash_file
from graph.node import node_id

_FILE = {"name": str, "bytes": int, "sha256": str}


@dataclass(frozen=True, slots=True)
class CheckedExport:
    """A checked export: its manifest, and a sentence for each fact that was shown."""

    manifest: dict[str, Any]
    shown: Sequence[str]


def manifest_of(path: Path) -> Path:
    """Return the manifest of a folder, of a file with one beside it, or the manifest itself."""
    if path.is_dir():
        return path / MANIFEST
    beside = path.with_name(f"{path.name}.{MANIFEST}")
    return beside if beside.is_file() else path


def check_export(path: Path, log_key: VerifierKey | None = None) -> CheckedExport:
    """Return the facts shown of the export at a path. Raises `ManifestError`, naming the fact that does not hold."""
    file = manifest_of(path)
    manifest = _read(file)
    shown = [_check_files(manifest, file), _check_proof(manifest)]
    shown.append(_check_checkpoint(manifest, log_key))
    shown.append("not shown: that the export is all there is of the graph, which `a2ap log audit` checks")
    return CheckedExport(manifest, shown)


def _read(file: Path) -> dict[str, Any]:
    """Return a manifest in which every member that is read later is of its kind."""
    try:
        manifest = json.loads(file.read_bytes())
        if manifest["type"] != MANIFEST_TYPE:
            raise ManifestError(f"{file} is a {manifest['type']}, not the manifest of an export")
        if manifest["version"] != MANIFEST_VERSION:
            raise ManifestError(f"{file} is of version {manifest['version']}, and {MANIFEST_VERSION} is known here")
        _check_shape(manifest)
        for entry in manifest["files"]:
            if {"/", "\\"} & set(entry["name"]) or entry["name"] in ("", ".", ".."):
                raise ManifestError(f"{file} names the file {entry['name']!r}, which is in another folder")
        return dict(manifest)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ManifestError(f"{file} is not the manifest of an export") from error


def _check_shape(manifest: dict[str, Any]) -> None:
    """Raise ValueError, KeyError or TypeError if a member is missing or of another kind."""
    log, names = manifest["log"], [entry["name"] for entry in manifest["files"]]
    kinds = [
        (manifest["files"], list),
        (log["size"], int),
        (log["rootHash"], str),
        *((log[name], str) for name in ("origin", "checkpoint") if log.get(name) is not None),
        *((entry[name], kind) for entry in manifest["files"] for name, kind in _FILE.items()),
    ]
    if any(type(value) is not kind for value, kind in kinds) or len(set(names)) != len(names):
        raise ValueError("a member is of another kind, or a file stands there twice")
    base64.b64decode(log["rootHash"], validate=True)


def _check_files(manifest: dict[str, Any], file: Path) -> str:
    stated = {entry["name"]: entry for entry in manifest["files"]}
    if file.name != MANIFEST and len(stated) != 1:
        raise ManifestError(f"{file} is of {len(stated)} files, and is beside one")
    for name, entry in stated.items():
        path = _path_of(name, file)
        if not path.is_file():
            raise ManifestError(f"{path} is missing")
        found = hash_file(path)
        if (found.bytes, found.sha256) != (entry["bytes"], entry["sha256"]):
            raise ManifestError(f"{path} is not the file that was exported: {found.bytes} bytes, sha256 {found.sha256}")
    if file.name == MANIFEST:
        for path in sorted(file.parent.iterdir()):
            if path.name not in stated and path != file:
                raise ManifestError(f"{path} is not of the export")
    total = sum(entry["bytes"] for entry in stated.values())
    return f"shown: {len(stated)} files of {total} bytes are those of the manifest"


def _path_of(name: str, manifest: Path) -> Path:
    """Return the path of a file: in the folder, or, for a single file, the path that its manifest is named after."""
    if manifest.name == MANIFEST:
        return manifest.parent / name
    return manifest.with_name(manifest.name.removesuffix(f".{MANIFEST}"))


def _check_proof(manifest: dict[str, Any]) -> str:
    origin = manifest["log"].get("origin")
    if "proof" not in manifest:
        raise ManifestError("the manifest is not signed: the node's key was not there when it was made")
    try:
        (proof,) = read_proofs(manifest)
        key = PublicKey.parse(proof.key_reference)
        verify_proof(manifest, proof, key)
    except (A2APError, ValueError) as error:
        raise ManifestError(f"the manifest's proof does not hold: {error}") from error
    if node_id(key) != origin:
        raise ManifestError(f"the manifest is signed by {node_id(key)}, and names the log of {origin}")
    size = manifest["log"]["size"]
    return f"shown: {origin} signed it, over a log of {size} entries until {format_instant(proof.created)}"


def _check_checkpoint(manifest: dict[str, Any], log_key: VerifierKey | None) -> str:
    log = manifest["log"]
    if log_key is None:
        return "not shown: that the log has this root; --log-key checks the checkpoint"
    if log.get("checkpoint") is None:
        raise ManifestError("the manifest has no checkpoint for the log's key to check")
    try:
        found = open_checkpoint(log["checkpoint"], log_key)
    except A2APError as error:
        raise ManifestError(f"the manifest's checkpoint does not hold: {error}") from error
    root = base64.b64decode(log["rootHash"])
    if (found.origin, found.tree_size, found.root_hash) != (log.get("origin"), log["size"], root):
        raise ManifestError("the manifest's checkpoint is of another tree than it names")
    return f"shown: the log's key signed a tree of {found.tree_size} entries with this root"
