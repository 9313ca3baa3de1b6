"""What `python -m bench` is asked to measure."""

import pytest

from bench.__main__ import MEASURES, WITHOUT_ENGINE, read_arguments
from bench.proofs import measure_proofs
from bench.verdicts import measure_verdicts
from graph.database.endpoint import Endpoint
from graph.store import Store


def test_without_a_name_all_is_measured() -> None:
    assert read_arguments([]).names == [*MEASURES, *WITHOUT_ENGINE]


def test_measures_are_chosen_by_name() -> None:
    assert read_arguments(["P3"]).names == ["P3"]


@pytest.mark.parametrize(
    "arguments", [["P2"], ["P1", "p3"], ["--fast"], ["P5", "--verdicts", "10000"], ["--engine", "sqlite"]]
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
