"""A served platform whose agents are settled, for verifiers at work: what is asked, and what was answered."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest_asyncio
from builders import envelope_of, signed_request, signed_statement
from platform_fixture import platform
from scenario import AUTHOR, accept, settle
from served import served
from verifier_desk import AtWork

from a2ap.client import Client
from a2ap.messages.message import read_message
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.messages.verification_response import VerificationResponse
from graph.platform import Platform

__all__ = ["FALSE", "OPEN", "TRUE", "World", "judgement", "platform", "world"]

TRUE = "A speaker said: “The new zoning map keeps the height limit at forty feet.”"
FALSE = "A speaker said: “The new zoning map keeps the height limit at fifty feet.”"
OPEN = "Buildings may not grow taller under the new plan."


@dataclass
class World:
    """A served platform whose agents are settled, and a folder for a verifier."""

    platform: Platform
    url: str
    folder: Path

    def verifier(self, **changes: Any) -> AtWork:
        return replace(AtWork(self.folder / "desk", self.url), **changes)

    async def asked(
        self,
        claim: str = TRUE,
        requester: int = AUTHOR,
        criteria: Sequence[str] = DEFAULT_CRITERIA,
        **changes: Any,
    ) -> bytes:
        statement = signed_statement(AUTHOR, claim=claim, **changes)
        await accept(self.platform, statement, signed_request(statement, requester, criteria=criteria))
        return statement

    async def answers(self, statement: bytes) -> list[VerificationResponse]:
        query = "query ($id: ID!) { statement(id: $id) { verifications { id machine } } }"
        with Client(self.url) as client:
            found = (await asyncio.to_thread(client.graphql, query, {"id": envelope_of(statement).id}))["statement"]
            messages = [
                read_message(await asyncio.to_thread(client.verification, row["id"]))
                for row in found["verifications"]
                if not row["machine"]
            ]
        return [message for message in messages if isinstance(message, VerificationResponse)]


@pytest_asyncio.fixture
async def world(platform: Platform, tmp_path: Path) -> AsyncIterator[World]:
    await settle(platform)
    async with served(platform) as url:
        yield World(platform, url, tmp_path)


def judgement(status: str) -> str:
    answer = {"status": status, "reason": "Because it says so.", "confidence": 0.9}
    return json.dumps({"evidence-sufficiency": answer, "logical-consistency": answer})
