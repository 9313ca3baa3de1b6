"""A platform whose documents and sources are in a bucket of a real S3 service: served, rebuilt from it, and erased."""

import secrets
from pathlib import Path

import pytest
from builders import QUOTE, SOURCE, signed_response, signed_statement
from graph_contents import run_raw, whole_graph
from http_client import ask, open_client
from s3_server import make_bucket
from scenario import AUTHOR, VERIFIER_A, VERIFIER_B, accept, settle
from servers import log_of, server_on
from test_content_store import bucket_settings, s3_service
from test_redaction import erasure_of

from a2ap.canonical import sha256_digest
from graph.content.content_store import open_content_store
from graph.errors import ContentNotFoundError
from graph.store import Store
from graph.submission.rebuild import rebuild

__all__ = ["s3_service"]

_EMPTY = "MATCH (n) DETACH DELETE n"
_PAGE = "{ statements { nodes { verified machineCheck citations { quote } evidence { document { held } } } } }"


async def test_a_platform_on_a_bucket_serves_goes_on_is_rebuilt_and_erases(
    store: Store, s3_service: str, tmp_path: Path
) -> None:
    bucket = f"test-{secrets.token_hex(8)}"
    make_bucket(s3_service, bucket)
    settings = bucket_settings(tmp_path, s3_service, f"s3://{bucket}/a/node")
    source, statement = sha256_digest(SOURCE), signed_statement(AUTHOR)
    async with server_on(store, tmp_path, settings=settings) as platform:
        await settle(platform)
        await accept(platform, statement, signed_response(statement, VERIFIER_A))
    content = open_content_store(settings)
    assert await content.size(source) == len(SOURCE)

    # Another server goes on with the log that the bucket and the folder of keys hold.
    async with server_on(store, tmp_path, settings=settings) as platform:
        await accept(platform, signed_response(statement, VERIFIER_B))
        async with open_client(platform, tmp_path) as client:
            [found] = (await ask(client, _PAGE))["statements"]["nodes"]
            assert found["verified"] and found["machineCheck"] == "PASS"
            assert found["citations"] == [{"quote": QUOTE}] and found["evidence"][0]["document"]["held"]
            assert (await client.get(f"/sources/{source}", headers={"range": "bytes=0-9"})).content == SOURCE[:10]
        before, entries = await whole_graph(store), await log_of(store)
        await run_raw(store, _EMPTY)
        assert [size async for size in rebuild(store, content, entries)][-1] == len(entries)
        assert await whole_graph(store) == before

        await accept(platform, erasure_of(platform))
    with pytest.raises(ContentNotFoundError):
        await content.size(source)
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and QUOTE.encode() in path.read_bytes()]
