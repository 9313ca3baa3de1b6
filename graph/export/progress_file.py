"""The progress of an export that is being written, in a small file beside it, so that it can go on after a break.

It states the subject of the export and the complete length of each file. Bytes behind that length are cut off again.
"""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graph.errors import InputError
from graph.export.format import ExportFormat
from graph.export.graph_reader import Cursor
from graph.export.opening import Wanted
from graph.export.reader import ExportReader, Start

_VERSION = 1


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an export: its log size, where its reader goes on, and the length of each file by then."""

    size: int
    start: Start | None = None
    lengths: dict[str, int] = field(default_factory=dict)
    pseudonym_key: bytes | None = field(default=None, repr=False)


def stated(format: ExportFormat, wanted: Wanted, origin: str | None) -> dict[str, Any]:
    """Return the members that two runs of one export have in common."""
    return {
        "v": _VERSION,
        "format": format.value,
        "origin": origin,
        "clearance": wanted.clearance.value,
        "since": wanted.since,
        "selection": wanted.selection.members,
        "pseudonymized": wanted.pseudonym_key is not None,
        **({"checked": True} if wanted.is_checked else {}),
    }


def write_progress(
    file: Path, what: dict[str, Any], reader: ExportReader, lengths: dict[str, int], key: bytes | None
) -> None:
    """Note durably the complete length of each file, and where the reader goes on from there."""
    mark = reader.mark
    members: dict[str, Any] = {**what, "size": reader.size, "lengths": lengths}
    if mark is not None:
        members |= {"step": mark.cursor.step, "at": mark.cursor.at, "tally": mark.tally}
    if key is not None:
        members["pseudonymKey"] = key.hex()
    part = file.with_name(f"{file.name}.new")
    # It may have the key behind the pseudonyms.
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as opened:
        json.dump(members, opened)
        opened.flush()
        os.fsync(opened.fileno())
    part.replace(file)


def read_progress(file: Path, what: dict[str, Any]) -> Progress:
    """Return the progress of an export. Raises `InputError` if there is none, or it is of another export."""
    try:
        members = json.loads(file.read_text(encoding="utf-8"))
        for name, value in what.items():
            if members[name] != value:
                raise InputError(f"{file} is of an export with {name} {members[name]!r}, and {value!r} is asked for")
        cursor = Cursor(int(members["step"]), members["at"]) if "step" in members else None
        return Progress(
            size=int(members["size"]),
            start=Start(cursor, dict(members["tally"])) if cursor is not None else None,
            lengths={str(name): int(length) for name, length in members["lengths"].items()},
            pseudonym_key=bytes.fromhex(members["pseudonymKey"]) if "pseudonymKey" in members else None,
        )
    except FileNotFoundError as error:
        raise InputError(f"there is no {file}: nothing was begun there that could go on") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{file} does not say how far an export came") from error
