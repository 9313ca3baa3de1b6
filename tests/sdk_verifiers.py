"""A served node with an author and verifiers of the SDK, for tests: requests are made, and their answers read."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, overload

import httpx
import pytest_asyncio
from http_client import OPERATOR
from platform_fixture import platform
from scenario import settle
from served import served

from a2ap import Agent, AsyncVerifier, Verifier
from a2ap.agent import Source
from a2ap.client import Client, Receipt
from a2ap.messages.message import read_message
from a2ap.messages.verification_response import VerificationResponse
from a2ap.verifier import Summary
from graph.platform import Platform

__all__ = ["ACCURACY", "CLAIM", "MINUTES", "QUOTE", "Court", "Dropping", "answered", "court", "platform"]

ACCURACY = ("source-accuracy",)
MINUTES = b"The clerk opened the meeting.\nThe council voted five to two to keep the height limit at forty feet.\n"
QUOTE = "keep the height limit at forty feet"
CLAIM = "The height limit stays at forty feet."

_VERDICTS = "query ($id: ID!) { statement(id: $id) { verifications { id machine } } }"


@dataclass
class Court:
    """A node, its author, and a folder for the keys of its verifiers."""

    platform: Platform
    node: str
    folder: Path
    author: Agent
    minutes: Source

    async def ask(self, claim: str = CLAIM, criteria: Sequence[str] = ACCURACY, **changes: Any) -> Receipt:
        """Have a statement verified; return its receipt."""
        stated: dict[str, Any] = {"quote": QUOTE, "source": self.minutes, **changes}
        statement: Receipt = await asyncio.to_thread(lambda: self.author.claim(claim, **stated))
        await asyncio.to_thread(self.author.request_verification, statement, criteria)
        return statement

    async def register(self, name: str) -> Path:
        """Register a verifier; return its key file."""
        key = self.folder / f"{name}.key"
        with Agent.create(key, name=name, publisher="Riverside archive", node=self.node) as agent:
            await asyncio.to_thread(agent.register)
        return key

    @overload
    async def verifier(self, kind: type[Verifier] = ..., name: str = ...) -> Verifier: ...

    @overload
    async def verifier(self, kind: type[AsyncVerifier], name: str = ...) -> AsyncVerifier: ...

    async def verifier(
        self, kind: type[Verifier] | type[AsyncVerifier] = Verifier, name: str = "reader"
    ) -> Verifier | AsyncVerifier:
        """Return a registered verifier without a criterion."""
        key = self.folder / f"{name}.key"
        return kind.load(key if key.exists() else await self.register(name), self.node)

    async def verdicts(self, statement: Receipt) -> list[VerificationResponse]:
        """Return the verdicts of verifiers on a statement, as the node has them."""

        def read() -> list[Any]:
            with Client(self.node, OPERATOR) as client:
                found = client.graphql(_VERDICTS, {"id": statement.id})["statement"]["verifications"]
                return [read_message(client.verification(row["id"])) for row in found if not row["machine"]]

        return await asyncio.to_thread(read)


async def answered(verifier: Verifier | AsyncVerifier, **terms: Any) -> Summary:
    """Return the summary of a verifier's answers to all open requests."""
    if isinstance(verifier, AsyncVerifier):
        return await verifier.run(once=True, **terms)
    return await asyncio.to_thread(lambda: verifier.run(once=True, **terms))


class Dropping(httpx.BaseTransport):
    """A line on which a POST to one path is sent or lost, and no answer to it ever arrives."""

    def __init__(self, path: str, *, is_sent: bool) -> None:
        self._path = path
        self._is_sent = is_sent
        self._line = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        drops = request.method == "POST" and request.url.path == self._path
        if drops and not self._is_sent:
            raise httpx.ConnectError("the line is dead")
        response = self._line.handle_request(request)
        if drops:
            response.read()
            raise httpx.ReadError("the line is dead")
        return response


@pytest_asyncio.fixture
async def court(platform: Platform, tmp_path: Path) -> AsyncIterator[Court]:
    await settle(platform)
    platform.settings = replace(platform.settings, operator_token=OPERATOR)
    async with served(platform) as node:
        author = Agent.create(tmp_path / "clerk.key", name="Clerk", publisher="City clerk", node=node)
        await asyncio.to_thread(author.register)
        minutes = await asyncio.to_thread(author.source, MINUTES, title="Minutes of the council")
        yield Court(platform, node, tmp_path, author, minutes)
        author.close()
