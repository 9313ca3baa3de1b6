"""Agents with key files, for tests of commands."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from builders import agent_id, agent_key, key_id

from a2ap.key_file import KeyFile, write_key_file

_SEEDS = iter(range(1000, 10_000))  # no two tests are the same agent: they share a platform


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent with a key file of its own."""

    seed: int
    key: Path

    @property
    def id(self) -> str:
        return agent_id(self.seed)


@pytest.fixture
def author(tmp_path: Path) -> Agent:
    return new_agent(tmp_path)


def new_agent(folder: Path) -> Agent:
    seed = next(_SEEDS)
    path = folder / f"{seed}.key"
    write_key_file(path, KeyFile(agent_id(seed), key_id(seed), agent_key(seed)))
    return Agent(seed, path)


def written(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path
