"""Proofs that a log contradicts itself: kept as one file each, and served to every client."""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from a2ap.durable_files import private_folder, write_private
from a2ap.log.checkpoint import read_checkpoint
from a2ap.log.signed_note import read_note

MEDIA_TYPE = "application/vnd.a2ap.equivocation+json"


def equivocation_members(checkpoints: tuple[str, str], hashes: Sequence[bytes] = ()) -> dict[str, Any]:
    """Return a proof as members of JSON: the log, its two checkpoints, and the hashes of `verify_equivocation`."""
    return {
        "mediaType": MEDIA_TYPE,
        "origin": read_checkpoint(read_note(checkpoints[0]).text).origin,
        "checkpoints": list(checkpoints),
        "consistencyProof": [base64.b64encode(node).decode("ascii") for node in hashes],
    }


def keep_equivocation(folder: Path, members: Mapping[str, Any]) -> Path:
    """Write a proof into a folder, durably, under the hash of its checkpoints; return the file."""
    text = "\0".join(sorted(members["checkpoints"]))
    path = folder / f"{hashlib.sha256(text.encode()).hexdigest()}.json"
    private_folder(folder.absolute())
    write_private(path, json.dumps(dict(members), indent=2) + "\n")
    return path


def kept_equivocations(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the proofs that are kept in a folder, by name; none if there is no folder."""
    for path in sorted(folder.glob("*.json")):
        yield json.loads(path.read_text(encoding="utf-8"))
