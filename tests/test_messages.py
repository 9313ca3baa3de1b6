"""Received messages by the hash of their bytes, one at a time and many at once, under the reader's clearance."""

import base64
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from builders import SOURCE, envelope_of
from export_world import secrets
from http_client import OPERATOR, READERS, bearer, client
from platform_fixture import platform
from scenario import verified_world

from a2ap.canonical import sha256_digest
from graph.platform import Platform

__all__ = ["client", "platform"]


def name_of(document: bytes) -> str:
    return envelope_of(document).document_hash


async def fetch(client: httpx.AsyncClient, hashes: list[str], token: str | None = None) -> list[dict[str, Any]]:
    response = await client.post("/messages/fetch", json={"hashes": hashes}, headers=bearer(token) if token else {})
    assert response.status_code == 200, response.text
    return [json.loads(line) for line in response.text.splitlines()]


async def test_a_message_is_given_as_received(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    for document in (world.statement, *world.responses):
        response = await client.get(f"/messages/{name_of(document)}")
        assert response.status_code == 200
        assert response.content == document


async def test_many_messages_are_given_in_the_order_asked_for(platform: Platform, client: httpx.AsyncClient) -> None:
    world = await verified_world(platform)
    documents = [world.responses[1], world.statement, world.responses[0]]
    unknown = "sha256:" + "0" * 64
    found = await fetch(client, [*map(name_of, documents), unknown, name_of(world.statement)])
    assert [line["hash"] for line in found] == [*map(name_of, documents), unknown, name_of(world.statement)]
    contents = [line["document"] and base64.b64decode(line["document"]) for line in found]
    assert contents == [*documents, None, world.statement]
    assert all(line["withheld"] is None for line in found)


async def test_what_cannot_be_shown_whole_is_withheld_with_the_reason(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    clear, disclosed, quiet = await secrets(platform)
    names = [*map(name_of, (clear, disclosed, quiet))]
    found = await fetch(client, names)
    assert [line["document"] is None for line in found] == [True, True, False]
    assert "is confidential, and this reader is cleared for public" in found[0]["withheld"]
    refused = await client.get(f"/messages/{names[0]}")
    assert refused.status_code == 403 and "confidential" in refused.json()["detail"]
    for token in (READERS["confidential"], OPERATOR):
        given = await fetch(client, names, token)
        assert [base64.b64decode(line["document"]) for line in given] == [clear, disclosed, quiet]


async def test_a_hundred_messages_cost_as_many_queries_as_one(platform: Platform, client: httpx.AsyncClient) -> None:
    await secrets(platform)
    rows = await platform.store.read("log_entries_from", start=0, first=1000)
    seen: list[str] = []
    platform.store.observe = seen.append
    await fetch(client, [row["document_hash"] for row in rows])
    assert len(seen) <= 7, seen


async def test_a_message_whose_bytes_are_damaged_is_neither_given_nor_withheld(
    platform: Platform, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    world = await verified_world(platform)
    name = name_of(world.statement)
    (tmp_path / ".ctx" / "objects" / name[7:9] / name[9:]).write_bytes(b"{}")
    assert await fetch(client, [name]) == [{"hash": name, "document": None, "withheld": None, "redacted": None}]
    assert (await client.get(f"/messages/{name}")).status_code == 404


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"hashes": "x"}', b'{"hashes": [1]}', json.dumps({"hashes": ["x"] * 257}).encode()]
)
async def test_a_request_that_is_none_is_refused(client: httpx.AsyncClient, body: bytes) -> None:
    response = await client.post("/messages/fetch", content=body)
    assert response.status_code in (400, 413), response.text


async def test_the_bytes_of_a_source_are_no_message(platform: Platform, client: httpx.AsyncClient) -> None:
    await verified_world(platform)
    assert (await client.get(f"/messages/{sha256_digest(SOURCE)}")).status_code == 404
