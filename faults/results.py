"""The result of each point, written line by line during the run, and their table."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from faults.points import Point

PHASES = ("received", "kept", "committed")
"""The phases of a document between the receipt of its bytes and the response.

Received: nothing of it is stored. Kept: its bytes are stored and not committed. Committed: it is not answered yet.
"""


@dataclass(frozen=True, slots=True)
class Result:
    """One kill: the documents acknowledged before it, those in flight by phase, and the problems."""

    number: int
    engine: str
    target: str
    moment: str
    came: bool
    again: bool
    acknowledged: int
    received: int
    kept: int
    committed: int
    proofs: int
    problems: tuple[str, ...]

    @classmethod
    def of(cls, point: Point, *, came: bool, problems: tuple[str, ...], **counted: int) -> "Result":
        """Return the result of a point; numbers that are not given are 0."""
        numbers = dict.fromkeys(("acknowledged", *PHASES, "proofs"), 0) | counted
        return cls(
            number=point.number,
            engine=point.engine,
            target=point.target.value,
            moment=point.moment.value,
            came=came,
            again=point.again is not None,
            problems=problems,
            **numbers,
        )

    @property
    def line(self) -> str:
        """Return the result on one line, for the console."""
        phases = ", ".join(f"{getattr(self, phase)} {phase}" for phase in PHASES)
        said = f"{self.number}: {self.target} on {self.engine} at {self.moment}"
        return "; ".join((f"{said}: {self.acknowledged} acknowledged", phases, *self.problems))


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A graph rebuilt after the last point of its folder, and the differences."""

    world: str
    engine: str
    entries: int
    problems: tuple[str, ...]

    @property
    def line(self) -> str:
        """Return the result on one line, for the console."""
        return "; ".join((f"{self.world} on {self.engine}: {self.entries} entries rebuilt", *self.problems))


class ResultsFile:
    """Lines of JSON, one for each point or rebuild, each written at once."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def clear(self) -> None:
        """Delete the results of the previous run."""
        self._path.unlink(missing_ok=True)

    def write(self, found: Result | Rebuilt) -> None:
        """Add one line."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(found)) + "\n")

    def read(self) -> tuple[list[Result], list[Rebuilt]]:
        """Return all points by number, the last result of each, and the rebuilds; a truncated line is left out."""
        points: dict[int, Result] = {}
        rebuilt: list[Rebuilt] = []
        for line in self._path.read_text(encoding="utf-8").splitlines() if self._path.exists() else ():
            try:
                found = json.loads(line)
            except json.JSONDecodeError:
                continue
            found["problems"] = tuple(found["problems"])
            if "world" in found:
                rebuilt.append(Rebuilt(**found))
            else:
                points[found["number"]] = Result(**found)
        return sorted(points.values(), key=lambda result: result.number), rebuilt


def summary(points: Sequence[Result], rebuilt: Sequence[Rebuilt]) -> dict[str, Any]:
    """Return the figures of the table as JSON."""
    engines = sorted({point.engine for point in points})
    targets = ("process", "engine", "both")
    rows = [
        _row(engine, target, [point for point in points if (point.engine, point.target) == (engine, target)])
        for engine in engines
        for target in targets
    ]
    moments = [
        {"moment": moment} | _kills([point for point in points if point.moment == moment])
        for moment in sorted({point.moment for point in points})
    ]
    return {
        "kills": [row for row in rows if row["kills"]],
        "moments": moments,
        "rebuilt": {"graphs": len(rebuilt), "entries": sum(found.entries for found in rebuilt)},
        "problems": [problem for point in points for problem in point.problems]
        + [problem for graph in rebuilt for problem in graph.problems],
    }


def table(found: dict[str, Any]) -> str:
    """Return the figures as a page of Markdown."""
    lines = ["# Kills between the receipt of bytes and the answer", ""]
    lines += [
        "Made by `make faults`; [the page](../../docs/explanation/faults.md) lists the kills and the checks.",
        "",
    ]
    heads = (
        "engine",
        "killed",
        "kills",
        "also at restart",
        "acknowledged",
        "on their way",
        *PHASES,
        "proofs",
        "problems",
    )
    lines += _rows(heads, [[row[name] for name in _COLUMNS] for row in found["kills"]])
    lines += ["", "Kills at which at least one document was in the phase, by what was waited for:", ""]
    lines += _rows(
        ("moment", "kills", *PHASES),
        [[row[name] for name in ("moment", "kills", *(f"in_{phase}" for phase in PHASES))] for row in found["moments"]],
    )
    rebuilt, problems = found["rebuilt"], found["problems"]
    lines += ["", f"{rebuilt['graphs']} graphs with {rebuilt['entries']} entries in all were rebuilt and compared."]
    lines += ["", "Problems: none." if not problems else "Problems:", *(f"- {problem}" for problem in problems)]
    return "\n".join(lines) + "\n"


_COLUMNS = (
    *("engine", "target", "kills", "again", "acknowledged", "on_their_way"),
    *(f"in_{phase}" for phase in PHASES),
    *("proofs", "problems"),
)


def _row(engine: str, target: str, points: Sequence[Result]) -> dict[str, Any]:
    return {
        "engine": engine,
        "target": target,
        **_kills(points),
        "again": sum(point.again for point in points),
        "acknowledged": sum(point.acknowledged for point in points),
        "on_their_way": sum(point.received + point.kept + point.committed for point in points),
        "proofs": sum(point.proofs for point in points),
        "problems": sum(len(point.problems) for point in points),
    }


def _kills(points: Sequence[Result]) -> dict[str, int]:
    """Return the number of kills, and of those that met at least one document in each phase."""
    return {"kills": len(points)} | {
        f"in_{phase}": sum(getattr(point, phase) > 0 for point in points) for phase in PHASES
    }


def _rows(heads: Sequence[object], rows: Iterable[Sequence[object]]) -> list[str]:
    lines = [heads, ["---"] * len(heads), *rows]
    return ["| " + " | ".join(map(str, line)) + " |" for line in lines]
