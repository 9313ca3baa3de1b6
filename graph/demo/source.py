"""The source of the demonstration: caption bytes, the URN they are cited by, and the metadata of their registration."""

import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from a2ap.canonical import sha256_digest
from graph.demo.errors import DemoError
from graph.demo.links import check_media, youtube_id
from graph.transcripts.payloads import CaptionKind, caption_kind

SHIPPED = "city_council.vtt"
_VTT_TITLE = re.compile(r"\ufeff?WEBVTT[ \t]+(?:[-–—:][ \t]*)?(\S[^\r\n]*)")
_LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class DemoSource:
    """A caption file; `source_id` is the URN that claims cite, `origin` the address of the recording."""

    source_id: str
    document_hash: str
    data: bytes
    title: str
    media_type: str
    origin: str | None
    file_name: str


def open_source(path: Path | None, media: str | None = None) -> DemoSource:
    """Read a caption file, the shipped one if `path` is None; raises DemoError."""
    if media is not None:
        check_media(media)
    try:
        data = path.read_bytes() if path is not None else (files("graph.demo") / SHIPPED).read_bytes()
    except OSError as error:
        raise DemoError(f"{path}: {error.strerror or error}") from error
    name = path.name if path is not None else SHIPPED
    digest = sha256_digest(data)
    video = youtube_id(media) if media is not None else None
    known = video is not None and re.fullmatch(r"[\w-]{1,64}", video) is not None
    return DemoSource(
        source_id=f"urn:doc:youtube:{video}" if known else f"urn:doc:captions:{digest.removeprefix('sha256:')[:32]}",
        document_hash=digest,
        data=data,
        title=_title(data, name),
        media_type=caption_kind(data).value,
        origin=media,
        file_name=name,
    )


def _title(data: bytes, name: str) -> str:
    if caption_kind(data) is CaptionKind.WEBVTT:
        match = _VTT_TITLE.match(data[:1024].decode(errors="ignore"))
        if match is not None:
            return match.group(1).strip()[:_LONGEST_TITLE]
    words = re.sub(r"[_-]+", " ", Path(name).stem).strip()
    return words or name
