"""`python -m bench [P1] [P3] [P5] [P6] [audit]`: measures on both engines, into `bench/results/performance.json`.

P5 at its full size, 1,000,000 verdicts, is `python -m bench P5 --engine embedded`; `--verdicts` takes fewer.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from graph.database.endpoint import Endpoint
from graph.engine.engine import embedded_engine

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results" / "performance.json"
# How Neo4j is found is the tests' business: NEO4J_URI, Docker, or Maven and Java.
sys.path.insert(0, str(ROOT / "tests"))

from neo4j_server import NoNeo4jError, neo4j_server  # noqa: E402

from bench.audit import measure_audit  # noqa: E402
from bench.load import measure_load  # noqa: E402
from bench.page import measure_page  # noqa: E402
from bench.proofs import measure_proofs  # noqa: E402
from bench.verdicts import SIZES, measure_verdicts  # noqa: E402

console = Console(stderr=True)

Measure = Callable[[Endpoint], Awaitable[dict[str, Any]]]

ENGINES = ("embedded", "neo4j")

MEASURES: dict[str, Measure] = {
    "P1": lambda endpoint: measure_load(endpoint, count=3000),
    "P3": measure_page,
    "P5": measure_verdicts,
    "audit": measure_audit,
}
# What needs no engine is measured once.
WITHOUT_ENGINE: dict[str, Callable[[], Awaitable[dict[str, Any]]]] = {"P6": measure_proofs}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asks for: measures, on which engines, and at how many verdicts P5 ends."""

    names: list[str]
    engines: tuple[str, ...]
    verdicts: int


def read_arguments(arguments: Sequence[str]) -> Asked:
    """Return what the command line asks for: all measures where it names none; exits with status 2 on another."""
    measures = (*MEASURES, *WITHOUT_ENGINE)
    known = ", ".join(measures)
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures the platform on both engines.")
    parser.add_argument("names", nargs="*", metavar="|".join(measures), help="what to measure; all without a name")
    parser.add_argument("--engine", choices=ENGINES, help="measure on this engine alone")
    parser.add_argument("--verdicts", type=int, default=SIZES[-1], help="how many verdicts P5 ends with")
    found = parser.parse_args(arguments)
    names = found.names
    for name in names:
        if name not in measures:
            parser.error(f"there is no measure {name!r}; there are {known}")
    if found.verdicts <= SIZES[0]:
        parser.error(f"--verdicts is {found.verdicts}, not more than {SIZES[0]}")
    chosen = [name for name in measures if name in names] or list(measures)
    return Asked(chosen, (found.engine,) if found.engine else ENGINES, found.verdicts)


async def measure_all(asked: Asked) -> None:
    """Run the measures on each engine there is, one after the other, and write the results as they come."""
    names = asked.names
    for name in [name for name in names if name in WITHOUT_ENGINE]:
        with console.status(name):
            _report(name, "log", await WITHOUT_ENGINE[name]())
    names = [name for name in names if name in MEASURES]
    if not names:
        return
    measures = {**MEASURES, "P5": lambda endpoint: measure_verdicts(endpoint, (SIZES[0], asked.verdicts))}
    chosen = {name: measures[name] for name in names}
    with tempfile.TemporaryDirectory() as folder:
        if "embedded" in asked.engines:
            async with embedded_engine(Path(folder), heap="1g") as endpoint:
                await _measure_engine("embedded", endpoint, chosen)
    with tempfile.TemporaryDirectory() as folder:
        try:
            if "neo4j" in asked.engines:
                with neo4j_server(os.environ, Path(folder), heap="1g") as endpoint:
                    await _measure_engine("neo4j", endpoint, chosen)
        except NoNeo4jError as error:
            console.print(f"Neo4j is left out: {error}")


async def _measure_engine(engine: str, endpoint: Endpoint, measures: Mapping[str, Measure]) -> None:
    for name, measure in measures.items():
        with console.status(f"{name} on {engine}"):
            found = await measure(endpoint)
        _report(name, engine, found)


def _report(name: str, engine: str, found: dict[str, Any]) -> None:
    console.print(f"{name} {engine:9} {json.dumps(found)}", soft_wrap=True)
    _write(name, engine, found)


def _write(name: str, engine: str, found: dict[str, Any]) -> None:
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    results.setdefault(name, {})[engine] = found
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(measure_all(read_arguments(sys.argv[1:])))
