"""Killed at 14 points between the receipt of bytes and the answer: what was acknowledged is there, once and whole.

`make faults` goes through more; docs/explanation/faults.md says what is checked.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from neo4j_server import NoNeo4jError, neo4j_process

from faults.__main__ import read_arguments, write_table
from faults.engines import EmbeddedEngine, Engine, Neo4j
from faults.points import WORLD, Target, draw_points
from faults.results import PHASES, Rebuilt, Result, ResultsFile, summary
from faults.run import run_points

SEED = 2025
KILLS = {
    "embedded": {Target.PROCESS: 6, Target.ENGINE: 1, Target.BOTH: 1},
    "neo4j": {Target.PROCESS: 4, Target.ENGINE: 1, Target.BOTH: 1},
}


@contextmanager
def engine_to_kill(name: str, home: Path) -> Iterator[Engine]:
    """Yield an engine that no other test uses."""
    if name == "embedded":
        yield EmbeddedEngine()
        return
    try:
        with neo4j_process(os.environ, home) as process:
            yield Neo4j(process)
    except NoNeo4jError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


@pytest.mark.both_engines
@pytest.mark.timeout(1800)  # a hang; on a quiet machine it takes two minutes
@pytest.mark.parametrize("name", list(KILLS))
async def test_what_is_killed_loses_nothing_and_leaves_nothing_half_written(name: str, tmp_path: Path) -> None:
    found: list[Result | Rebuilt] = []
    with engine_to_kill(name, tmp_path) as engine:
        await run_points(draw_points(SEED, KILLS[name], [name]), {name: engine}, found.append)
    assert [problem for one in found for problem in one.problems] == []
    points = [one for one in found if isinstance(one, Result)]
    (rebuilt,) = (one for one in found if isinstance(one, Rebuilt))
    assert len(points) == sum(KILLS[name].values())
    assert sum(point.acknowledged for point in points) < rebuilt.entries
    # Where each kill lands depends on the machine; on none do all of them miss one of the phases.
    assert all(sum(getattr(point, phase) for point in points) for phase in PHASES)


def test_the_points_depend_on_the_seed_alone() -> None:
    counts = {Target.PROCESS: 50, Target.ENGINE: 5, Target.BOTH: 5}
    points = draw_points(1, counts, ["embedded", "neo4j"])
    assert points == draw_points(1, counts, ["embedded", "neo4j"])
    assert points != draw_points(2, counts, ["embedded", "neo4j"])
    assert [point.number for point in points] == list(range(60))
    assert {target: sum(point.target is target for point in points) for target in Target} == counts
    assert {point.engine for point in points[:WORLD]} == {"embedded"}
    assert {point.engine for point in points[WORLD : 2 * WORLD]} == {"neo4j"}


def result(number: int, *problems: str, **counted: int) -> Result:
    (*_, point) = draw_points(1, {Target.PROCESS: number + 1}, ["embedded"])
    return Result.of(point, came=True, problems=problems, **counted)


def test_results_are_kept_as_they_come_and_a_line_that_was_cut_off_counts_as_none(tmp_path: Path) -> None:
    kept = ResultsFile(tmp_path / "results.jsonl")
    kept.write(result(1, kept=2))
    kept.write(result(0, acknowledged=7))
    kept.write(Rebuilt("world 0", "embedded", 12, ()))
    with (tmp_path / "results.jsonl").open("a") as file:
        file.write('{"number": 2, "eng')
    points, rebuilt = kept.read()
    assert points == [result(0, acknowledged=7), result(1, kept=2)]
    assert rebuilt == [Rebuilt("world 0", "embedded", 12, ())]


def test_the_table_counts_kills_by_the_phases_that_they_met(tmp_path: Path) -> None:
    kept = ResultsFile(tmp_path / "results.jsonl")
    kept.write(result(0, acknowledged=7, received=3, kept=1))
    kept.write(result(1, "acknowledged and lost: this", received=2))
    (row,) = summary(*kept.read())["kills"]
    assert (row["kills"], row["acknowledged"], row["on_their_way"], row["problems"]) == (2, 7, 6, 1)
    assert (row["in_received"], row["in_kept"], row["in_committed"]) == (2, 1, 0)
    write_table(kept, tmp_path)
    assert "- acknowledged and lost: this" in (tmp_path / "faults.md").read_text()


def test_the_run_of_the_makefile_has_500_kills_of_the_process_and_50_of_the_engine() -> None:
    arguments = read_arguments([])
    assert (arguments.process, arguments.engine, arguments.resume) == (500, 50, False)
