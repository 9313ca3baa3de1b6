"""What `python -m bench` is asked to measure."""

import re
import subprocess
import sys

import pytest

from bench import library_page, page
from bench.__main__ import MEASURES, PAGE, WITHOUT_ENGINE, read_arguments, read_results
from bench.exports import measure_exports
from bench.markdown import MarkerError, fill_page
from bench.proofs import measure_proofs
from bench.report import tables_of
from bench.verdicts import measure_verdicts
from graph.database.endpoint import Endpoint
from graph.export import ExportFormat
from graph.store import Store


def test_without_a_name_all_is_measured() -> None:
    assert read_arguments([]).names == [*MEASURES, *WITHOUT_ENGINE]


def test_measures_are_chosen_by_name() -> None:
    assert read_arguments(["P3"]).names == ["P3"]


def test_the_library_is_asked_for_the_same_page() -> None:
    def leaves(query: str) -> list[str]:
        """Return the fields of a query that have none below them."""
        body = re.sub(r"\([^)]*\)", "", query[query.index("{") :])
        return sorted(re.findall(r"\w+(?!\s*\{)\b", body))

    assert leaves(library_page.PAGE) == leaves(page.PAGE)


@pytest.mark.parametrize(
    "arguments",
    [
        ["P2"],
        ["P1", "p3"],
        ["--fast"],
        ["P5", "--verdicts", "10000"],
        ["P7", "--statements", "9"],
        ["--engine", "sqlite"],
    ],
)
def test_what_is_no_measure_is_status_2_and_the_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        read_arguments(arguments)
    assert stopped.value.code == 2
    said = capsys.readouterr().err
    assert "usage: python -m bench" in said
    assert all(name in said for name in (*MEASURES, *WITHOUT_ENGINE))


def test_one_engine_and_a_size_can_be_chosen() -> None:
    asked = read_arguments(["P5", "--engine", "embedded", "--verdicts", "100000"])
    assert (asked.names, asked.engines, asked.verdicts) == (["P5"], ("embedded",), 100_000)


def test_help_names_the_measures(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        read_arguments(["--help"])
    assert stopped.value.code == 0
    said = capsys.readouterr().out
    assert all(name in said for name in (*MEASURES, *WITHOUT_ENGINE))


async def test_the_proofs_that_are_measured_hold() -> None:
    found = await measure_proofs(sizes=(1_000, 3_000), proofs=5, rounds=1)
    assert found["leaves"] == [1_000, 3_000]
    assert found["recent"] > 0 < found["any"]


async def test_the_cost_of_a_new_score_is_measured(store: Store, engine: Endpoint) -> None:
    found = await measure_verdicts(engine, sizes=(200, 400), verdicts=5, agents=30)
    assert found["verdicts"] == [200, 400]
    assert found["ratio"] > 0


async def test_the_memory_and_the_speed_of_exports_are_measured(store: Store, engine: Endpoint) -> None:
    found = await measure_exports(engine, (20, 40), (ExportFormat.CYPHER, ExportFormat.PARQUET))
    assert found["statements"] == [20, 40]
    assert 0 < found["formats"]["parquet"]["peak"] <= found["peak"]
    assert found["formats"]["cypher"]["speed"] == 1


def test_the_page_shows_the_results_that_are_kept() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert fill_page(page, "bench", tables_of(read_results())) == page


def test_a_measure_without_results_is_said_to_have_none_and_one_without_a_place_is_an_error() -> None:
    found = {"P6": {"log": {"leaves": [10, 100], "any": 1.5, "recent": 1.25}}, "P9": {}}
    tables = {"P6": tables_of(found)["P6"]}
    assert tables_of(found)["P1"] == "\nNot measured yet.\n\n"
    page = "# A\n<!-- bench:P6 -->\nold\n<!-- bench:end -->\n"
    filled = fill_page(page, "bench", tables)
    assert "| log | 100 | 10 | 1.50 | 1.25 |" in filled and "old" not in filled
    assert fill_page(filled, "bench", tables) == filled
    with pytest.raises(MarkerError, match="0 places for P6"):
        fill_page("# A\n", "bench", tables)


def test_the_formats_of_exports_can_be_chosen() -> None:
    assert read_arguments(["P7"]).formats == tuple(ExportFormat)
    chosen = read_arguments(["P7", "--format", "parquet", "--format", "cypher"]).formats
    assert chosen == (ExportFormat.CYPHER, ExportFormat.PARQUET)


def test_the_peak_of_a_process_is_without_what_its_parent_held() -> None:
    held = b"held" * 2**26
    peak = subprocess.run(
        [sys.executable, "-c", "from bench.memory import peak_kib; print(peak_kib())"],
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    assert int(peak) * 1024 < len(held)
