"""A node that is audited as exported: the folder that `a2ap log export` writes.

Beside the checkpoint and the tiles, `--documents` adds `messages/<2 digits>/<62 digits>` with the bytes as received, a
`.json` beside them (or instead) that says if a message is withheld or redacted, and `sources/` in the same form;
`--graph` adds `graph.ndjson`. `log.vkey` is the verifier key that the node states.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from graph.audit.node_files import GivenMessage, MissingFileError, WithheldError
from graph.errors import AuditError

CHECKPOINT, LOG_KEY, MESSAGES, SOURCES, GRAPH = "checkpoint", "log.vkey", "messages", "sources", "graph.ndjson"

_HASH = re.compile(r"sha256:([0-9a-f]{2})([0-9a-f]{62})")
_PIECE = 1 << 20


def file_of(folder: Path, document_hash: str) -> Path:
    """Return the path below a folder of the bytes with that hash. Raises MissingFileError if the text is no hash."""
    parts = _HASH.fullmatch(document_hash)
    if parts is None:
        raise MissingFileError(f"{document_hash[:100]!r} is no hash")
    return folder / parts[1] / parts[2]


class FolderNode:
    """The files of an exported node."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def name(self) -> str:
        """Return the folder."""
        return str(self._folder)

    async def checkpoint(self) -> str:
        """Return the exported checkpoint."""
        return (await self._read(CHECKPOINT)).decode("utf-8", "replace")

    async def log_key(self) -> str | None:
        """Return the exported log key, None if there is none."""
        try:
            return (await self._read(LOG_KEY)).decode("utf-8", "replace").strip()
        except MissingFileError:
            return None

    async def tile(self, path: str) -> bytes:
        """Return a tile or an entry bundle."""
        return await self._read(path)

    async def messages(self, hashes: Sequence[str]) -> list[GivenMessage]:
        """Return the messages as exported, in order."""
        if not (self._folder / MESSAGES).is_dir():
            raise MissingFileError(f"{self._folder} has none; export with --documents")
        return await asyncio.to_thread(lambda: [self._message(name) for name in hashes])

    async def source(self, document_hash: str) -> AsyncIterator[bytes]:
        """Yield the bytes of a source."""
        path = file_of(self._folder / SOURCES, document_hash)
        if path.with_name(path.name + ".json").exists():
            raise WithheldError(f"{SOURCES}/{document_hash} was not exported for this reader")
        if not path.is_file():
            raise MissingFileError(f"{SOURCES}/{document_hash} is not in {self._folder}")
        with path.open("rb") as file:
            while piece := await asyncio.to_thread(file.read, _PIECE):
                yield piece

    async def graph_lines(self, size: int) -> AsyncIterator[bytes]:
        """Yield the rows of the graph; `size` is ignored, and they are of the tree size at the export."""
        path = self._folder / GRAPH
        if not path.is_file():
            raise MissingFileError(f"{GRAPH} is not in {self._folder}; export with --graph")
        with path.open("rb") as file:
            while lines := await asyncio.to_thread(file.readlines, _PIECE):
                for line in lines:
                    yield line.rstrip(b"\n")

    async def _read(self, name: str) -> bytes:
        try:
            return await asyncio.to_thread((self._folder / name).read_bytes)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError) as error:
            raise MissingFileError(f"{name} is not in {self._folder}") from error

    def _message(self, name: str) -> GivenMessage:
        path = file_of(self._folder / MESSAGES, name)
        note = path.with_name(path.name + ".json")
        content = path.read_bytes() if path.is_file() else None
        if not note.is_file():
            return GivenMessage(name, content)
        try:
            return GivenMessage.from_members({**json.loads(note.read_bytes()), "hash": name}, content)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise AuditError(f"{note} is not readable") from error
