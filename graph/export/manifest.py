"""The manifest of an export: its subject, the log that it follows from, and its files, signed by the node.

The same graph gives the same manifest: `created` of the proof is the time of the last entry, not the time of day.
"""

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from a2ap.signing.data_integrity import create_proof
from graph.export.format import ExportFormat
from graph.export.opening import Wanted
from graph.export.reader import ExportReader
from graph.keys.signing_aside import signed_aside
from graph.node import SOFTWARE_VERSION
from graph.transparency.log_root import checkpoint_at, log_root

MANIFEST = "manifest.json"
MANIFEST_TYPE = "a2ap:ExportManifest"
MANIFEST_VERSION = 1

_PIECE = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file of an export: its name, its length in bytes, and its SHA-256 in hexadecimal."""

    name: str
    bytes: int
    sha256: str


async def build_manifest(
    reader: ExportReader, format: ExportFormat, wanted: Wanted, files: Sequence[ExportedFile]
) -> bytes:
    """Return the manifest of an export, as JSON; without a proof if the node's key is absent."""
    node = reader.node
    size, store = reader.size, reader.store
    root = await log_root(store, size)
    policies = await store.read("policy_before", log_index=size)
    first, last = [await store.read("log_entries_from", start=at, first=1) for at in (0, max(size - 1, 0))]
    manifest: dict[str, Any] = {
        "type": MANIFEST_TYPE,
        "version": MANIFEST_VERSION,
        "software": f"a2ap {SOFTWARE_VERSION}",
        "format": format.value,
        "clearance": reader.clearance.value,
        "pseudonymized": wanted.pseudonym_key is not None,
        "log": {
            "origin": first[0]["agent"] if first else None,
            "size": size,
            "rootHash": base64.b64encode(root).decode(),
        },
        "policy": policies[0]["signed_hash"] if policies else None,
        "files": [{"name": file.name, "bytes": file.bytes, "sha256": file.sha256} for file in files],
    }
    if reader.since:
        manifest["since"] = reader.since
        # In tables nothing else says so.
        manifest["instead"] = ["-".join(names) for names in reader.replaced]
    if not wanted.selection.is_everything:
        manifest["selection"] = wanted.selection.members
    if note := await checkpoint_at(reader.content, size, root):
        manifest["log"]["checkpoint"] = note
    if node is not None and last:
        created = last[0]["received_at"]
        manifest["proof"] = await signed_aside(node.key, lambda: create_proof(manifest, node.key, created))
    return (json.dumps(manifest, ensure_ascii=False, indent=2) + "\n").encode()


def hash_file(path: Path, name: str | None = None) -> ExportedFile:
    """Return a file's entry in a manifest, under another name if one is given."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
        length = file.tell()
    return ExportedFile(name or path.name, length, digest.hexdigest())
