"""Writes the pictures of `docs/pictures`: the demonstration on a node of its own, and its pages in Chromium."""

import asyncio
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures"
# Chromium is found as the tests find it.
sys.path.insert(0, str(ROOT / "tests"))

from chromium import chromium  # noqa: E402

from bench.demonstration import Walk, find_walk, serving_demonstration  # noqa: E402
from build_web import build  # noqa: E402
from graph.engine.engine import embedded_engine  # noqa: E402
from pictures.taking import pictures_of, take  # noqa: E402


async def write_pictures(folder: Path) -> None:
    """Write each picture into the folder."""
    build()
    with tempfile.TemporaryDirectory() as work:
        async with (
            embedded_engine(Path(work) / "engine", heap="1g") as endpoint,
            serving_demonstration(endpoint, Path(work) / "node") as address,
        ):
            walk = await find_walk(address)
            await asyncio.to_thread(_write, folder, address, walk, Path(work) / "profile")


def _write(folder: Path, address: str, walk: Walk, profile: Path) -> None:
    folder.mkdir(exist_ok=True)
    with chromium(profile) as browser:
        for picture in pictures_of(walk):
            content = take(browser, address, picture)
            (folder / picture.file_name).write_bytes(content)
            print(f"{picture.file_name}: {len(content):,} bytes")


if __name__ == "__main__":
    asyncio.run(write_pictures(Path(sys.argv[1]) if sys.argv[1:] else FOLDER))
