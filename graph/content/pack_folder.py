"""A `.ctx` store of ContextSubstrate on a local folder: packs and their content, as upstream's tool keeps them.

Both tools use the same layout: `objects/<2 digits>/<62 digits>` with content and manifests, `packs/<64 digits>` with
the name of each pack, `refs`, `drafts` and `config.json`. Stored content is compared before it is trusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from a2ap.durable_files import flush_folder, private_folder, write_file
from a2ap.pack.check_pack import Held, held_as
from a2ap.pack.errors import PackReferenceError
from a2ap.pack.packing import Pack
from a2ap.pack.read_manifest import read_manifest
from a2ap.pack.reference import index_path, is_content_name, object_path, resolve_reference
from graph.content.content_store import ContentStore
from graph.content.object_folder import ObjectFolder
from graph.errors import ContentError, ContentNotFoundError

STORE = ".ctx"
_CONFIG = b'{\n  "version": "0.1"\n}'


def find_pack_folder(start: Path) -> PackFolder | None:
    """Return the store of a folder or of the nearest one above it, as upstream's tool finds it."""
    for folder in (start.absolute(), *start.absolute().parents):
        if (folder / STORE).is_dir():
            return PackFolder(folder)
    return None


class PackFolder:
    """The store `.ctx` in a folder."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / STORE
        self.content = ContentStore(ObjectFolder(folder), self.root / "incoming")

    def initialise(self) -> None:
        """Make the store's folders and settings, if they are missing."""
        for name in ("objects", "packs", "refs"):
            private_folder(self.root / name)
        config = self.root / "config.json"
        if not config.exists():
            write_file(config, (_CONFIG,))
            flush_folder(self.root)

    async def add(self, pack: Pack) -> bool:
        """Keep a pack and its content, and return whether it is new. Damaged content is written again."""
        self.initialise()
        await self.content.put_many([*pack.blobs.values(), pack.data])
        index = self.root / index_path(pack.hash)
        if index.exists() and index.read_text("utf-8").strip() == pack.hash:
            return False
        write_file(index, (pack.hash.encode(),))
        flush_folder(index.parent)
        return True

    def names(self) -> tuple[str, ...]:
        """Return the names of the packs that are listed."""
        try:
            entries = sorted(entry.name for entry in (self.root / "packs").iterdir() if entry.is_file())
        except FileNotFoundError:
            return ()
        return tuple(f"sha256:{name}" for name in entries if is_content_name(f"sha256:{name}"))

    def damaged_entries(self) -> tuple[str, ...]:
        """Return the names of the files that list packs and whose content is not their own name."""
        found = []
        for entry in sorted((self.root / "packs").iterdir()) if (self.root / "packs").is_dir() else ():
            name = f"sha256:{entry.name}"
            if not entry.is_file() or not is_content_name(name) or entry.read_bytes().strip() != name.encode():
                found.append(entry.name)
        return tuple(found)

    def resolve(self, reference: str) -> str:
        """Return the name that a reference stands for. Raises PackReferenceError."""
        return resolve_reference(reference, self.names())

    async def read(self, name: str) -> bytes | None:
        """Return content as it is stored, even if damaged; `None` if there is none."""
        try:
            return await self.content.objects.read(f"{STORE}/{object_path(name)}", 0, None)
        except (ContentNotFoundError, PackReferenceError):
            return None

    async def manifest(self, name: str) -> bytes:
        """Return the bytes of a manifest. Raises ContentNotFoundError, ContentDamagedError if they are altered."""
        return await self.content.get(name)

    async def load(self, name: str) -> Pack:
        """Return a pack with all named content. Raises ContentError if any is missing or altered, and PackError."""
        read = read_manifest(await self.manifest(name))
        blobs = {reference: await self.content.get(reference) for reference in read.manifest.blobs}
        return Pack(read.manifest, read.data, name, blobs)

    async def held(self, names: Iterable[str]) -> Mapping[str, Held]:
        """Return the content kept under these names, hashed again."""
        found = {}
        for name in names:
            content = await self.read(name)
            if content is not None:
                found[name] = held_as(content)
        return found

    async def objects(self) -> tuple[str, ...]:
        """Return the names of all content that is kept."""
        return tuple([name async for name in self.content.names()])

    def write_draft(self, name: str, data: bytes) -> Path:
        """Write a draft under its name, and return its path. Raises ContentError if a draft of that name exists."""
        private_folder(self.root / "drafts")
        path = self.root / "drafts" / name
        try:
            with path.open("xb") as file:
                file.write(data)
        except FileExistsError as error:
            raise ContentError(f"{path} is there already") from error
        return path
