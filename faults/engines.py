"""The engine of a platform under test: the embedded one in its data folder, or a Neo4j of our own."""

import asyncio
import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from neo4j import AsyncGraphDatabase
from neo4j_server import Neo4jProcess
from quick_java import QUICK

from bench.load import empty
from graph.engine.files import EngineFolder, Running
from graph.engine.login import answers
from graph.engine.process import start_time
from graph.settings import Settings

HEAP = "256m"

_PATIENCE = 600.0  # seconds
_LOOK = 0.01  # seconds


class Engine(Protocol):
    """An engine as faults see and control it."""

    def settings(self, data: Path) -> Settings:
        """Return the settings of a platform on it."""

    def variables(self) -> Mapping[str, str]:
        """Return the environment of a platform on it."""

    def journal(self, data: Path) -> Path:
        """Return the folder of its transaction log."""

    def kill(self, data: Path) -> None:
        """Kill its process."""

    async def revive(self, data: Path, *, platform_lives: bool) -> None:
        """Make it answer again; does nothing if the next platform starts it."""

    async def clear(self, data: Path) -> None:
        """Stop everything and delete the data of a discarded data folder."""


@dataclass(slots=True)
class EmbeddedEngine:
    """The platform's own child process; the next platform that uses it starts it again."""

    killed: Running | None = None

    def settings(self, data: Path) -> Settings:
        """Return the settings of a platform on it."""
        return Settings(data=data, engine_heap=HEAP, engine_options=QUICK)

    def variables(self) -> Mapping[str, str]:
        """Return the environment of a platform on it."""
        return {"A2AP_ENGINE_HEAP": HEAP, "A2AP_ENGINE_OPTIONS": " ".join(QUICK)}

    def journal(self, data: Path) -> Path:
        """Return the folder of its transaction log."""
        return data / "engine" / "databases" / "a2ap"

    def kill(self, data: Path) -> None:
        """Kill the published process, if it is still the same one."""
        self.killed = EngineFolder(data / "engine").running()
        if self.killed is not None and start_time(self.killed.pid) == self.killed.started:
            os.kill(self.killed.pid, signal.SIGKILL)

    async def revive(self, data: Path, *, platform_lives: bool) -> None:
        """Wait until a platform that lives has started it again."""
        folder = EngineFolder(data / "engine")
        deadline = time.monotonic() + _PATIENCE
        while platform_lives:
            running = folder.running()
            if running is not None and running != self.killed and answers(running, "root", folder):
                return
            if time.monotonic() > deadline:
                raise RuntimeError(f"the engine on {folder.path} is not started again")
            await asyncio.sleep(_LOOK)

    async def clear(self, data: Path) -> None:
        """Kill the engine left by a killed platform; the folder is discarded."""
        self.kill(data)


@dataclass(slots=True)
class Neo4j:
    """A Neo4j that only the faults start again."""

    process: Neo4jProcess

    def settings(self, data: Path) -> Settings:
        """Return the settings of a platform on it."""
        endpoint = self.process.endpoint
        return Settings(data=data, neo4j_uri=endpoint.uri, neo4j_password=endpoint.password)

    def variables(self) -> Mapping[str, str]:
        """Return the environment of a platform on it."""
        return {"NEO4J_URI": self.process.endpoint.uri, "NEO4J_PASSWORD": self.process.endpoint.password}

    def journal(self, data: Path) -> Path:
        """Return the folder of its transaction log."""
        return self.process.home / "data" / "transactions" / self.process.endpoint.database

    def kill(self, data: Path) -> None:
        """Kill its process."""
        self.process.kill()

    async def revive(self, data: Path, *, platform_lives: bool) -> None:
        """Start it again and wait until it answers."""
        self.process.start()
        await asyncio.to_thread(self.process.wait_until_it_answers)

    async def clear(self, data: Path) -> None:
        """Empty the database."""
        endpoint = self.process.endpoint
        async with AsyncGraphDatabase.driver(endpoint.uri, auth=(endpoint.user, endpoint.password)) as driver:
            await empty(driver, endpoint)
