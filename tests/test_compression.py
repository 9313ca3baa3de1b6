"""Pages, scripts and styles come as gzip to clients that accept it; data for programs come as they are."""

import gzip

import httpx
import pytest
from http_client import OPERATOR, bearer, client, sign_in
from page_browser import built
from page_reader import BROWSER
from platform_fixture import platform
from scenario import hash_of, verified_world

from graph.http.assets import built_entry
from graph.http.compression import accepts_gzip
from graph.platform import Platform
from graph.web.page import SCRIPT
from graph.web.stylesheet import STYLESHEET

__all__ = ["built", "client", "platform"]


async def received(client: httpx.AsyncClient, address: str, **headers: str) -> tuple[httpx.Headers, bytes]:
    """Return the headers and the bytes of an answer as they were sent."""
    async with client.stream("GET", address, headers=headers) as answer:
        assert answer.status_code == 200
        return answer.headers, b"".join([part async for part in answer.aiter_raw()])


async def test_a_page_is_compressed_for_a_client_that_accepts_it(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    asked = {"accept": BROWSER, "accept-encoding": "gzip, br"}
    headers, content = await received(client, "/", **asked)
    plain_headers, plain = await received(client, "/", **{**asked, "accept-encoding": "identity"})
    assert (headers["content-encoding"], headers["content-length"]) == ("gzip", str(len(content)))
    assert gzip.decompress(content) == plain and len(content) < len(plain) / 2
    assert "content-encoding" not in plain_headers and plain_headers["content-length"] == str(len(plain))
    assert all("Accept-Encoding" in one["vary"] and "Authorization" in one["vary"] for one in (headers, plain_headers))


async def test_a_page_for_a_reader_with_a_token_is_not_compressed(client: httpx.AsyncClient) -> None:
    asked = {"accept": BROWSER, "accept-encoding": "gzip"}
    headers, _ = await received(client, "/", **asked, **bearer(OPERATOR))
    assert "content-encoding" not in headers
    await sign_in(client, OPERATOR)
    headers, _ = await received(client, "/", **asked)
    assert "content-encoding" not in headers and headers["cache-control"] == "private, no-cache"


async def test_scripts_and_styles_are_compressed_and_kept_for_a_year(
    platform: Platform, client: httpx.AsyncClient, built: None
) -> None:
    entry = built_entry(SCRIPT)
    assert entry is not None
    for address in (f"/{STYLESHEET}", f"/assets/{entry.script}"):
        headers, content = await received(client, address, **{"accept-encoding": "gzip"})
        plain_headers, plain = await received(client, address, **{"accept-encoding": "gzip;q=0"})
        assert headers["content-encoding"] == "gzip" and gzip.decompress(content) == plain
        assert "content-encoding" not in plain_headers
        for one in (headers, plain_headers):
            assert "immutable" in one["cache-control"] and one["vary"] == "Accept-Encoding"


async def test_data_for_programs_come_as_they_are(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    for address in (f"/statements/{hash_of(world.statement)}", "/log/checkpoint", "/openapi.json"):
        headers, _ = await received(client, address, **{"accept": "*/*", "accept-encoding": "gzip"})
        assert "content-encoding" not in headers, address


@pytest.mark.parametrize(
    ("header", "is_accepted"),
    [
        (None, False),
        ("", False),
        ("gzip", True),
        ("deflate, GZIP;q=0.5", True),
        ("br", False),
        ("*", True),
        ("*;q=0", False),
        ("*, gzip;q=0", False),
        ("gzip;q=x", False),
    ],
)
def test_gzip_is_accepted_by_name_or_as_any_encoding(header: str | None, is_accepted: bool) -> None:
    assert accepts_gzip(header) is is_accepted
