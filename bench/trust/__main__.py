"""`python -m bench.trust`: one run on a pair of label files, or all tables into `bench/results/trust.json`."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from rich.console import Console

from bench.markdown import MarkerError
from bench.trust.attacks import measure_attacks
from bench.trust.calibration import measure_calibration
from bench.trust.crowd import CrowdError, read_crowd
from bench.trust.crowd_kit import CrowdKitError, running_crowd_kit
from bench.trust.diagram import draw_price, draw_reliability
from bench.trust.goals import compare_goals
from bench.trust.methods import METHODS
from bench.trust.price import curves, measure_price
from bench.trust.published import measure_published
from bench.trust.published_sets import measure_published_sets
from bench.trust.report import TABLES, write_page
from bench.trust.run import measure_run
from bench.trust.sets import measure_sets, read_sets
from bench.trust.speed import measure_speed
from bench.trust.sybil import Attack, Threat
from bench.trust.sybil_table import measure_sybil

ROOT = Path(__file__).parent.parent.parent
RESULTS = ROOT / "bench" / "results" / "trust.json"
PAGE = ROOT / "docs" / "explanation" / "consensus-measurements.md"
DIAGRAM = ROOT / "docs" / "explanation" / "reliability.svg"
CURVE = ROOT / "docs" / "explanation" / "price.svg"
SETS = ROOT / "tests" / "vectors" / "crowd"

console = Console(stderr=True)


def _sets(folder: Path) -> dict[str, Any]:
    with running_crowd_kit() as kit:
        return measure_sets(read_sets(folder), kit)


def _sybil(folder: Path) -> dict[str, Any]:
    with running_crowd_kit() as kit:
        return measure_sybil(read_sets(folder), kit)


MEASURES: dict[str, Callable[[Path], dict[str, Any]]] = {
    "sets": _sets,
    "sybil": _sybil,
    "speed": lambda folder: measure_speed(),
    "calibration": lambda folder: measure_calibration(),
    "published": lambda folder: {**measure_published(), "sets": measure_published_sets(read_sets(folder))},
    "attacks": lambda folder: measure_attacks(),
    "price": lambda folder: measure_price(),
}


class _OneLineParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Print the error on one line and exit with status 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def read_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line; exits with status 2 and one line of error if it is invalid."""
    parser = _OneLineParser(prog="python -m bench.trust", description=__doc__)
    parser.add_argument("measures", nargs="*", metavar="|".join(MEASURES), help="which tables; all without a name")
    parser.add_argument("--crowd", type=Path, default=os.environ.get("CROWD", SETS), help="folder of label sets")
    parser.add_argument("--write-docs", action="store_true", help=f"write the last results into {PAGE.name}")
    one = parser.add_argument_group("one run")
    one.add_argument("--labels", type=Path, help="CSV of item,worker,label")
    one.add_argument("--truth", type=Path, help="CSV of item,truth")
    one.add_argument("--method", choices=METHODS, default="default")
    one.add_argument("--sybil", type=_share, default=0.0, help="share of fakes among all identities, in [0, 1)")
    one.add_argument("--attack", choices=[attack.value for attack in Attack], default=Attack.BLUNT.value)
    one.add_argument("--trusted", type=_count, default=0, help="how many real workers the operator knows")
    one.add_argument("--gold", type=_portion, default=0.0, help="share of the items whose truth the operator knows")
    one.add_argument("--random-seed", type=_count, default=0)
    read = parser.parse_args(arguments)
    if (read.labels is None) != (read.truth is None):
        parser.error("--labels and --truth belong together")
    if unknown := [name for name in read.measures if name not in MEASURES]:
        parser.error(f"there is no measure {unknown[0]!r}; there are {', '.join(MEASURES)}")
    return read


def _portion(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value


def _share(text: str) -> float:
    value = _portion(text)
    # 99 fakes to each real worker are attack enough, and at 1 there would be no end of them.
    if value > 0.99:
        raise argparse.ArgumentTypeError(f"{text} is over 0.99")
    return value


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0")
    return int(text)


def run_once(read: argparse.Namespace) -> None:
    """Print one line of JSON about one pair of files."""
    crowd = read_crowd(read.labels, read.truth)
    threat = Threat(read.sybil, Attack(read.attack), read.trusted, read.gold, read.random_seed)
    print(json.dumps(measure_run(crowd, read.method, threat)))


def measure_tables(names: Sequence[str], folder: Path) -> None:
    """Measure each table, print it and save it before the next one."""
    for name in names:
        with console.status(name):
            found = MEASURES[name](folder)
        print(f"# {name}\n{TABLES[name](found)}", flush=True)
        _keep(name, found)
    print(f"# goals\n{TABLES['goals']({'rows': compare_goals(_results())})}")


def _keep(name: str, found: dict[str, Any]) -> None:
    results = {**_results(), name: found}
    ordered = {measure: results[measure] for measure in MEASURES if measure in results}
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")


def _results() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    return found


def write_docs() -> None:
    """Write the tables and the diagrams of the last results."""
    results = _results()
    write_page(PAGE, {**results, "goals": {"rows": compare_goals(results)}})
    densities = results["calibration"]["densities"]
    series = {f"{each} verdicts a claim": one["bins"] for each, one in densities.items()}
    DIAGRAM.write_text(draw_reliability(series), encoding="utf-8")
    CURVE.write_text(draw_price(curves(results["price"])), encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit status."""
    read = read_arguments(arguments)
    try:
        if read.labels is not None:
            run_once(read)
        elif read.write_docs:
            write_docs()
        else:
            measure_tables(read.measures or list(MEASURES), read.crowd)
    except (CrowdError, CrowdKitError, MarkerError) as error:
        print(f"python -m bench.trust: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
