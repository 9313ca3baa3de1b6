"""The origin of an export of `a2ap export`: the database of the settings, or a running platform."""

import json
import os
import zipfile
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import httpx

from a2ap.boundary import Boundary
from a2ap.client import UnreachableError, is_loopback
from graph.cli.errors import CommandError
from graph.cli.refusals import detail_of
from graph.export.format import ExportFormat
from graph.export.selection import Selection
from graph.settings import Settings

if TYPE_CHECKING:
    from graph.export.opening import Wanted

Report = Callable[[float, int], None]

_TIMEOUT = httpx.Timeout(60.0)  # seconds without a byte


@dataclass(frozen=True, slots=True)
class Asked:
    """The export that is requested, for either origin."""

    format: ExportFormat
    selection: Selection
    size: int | None
    since: int
    is_checked: bool = False

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the export as the parameters of a request."""
        members = self.selection.members
        stated = {
            "format": self.format.value,
            "size": self.size,
            "since": self.since or None,
            "query": self.selection.topic,
            "agent": list(self.selection.agents) or None,
            "statement": list(self.selection.statements) or None,
            "from": members.get("receivedFrom"),
            "until": members.get("receivedUntil"),
            "firstEntry": self.selection.entries_from,
            "endEntry": self.selection.entries_until,
            "source": self.selection.source,
            "verified": self.selection.verified,
            "checked": self.is_checked or None,
        }
        return {name: value for name, value in stated.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Written:
    """A complete export: its path, the path of its manifest, its log size, and whether the node signed it."""

    out: Path
    manifest: Path
    size: int
    is_signed: bool


class ExportSource(Protocol):
    """The origin of an export."""

    def stream(self, asked: Asked) -> AsyncIterator[bytes]:
        """Yield the export: a file, or an archive of several."""

    async def write(self, asked: Asked, out: Path, *, resume: bool, report: Report) -> Written:
        """Write the export and its manifest."""


class Local:
    """The database that the settings name, beside a server that uses it or alone."""

    def __init__(self, settings: Settings, clearance: Boundary, pseudonym_key: bytes | None) -> None:
        if settings.neo4j_uri is None and not settings.data.is_dir():
            raise CommandError(f"there is no data folder {settings.data}")
        self._settings = settings
        self._clearance = clearance
        self._key = pseudonym_key

    async def stream(self, asked: Asked) -> AsyncIterator[bytes]:
        """Yield the export: a file, or an archive of several."""
        # The driver takes a while to load, and most commands need no database.
        from graph.content.content_store import open_content_store
        from graph.export import open_reader
        from graph.export.archive import exported_bytes
        from graph.export.pieces import check_format
        from graph.store import open_store

        wanted = self._wanted(asked)
        check_format(asked.format, wanted)
        async with (
            open_store(self._settings) as store,
            open_reader(
                store, open_content_store(self._settings), wanted, node=node_that_is_here(self._settings)
            ) as reader,
        ):
            async for piece in exported_bytes(reader, asked.format, wanted):
                yield piece

    async def write(self, asked: Asked, out: Path, *, resume: bool, report: Report) -> Written:
        """Write the export and its manifest."""
        from graph.content.content_store import open_content_store
        from graph.export.writing import write_export
        from graph.store import open_store

        wanted = self._wanted(asked)
        node = node_that_is_here(self._settings)
        async with open_store(self._settings) as store:
            content = open_content_store(self._settings)
            found = await write_export(store, content, asked.format, wanted, out, node, resume=resume, report=report)
        return Written(found.out, found.manifest, found.size, node is not None)

    def _wanted(self, asked: Asked) -> "Wanted":
        from graph.export.opening import Wanted

        return Wanted(self._clearance, asked.size, asked.selection, asked.since, self._key, asked.is_checked)


class Remote:
    """A running platform, as far as a token is cleared there."""

    def __init__(self, url: str, token: str | None, *, pseudonymize: bool) -> None:
        self._url = url
        self._token = token
        self._pseudonymize = pseudonymize

    async def stream(self, asked: Asked) -> AsyncIterator[bytes]:
        """Yield the export: a file, or an archive of several."""
        async for _, piece in self._get(asked.parameters):
            yield piece

    async def write(self, asked: Asked, out: Path, *, resume: bool, report: Report) -> Written:
        """Fetch the archive, going on where an earlier try stopped, and unpack it."""
        if resume and self._pseudonymize:
            raise CommandError("with --url an export with pseudonyms begins again: its key is gone")
        part, progress = out.with_name(f".{out.name}.part.zip"), out.with_name(f".{out.name}.progress")
        parameters = _begun(progress, asked.parameters) if resume else asked.parameters
        with part.open("ab" if resume else "wb") as file:
            after = file.tell()
            more = {"after": after} if after else {}
            async for size, piece in self._get({**parameters, "archive": True, **more}):
                if file.tell() == after and not resume:
                    # The later pages are to be of the same moment.
                    parameters = {**parameters, "size": size}
                    progress.write_text(json.dumps(parameters), encoding="utf-8")
                file.write(piece)
                report(0.0, file.tell())
            file.flush()
            os.fsync(file.fileno())
        written = _unpack(part, out)
        part.unlink()
        progress.unlink(missing_ok=True)
        return written

    async def _get(self, asked: dict[str, Any]) -> AsyncIterator[tuple[int, bytes]]:
        """Yield the pieces of a response, each with the log size of the export."""
        headers = {"authorization": f"Bearer {self._token}"} if self._token else {}
        parameters = {**asked, **({"pseudonymize": True} if self._pseudonymize else {})}
        try:
            async with (
                httpx.AsyncClient(headers=headers, timeout=_TIMEOUT, trust_env=not is_loopback(self._url)) as client,
                client.stream("GET", f"{self._url}/export", params=parameters) as response,
            ):
                if not response.is_success:
                    await response.aread()
                    raise CommandError(f"{self._url} answered {response.status_code}: {detail_of(response)}")
                size = int(response.headers.get("a2ap-log-size", "0"))
                async for piece in response.aiter_bytes():
                    yield size, piece
        except httpx.HTTPError as error:
            raise UnreachableError(f"{self._url} does not answer to the end: {_told(error)}") from error


def node_that_is_here(settings: Settings) -> Any:
    """Return the node whose key the settings name, None if there is no key: none is made for an export."""
    from graph.keys.node_signers import node_key_file, open_node

    return open_node(settings) if settings.node_signer or node_key_file(settings).is_file() else None


def _begun(progress: Path, asked: dict[str, Any]) -> dict[str, Any]:
    """Return the stated parameters of an export that broke off. Raises CommandError if they differ from `asked`."""
    try:
        begun: dict[str, Any] = json.loads(progress.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CommandError(f"there is no {progress}: nothing was begun there that could go on") from error
    if {**begun, **asked} != begun:
        raise CommandError(f"{progress} is of another export than is asked for")
    return begun


def _unpack(archive: Path, out: Path) -> Written:
    """Put the files of an archive in their places: several in a folder, a single file under the name of --out."""
    from graph.export.manifest import MANIFEST

    with zipfile.ZipFile(archive) as opened:
        manifest = json.loads(opened.read(MANIFEST))
        names = [name for name in opened.namelist() if name != MANIFEST]
        if any("/" in name or "\\" in name or name in ("", ".", "..") for name in names):
            raise CommandError(f"{archive} has files for other folders")
        is_one = len(names) == 1 and names[0].startswith("a2ap.")
        at = out.with_name(f"{out.name}.{MANIFEST}") if is_one else out / MANIFEST
        if not is_one:
            out.mkdir()
        for name in names:
            path = out if is_one else out / name
            with opened.open(name) as source, path.open("wb") as target:
                while piece := source.read(1 << 20):
                    target.write(piece)
        at.write_bytes(opened.read(MANIFEST))
    return Written(out, at, int(manifest["log"]["size"]), "proof" in manifest)


def _told(error: httpx.HTTPError) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "it takes too long"
    return "nothing listens there" if isinstance(error, httpx.ConnectError) else "the connection broke off"
