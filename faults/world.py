"""One data folder and its graph, through a series of kills."""

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from builders import SOURCE, admission_policy_message, signed_registration, signed_source

from a2ap.canonical import sha256_digest
from a2ap.log.entry import LogEntry
from a2ap.log.signed_note import VerifierKey
from faults.checks import find_problems, rebuild_problems
from faults.engines import Engine
from faults.load import EVERYBODY, Load, Receipt, Sent
from faults.moments import wait_for
from faults.points import Point, Target
from faults.process import Server, start_server
from faults.proofs import Proofs
from faults.results import Rebuilt, Result
from graph.content.content_store import open_content_store
from graph.node import load_node
from graph.store import open_store

_REFUSED = (503, 504)  # while the engine is away
_GOES_ON = 5  # answers after the engine is back
_PATIENCE = 600.0  # seconds
_LOOK = 0.01  # seconds
# The clients of the load are strangers of one address; what they hand in is counted, and never too much.
_QUOTAS = {name: {"documents": 10**9, "bytes": 2**50} for name in ("stranger", "address")}


@dataclass(slots=True)
class World:
    """A platform on one data folder; `receipts` are all receipts that it ever gave."""

    name: str
    engine_name: str
    engine: Engine
    data: Path
    receipts: list[Receipt] = field(default_factory=list)
    known: list[bytes] = field(default_factory=list)
    checked: int = 0
    proved: int = 0
    proofs: Proofs | None = None
    server: Server | None = None

    async def found(self) -> None:
        """Start the platform, register the agents of the load, and upload the source that they cite."""
        self.server = await self._start(None)
        async with httpx.AsyncClient(base_url=self.server.address, timeout=_PATIENCE, trust_env=False) as http:
            node = load_node(self.data / "node.key")
            policy = node.sign(admission_policy_message(node.agent_id, quotas=_QUOTAS))
            await self._accepted(http, "/admission-policies", policy.envelope.received)
            for agent in EVERYBODY:
                await self._accepted(http, "/agents", signed_registration(agent))
            await self._accepted(http, "/sources", signed_source(EVERYBODY[0]))
            (await http.put(f"/sources/{sha256_digest(SOURCE)}", content=SOURCE)).raise_for_status()
            key = (await http.get("/.well-known/a2ap")).raise_for_status().json()["logKey"]
            self.proofs = Proofs(VerifierKey.parse(key))

    async def run(self, point: Point) -> Result:
        """Load the platform, kill at the point's moment, restart everything, and check the state."""
        server = self._running()
        load = Load(server.address, f"{self.name}, point {point.number}", self.known)
        running = asyncio.create_task(load.run())
        came, killed_at, kept = await asyncio.to_thread(self._wait_and_kill, point, load, server)
        lives = point.target is Target.ENGINE
        if not lives:
            await server.wait()
            await running
        await self._revive(point, lives)
        back_at = time.monotonic()
        if lives:
            await self._until_it_goes_on(load, running)
        else:
            self.server = await self._start(point.again)
        self.receipts += [sent.receipt for sent in load.sent if sent.receipt is not None]
        problems = [
            f"{sent.path} was answered with {sent.status}"
            for sent in load.sent
            if sent.status is not None and sent.receipt is None and sent.status not in _REFUSED
        ]
        before = self._proofs().verified
        found, entries = await self._look()
        phases = self._phases(load.sent, entries, killed_at, back_at, kept)
        problems += found
        problems += await self._send_again([sent for sent in load.sent if sent.receipt is None], entries)
        acknowledged = sum(sent.receipt is not None for sent in load.sent)
        return Result.of(
            point,
            came=came,
            problems=tuple(problems),
            acknowledged=acknowledged,
            **phases,
            proofs=self._proofs().verified - before,
        )

    async def end(self) -> Rebuilt:
        """Stop the platform in good order, rebuild the graph, compare, and serve it; then stop everything.

        The stored checkpoint stays, so that a platform on the rebuilt graph starts only if it is the same log.
        """
        problems, entries = await self._look()
        await self._running().stop()
        settings = self.engine.settings(self.data)
        async with open_store(settings) as store:
            problems += await rebuild_problems(store, open_content_store(settings))
        self.server = await self._start(None)
        again, _ = await self._look()
        await self.server.stop()
        await self.clear()
        return Rebuilt(self.name, self.engine_name, len(entries), (*problems, *again))

    async def clear(self) -> None:
        """Stop everything and clear the engine."""
        if self.server is not None and self.server.runs:
            self.server.kill()
            await self.server.wait()
        await self.engine.clear(self.data)

    def _running(self) -> Server:
        assert self.server is not None
        return self.server

    async def _start(self, again: float | None) -> Server:
        """Start the platform; if `again` is given, kill it after that many seconds and start it once more."""
        if again is not None:
            server = await start_server(self.data, self.engine.variables())
            await asyncio.sleep(again)
            server.kill()
            await server.wait()
        server = await start_server(self.data, self.engine.variables())
        await server.wait_until_it_serves()
        return server

    def _wait_and_kill(self, point: Point, load: Load, server: Server) -> tuple[bool, float, set[str]]:
        """Wait for the moment and kill; return whether it came, when, and the hashes of bytes that were stored by then.

        Blocks, in a thread of its own, so that the kill does not wait for the clients.
        """
        came = wait_for(point, load, self.data, self.engine.journal(self.data))
        if point.target is not Target.ENGINE:
            server.kill()
        if point.target is not Target.PROCESS:
            self.engine.kill(self.data)
        killed_at = time.monotonic()
        waiting = [sent for sent in list(load.sent) if sent.status is None]
        kept = {sent.document_hash for sent in waiting if sent.file_in(self.data).exists()}
        return came, killed_at, kept

    async def _revive(self, point: Point, lives: bool) -> None:
        if point.target is not Target.PROCESS:
            async with asyncio.timeout(_PATIENCE):
                await self.engine.revive(self.data, platform_lives=lives)

    async def _until_it_goes_on(self, load: Load, running: "asyncio.Task[None]") -> None:
        """Wait until the platform accepts documents again on the restarted engine, and stop the load."""
        enough = load.answered + _GOES_ON
        async with asyncio.timeout(_PATIENCE):
            while load.answered < enough and not running.done():
                await asyncio.sleep(_LOOK)
            load.stop()
            await running

    async def _look(self) -> tuple[list[str], list[LogEntry]]:
        settings = self.engine.settings(self.data)
        async with open_store(settings) as store:
            problems, entries = await find_problems(store, open_content_store(settings), self.receipts, self.checked)
        problems += self._proofs().find_problems(self.receipts[self.proved :], entries, await self._checkpoint())
        self.checked, self.proved = len(entries), len(self.receipts)
        return problems, entries

    def _proofs(self) -> Proofs:
        assert self.proofs is not None
        return self.proofs

    async def _checkpoint(self) -> str:
        """Return the current checkpoint of the platform."""
        async with httpx.AsyncClient(base_url=self._running().address, timeout=_PATIENCE, trust_env=False) as http:
            return (await http.get("/log/checkpoint")).raise_for_status().text

    def _phases(
        self, documents: Sequence[Sent], entries: Sequence[LogEntry], killed_at: float, back_at: float, kept: set[str]
    ) -> dict[str, int]:
        """Count the documents that were in flight at the kill, by phase."""
        found = {"received": 0, "kept": 0, "committed": 0}
        committed = {entry.document_hash for entry in entries}
        for sent in documents:
            if sent.sent_at > killed_at or (sent.status is not None and sent.answered_at <= killed_at):
                continue
            # A platform that lives answers 200 where it finds committed what it was about to commit, and 201 where it
            # commits again. Nothing is committed while the engine is away.
            again = sent.status == 201 and sent.answered_at > back_at
            if sent.document_hash in committed and not again:
                found["committed"] += 1
            else:
                found["kept" if sent.document_hash in kept else "received"] += 1
        return found

    async def _send_again(self, documents: Sequence[Sent], entries: Sequence[LogEntry]) -> list[str]:
        """Submit the documents without receipt once more; return the responses that are not as expected."""
        if not documents:
            return []
        places = {entry.document_hash: entry.log_index for entry in entries}
        async with httpx.AsyncClient(base_url=self._running().address, timeout=_PATIENCE, trust_env=False) as http:
            body = b"".join(sent.document + b"\n" for sent in documents)
            answer = await http.post("/statements", content=body, headers={"content-type": "application/x-ndjson"})
        problems = []
        for sent, members in zip(documents, map(json.loads, answer.text.splitlines()), strict=True):
            place = places.get(sent.document_hash)
            if "logIndex" not in members or members["created"] != (place is None):
                problems.append(f"sent again, {sent.document_hash} at {place} gets {members}")
                continue
            if place is not None and members["logIndex"] != place:
                problems.append(f"sent again, entry {place} gets the receipt of {members['logIndex']}")
            self.receipts.append(members)
        return problems

    async def _accepted(self, http: httpx.AsyncClient, path: str, document: bytes) -> None:
        answer = await http.post(path, content=document)
        answer.raise_for_status()
        self.receipts.append(answer.json())
