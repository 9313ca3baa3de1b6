"""Long files sent to a real S3 service in parts: broken off, gone on with, and not left lying about."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from s3_server import ACCESS_KEY, REGION, SECRET_KEY, make_bucket
from test_content_store import bucket_settings, in_chunks, name_of, s3_service

from graph.content.content_store import ContentStore, open_content_store
from graph.content.object_bucket import ObjectBucket
from graph.content.s3_service import S3Service
from graph.content.s3_service import s3_service as service_of
from graph.content.s3_upload import PART, end_old, send_file, uploads_under_way
from graph.errors import ContentError, ContentNotFoundError

__all__ = ["s3_service"]

LEAST = 5 * 2**20
NAME = "some folder/é+object"
LONG = secrets.token_bytes(5 * LEAST + 17)

CHILD = """
import asyncio, sys, time
from pathlib import Path
from graph.content.s3_service import s3_service
from graph.content.s3_upload import send_file

def report(arrived):
    print(arrived, flush=True)
    time.sleep(600)

url, endpoint, access, secret, region, name, file, part = sys.argv[1:]
keys = {"aws_access_key_id": access, "aws_secret_access_key": secret}
options = {**keys, "aws_region": region, "aws_endpoint_url": endpoint}
asyncio.run(send_file(s3_service(url, options), name, Path(file), report, part=int(part)))
"""


@pytest.fixture
def bucket(s3_service: str) -> str:
    name = f"test-{secrets.token_hex(8)}"
    make_bucket(s3_service, name)
    return f"s3://{name}/a/prefix"


@pytest.fixture
def service(s3_service: str, bucket: str) -> S3Service:
    found = service_of(bucket, options(s3_service))
    assert found is not None
    return found


@pytest.fixture
def content(s3_service: str, bucket: str, tmp_path: Path) -> ContentStore:
    return open_content_store(bucket_settings(tmp_path / "data", s3_service, bucket))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "long"
    path.write_bytes(LONG)
    return path


def options(url: str) -> dict[str, str]:
    keys = {"aws_access_key_id": ACCESS_KEY, "aws_secret_access_key": SECRET_KEY}
    return {**keys, "aws_region": REGION, "aws_endpoint_url": url}


async def under_way(service: S3Service) -> list[Any]:
    async with service.session() as session:
        return await uploads_under_way(session, "a/prefix")


def break_off(url: str, bucket: str, file: Path) -> None:
    """Send the file from a process that is killed once a part has arrived."""
    said = (bucket, url, ACCESS_KEY, SECRET_KEY, REGION, NAME, str(file), str(LEAST))
    child = subprocess.Popen([sys.executable, "-c", CHILD, *said], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert int(child.stdout.readline()) == LEAST
    child.kill()
    child.wait()


async def test_a_file_whose_sender_dies_is_not_there_and_is_gone_on_with(
    s3_service: str, bucket: str, service: S3Service, content: ContentStore, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await asyncio.to_thread(break_off, s3_service, bucket, file)
    with pytest.raises(ContentNotFoundError):
        await content.objects.size(NAME)
    assert len(await under_way(service)) == 1

    sent: list[int] = []
    request = httpx.AsyncClient.request

    async def counted(self: httpx.AsyncClient, method: str, url: str, **rest: Any) -> httpx.Response:
        if method == "PUT":
            sent.append(len(rest["content"]))
        return await request(self, method, url, **rest)

    monkeypatch.setattr(httpx.AsyncClient, "request", counted)
    arrived: list[int] = []
    await send_file(service, NAME, file, arrived.append, part=LEAST)
    assert await content.objects.read(NAME, 0, None) == LONG
    assert 0 < sum(sent) < len(LONG)
    assert arrived == sorted(arrived) and arrived[-1] == len(LONG)
    assert await under_way(service) == []


async def test_what_nobody_goes_on_with_is_taken_away(
    s3_service: str, bucket: str, service: S3Service, file: Path
) -> None:
    await asyncio.to_thread(break_off, s3_service, bucket, file)
    assert await end_old(service) == 0
    assert len(await under_way(service)) == 1
    assert await end_old(service, timedelta(seconds=-60)) == 1
    assert await under_way(service) == []


async def test_another_content_under_a_broken_upload_is_sent_whole(
    s3_service: str, bucket: str, service: S3Service, content: ContentStore, file: Path
) -> None:
    await asyncio.to_thread(break_off, s3_service, bucket, file)
    other = secrets.token_bytes(len(LONG))
    file.write_bytes(other)
    await send_file(service, NAME, file, part=LEAST)
    assert await content.objects.read(NAME, 0, None) == other


async def test_two_who_send_the_same_at_once_both_find_it_there(
    service: S3Service, content: ContentStore, file: Path
) -> None:
    await asyncio.gather(*(send_file(service, NAME, file, part=LEAST) for _ in range(2)))
    assert await content.objects.read(NAME, 0, None) == LONG
    await end_old(service, timedelta(seconds=-60))
    assert await under_way(service) == []


async def test_a_long_source_goes_up_in_parts_and_says_how_far_it_is(
    content: ContentStore, service: S3Service, caplog: pytest.LogCaptureFixture
) -> None:
    long = secrets.token_bytes(2 * PART + 5)
    with caplog.at_level(logging.INFO, "graph.content"):
        assert await content.put_stream(in_chunks(long, 1 << 20), expected=name_of(long)) == len(long)
    assert await content.get(name_of(long)) == long
    assert f"{len(long)} of {len(long)} bytes are in the bucket" in caplog.text
    assert await under_way(service) == []


async def test_keys_that_may_not_send_in_parts_send_as_before(
    s3_service: str, bucket: str, content: ContentStore, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    denied = service_of(bucket, {**options(s3_service), "aws_secret_access_key": "another"})
    assert denied is not None
    with pytest.raises(ContentError, match="cannot be written: 403"):
        await send_file(denied, NAME, file)
    store = content.objects
    assert isinstance(store, ObjectBucket)
    without_lists = ObjectBucket(store.bucket, denied)
    await without_lists.write_file(NAME, file)
    assert await store.read(NAME, 0, None) == LONG
    assert "is sent in a way that cannot be gone on with" in caplog.text


async def test_without_keys_of_its_own_there_is_no_service() -> None:
    assert service_of("s3://bucket/prefix", {"aws_region": "us-east-1"}) is None
    found = service_of("s3://bucket/prefix/", {"aws_access_key_id": "a", "aws_secret_access_key": "b"})
    assert found is not None
    assert (found.address, found.key("x")) == ("https://s3.us-east-1.amazonaws.com/bucket", "prefix/x")


async def test_what_a_dead_process_had_collected_is_taken_away_after_a_day(
    content: ContentStore, tmp_path: Path
) -> None:
    spool = tmp_path / "data" / ".ctx" / "incoming"
    for name, age in (("tmpold", 90_000), ("tmpnew", 60)):
        (spool / name).mkdir(parents=True)
        (spool / name / "content").write_bytes(b"half")
        for path in (spool / name / "content", spool / name):
            stamp = path.stat().st_mtime - age
            os.utime(path, (stamp, stamp))
    await content.tidy()
    assert [folder.name for folder in spool.iterdir()] == ["tmpnew"]
