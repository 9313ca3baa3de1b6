"""What `python -m bench.trust` does with label files, fakes and gold, and what the default keeps under attack."""

import csv
import io
import json
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.markdown import MarkerError
from bench.trust.__main__ import MEASURES, PAGE, RESULTS, SETS, main
from bench.trust.accuracy import credit, percent
from bench.trust.calibration import expected_calibration_error, reliability_bins
from bench.trust.crowd import UNKNOWN, Crowd, CrowdError, read_crowd, write_labels
from bench.trust.diagram import draw_reliability
from bench.trust.goals import compare_goals
from bench.trust.methods import METHODS
from bench.trust.population import Size, draw_population
from bench.trust.report import TABLES, fill_page
from bench.trust.run import measure_run
from bench.trust.sets import read_sets
from bench.trust.sybil import TARGETS, Attack, Threat, attack_crowd, count_fakes, draw_lies

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=6)
LABELS, TRUTH = ("item", "worker", "label"), ("item", "truth")
SMALL = "item,worker,label\na,x,0\na,y,1\nb,x,1\n", "item,truth\na,0\nb,1\n"


@pytest.fixture(scope="module")
def sets() -> dict[str, Crowd]:
    return read_sets(SETS)


def as_csv(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows([head, *rows])
    return text.getvalue()


def pair(folder: Path, labels: str, truth: str) -> list[str]:
    (folder / "label.csv").write_text(labels, encoding="utf-8", newline="")
    (folder / "truth.csv").write_text(truth, encoding="utf-8", newline="")
    return ["--labels", str(folder / "label.csv"), "--truth", str(folder / "truth.csv")]


def run_main(arguments: list[str]) -> tuple[int, str]:
    """The exit status, whichever way the program ends, and what it printed."""
    said = io.StringIO()
    try:
        with redirect_stdout(said):
            return main(arguments), said.getvalue()
    except SystemExit as stopped:
        return int(str(stopped.code)), said.getvalue()


def run_once(folder: Path, labels: str, truth: str, *more: str) -> dict[str, Any]:
    status, said = run_main([*pair(folder, labels, truth), *more])
    assert status == 0
    (line,) = said.splitlines()
    return dict(json.loads(line))


# Files


@given(
    rows=st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=20),
    answers=st.dictionaries(TEXTS, TEXTS, max_size=6),
    method=st.sampled_from(sorted(METHODS)),
    sybil=st.sampled_from(["0", "0.4", "0.6"]),
    attack=st.sampled_from(["blunt", "camouflaged"]),
    gold=st.sampled_from(["0", "0.1", "1"]),
)
@settings(max_examples=60, deadline=None)
def test_any_pair_of_files_gives_one_line_of_json(tmp_path_factory, rows, answers, method, sybil, attack, gold):
    answers = {**answers, rows[0][0]: rows[0][2]}
    found = run_once(
        tmp_path_factory.mktemp("any"),
        as_csv(LABELS, rows),
        as_csv(TRUTH, answers.items()),
        *("--method", method, "--sybil", sybil, "--attack", attack, "--trusted", "2", "--gold", gold),
    )
    items = {item for item, _, _ in rows}
    assert found["accuracy"] is None or 0 <= found["accuracy"] <= 100
    assert found["items"] == len(items)
    assert found["items_without_truth"] == len(items - answers.keys())
    assert found["truth_without_labels"] == len(answers.keys() - items)
    assert found["fakes"] == round(float(sybil) / (1 - float(sybil)) * found["workers"])


def test_what_truth_does_not_know_or_nobody_labelled_is_counted_apart(tmp_path):
    labels, truth = SMALL
    found = run_once(tmp_path, labels + "c,x,1\n", truth + "d,1\n", "--method", "majority")
    assert (found["items"], found["items_counted"]) == (3, 2)
    assert (found["items_without_truth"], found["truth_without_labels"]) == (1, 1)


def test_a_line_that_is_said_again_counts_once(tmp_path):
    labels, truth = SMALL
    found = run_once(tmp_path, labels + "a,y,1\na,y,1\n", truth, "--method", "majority")
    assert (found["verdicts"], found["repeated_lines"]) == (3, 2)
    assert found["accuracy"] == 75.0


def test_columns_are_found_by_name_in_any_order(tmp_path):
    found = run_once(tmp_path, "label,extra,item,worker\n0,?,a,x\n", "truth,item\n0,a\n", "--method", "majority")
    assert found["accuracy"] == 100.0


def test_labels_that_are_written_read_the_same(tmp_path, sets):
    crowd = sets["CF"]
    write_labels(crowd, tmp_path / "label.csv")
    again = read_crowd(tmp_path / "label.csv", SETS / "CF" / "truth.csv")
    assert (again.items, again.workers, again.names) == (crowd.items, crowd.workers, crowd.names)
    for one, other in ((again.item, crowd.item), (again.worker, crowd.worker), (again.label, crowd.label)):
        assert (one == other).all()


@pytest.mark.parametrize(
    ("labels", "truth", "said"),
    [
        ("", SMALL[1], "has no column 'item'"),
        ("item,worker\na,x\n", SMALL[1], "has no column 'label'"),
        ("item,worker,label\n", SMALL[1], "holds no labels"),
        ("item,worker,label\na,x\n", SMALL[1], "empty cell in line 2"),
        ("item,worker,label\na,x,\n", SMALL[1], "empty cell in line 2"),
        ('item,worker,label\n"a"b,x,0\n', SMALL[1], "is no CSV"),
        (SMALL[0], "item\na\n", "has no column 'truth'"),
        (SMALL[0], "item,truth\na,0\na,1\n", "says of item 'a' that it is '0' and '1'"),
        (SMALL[0], "item,truth\nz,0\n", "says the truth of none of the items"),
        (SMALL[0], "item,truth\n", "says the truth of none of the items"),
    ],
)
def test_a_bad_file_is_one_line_and_status_2(tmp_path, capsys, labels, truth, said):
    assert run_main(pair(tmp_path, labels, truth)) == (2, "")
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_a_file_that_is_not_there_or_no_text_is_one_line_and_status_2(tmp_path, capsys):
    arguments = pair(tmp_path, *SMALL)
    (tmp_path / "label.csv").write_bytes(b"item,worker,label\n\xff,x,0\n")
    assert run_main(arguments)[0] == 2
    (tmp_path / "label.csv").unlink()
    assert run_main(arguments)[0] == 2
    no_text, not_there = capsys.readouterr().err.splitlines()
    assert "is no UTF-8" in no_text
    assert "cannot be read: No such file" in not_there


@pytest.mark.parametrize(
    "arguments",
    [
        ["--labels", "label.csv"],
        ["--method", "best"],
        ["--sybil", "1"],
        ["--sybil", "nan"],
        ["--gold", "-0.1"],
        ["--gold", "some"],
        ["--trusted", "-1"],
        ["--trusted", "1.5"],
        ["--attack", "sly"],
        ["accuracy"],
    ],
)
def test_what_the_command_line_cannot_mean_is_one_line_and_status_2(capsys, arguments):
    assert run_main(arguments) == (2, "")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("python -m bench.trust: ")


def test_the_four_sets_are_the_published_ones(sets):
    assert {name: (len(one.items), len(one.workers), len(one.names)) for name, one in sets.items()} == {
        "rte": (800, 164, 2),
        "CF": (300, 461, 5),
        "senti_1k": (1000, 85, 2),
        "ZenCrowd_us": (2040, 74, 2),
    }


def test_a_folder_without_sets_is_said(tmp_path):
    with pytest.raises(CrowdError, match=r"has no folder with a label\.csv"):
        read_sets(tmp_path)


# Accuracy


def test_ties_are_credited_by_share():
    shares = np.array([[0.5, 0.5, 0.0], [0.2, 0.4, 0.4], [1.0, 1.0, 1.0], [0.1, 0.8, 0.1]])
    assert credit(shares, np.array([0, 0, 2, 1])).tolist() == [0.5, 0.0, 1 / 3, 1.0]


def test_no_number_earns_nothing():
    assert credit(np.full((1, 2), np.nan), np.array([0])).tolist() == [0.0]
    assert percent(np.empty(0)) is None


@pytest.mark.parametrize(
    ("name", "majority", "wawa"),
    [("rte", 89.69, 92.12), ("CF", 88.22, 89.33), ("senti_1k", 93.35, 95.10), ("ZenCrowd_us", 86.15, 86.57)],
)
def test_majority_and_wawa_are_as_right_as_published(sets, name, majority, wawa):
    assert measure_run(sets[name], "majority", Threat())["accuracy"] == pytest.approx(majority, abs=0.01)
    assert measure_run(sets[name], "wawa", Threat())["accuracy"] == pytest.approx(wawa, abs=0.01)


# Fakes


@given(workers=st.integers(1, 500), share=st.floats(0, 0.99))
def test_fakes_are_the_share_of_all_identities(workers, share):
    fakes = count_fakes(workers, share)
    assert abs(fakes - share * (fakes + workers)) <= 0.5 + 1e-9


@pytest.mark.parametrize("attack", list(Attack))
def test_real_workers_say_what_they_said_under_shuffled_names(sets, attack):
    crowd = sets["rte"]
    attacked = attack_crowd(crowd, Threat(0.4, attack, random_seed=3))
    mixed = attacked.crowd

    def verdicts(one: Crowd, fakes: frozenset[int]) -> list[tuple[str, str, str]]:
        rows = zip(one.item.tolist(), one.worker.tolist(), one.label.tolist(), strict=True)
        return sorted((one.items[i], one.workers[w], one.names[n]) for i, w, n in rows if w not in fakes)

    assert verdicts(mixed, frozenset(attacked.fakes.tolist())) == verdicts(crowd, frozenset())
    assert len(set(mixed.workers)) == len(mixed.workers) == len(crowd.workers) + len(attacked.fakes)
    # Neither the number of an identity nor the place of a verdict tells a fake.
    assert abs(attacked.fakes.mean() / len(mixed.workers) - 0.5) < 0.1
    places = np.flatnonzero(np.isin(mixed.worker, attacked.fakes)) / len(mixed.worker)
    assert abs(places.mean() - 0.5) < 0.02


def test_a_fake_is_as_active_as_a_real_worker(sets):
    for crowd in sets.values():
        attacked = attack_crowd(crowd, Threat(0.6, random_seed=1))
        activity = np.bincount(attacked.crowd.worker)
        real = set(np.bincount(crowd.worker).tolist())
        assert {min(amount, len(crowd.items)) for amount in activity[attacked.fakes].tolist()} <= {
            min(amount, len(crowd.items)) for amount in real
        }
        fake = np.isin(attacked.crowd.worker, attacked.fakes)
        said = set(zip(attacked.crowd.worker[fake].tolist(), attacked.crowd.item[fake].tolist(), strict=True))
        assert len(said) == fake.sum()


def test_blunt_fakes_tell_one_lie_an_item_and_it_is_always_wrong(sets):
    crowd = sets["CF"]
    attacked = attack_crowd(crowd, Threat(0.4, random_seed=5))
    fake = np.isin(attacked.crowd.worker, attacked.fakes)
    lies: dict[int, set[int]] = {}
    for item, label in zip(attacked.crowd.item[fake].tolist(), attacked.crowd.label[fake].tolist(), strict=True):
        lies.setdefault(item, set()).add(label)
    assert all(len(told) == 1 and crowd.truth[item] not in told for item, told in lies.items())
    assert (attacked.counted == crowd.known).all()


def test_camouflaged_fakes_lie_on_a_fifth_and_are_like_the_real_ones_elsewhere(sets):
    crowd = sets["rte"]
    attacked = attack_crowd(crowd, Threat(0.6, Attack.CAMOUFLAGED, random_seed=2))
    assert len(attacked.counted) == round(TARGETS * len(crowd.known))
    fake = np.isin(attacked.crowd.worker, attacked.fakes)
    target = np.isin(attacked.crowd.item, attacked.counted)
    right = attacked.crowd.label == crowd.truth[attacked.crowd.item]
    assert not right[fake & target].any()
    assert right[fake & ~target].mean() == pytest.approx((crowd.label == crowd.truth[crowd.item]).mean(), abs=0.02)


def test_every_wrong_label_is_told_somewhere(sets):
    crowd = sets["CF"]
    lies = draw_lies(crowd, np.random.default_rng(0))
    assert (lies != crowd.truth).all()
    assert {(int(a), int(b)) for a, b in zip(crowd.truth, lies, strict=True)} >= {(0, 1), (0, 2), (0, 3), (0, 4)}


def test_gold_is_drawn_uniformly_targets_included(sets):
    crowd = sets["rte"]
    drawn = np.zeros(len(crowd.items))
    for seed in range(200):
        attacked = attack_crowd(crowd, Threat(0, Attack.CAMOUFLAGED, gold=0.1, random_seed=seed))
        assert all(crowd.truth[item] == truth for item, truth in attacked.gold.items())
        drawn[list(attacked.gold)] += 1
    assert drawn.sum() == 200 * 80
    # 200 draws at one in ten: 20 ± 4.2 each, and no item is left out or always in.
    assert drawn.min() >= 3
    assert drawn.max() <= 42
    assert drawn.std() == pytest.approx(4.24, abs=0.5)


def test_what_the_operator_knows_does_not_depend_on_the_attack(sets):
    crowd = sets["rte"]

    def known(threat: Threat) -> tuple[dict[int, int], set[str]]:
        attacked = attack_crowd(crowd, threat)
        return attacked.gold, {attacked.crowd.workers[one] for one in attacked.trusted}

    first = known(Threat(0.0, Attack.BLUNT, 3, 0.1, 7))
    assert first == known(Threat(0.6, Attack.CAMOUFLAGED, 3, 0.1, 7))
    assert first != known(Threat(0.6, Attack.CAMOUFLAGED, 3, 0.1, 8))
    assert first[1] <= set(crowd.workers)
    assert len(first[1]) == 3


def test_items_without_truth_are_neither_gold_nor_targets(tmp_path):
    rows = [(f"i{item}", f"w{worker}", str(item % 2)) for item in range(40) for worker in range(5)]
    pair(tmp_path, as_csv(LABELS, rows), as_csv(TRUTH, [(f"i{item}", str(item % 2)) for item in range(20)]))
    crowd = read_crowd(tmp_path / "label.csv", tmp_path / "truth.csv")
    attacked = attack_crowd(crowd, Threat(0.5, Attack.CAMOUFLAGED, gold=0.5))
    assert (crowd.truth[attacked.counted] != UNKNOWN).all()
    assert len(attacked.gold) == 10
    assert len(attacked.counted) == 4


# Population, calibration and pages


def test_the_population_is_as_it_is_described():
    population = draw_population(Size(agents=400, claims=4_000, each=8), np.random.default_rng(0))
    crowd = population.crowd
    assert len(crowd.item) == 32_000
    assert population.sensitivity.mean() == pytest.approx(0.8, abs=0.03)
    assert population.specificity.mean() == pytest.approx(0.7, abs=0.03)
    assert crowd.truth.mean() == pytest.approx(0.6, abs=0.03)
    assert np.bincount(crowd.worker).min() >= 20
    assert len(set(zip(crowd.item.tolist(), crowd.worker.tolist(), strict=True))) == 32_000


def test_an_exact_forecast_has_no_calibration_error():
    posterior = np.repeat([0.25, 0.75], 400)
    right = np.tile([True, False, False, False], 100).tolist() + np.tile([True, True, True, False], 100).tolist()
    assert expected_calibration_error(posterior, np.array(right)) == pytest.approx(0.0)
    assert expected_calibration_error(1 - posterior, np.array(right)) == pytest.approx(0.5)
    assert [(one["posterior"], one["right"]) for one in reliability_bins(posterior, np.array(right))] == [
        (0.25, 0.25),
        (0.75, 0.75),
    ]


def test_the_diagram_is_a_picture_with_all_its_points():
    bins = [{"posterior": 0.1, "right": 0.2, "claims": 5}, {"posterior": 1.0, "right": 0.9, "claims": 7}]
    root = ElementTree.fromstring(draw_reliability({"<3> & 5": bins}))
    assert len(root.findall("{*}circle")) == 3


def test_the_page_has_the_tables_of_the_last_results() -> None:
    page, results = PAGE.read_text(encoding="utf-8"), json.loads(RESULTS.read_text(encoding="utf-8"))
    assert fill_page(page, {**results, "goals": {"rows": compare_goals(results)}}) == page


def test_a_page_takes_each_table_in_its_place_again_and_again():
    figures = dict.fromkeys(("seconds", "processor", "accuracy", "peak_mib", "peak_over_start_mib"), 1.0)
    found: dict[str, Any] = {"ratio": 3.5, "processor_ratio": 3.25, "ours": figures}
    found["crowd-kit DawidSkene"] = found["ours"]
    page = "# A\n\n<!-- trust:speed -->\nold\n<!-- trust:end -->\n\nB\n"
    filled = fill_page(page, {"speed": found})
    assert "old" not in filled
    assert "3.5 times as fast" in filled
    assert fill_page(filled, {"speed": found}) == filled
    with pytest.raises(MarkerError, match="0 places for speed"):
        fill_page("# A\n", {"speed": found})


def test_a_goal_is_compared_where_its_measure_has_results():
    sets = {"least_over_majority": -0.7, "mean_over_best": 0.0}
    assert [(one["found"], one["reached"]) for one in compare_goals({"sets": sets})] == [(-0.7, False), (0.0, True)]


def test_every_measure_has_a_table_and_its_results_are_kept():
    assert [*MEASURES, "goals"] == list(TABLES)
    assert list(json.loads(RESULTS.read_text(encoding="utf-8"))) == list(MEASURES)
