"""`python -m bench [P1] [P3] [P5] [P6] [P7] [audit] [batch] [graph] [pages]`: measures the platform.

The results are in `bench/results/performance.json`.

P5 at its full size, 1,000,000 verdicts, is `python -m bench P5 --engine embedded`; `--verdicts` takes fewer. P7 at its
full size, 1,000,000 statements, loads for half an hour per engine; `--statements` takes fewer, `--format` measures one
more format beside the Cypher script instead of all. `--write-docs` writes the last results into
`docs/explanation/performance.md`.
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
from graph.export.format import ExportFormat

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results" / "performance.json"
PAGE = ROOT / "docs" / "explanation" / "performance.md"
# How Neo4j is found is the tests' business: NEO4J_URI, Docker, or Maven and Java.
sys.path.insert(0, str(ROOT / "tests"))

from neo4j_server import NoNeo4jError, neo4j_server  # noqa: E402

from bench import exports  # noqa: E402
from bench.audit import measure_audit  # noqa: E402
from bench.batches import measure_batches  # noqa: E402
from bench.graph_page import measure_graph_page  # noqa: E402
from bench.load import measure_load  # noqa: E402
from bench.markdown import fill_page  # noqa: E402
from bench.page import measure_page  # noqa: E402
from bench.proofs import measure_proofs  # noqa: E402
from bench.report import tables_of  # noqa: E402
from bench.verdicts import SIZES, measure_verdicts  # noqa: E402
from bench.web_pages import measure_web_pages  # noqa: E402

console = Console(stderr=True)

Measure = Callable[[Endpoint], Awaitable[dict[str, Any]]]

ENGINES = ("embedded", "neo4j")

MEASURES: dict[str, Measure] = {
    "P1": lambda endpoint: measure_load(endpoint, count=3000),
    "P3": measure_page,
    "P5": measure_verdicts,
    "P7": exports.measure_exports,
    "audit": measure_audit,
    "batch": measure_batches,
    "graph": measure_graph_page,
    "pages": measure_web_pages,
}
# What needs no engine is measured once.
WITHOUT_ENGINE: dict[str, Callable[[], Awaitable[dict[str, Any]]]] = {"P6": measure_proofs}


@dataclass(frozen=True, slots=True)
class Asked:
    """The command line: measures, engines, final sizes of P5 and P7, and the formats of P7."""

    names: list[str]
    engines: tuple[str, ...]
    verdicts: int
    statements: int
    formats: tuple[ExportFormat, ...]
    write_docs: bool = False


def read_arguments(arguments: Sequence[str]) -> Asked:
    """Return the command line: all measures if it names none; exits with status 2 on an unknown one."""
    measures = (*MEASURES, *WITHOUT_ENGINE)
    known = ", ".join(measures)
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures the platform on both engines.")
    parser.add_argument("names", nargs="*", metavar="|".join(measures), help="what to measure; all without a name")
    parser.add_argument("--engine", choices=ENGINES, help="measure on this engine alone")
    parser.add_argument("--verdicts", type=int, default=SIZES[-1], help="how many verdicts P5 ends with")
    parser.add_argument("--statements", type=int, default=exports.SIZES[-1], help="how many statements P7 ends with")
    parser.add_argument(
        "--format",
        choices=[format.value for format in ExportFormat],
        action="append",
        help="a format of P7; all without",
    )
    parser.add_argument("--write-docs", action="store_true", help=f"write the last results into {PAGE.name}")
    found = parser.parse_args(arguments)
    names = found.names
    for name in names:
        if name not in measures:
            parser.error(f"there is no measure {name!r}; there are {known}")
    if found.verdicts <= SIZES[0]:
        parser.error(f"--verdicts is {found.verdicts}, not more than {SIZES[0]}")
    if found.statements <= exports.SIZES[0]:
        parser.error(f"--statements is {found.statements}, not more than {exports.SIZES[0]}")
    chosen = [name for name in measures if name in names] or list(measures)
    engines = (found.engine,) if found.engine else ENGINES
    formats = (
        tuple(dict.fromkeys(map(ExportFormat, ("cypher", *found.format)))) if found.format else tuple(ExportFormat)
    )
    return Asked(chosen, engines, found.verdicts, found.statements, formats, found.write_docs)


async def measure_all(asked: Asked) -> None:
    """Run the measures on each available engine, one after the other, and write each result when it is there."""
    names = asked.names
    for name in [name for name in names if name in WITHOUT_ENGINE]:
        with console.status(name):
            _report(name, "log", await WITHOUT_ENGINE[name]())
    names = [name for name in names if name in MEASURES]
    if not names:
        return
    measures = {
        **MEASURES,
        "P5": lambda endpoint: measure_verdicts(endpoint, (SIZES[0], asked.verdicts)),
        "P7": lambda endpoint: exports.measure_exports(endpoint, (exports.SIZES[0], asked.statements), asked.formats),
    }
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
    results = read_results()
    results.setdefault(name, {})[engine] = found
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def read_results() -> dict[str, Any]:
    """Return the last results, by measure and engine."""
    found: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    return found


def write_docs() -> None:
    """Write the tables of the last results into the page."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(fill_page(page, "bench", tables_of(read_results())), encoding="utf-8")


def main(asked: Asked) -> None:
    """Run the command line."""
    if asked.write_docs:
        write_docs()
    else:
        asyncio.run(measure_all(asked))


if __name__ == "__main__":
    main(read_arguments(sys.argv[1:]))
