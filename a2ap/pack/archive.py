"""Packs as one tar file: a small `.ctx` store, which `tar x` unpacks and upstream's tool opens.

The same packs give the same bytes.
"""

import tarfile
from collections.abc import Iterable

from a2ap.pack.packing import Pack
from a2ap.pack.reference import index_path, object_path

_CONFIG = b'{\n  "version": "0.1"\n}'


def write_archive(packs: Iterable[Pack]) -> bytes:
    """Write packs with their content as a tar file."""
    files: dict[str, bytes] = {"config.json": _CONFIG}
    for pack in packs:
        files[index_path(pack.hash)] = pack.hash.encode()
        for name, content in {**pack.blobs, pack.hash: pack.data}.items():
            files[object_path(name)] = content
    out = bytearray()
    for path in sorted(files):
        entry = tarfile.TarInfo(f".ctx/{path}")
        entry.size = len(files[path])
        entry.mode = 0o444
        out += entry.tobuf(tarfile.USTAR_FORMAT) + files[path] + bytes(-len(files[path]) % tarfile.BLOCKSIZE)
    out += bytes(2 * tarfile.BLOCKSIZE)
    return bytes(out + bytes(-len(out) % tarfile.RECORDSIZE))
