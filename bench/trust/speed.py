"""Speed on 1,000,000 verdicts: the default beside crowd-kit's Dawid-Skene, in time, accuracy and memory.

Each method runs in a process of its own and starts from three columns of integers in memory; reading them is not timed,
finding the distinct items and workers is. Items without a label are in no figure. The two methods take turns, so that a
busy machine slows both; processor time hardly depends on other processes.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from bench.memory import peak_kib
from bench.trust.accuracy import credit, percent
from bench.trust.crowd import Crowd, write_labels
from bench.trust.crowd_kit import running_crowd_kit
from bench.trust.population import Size, draw_population
from graph.inference.inference import infer
from graph.inference.label_set import LabelSet

SIZE = Size(agents=1_000, claims=100_000, each=10.0)
ROUNDS = 3
_ROOT = Path(__file__).parent.parent.parent
_COLUMNS = ("item", "worker", "label")


def measure_speed(size: Size = SIZE, rounds: int = ROUNDS, random_seed: int = 0) -> dict[str, Any]:
    """Return the median over the rounds of crowd-kit's time ÷ ours, with accuracies (%) and peak memory (MiB)."""
    crowd = draw_population(size, np.random.default_rng(random_seed)).crowd
    ours: list[dict[str, Any]] = []
    theirs: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_labels(crowd, folder / "label.csv")
        np.savez(folder / "label.npz", item=crowd.item, worker=crowd.worker, label=crowd.label)
        for _ in range(rounds):
            ours.append(_run_ours(folder, crowd))
            theirs.append(_run_theirs(folder, crowd))
    return {
        "verdicts": len(crowd.item),
        "claims": size.claims,
        "agents": size.agents,
        "rounds": rounds,
        "ratio": _ratio(ours, theirs, "seconds"),
        "processor_ratio": _ratio(ours, theirs, "processor"),
        "ours": _figures(ours),
        "crowd-kit DawidSkene": _figures(theirs),
    }


def _run_ours(folder: Path, crowd: Crowd) -> dict[str, Any]:
    answer = subprocess.run(
        [sys.executable, "-m", "bench.trust.speed", str(folder)], cwd=_ROOT, check=True, stdout=subprocess.PIPE
    )
    shares = np.load(folder / "posterior.npy")
    found: dict[str, Any] = json.loads(answer.stdout)
    return {**found, "accuracy": percent(credit(shares, crowd.truth[np.unique(crowd.item)]))}


def _run_theirs(folder: Path, crowd: Crowd) -> dict[str, Any]:
    with running_crowd_kit() as kit:
        found = kit.run(folder / "label.csv", "DawidSkene", numbers=True)
    best = found.pop("best")
    shares = np.zeros((len(best), len(crowd.names)))
    for place, tied in enumerate(best.values()):
        shares[place, [int(label) for label in tied]] = 1 / len(tied)
    truth = crowd.truth[[int(item) for item in best]]
    return {**found, "accuracy": percent(credit(shares, truth))}


def _ratio(ours: list[dict[str, Any]], theirs: list[dict[str, Any]], time_of: str) -> float:
    return round(median(float(b[time_of] / a[time_of]) for a, b in zip(ours, theirs, strict=True)), 2)


def _figures(runs: list[dict[str, Any]]) -> dict[str, float]:
    return {
        "seconds": round(median(run["seconds"] for run in runs), 3),
        "processor": round(median(run["processor"] for run in runs), 3),
        "accuracy": runs[0]["accuracy"],
        "peak_mib": round(max(run["peak_kib"] for run in runs) / 1024, 1),
        "peak_over_start_mib": round(max(run["peak_kib"] - run["before_kib"] for run in runs) / 1024, 1),
    }


def _time_default(folder: Path) -> dict[str, float]:
    """Run the default on the columns of the folder, in this process, and write its posterior beside them."""
    with np.load(folder / "label.npz") as file:
        columns = [file[name] for name in _COLUMNS]
    before = peak_kib()
    started, worked = time.perf_counter(), time.process_time()
    (items, item), (workers, worker), (labels, label) = (np.unique(one, return_inverse=True) for one in columns)
    estimate = infer(
        LabelSet(items=len(items), workers=len(workers), labels=len(labels), item=item, worker=worker, label=label)
    )
    seconds, processor = time.perf_counter() - started, time.process_time() - worked
    after = peak_kib()
    np.save(folder / "posterior.npy", estimate.posterior)
    return {
        "seconds": seconds,
        "processor": processor,
        "before_kib": before,
        "peak_kib": after,
    }


if __name__ == "__main__":
    print(json.dumps(_time_default(Path(sys.argv[1]))))
