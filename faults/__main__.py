"""`python -m faults`: kills a platform, its engine or both, as often as given, and writes a table of the results."""

import argparse
import asyncio
import json
import os
import signal
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "faults" / "results"
# The builders of signed documents, and how Neo4j is found, are the tests' business.
sys.path.insert(0, str(ROOT / "tests"))

from neo4j_server import NoNeo4jError, neo4j_process  # noqa: E402

from faults.engines import EmbeddedEngine, Engine, Neo4j  # noqa: E402
from faults.points import Target, draw_points  # noqa: E402
from faults.results import Rebuilt, Result, ResultsFile, summary, table  # noqa: E402
from faults.run import run_points  # noqa: E402

console = Console(stderr=True)


def read_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """Return the number of kills of each kind, the seed, the engines, and whether to resume."""
    parser = argparse.ArgumentParser(prog="python -m faults", description="Kills the platform and looks what is left.")
    parser.add_argument("--process", type=int, default=500, help="kills of the platform's process")
    parser.add_argument("--engine", type=int, default=50, help="kills of the engine's process")
    parser.add_argument("--both", type=int, default=50, help="kills of both")
    parser.add_argument("--seed", type=int, default=1, help="the number that all points are drawn from")
    parser.add_argument(
        "--on", choices=("embedded", "neo4j"), action="append", help="an engine; both where none is named"
    )
    parser.add_argument("--resume", action="store_true", help="leave out the points whose results are there")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of the results")
    return parser.parse_args(arguments)


async def run(arguments: argparse.Namespace) -> int:
    """Run the points of the command line, write the table, and return 1 if there was a problem."""
    counts = {
        Target.PROCESS: arguments.process,
        Target.ENGINE: arguments.engine,
        Target.BOTH: arguments.both,
    }
    names = arguments.on or ["embedded", "neo4j"]
    kept = ResultsFile(arguments.results / f"seed-{arguments.seed}.jsonl")
    if not arguments.resume:
        kept.clear()
    done = {result.number for result in kept.read()[0]}
    points = [point for point in draw_points(arguments.seed, counts, names) if point.number not in done]

    def found(result: Result | Rebuilt) -> None:
        kept.write(result)
        console.print(result.line, markup=False, highlight=False, soft_wrap=True)
        write_table(kept, arguments.results)

    # Told to end, it leaves no process and no folder behind.
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    with ExitStack() as stack:
        engines: dict[str, Engine] = {"embedded": EmbeddedEngine()}
        if "neo4j" in names:
            home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="a2ap-neo4j-")))
            engines["neo4j"] = Neo4j(stack.enter_context(neo4j_process(os.environ, home)))
        await run_points(points, engines, found)
    return 1 if summary(*kept.read())["problems"] else 0


def write_table(kept: ResultsFile, folder: Path) -> None:
    """Write the figures so far as JSON and as Markdown."""
    figures = summary(*kept.read())
    (folder / "faults.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    (folder / "faults.md").write_text(table(figures), encoding="utf-8")


if __name__ == "__main__":
    try:
        raise SystemExit(asyncio.run(run(read_arguments())))
    except NoNeo4jError as error:
        raise SystemExit(f"{error}; --on embedded leaves it out") from error
