"""`a2ap export` beside a running platform and from one, to files that it checks again."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runner import Run, a2ap, serving

__all__ = ["a2ap"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Yield the address and the data folder of a platform."""
    data = tmp_path_factory.mktemp("platform")
    with serving(data) as (_, address):
        yield address, data


def test_an_export_from_a_platform_goes_on_and_is_what_the_database_gives(
    a2ap: Run, server: tuple[str, Path], tmp_path: Path
) -> None:
    url, data = server
    out, part, local = tmp_path / "log.ndjson", tmp_path / ".log.ndjson.part.zip", tmp_path / "local.ndjson"
    a2ap("export", "--url", url, "--format", "log", "--out", out)
    a2ap("export", "--data", data, "--format", "log", "--out", local)
    assert out.read_bytes() == local.read_bytes() and not part.exists()
    (tmp_path / ".log.ndjson.progress").write_text(json.dumps({"format": "log", "size": 1}))
    part.write_bytes(b"")
    said = a2ap("export", "--url", url, "--format", "log", "--out", out, "--resume").err
    assert "has the graph of 1 log entries" in said
    assert out.read_bytes() == b"".join(local.read_bytes().splitlines(keepends=True)[:1])
    key = a2ap("log", "key", "--url", url).out.strip()
    assert a2ap("export", "verify", local, "--log-key", key).out.count("shown: ") == 4
    out.write_bytes(local.read_bytes())
    assert "is not the file that was exported" in a2ap("export", "verify", out, status=1).only_error


def test_several_files_are_a_folder_wherever_they_come_from(
    a2ap: Run, server: tuple[str, Path], tmp_path: Path
) -> None:
    url, data = server
    for where, name in (("--url", "remote"), ("--data", "local")):
        source = url if where == "--url" else data
        a2ap("export", where, source, "--format", "csv", "--clearance", "public", "--out", tmp_path / name)
        a2ap("export", "verify", tmp_path / name)
    found = [{one.name: one.read_bytes() for one in (tmp_path / name).iterdir()} for name in ("remote", "local")]
    assert found[0] == found[1] and "nodes-Agent.csv" in found[0]
    again = a2ap("export", "--data", data, "--format", "csv", "--out", tmp_path / "local", status=1)
    assert "is there, and several files are to be a new folder" in again.only_error
