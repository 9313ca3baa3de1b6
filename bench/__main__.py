"""`python -m bench [P1] [P3] [P5] [P6] [audit]`: measures on both engines, into `bench/results/performance.json`."""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
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
from bench.verdicts import measure_verdicts  # noqa: E402

console = Console(stderr=True)

Measure = Callable[[Endpoint], Awaitable[dict[str, Any]]]

MEASURES: dict[str, Measure] = {
    "P1": lambda endpoint: measure_load(endpoint, count=3000),
    "P3": measure_page,
    "P5": measure_verdicts,
    "audit": measure_audit,
}
# What needs no engine is measured once.
WITHOUT_ENGINE: dict[str, Callable[[], Awaitable[dict[str, Any]]]] = {"P6": measure_proofs}


def read_names(arguments: Sequence[str]) -> list[str]:
    """Return the measures that the command line names, all where it names none; exits with status 2 on another."""
    measures = (*MEASURES, *WITHOUT_ENGINE)
    known = ", ".join(measures)
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures the platform on both engines.")
    parser.add_argument("names", nargs="*", metavar="|".join(measures), help="what to measure; all without a name")
    names = parser.parse_args(arguments).names
    for name in names:
        if name not in measures:
            parser.error(f"there is no measure {name!r}; there are {known}")
    return [name for name in measures if name in names] or list(measures)


async def measure_all(names: list[str]) -> None:
    """Run the measures on each engine there is, one after the other, and write the results as they come."""
    for name in [name for name in names if name in WITHOUT_ENGINE]:
        with console.status(name):
            _report(name, "log", await WITHOUT_ENGINE[name]())
    names = [name for name in names if name in MEASURES]
    if not names:
        return
    with tempfile.TemporaryDirectory() as folder:
        async with embedded_engine(Path(folder), heap="1g") as endpoint:
            await _measure_engine("embedded", endpoint, names)
    with tempfile.TemporaryDirectory() as folder:
        try:
            with neo4j_server(os.environ, Path(folder), heap="1g") as endpoint:
                await _measure_engine("neo4j", endpoint, names)
        except NoNeo4jError as error:
            console.print(f"Neo4j is left out: {error}")


async def _measure_engine(engine: str, endpoint: Endpoint, names: list[str]) -> None:
    for name in names:
        with console.status(f"{name} on {engine}"):
            found = await MEASURES[name](endpoint)
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
    asyncio.run(measure_all(read_names(sys.argv[1:])))
