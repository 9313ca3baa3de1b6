"""Passages: words that stand in a file, as evidence of a statement or as something that a verdict points at."""

from pathlib import Path
from typing import Annotated, Any

import typer

from a2ap.canonical import sha256_digest
from a2ap.evidence import ByteRange, build_segment
from graph.cli.errors import CommandError

PointAt = Annotated[
    list[str] | None,
    typer.Option("--evidence", help="Words in --source to point at; they are found and not sent. Repeatable."),
]
PointedSource = Annotated[
    Path | None, typer.Option("--source", help="The file that --evidence stands in, as it is registered.")
]
PointedUrn = Annotated[str | None, typer.Option("--urn", help="The name of that source, such as urn:doc:meeting:7.")]


def quote_passages(urn: str, source: Path, quotes: list[str]) -> list[dict[str, Any]]:
    """Return the evidence of a statement that quotes these words."""
    data = source.read_bytes()
    return [_segment(urn, data, words, words) for words in quotes]


def point_at_passages(urn: str | None, source: Path | None, words: list[str] | None) -> list[dict[str, Any]]:
    """Return passages where these words stand, without the words; none where no option is given."""
    if not words:
        if urn is not None or source is not None:
            raise CommandError("--source and --urn say where --evidence stands, and there is none")
        return []
    if urn is None or source is None:
        raise CommandError("--evidence stands in a source: name it with --source and --urn")
    data = source.read_bytes()
    return [_segment(urn, data, some, None) for some in words]


def _segment(urn: str, data: bytes, words: str, quote: str | None) -> dict[str, Any]:
    # Captions and machine checks are not needed by commands that only sign and send.
    from graph.evidence.cited_bytes import cite
    from graph.evidence.cue_timings import cue_timings

    start, end = _find(data, words)
    cue = cite(data, ByteRange(start, end), cue_timings(data)).cue
    return build_segment(
        urn,
        start,
        end,
        document_hash=sha256_digest(data),
        content_hash=sha256_digest(data[start:end]),
        quote=quote,
        start_ms=cue[0] if cue else None,
        end_ms=cue[1] if cue else None,
    )


def _find(data: bytes, words: str) -> tuple[int, int]:
    quoted = words.encode()
    start = data.find(quoted) if quoted else -1
    if start < 0:
        raise CommandError(f"the source does not say {words!r}")
    if (again := data.find(quoted, start + 1)) >= 0:
        raise CommandError(f"the source says {words!r} at byte {start} and at byte {again}; quote more of it")
    return start, start + len(quoted)
