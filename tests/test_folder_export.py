"""An export for auditors that is continued: what was erased or withheld since is not left lying in the folder."""

from pathlib import Path

from audited import export_node
from builders import QUOTE, SOURCE
from export_world import SECRET, secrets
from platform_fixture import platform
from scenario import accept, settle
from test_redaction import erasure_of, hidden, redaction_of, statement_with

from a2ap.boundary import STRICTEST, Boundary
from a2ap.canonical import sha256_digest
from graph.audit.folder_node import file_of
from graph.platform import Platform

__all__ = ["platform"]


def files_with(folder: Path, words: str) -> list[Path]:
    """Return the documents and sources in which these words are."""
    kept = [path for kind in ("messages", "sources") for path in (folder / kind).rglob("*") if path.is_file()]
    return [path for path in kept if words.encode() in path.read_bytes()]


async def test_what_was_erased_leaves_an_earlier_export(platform: Platform, tmp_path: Path) -> None:
    await settle(platform)
    disclosure = hidden()
    statement = statement_with(disclosure)
    await accept(platform, statement)
    folder = await export_node(platform, tmp_path / "node")
    assert file_of(folder / "sources", sha256_digest(SOURCE)).exists() and len(files_with(folder, QUOTE)) == 2

    await accept(platform, redaction_of(platform, statement, disclosure, None), erasure_of(platform))
    await export_node(platform, folder)

    assert files_with(folder, QUOTE) == []
    assert not file_of(folder / "sources", sha256_digest(SOURCE)).exists()


async def test_what_is_withheld_leaves_an_export_that_others_could_have(platform: Platform, tmp_path: Path) -> None:
    await secrets(platform)
    folder = await export_node(platform, tmp_path / "node", STRICTEST)
    assert files_with(folder, SECRET)

    await export_node(platform, folder, Boundary.PUBLIC)
    assert files_with(folder, SECRET) == []

    await export_node(platform, folder, STRICTEST)
    assert files_with(folder, SECRET) and not list((folder / "messages").rglob("*.json"))
