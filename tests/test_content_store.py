"""The content store, in a folder and in a bucket behind real HTTP."""

from __future__ import annotations

import asyncio
import hashlib
import multiprocessing
import os
import secrets
import shutil
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from s3_server import ACCESS_KEY, REGION, SECRET_KEY, NoS3Error, make_bucket, s3_server

from a2ap.durable_files import flush_filesystem
from graph.content.content_store import ContentStore, open_content_store
from graph.content.object_folder import ObjectFolder
from graph.errors import ContentError, ContentMismatchError, ContentNotFoundError
from graph.settings import Settings


@pytest.fixture(scope="session")
def s3_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the URL of an S3 service that takes the keys of `s3_server`."""
    if os.environ.get("A2AP_TEST_S3_URL"):
        yield os.environ["A2AP_TEST_S3_URL"]
        return
    with ExitStack() as running:
        try:
            url = running.enter_context(s3_server(tmp_path_factory.mktemp("s3")))
        except NoS3Error as error:
            if os.environ.get("CI"):
                pytest.fail(str(error), pytrace=False)
            pytest.skip(str(error))
        yield url


@pytest.fixture(params=["folder", "bucket"])
def content(request: pytest.FixtureRequest, tmp_path: Path) -> ContentStore:
    if request.param == "folder":
        return open_content_store(Settings(data=tmp_path))
    url = request.getfixturevalue("s3_service")
    bucket = f"test-{secrets.token_hex(8)}"
    make_bucket(url, bucket)
    return open_content_store(bucket_settings(tmp_path, url, f"s3://{bucket}/some/prefix"))


def bucket_settings(data: Path, url: str, objects_url: str) -> Settings:
    return Settings(
        data=data,
        objects_url=objects_url,
        objects_options=(
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY),
            ("AWS_SECRET_ACCESS_KEY", SECRET_KEY),
            ("AWS_REGION", REGION),
            ("AWS_ENDPOINT_URL", url),
        ),
    )


def name_of(content: bytes) -> str:
    return "sha256:" + hashlib.sha256(content).hexdigest()


def file_of(data: Path, content: bytes) -> Path:
    digest = hashlib.sha256(content).hexdigest()
    return data / ".ctx" / "objects" / digest[:2] / digest[2:]


async def in_chunks(content: bytes, length: int = 1000) -> AsyncIterator[bytes]:
    for start in range(0, len(content), length):
        yield content[start : start + length]


async def test_what_was_put_is_given_back_under_its_hash(content: ContentStore) -> None:
    names = await content.put_many([b"one", b"", b"three", b"one"])
    assert names == (name_of(b"one"), name_of(b""), name_of(b"three"), name_of(b"one"))
    assert [await content.get(name) for name in names] == [b"one", b"", b"three", b"one"]


async def test_nothing_put_is_nothing_kept(content: ContentStore) -> None:
    assert await content.put_many([]) == ()
    assert [name async for name in content.names()] == []


async def test_a_byte_range_is_half_open_and_ends_where_the_content_ends(content: ContentStore) -> None:
    (name,) = await content.put_many([b"0123456789"])
    assert await content.get(name, 2, 5) == b"234"
    assert await content.get(name, 7) == b"789"
    assert await content.get(name, 7, 99) == b"789"
    assert await content.get(name, 10, 12) == b""
    assert await content.get(name, 50, 60) == b""
    assert await content.get(name, 50) == b""
    assert await content.get(name, 4, 4) == b""
    for start, end in ((-1, 3), (3, 2)):
        with pytest.raises(ValueError, match="is not a byte range"):
            await content.get(name, start, end)


async def test_content_that_is_not_held_is_said_to_be_so(content: ContentStore) -> None:
    missing = name_of(b"missing")
    assert not await content.has(missing)
    for call in (content.get(missing), content.get(missing, 2, 3), content.get(missing, 2, 2), content.size(missing)):
        with pytest.raises(ContentNotFoundError):
            await call


@pytest.mark.parametrize("name", ["", "sha256:", "sha256:../../etc/passwd", "sha256:" + "A" * 64, "md5:" + "a" * 64])
async def test_a_name_that_is_no_hash_names_nothing(content: ContentStore, name: str) -> None:
    assert not await content.has(name)
    with pytest.raises(ContentNotFoundError):
        await content.get(name)


async def test_sizes_are_bytes(content: ContentStore) -> None:
    (name,) = await content.put_many(["é".encode() * 3])
    assert await content.size(name) == 6


async def test_all_names_are_listed(content: ContentStore) -> None:
    names = await content.put_many([bytes([n]) for n in range(40)])
    assert sorted([name async for name in content.names()]) == sorted(names)


async def test_a_stream_is_kept_under_the_hash_that_was_announced(content: ContentStore) -> None:
    large = secrets.token_bytes(6_000_000)
    assert await content.put_stream(in_chunks(large, 100_000), expected=name_of(large)) == len(large)
    assert await content.get(name_of(large)) == large
    parts = [part async for part in content.stream(name_of(large), 1_000, 3_000_000)]
    assert b"".join(parts) == large[1_000:3_000_000]


async def test_a_stream_with_another_hash_is_refused_and_not_kept(content: ContentStore) -> None:
    with pytest.raises(ContentMismatchError, match="announced as"):
        await content.put_stream(in_chunks(b"other"), expected=name_of(b"this"))
    assert [name async for name in content.names()] == []


async def test_a_stream_that_breaks_leaves_nothing(content: ContentStore, tmp_path: Path) -> None:
    async def breaking() -> AsyncIterator[bytes]:
        yield b"some"
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        await content.put_stream(breaking(), expected=name_of(b"some"))
    assert [name async for name in content.names()] == []
    assert list((tmp_path / ".ctx" / "incoming").iterdir()) == []


async def test_a_file_is_kept_under_its_hash(content: ContentStore, tmp_path: Path) -> None:
    file = tmp_path / "source.txt"
    file.write_bytes(b"a source")
    name = await content.put_file(file)
    assert name == name_of(b"a source")
    assert await content.get(name) == b"a source"
    assert file.read_bytes() == b"a source"


async def test_objects_lie_where_contextsubstrate_puts_them(tmp_path: Path) -> None:
    content = open_content_store(Settings(data=tmp_path))
    await content.put_many([b"abc"])
    path = tmp_path / ".ctx/objects/ba/7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert path.read_bytes() == b"abc"
    assert path.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / ".ctx").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("count", [1, 40])
@pytest.mark.parametrize("damage", [b"", b"abd", b"abcd"])
async def test_damaged_bytes_are_noticed_and_put_right(tmp_path: Path, damage: bytes, count: int) -> None:
    content = open_content_store(Settings(data=tmp_path))
    contents = [b"abc", *(str(n).encode() for n in range(count - 1))]
    await content.put_many(contents)
    file_of(tmp_path, b"abc").write_bytes(damage)
    with pytest.raises(ContentMismatchError, match="kept as"):
        await content.get(name_of(b"abc"))
    await content.put_many(contents)
    assert await content.get(name_of(b"abc")) == b"abc"


async def test_a_stream_puts_damaged_bytes_right(tmp_path: Path) -> None:
    content = open_content_store(Settings(data=tmp_path))
    await content.put_many([b"abc"])
    file_of(tmp_path, b"abc").write_bytes(b"xyz")
    await content.put_stream(in_chunks(b"abc"), expected=name_of(b"abc"))
    assert await content.get(name_of(b"abc")) == b"abc"


async def test_a_half_written_object_is_not_listed(tmp_path: Path) -> None:
    content = open_content_store(Settings(data=tmp_path))
    await content.put_many([b"abc"])
    path = file_of(tmp_path, b"abc")
    path.with_name(f".{path.name}.0123").write_bytes(b"a")
    assert [name async for name in content.names()] == [name_of(b"abc")]


async def test_a_folder_that_cannot_be_written_is_an_error_of_the_content_store(tmp_path: Path) -> None:
    (tmp_path / ".ctx").write_text("in the way")
    content = open_content_store(Settings(data=tmp_path))
    with pytest.raises(ContentError):
        await content.put_many([b"abc"])


async def test_a_service_that_does_not_answer_is_an_error_of_the_content_store(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        content = open_content_store(bucket_settings(tmp_path, url, "s3://bucket"))
        with pytest.raises(ContentError, match="cannot be written"):
            await content.put_many([b"abc", b"def"])


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(contents=st.lists(st.binary(max_size=200), max_size=30))
async def test_any_contents_come_back(tmp_path: Path, contents: list[bytes]) -> None:
    content = ContentStore(ObjectFolder(tmp_path), tmp_path / "spool")
    names = await content.put_many(contents)
    assert [await content.get(name) for name in names] == contents


def put_until_killed(data: Path, acknowledged: str) -> None:
    async def put() -> None:
        content = open_content_store(Settings(data=data))
        with open(acknowledged, "a", buffering=1) as file:
            for n in range(100_000):
                size = 20 if n % 5 == 0 else 1
                names = await content.put_many([f"{n} {k} ".encode() * 100 for k in range(size)])
                file.writelines(f"{name}\n" for name in names)

    asyncio.run(put())


async def test_what_was_acknowledged_before_a_kill_is_there_and_whole(tmp_path: Path) -> None:
    acknowledged = tmp_path / "acknowledged"
    process = multiprocessing.get_context("spawn").Process(target=put_until_killed, args=(tmp_path, str(acknowledged)))
    process.start()
    deadline = time.monotonic() + 60
    while not (acknowledged.exists() and acknowledged.read_bytes().count(b"\n") > 200):
        assert time.monotonic() < deadline and process.is_alive()
        time.sleep(0.05)
    process.kill()
    process.join()
    content = open_content_store(Settings(data=tmp_path))
    names = acknowledged.read_text().split("\n")[:-1]
    for name in names:
        await content.get(name)
    async for name in content.names():
        await content.get(name)


def test_the_file_system_can_be_flushed_at_once_on_linux(tmp_path: Path) -> None:
    assert flush_filesystem(tmp_path) is (sys.platform == "linux")


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="says nowhere which file a descriptor is of")
async def test_the_name_of_a_folder_is_flushed_once_and_again_if_it_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: set[str] = set()
    flush = os.fsync

    def noting(descriptor: int) -> None:
        flushed.add(os.path.relpath(os.readlink(f"/proc/self/fd/{descriptor}"), tmp_path))
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", noting)

    async def folders_flushed_for(name: str, folder: ObjectFolder) -> set[str]:
        flushed.clear()
        await folder.write_many({name: b"some bytes"})
        return {path for path in flushed if (tmp_path / path).is_dir()}

    folder = ObjectFolder(tmp_path)
    assert await folders_flushed_for("a/b/one", folder) == {".", "a", "a/b"}
    assert await folders_flushed_for("a/b/two", folder) == {"a/b"}
    assert await folders_flushed_for("a/c/three", folder) == {"a", "a/c"}
    shutil.rmtree(tmp_path / "a")
    assert await folders_flushed_for("a/b/four", folder) == {".", "a", "a/b"}
    # Another process has made the folders, and may have ended before it flushed them.
    assert await folders_flushed_for("a/b/five", ObjectFolder(tmp_path)) == {".", "a", "a/b"}


async def test_an_object_is_replaced_by_who_knows_what_it_holds(content: ContentStore) -> None:
    objects = content.objects
    assert await objects.replace("head", None, b"one", {"beside": b"it"}) is None
    assert await objects.replace("head", None, b"two") == b"one"
    assert await objects.replace("head", b"two", b"three") == b"one"
    assert await objects.replace("head", b"one", b"two") == b"one"
    assert await objects.read("head", 0, None) == b"two"
    assert await objects.read("beside", 0, None) == b"it"


async def test_of_many_who_make_an_object_at_once_one_does(content: ContentStore) -> None:
    found = await asyncio.gather(*[content.objects.replace("head", None, b"%d" % n) for n in range(8)])
    assert await content.objects.read("head", 0, None) == b"%d" % found.index(None)
    assert found.count(None) == 1


class _LateBucket(BaseHTTPRequestHandler):
    """An S3 service that holds one object and shows it only after `hidden` reads."""

    protocol_version = "HTTP/1.1"
    hidden: ClassVar[int]

    def do_GET(self) -> None:
        shown = self.hidden <= 0
        type(self).hidden -= 1
        self._answer(200 if shown else 404, b"other")

    def do_PUT(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self._answer(412, b"")

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.send_header("etag", '"1"')
        self.send_header("last-modified", "Thu, 01 Jan 2026 00:00:00 GMT")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *values: object) -> None:
        pass


@pytest.fixture
def late_bucket(tmp_path: Path) -> Iterator[ContentStore]:
    """Yield a content store in a bucket that refuses each write and hides the object for which it does."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _LateBucket) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        yield open_content_store(bucket_settings(tmp_path, url, "s3://bucket"))
        server.shutdown()


async def test_a_refused_write_is_not_taken_for_done_while_the_other_object_is_hidden(
    late_bucket: ContentStore,
) -> None:
    _LateBucket.hidden = 3
    assert await late_bucket.objects.replace("head", None, b"mine") == b"other"


async def test_a_write_that_is_always_refused_is_an_error(late_bucket: ContentStore) -> None:
    _LateBucket.hidden = 1000
    with pytest.raises(ContentError, match="refuses it"):
        await late_bucket.objects.replace("head", None, b"mine")
