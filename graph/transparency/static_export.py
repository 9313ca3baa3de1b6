"""The log as files for a static file server: checkpoint, tiles and entry bundles in the layout of C2SP tlog-tiles.

The checkpoint comes last, so that a concurrent reader finds everything that its tree needs. Files of an earlier export
are kept: tiles never change, and readers may still request those of an earlier checkpoint.
"""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

from a2ap.errors import LogError
from a2ap.log.checkpoint import read_checkpoint
from a2ap.log.signed_note import read_note
from a2ap.log.tiles import Tile, entries_path, tiles_between
from graph.errors import InputError
from graph.transparency.log import Log

CHECKPOINT = "checkpoint"

_MODE = 0o644  # a web server reads them


async def export_log(log: Log, folder: Path) -> AsyncIterator[int]:
    """Write the log as of its newest checkpoint; yield the number of tiles written, after each.

    Raises `InputError` if the folder holds another log, or more of this one.
    """
    checkpoint, note = log.checkpoint, log.checkpoint_note
    await asyncio.to_thread(_check_folder, folder, checkpoint.origin, checkpoint.tree_size)
    for done, tile in enumerate(tiles_between(0, checkpoint.tree_size), start=1):
        content = {tile.path: await _tile(log, tile)}
        if tile.level == 0:
            content[entries_path(tile.index, tile.width)] = await log.entry_bundle(tile.index, tile.width)
        await asyncio.to_thread(_write, folder, content)
        yield done
    await asyncio.to_thread(_write, folder, {CHECKPOINT: note.encode()})


async def _tile(log: Log, tile: Tile) -> bytes:
    assert tile.level is not None
    return await log.tile(tile.level, tile.index, tile.width)


def _check_folder(folder: Path, origin: str, size: int) -> None:
    try:
        found = read_checkpoint(read_note((folder / CHECKPOINT).read_text(encoding="utf-8")).text)
    except FileNotFoundError:
        return
    except (LogError, UnicodeDecodeError) as error:
        raise InputError(f"{folder} holds a checkpoint that cannot be read: {error}") from error
    if found.origin != origin:
        raise InputError(f"{folder} holds the log of {found.origin}, not that of {origin}")
    if found.tree_size > size:
        raise InputError(f"{folder} holds {found.tree_size} entries of this log, which has {size}")


def _write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        if path.is_file() and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE), "wb") as file:
            file.write(content)
        temporary.replace(path)
