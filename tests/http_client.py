"""A client of the whole application without a socket, and GraphQL through it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest_asyncio

from graph.app import create_app
from graph.platform import Platform

OPERATOR = "operator-token-for-tests"
READERS = {"internal": "reader-token-internal", "confidential": "reader-token-confidential"}


@asynccontextmanager
async def open_client(platform: Platform, folder: Path, **changes: Any) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of the platform's application; `changes` are of its settings."""
    tokens = folder / "readers.json"
    tokens.write_text(str({token: boundary for boundary, token in READERS.items()}).replace("'", '"'))
    tokens.chmod(0o600)
    settings = replace(platform.settings, operator_token=OPERATOR, reader_tokens=tokens, **changes)
    platform.settings = settings
    transport = httpx.ASGITransport(create_app(platform, settings), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://a2ap.test") as client:
        yield client


@pytest_asyncio.fixture
async def client(platform: Platform, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of the test's platform."""
    async with open_client(platform, tmp_path) as client:
        yield client


async def sign_in(client: httpx.AsyncClient, token: str, to: str = "") -> httpx.Response:
    """Send the form of `/session` as a browser does; the client keeps the cookie of the session."""
    return await client.post("/session", data={"token": token, "to": to}, headers={"accept": "text/html"})


def bearer(token: str) -> dict[str, str]:
    """Return the header that a token travels in."""
    return {"authorization": f"Bearer {token}"}


async def ask(
    client: httpx.AsyncClient, query: str, variables: dict[str, Any] | None = None, token: str | None = None
) -> dict[str, Any]:
    """Run a GraphQL operation that must succeed and return its data."""
    answer = await send(client, query, variables, token)
    assert "errors" not in answer, answer["errors"]
    data: dict[str, Any] = answer["data"]
    return data


async def send(
    client: httpx.AsyncClient, query: str, variables: dict[str, Any] | None = None, token: str | None = None
) -> dict[str, Any]:
    """Run a GraphQL operation and return the whole answer."""
    body = {"query": query, "variables": variables or {}}
    response = await client.post("/graphql", json=body, headers=bearer(token) if token else {})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


async def ask_flat(
    client: httpx.AsyncClient, query: str, variables: dict[str, Any] | None = None, token: str | None = None
) -> Any:
    """Run a GraphQL operation that must succeed; pages of which nothing but their nodes is asked are given as lists."""
    return _flat(await ask(client, query, variables, token))


def _flat(found: Any) -> Any:
    if isinstance(found, list):
        return [_flat(one) for one in found]
    if not isinstance(found, dict):
        return found
    return _flat(found["nodes"]) if found.keys() == {"nodes"} else {name: _flat(one) for name, one in found.items()}
