"""Checkpoints kept outside the graph: replaced by who knows the last one, in a folder and in a bucket."""

import asyncio
import shutil
from pathlib import Path

import pytest
from builders import signed_registration, signed_statement
from graph_contents import run_raw
from obstore.store import MemoryStore
from scenario import AUTHOR, accept, settle
from servers import log_of, server_on

from graph.content.content_store import ContentStore, Objects
from graph.content.object_bucket import ObjectBucket
from graph.content.object_folder import ObjectFolder
from graph.errors import LogMismatchError
from graph.settings import Settings
from graph.store import Store
from graph.transparency.kept_checkpoint import CHECKPOINT

BUCKET = "s3://bucket/prefix"


@pytest.fixture(params=["folder", "bucket"])
def objects(request: pytest.FixtureRequest, tmp_path: Path) -> Objects:
    return ObjectFolder(tmp_path) if request.param == "folder" else ObjectBucket(MemoryStore())


async def test_an_object_is_replaced_by_who_knows_what_it_holds(objects: Objects) -> None:
    assert await objects.replace("log/x", b"other", b"0") is None
    assert await objects.replace("log/x", None, b"1", {"log/beside": b"first"}) is None
    assert await objects.replace("log/x", None, b"2") == b"1"
    assert await objects.replace("log/x", b"0", b"2", {"log/beside": b"second"}) == b"1"
    assert (await objects.read("log/x", 0, None), await objects.read("log/beside", 0, None)) == (b"1", b"first")
    assert await objects.replace("log/x", b"1", b"2") == b"1"
    assert await objects.read("log/x", 0, None) == b"2"


async def test_of_many_who_know_the_same_one_replaces_it(objects: Objects) -> None:
    await objects.replace("log/x", None, b"0")
    found = await asyncio.gather(*(objects.replace("log/x", b"0", str(n).encode()) for n in range(1, 9)))
    winners = [n for n, held in enumerate(found, start=1) if held == b"0"]
    assert [str(n).encode() for n in winners] == [await objects.read("log/x", 0, None)]


def in_bucket(data: Path, bucket: MemoryStore) -> tuple[ContentStore, Settings]:
    return ContentStore(ObjectBucket(bucket), data / "spool"), Settings(data=data, objects_url=BUCKET)


async def test_servers_with_folders_of_their_own_keep_one_log_in_a_bucket(store: Store, tmp_path: Path) -> None:
    bucket = MemoryStore()
    first, second = tmp_path / "first", tmp_path / "second"
    content, settings = in_bucket(first, bucket)
    async with server_on(store, first, content=content, settings=settings) as one:
        await settle(one)
        second.mkdir()
        for key in ("node.key", "log.key"):
            shutil.copy(first / key, second / key)
        content, settings = in_bucket(second, bucket)
        async with server_on(store, second, content=content, settings=settings) as other:
            for number in range(6):
                await accept((one, other)[number % 2], signed_statement(AUTHOR, claim=f"Claim {number}."))
            size = len(await log_of(store))
            assert other.log.checkpoint.tree_size == size
            assert await content.objects.read(CHECKPOINT, 0, None) == other.log.checkpoint_note.encode()
            await accept(one, signed_registration(99))
            assert one.log.checkpoint.tree_size == size + 1


async def test_a_data_folder_that_was_lost_is_no_way_around_the_bucket(store: Store, tmp_path: Path) -> None:
    bucket = MemoryStore()
    content, settings = in_bucket(tmp_path, bucket)
    async with server_on(store, tmp_path, content=content, settings=settings) as platform:
        await settle(platform)
        size = platform.log.checkpoint.tree_size
    shutil.rmtree(tmp_path / "log")
    await run_raw(store, "MATCH (e:LogEntry {log_index: $last}) DELETE e", last=size - 1)
    await run_raw(store, "MATCH (h:LogHead) SET h.size = $size", size=size - 1)
    with pytest.raises(LogMismatchError, match=f"entry {size - 1} is missing .* kept in s3://bucket/prefix/log/check"):
        async with server_on(store, tmp_path, content=content, settings=settings):
            pass


async def test_without_a_checkpoint_what_is_kept_of_a_longer_log_is_no_less_a_refusal(
    store: Store, tmp_path: Path
) -> None:
    async with server_on(store, tmp_path) as platform:
        await settle(platform)
        await accept(platform, *(signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(128)))
        assert platform.log.checkpoint.tree_size > 256
    await run_raw(store, "MATCH (e:LogEntry) WHERE e.log_index >= $size DELETE e", size=200)
    await run_raw(store, "MATCH (h:LogHead) SET h.size = $size", size=200)
    (tmp_path / CHECKPOINT).unlink()
    for path in ("tile/0/000", "tile/entries/000"):
        with pytest.raises(LogMismatchError, match=f"entry 200 is missing .* log/{path} is kept") as refused:
            async with server_on(store, tmp_path):
                pass
        assert refused.value.log_index == 200
        (tmp_path / "log" / path).unlink()
