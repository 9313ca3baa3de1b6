"""The endpoint of a graph database, with the credentials."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from typing import Literal

import httpx

EngineKind = Literal["neo4j", "embedded"]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One database behind Bolt.

    `http_url` exists on the embedded engine only. The reader is a user without write permission: the embedded engine
    always has one, Neo4j if the settings name one.
    """

    uri: str
    user: str
    password: str = field(repr=False)
    database: str
    kind: EngineKind
    http_url: str | None = None
    reader_user: str | None = None
    reader_password: str | None = field(default=None, repr=False)


def http_client(endpoint: Endpoint, timeout: float) -> httpx.AsyncClient:
    """Return a client of the embedded engine's HTTP port; `timeout` is in seconds."""
    return httpx.AsyncClient(
        base_url=endpoint.http_url or "",
        auth=httpx.BasicAuth(endpoint.user, endpoint.password),
        timeout=timeout,
        trust_env=False,
        verify=without_certificates(),
    )


def without_certificates() -> ssl.SSLContext:
    """Return a context for addresses without HTTPS: it trusts nobody. Loading certificates takes long."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
