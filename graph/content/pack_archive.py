"""Reads packs in one tar file of a `.ctx` store, as `a2ap.pack.archive` writes it or `tar` does.

Reading is bounded, and only regular files with the names of a store count.
"""

import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass

from a2ap.pack.manifest import hash_content
from graph.errors import InputError

MAX_OBJECTS = 10_000
MAX_ENTRIES = 4 * MAX_OBJECTS
"""Maximum entries, including folders, and headers with only a name."""

_OBJECT = re.compile(r"(?:.*/)?objects/([0-9a-f]{2})/([0-9a-f]{62})")
_INDEX = re.compile(r"(?:.*/)?packs/([0-9a-f]{64})")
_WITHOUT_CONTENT = (
    tarfile.LNKTYPE,
    tarfile.SYMTYPE,
    tarfile.CHRTYPE,
    tarfile.BLKTYPE,
    tarfile.DIRTYPE,
    tarfile.FIFOTYPE,
)
_ABOUT_OTHERS = (tarfile.GNUTYPE_LONGLINK, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)


@dataclass(frozen=True, slots=True)
class PackArchive:
    """The content of an archive by its name, and the names of the packs that it lists."""

    objects: dict[str, bytes]
    packs: tuple[str, ...]


def read_archive(data: bytes) -> PackArchive:
    """Read a tar file of a store. Raises InputError if it is none, or content does not have the hash in its name."""
    objects: dict[str, bytes] = {}
    packs = []
    try:
        for name, content in _files(data):
            if listed := _INDEX.fullmatch(name):
                packs.append(f"sha256:{listed[1]}")
            elif kept := _OBJECT.fullmatch(name):
                _keep(objects, f"sha256:{kept[1]}{kept[2]}", content)
    except (tarfile.TarError, ValueError) as error:
        raise InputError(f"the body is no tar file of a .ctx store: {error}") from error
    missing = [name for name in packs if name not in objects]
    if missing:
        raise InputError(f"the archive lists {missing[0]} and has no manifest of it")
    return PackArchive(objects, tuple(dict.fromkeys(packs)))


def _files(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the regular files of a tar file, forwards only.

    `tarfile` follows a header's positions, also backwards and for ever, and recurses for each long name.
    """
    position, long_name = 0, None
    for _ in range(MAX_ENTRIES):
        header = data[position : position + tarfile.BLOCKSIZE]
        if position and (not header or not any(header)):
            return
        entry = tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape")
        begin = position + tarfile.BLOCKSIZE
        size = 0 if entry.type in _WITHOUT_CONTENT else entry.size
        # A sparse file has few bytes in the archive and any number of them out of it.
        if entry.type == tarfile.GNUTYPE_SPARSE or not 0 <= size <= len(data) - begin:
            raise InputError(f"{entry.name[:120]!r} says that it is longer than the archive, or shorter than nothing")
        content = data[begin : begin + size]
        position = begin - -size // tarfile.BLOCKSIZE * tarfile.BLOCKSIZE
        if entry.type == tarfile.GNUTYPE_LONGNAME:
            long_name = _text(content.partition(b"\0")[0])
        elif entry.type == tarfile.XHDTYPE:
            long_name = _path_in(content) or long_name
        elif entry.type not in _ABOUT_OTHERS:
            if entry.isreg():
                yield long_name or entry.name, content
            long_name = None
    raise InputError(f"the archive has more than {MAX_ENTRIES} entries")


def _path_in(records: bytes) -> str | None:
    """Return the path in a pax header, whose records are `length name=value`; the length includes the whole record."""
    path, position = None, 0
    while position < len(records):
        digits, space, _ = records[position : position + 20].partition(b" ")
        length = int(digits) if space and digits.isdigit() else 0
        record = records[position + len(digits) + 1 : position + length]
        if not record.endswith(b"\n") or position + length > len(records):
            raise InputError("the archive has a pax header that is not written as one")
        name, _, value = record[:-1].partition(b"=")
        if name == b"path":
            path = _text(value)
        position += length
    return path


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def _keep(objects: dict[str, bytes], name: str, content: bytes) -> None:
    found = hash_content(content)
    if found != name:
        raise InputError(f"the content named {name} is {found}")
    objects[name] = content
    if len(objects) > MAX_OBJECTS:
        raise InputError(f"the archive has more than {MAX_OBJECTS} contents")
