"""Runs points one after the other, with a data folder for each world of them, and reports their results."""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from faults.engines import Engine
from faults.points import WORLD, Point
from faults.results import Rebuilt, Result
from faults.world import World

Found = Callable[[Result | Rebuilt], None]


async def run_points(points: Iterable[Point], engines: Mapping[str, Engine], found: Found) -> None:
    """Run each point and report its result, and after the last point of a world whether it rebuilds.

    A point that cannot be completed is a problem as well; its world ends there.
    """
    for name, group in _worlds(points):
        engine_name = group[0].engine
        with tempfile.TemporaryDirectory(prefix="a2ap-faults-") as folder:
            world = World(name, engine_name, engines[engine_name], Path(folder) / "data")
            try:
                await world.found()
                for point in group:
                    found(await _run_point(world, point))
                found(await _end(world))
            except _StoppedError as stopped:
                found(stopped.result)
            finally:
                await world.clear()


class _StoppedError(Exception):
    """A point that could not be completed."""

    def __init__(self, result: Result) -> None:
        super().__init__(result)
        self.result = result


async def _run_point(world: World, point: Point) -> Result:
    try:
        return await world.run(point)
    except Exception as error:
        problem = f"point {point.number} stopped: {type(error).__name__}: {error}"
        raise _StoppedError(Result.of(point, came=False, problems=(problem,))) from error


async def _end(world: World) -> Rebuilt:
    try:
        return await world.end()
    except Exception as error:
        problem = f"{world.name} cannot be rebuilt: {type(error).__name__}: {error}"
        return Rebuilt(world.name, world.engine_name, len(world.receipts), (problem,))


def _worlds(points: Iterable[Point]) -> Iterator[tuple[str, Sequence[Point]]]:
    for number, group in groupby(points, lambda point: point.number // WORLD):
        yield f"world {number}", list(group)
