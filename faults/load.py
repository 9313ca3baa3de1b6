"""The load on a platform: clients that submit signed statements and verdicts in parallel, and record the responses."""

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import httpx
from builders import segment, signed_response, signed_statement
from http_client import bearer

from a2ap.canonical import sha256_digest

AUTHORS = range(1, 6)
BULK_AUTHOR = 6
VERIFIERS = (7, 8)
EVERYBODY = (*AUTHORS, BULK_AUTHOR, *VERIFIERS)

_LINES = 8  # statements in one request of the bulk author
_PAUSE = 0.2  # seconds after a refusal
_NOTHING_TO_JUDGE = 0.005  # seconds
_PATIENCE = 300.0  # seconds for an answer

Receipt = dict[str, Any]


@dataclass(slots=True, eq=False)
class Sent:
    """A submitted document and its response: a status and a receipt, or nothing. Times are monotonic."""

    document: bytes
    path: str
    document_hash: str = ""
    sent_at: float = 0.0
    status: int | None = None
    answered_at: float = 0.0
    receipt: Receipt | None = None

    def __post_init__(self) -> None:
        self.document_hash, self.sent_at = sha256_digest(self.document), time.monotonic()

    def file_in(self, data: Path) -> Path:
        """Return the path of these bytes in a data folder."""
        digest = self.document_hash.removeprefix("sha256:")
        return data / ".ctx" / "objects" / digest[:2] / digest[2:]

    def answer(self, status: int, receipt: Receipt | None) -> None:
        """Record the response."""
        self.status, self.receipt, self.answered_at = status, receipt, time.monotonic()


@dataclass(slots=True, eq=False)
class Load:
    """Clients of one platform, from `run` until `stop` or until it no longer answers.

    `name` is part of every claim; `sent` holds the documents in the order of submission, `known` acknowledged
    statements, for verdicts. With the operator's `token` no quota delays it.
    """

    address: str
    name: str
    known: list[bytes]
    sent: list[Sent] = field(default_factory=list)
    answered: int = 0
    stopped: bool = False
    token: str | None = None

    async def run(self) -> None:
        """Submit until `stop`, or until the platform no longer answers."""
        limits = httpx.Limits(max_connections=None)
        headers = {} if self.token is None else bearer(self.token)
        async with httpx.AsyncClient(
            base_url=self.address, timeout=_PATIENCE, limits=limits, trust_env=False, headers=headers
        ) as http:
            clients = [self._write_one_by_one(http, author) for author in AUTHORS]
            clients += [self._write_many(http), *(self._judge(http, verifier) for verifier in VERIFIERS)]
            await asyncio.gather(*clients)

    def stop(self) -> None:
        """Make each client end after its current response."""
        self.stopped = True

    async def _write_one_by_one(self, http: httpx.AsyncClient, author: int) -> None:
        for number in self._numbers():
            if not await self._post(http, "/statements", self._statement(author, number)):
                return

    async def _write_many(self, http: httpx.AsyncClient) -> None:
        numbers = self._numbers()
        while not self.stopped:
            some = [self._statement(BULK_AUTHOR, next(numbers)) for _ in range(_LINES)]
            if not await self._post_lines(http, some):
                return

    async def _judge(self, http: httpx.AsyncClient, verifier: int) -> None:
        random = Random(f"{self.name} {verifier}")
        judged: set[int] = set()
        while not self.stopped:
            number = random.randrange(len(self.known)) if self.known else 0
            if not self.known or number in judged:
                await asyncio.sleep(_NOTHING_TO_JUDGE)
                continue
            judged.add(number)
            confidence = round(random.uniform(0.5, 1), 6)
            verdict = signed_response(self.known[number], verifier, confidence=confidence)
            if not await self._post(http, "/verifications", verdict):
                return

    def _numbers(self) -> Iterator[int]:
        for number in count():
            if self.stopped:
                return
            yield number

    def _statement(self, author: int, number: int) -> bytes:
        return signed_statement(author, claim=f"Claim {number} of {author} in {self.name}.", evidence=[segment()])

    async def _post(self, http: httpx.AsyncClient, path: str, document: bytes) -> bool:
        """Submit one document; return whether the platform still answers."""
        sent = Sent(document, path)
        self.sent.append(sent)
        try:
            answer = await http.post(path, content=document)
        except httpx.ConnectError:
            self.sent.remove(sent)  # these bytes reached nobody
            return self._ended()
        except httpx.TransportError:
            return self._ended()
        self._note(sent, answer.status_code, answer.json() if answer.is_success else None)
        if not answer.is_success:
            await asyncio.sleep(_PAUSE)
        return True

    async def _post_lines(self, http: httpx.AsyncClient, documents: Sequence[bytes]) -> bool:
        """Submit many documents in one request; return whether the platform still answers."""
        some = [Sent(document, "/statements") for document in documents]
        self.sent += some
        waiting = iter(some)
        headers = {"content-type": "application/x-ndjson"}
        content = b"".join(document + b"\n" for document in documents)
        try:
            async with http.stream("POST", "/statements", content=content, headers=headers) as answer:
                async for line in answer.aiter_lines():
                    members = json.loads(line)
                    accepted = "logIndex" in members
                    status = (201 if members["created"] else 200) if accepted else members["status"]
                    self._note(next(waiting), status, members if accepted else None)
        except httpx.ConnectError:
            self.sent = [sent for sent in self.sent if sent not in some]
            return self._ended()
        except (httpx.TransportError, json.JSONDecodeError):  # cut off, perhaps within a line
            return self._ended()
        if any(sent.receipt is None for sent in some):
            await asyncio.sleep(_PAUSE)
        return True

    def _ended(self) -> bool:
        self.stopped = True
        return False

    def _note(self, sent: Sent, status: int, receipt: Receipt | None) -> None:
        sent.answer(status, receipt)
        if receipt is None:
            return
        self.answered += 1
        if sent.path == "/statements":
            self.known.append(sent.document)
