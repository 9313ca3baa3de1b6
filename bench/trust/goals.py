"""The goals set for the consensus, and whether the measured figures reach them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bench.trust.sybil import Attack

Found = Mapping[str, Any]
_DENSITY = "5"  # verdicts on a claim of the population as it is described
_TOGETHER, _ALONE = 0, 1  # places of the worlds with four operators, and with twenty and five verdicts on a claim


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure of one measure, with its wanted range."""

    measure: str
    what: str
    wanted: str
    figure: Callable[[Found], float]
    reached: Callable[[float], bool]


def compare_goals(results: Mapping[str, Found]) -> list[dict[str, Any]]:
    """Return each goal whose measure has results, with the figure found."""
    return [
        {"what": goal.what, "wanted": goal.wanted, "found": round(figure, 4), "reached": goal.reached(figure)}
        for goal in GOALS
        if goal.measure in results
        for figure in [goal.figure(results[goal.measure])]
    ]


def _least_under_attack(found: Found) -> float:
    """Return the least mean accuracy at 60 % of fakes, without camouflaged on CF, which has no goal."""
    return min(
        float(row["ways"]["default"]["accuracy"])
        for row in found["rows"]
        if row["sybil"] == 0.6 and (row["set"], row["attack"]) != ("CF", Attack.CAMOUFLAGED)
    )


def _most_lost(found: Found) -> float:
    return max(float(max(one.values())) for one in found["loss"].values())


def _alone(figure: str) -> Callable[[Found], float]:
    """Return a function that reads a figure of the world in which each verifier has an operator of its own."""
    return lambda found: float(found["worlds"][_ALONE][figure])


def _together(figure: str) -> Callable[[Found], float]:
    """Return a function that reads a figure of the world in which each operator has several verifiers."""
    return lambda found: float(found["worlds"][_TOGETHER][figure])


def _over(way: str) -> Callable[[Found], float]:
    """Return a function that reads the points of published scores over another way, on the set where it is least."""
    return lambda found: min(one["published"] - one[way] for one in found["sets"] if one["known"])


def _worst_error(found: Found) -> float:
    return max(float(one["expected_calibration_error"]) for one in found["sets"] if one["known"])


GOALS = (
    Goal(
        measure="sets",
        what="points over majority, on the set where it is least",
        wanted="≥ -0.6",
        figure=lambda found: found["least_over_majority"],
        reached=lambda figure: figure >= -0.6,
    ),
    Goal(
        measure="sets",
        what="points over the best of crowd-kit's methods, on average",
        wanted="≥ 0",
        figure=lambda found: found["mean_over_best"],
        reached=lambda figure: figure >= 0,
    ),
    Goal(
        measure="sybil",
        what="accuracy under 60 % of fakes, least of sets and attacks but camouflaged on CF",
        wanted="≥ 85 %",
        figure=_least_under_attack,
        reached=lambda figure: figure >= 85,
    ),
    Goal(
        measure="sybil",
        what="points lost by knowing gold and trust without fakes, most of sets, gold items counted or not",
        wanted="≤ 0.5",
        figure=_most_lost,
        reached=lambda figure: figure <= 0.5,
    ),
    Goal(
        measure="speed",
        what="time of crowd-kit's Dawid-Skene ÷ ours, 1,000,000 verdicts",
        wanted="≥ 3",
        figure=lambda found: found["ratio"],
        reached=lambda figure: figure >= 3,
    ),
    Goal(
        measure="speed",
        what="accuracy there, in points over crowd-kit's Dawid-Skene",
        wanted="≥ -0.02",
        figure=lambda found: found["ours"]["accuracy"] - found["crowd-kit DawidSkene"]["accuracy"],
        # "No less accurate", where 20 of the 100,000 claims either way are chance: other seeds turn the sign round.
        reached=lambda figure: figure >= -0.02,
    ),
    Goal(
        measure="calibration",
        what="expected calibration error, five verdicts a claim",
        wanted="≤ 0.03",
        figure=lambda found: found["densities"][_DENSITY]["expected_calibration_error"],
        reached=lambda figure: figure <= 0.03,
    ),
    Goal(
        measure="calibration",
        what="95 % intervals that hold, five verdicts a claim",
        wanted="93–97 %",
        figure=lambda found: found["densities"][_DENSITY]["coverage"],
        reached=lambda figure: 93 <= figure <= 97,
    ),
    Goal(
        measure="published",
        what="expected calibration error of published scores, each verifier its own operator, five verdicts a claim",
        wanted="≤ 0.03",
        figure=_alone("expected_calibration_error"),
        reached=lambda figure: figure <= 0.03,
    ),
    Goal(
        measure="published",
        what="the same, four operators of five verifiers each, eight verdicts a claim",
        wanted="≤ 0.03",
        figure=_together("expected_calibration_error"),
        reached=lambda figure: figure <= 0.03,
    ),
    Goal(
        measure="published",
        what="points of published scores over the joint estimate, on the set where it is least",
        wanted="≥ -0.5",
        figure=_over("infer"),
        reached=lambda figure: figure >= -0.5,
    ),
    Goal(
        measure="published",
        what="points of published scores over majority, on the set where it is least",
        wanted="≥ -0.5",
        figure=_over("majority"),
        reached=lambda figure: figure >= -0.5,
    ),
    Goal(
        measure="published",
        what="expected calibration error of published scores, most of sets",
        wanted="≤ 0.05",
        figure=_worst_error,
        reached=lambda figure: figure <= 0.05,
    ),
    Goal(
        measure="published",
        what="95 % intervals of an epoch that hold, each verifier its own operator, five verdicts a claim",
        wanted="93–97 %",
        figure=_alone("coverage"),
        reached=lambda figure: 93 <= figure <= 97,
    ),
    Goal(
        measure="published",
        what="the same, four operators of five verifiers each, eight verdicts a claim",
        wanted="93–97 %",
        figure=_together("coverage"),
        reached=lambda figure: 93 <= figure <= 97,
    ),
)
