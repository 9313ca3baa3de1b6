"""Passages: words that stand in a file, as evidence of a statement or as a pointer of a verdict."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from a2ap.canonical import sha256_digest
from a2ap.messages.evidence import build_segment
from graph.cli.errors import CommandError

if TYPE_CHECKING:
    from graph.evidence.source_text import Place, SourceText

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
    read = _read(source)
    return [_segment(urn, read, words, words) for words in quotes]


def point_at_passages(urn: str | None, source: Path | None, words: list[str] | None) -> list[dict[str, Any]]:
    """Return passages where these words stand, without the words; none if no option is given."""
    if not words:
        if urn is not None or source is not None:
            raise CommandError("--source and --urn say where --evidence stands, and there is none")
        return []
    if urn is None or source is None:
        raise CommandError("--evidence stands in a source: name it with --source and --urn")
    read = _read(source)
    return [_segment(urn, read, some, None) for some in words]


def _read(path: Path) -> "SourceText":
    # Captions and machine checks are not needed by commands that only sign and send.
    from graph.evidence.shown_text import Shown
    from graph.evidence.source_text import read_source

    source = read_source(path.read_bytes())
    if isinstance(source.shown, Shown):
        raise CommandError(f"no words can be found in {path} ({source.shown.rule}): {source.shown.why}")
    return source


def _segment(urn: str, source: "SourceText", words: str, quote: str | None) -> dict[str, Any]:
    place = _find(source.find(words), words)
    start, end = place.byte_range.start, place.byte_range.end
    cue = source.cite(place.byte_range).cue
    return build_segment(
        urn,
        start,
        end,
        document_hash=sha256_digest(source.content),
        content_hash=sha256_digest(source.content[start:end]),
        quote=quote,
        start_ms=cue[0] if cue else None,
        end_ms=cue[1] if cue else None,
        page=place.page,
    )


def _find(places: "list[Place]", words: str) -> "Place":
    if not places:
        raise CommandError(f"the source does not say {words!r}")
    if len(places) > 1:
        first, again = map(_told, places)
        raise CommandError(f"the source says {words!r} {first} and {again}; quote more of it")
    return places[0]


def _told(place: "Place") -> str:
    return f"at byte {place.byte_range.start}" if place.page is None else f"on page {place.page}"
