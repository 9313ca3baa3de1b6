"""Packs as one tar file: a `.ctx` store in small, which `tar x` unpacks and upstream's tool opens.

The same packs give the same bytes. What is read is bounded, and only regular files with the names of a store count.
"""

import io
import re
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass

from a2ap.pack.manifest import hash_content
from a2ap.pack.packing import Pack
from a2ap.pack.reference import index_path, object_path
from graph.errors import InputError

MAX_OBJECTS = 10_000

_OBJECT = re.compile(r"(?:.*/)?objects/([0-9a-f]{2})/([0-9a-f]{62})")
_INDEX = re.compile(r"(?:.*/)?packs/([0-9a-f]{64})")
_CONFIG = b'{\n  "version": "0.1"\n}'


@dataclass(frozen=True, slots=True)
class PackArchive:
    """The content of an archive by its name, and the names of the packs that it lists."""

    objects: dict[str, bytes]
    packs: tuple[str, ...]


def write_archive(packs: Iterable[Pack]) -> bytes:
    """Write packs with their content as a tar file."""
    files: dict[str, bytes] = {"config.json": _CONFIG}
    for pack in packs:
        files[index_path(pack.hash)] = pack.hash.encode()
        for name, content in {**pack.blobs, pack.hash: pack.data}.items():
            files[object_path(name)] = content
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(files):
            entry = tarfile.TarInfo(f".ctx/{path}")
            entry.size = len(files[path])
            entry.mode = 0o444
            archive.addfile(entry, io.BytesIO(files[path]))
    return out.getvalue()


def read_archive(data: bytes) -> PackArchive:
    """Read a tar file of a store. Raises InputError where it is none, or its content is not what its names say."""
    objects: dict[str, bytes] = {}
    packs = []
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for entry in archive:
                if not entry.isreg():
                    continue
                # A sparse file has few bytes in the archive and any number of them out of it.
                if entry.issparse() or entry.size > len(data):
                    raise InputError(f"{entry.name[:120]!r} says that it is longer than the archive")
                if listed := _INDEX.fullmatch(entry.name):
                    packs.append(f"sha256:{listed[1]}")
                elif kept := _OBJECT.fullmatch(entry.name):
                    file = archive.extractfile(entry)
                    assert file is not None  # a regular file
                    _keep(objects, f"sha256:{kept[1]}{kept[2]}", file.read())
    except (tarfile.TarError, EOFError, ValueError) as error:
        raise InputError(f"the body is no tar file of a .ctx store: {error}") from error
    missing = [name for name in packs if name not in objects]
    if missing:
        raise InputError(f"the archive lists {missing[0]} and has no manifest of it")
    return PackArchive(objects, tuple(dict.fromkeys(packs)))


def _keep(objects: dict[str, bytes], name: str, content: bytes) -> None:
    found = hash_content(content)
    if found != name:
        raise InputError(f"the content named {name} is {found}")
    objects[name] = content
    if len(objects) > MAX_OBJECTS:
        raise InputError(f"the archive has more than {MAX_OBJECTS} contents")
