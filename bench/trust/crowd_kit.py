"""Client of crowd-kit, which runs in a process and environment of its own, for the same labels."""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from bench.trust.crowd import Crowd, write_labels

ROOT = Path(__file__).parent.parent.parent
PYTHON = ROOT / ".venv-crowd-kit" / "bin" / "python"
METHODS = ("MajorityVote", "Wawa", "DawidSkene", "OneCoinDawidSkene", "GLAD")


class CrowdKitError(Exception):
    """crowd-kit is not installed, or did not answer."""


@dataclass(frozen=True, slots=True)
class CrowdKit:
    """A running crowd-kit process that answers one job after the other."""

    jobs: IO[str]
    answers: IO[str]
    folder: Path

    def shares(self, crowd: Crowd, method: str) -> NDArray[np.float64]:
        """Return equal shares for the labels that the method holds to be best, 0 for the others: (items, labels)."""
        path = self.folder / "label.csv"
        write_labels(crowd, path)
        best = self.run(path, method)["best"]
        item = {name: number for number, name in enumerate(crowd.items)}
        label = {name: number for number, name in enumerate(crowd.names)}
        shares = np.zeros((len(crowd.items), len(crowd.names)))
        for name, tied in best.items():
            shares[item[name], [label[one] for one in tied]] = 1 / len(tied)
        return shares

    def run(self, labels: Path, method: str, numbers: bool = False) -> dict[str, Any]:
        """Return the answer for a label file; `numbers` says that all its cells are integers."""
        self.jobs.write(json.dumps({"labels": str(labels), "method": method, "numbers": numbers}) + "\n")
        self.jobs.flush()
        answer = self.answers.readline()
        if not answer:
            raise CrowdKitError(f"crowd-kit ended at {method} on {labels}")
        found: dict[str, Any] = json.loads(answer)
        return found


@contextmanager
def running_crowd_kit() -> Iterator[CrowdKit]:
    """Start crowd-kit and end it; raises `CrowdKitError` if its environment does not exist."""
    if not PYTHON.exists():
        raise CrowdKitError(f"{PYTHON} does not exist; `make bench-trust` makes it")
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            [PYTHON, "-m", "bench.crowd_kit"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process,
    ):
        assert process.stdin is not None and process.stdout is not None
        yield CrowdKit(jobs=process.stdin, answers=process.stdout, folder=Path(folder))
        process.stdin.close()
