"""The tables of `bench/results/trust.json` as Markdown, for the screen and for the page, with no figure typed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench import markdown
from bench.markdown import make_table

Found = Mapping[str, Any]


def fill_page(page: str, results: Mapping[str, Found]) -> str:
    """Return the page with the tables of the results; raises `MarkerError`."""
    return markdown.fill_page(page, "trust", {name: TABLES[name](found) for name, found in results.items()})


def _sets(found: Found) -> str:
    rows = [(name, *one["accuracy"].values()) for name, one in found["sets"].items()]
    table = make_table(["set", *found["mean"]], [*rows, ("mean", *found["mean"].values())])
    return (
        f"{table}The default is at least {found['least_over_majority']:+.2f} points over majority on each set, and on "
        f"average {found['mean_over_best']:+.2f} points over {found['best_of_crowd_kit']}, the best of the others.\n\n"
    )


def _sybil(found: Found) -> str:
    parts = []
    for attack in dict.fromkeys(row["attack"] for row in found["rows"]):
        rows = [row for row in found["rows"] if row["attack"] == attack]
        ways = list(rows[0]["ways"])
        head = ["set", "fakes", "default", "of it, not gold", "worst seed", *ways[1:]]
        parts.append(f"\n*{attack.capitalize()}*\n{make_table(head, [_sybil_row(row, ways) for row in rows])}")
    return "".join([*parts, _loss(found)])


def _sybil_row(row: Found, ways: list[str]) -> Iterable[object]:
    default = row["ways"]["default"]
    yield row["set"]
    yield f"{row['sybil']:.0%}".replace("%", " %")
    yield from (default["accuracy"], default["accuracy_without_gold"], default["least"])
    yield from (row["ways"][way]["accuracy"] for way in ways[1:])


def _loss(found: Found) -> str:
    losses = found["loss"].items()
    rows = [(name, one["accuracy"], one["accuracy_without_gold"]) for name, one in losses]
    head = ("set", "points lost by knowing gold and trusted workers, without fakes", "on the items that are not gold")
    return make_table(head, rows)


def _speed(found: Found) -> str:
    head = ("1,000,000 verdicts", "seconds", "processor's", "accuracy %", "peak memory MiB", "of it, over the start")
    columns = ("seconds", "processor", "accuracy", "peak_mib", "peak_over_start_mib")
    rows = [(name, *(found[name][column] for column in columns)) for name in ("ours", "crowd-kit DawidSkene")]
    return (
        f"{make_table(head, rows)}The default is {found['ratio']} times as fast, and by the processor's time "
        f"{found['processor_ratio']} times.\n\n"
    )


def _calibration(found: Found) -> str:
    head = ("verdicts on a claim", "claims", "accuracy %", "ECE", "ECE, worst seed", "95 % intervals that hold, %")
    columns = ("claims", "accuracy", "expected_calibration_error", "worst_of_seeds", "coverage")
    rows = [(each, *(_digits(one[column]) for column in columns)) for each, one in found["densities"].items()]
    return make_table(head, rows)


def _published(found: Found) -> str:
    head = (
        "operators",
        "verifiers of each",
        "verdicts on a claim",
        "claims",
        "ECE",
        "of it too sure",
        "ECE, worst seed",
        "95 % intervals that hold, %",
        "of reputations, %",
    )
    counts = ("operators", "verifiers", "each", "claims")
    figures = ("expected_calibration_error", "too_sure", "worst_of_seeds", "coverage", "reputation_coverage")
    worlds = found["worlds"]
    table = make_table(head, [[_digits(one[name]) for name in (*counts, *figures)] for one in worlds])
    return f"{table}{''.join(_shared_voice(one) for one in worlds if one['verifiers'] > 1)}\n{_published_sets(found)}"


def _published_sets(found: Found) -> str:
    head = ("set", "gold and trusted workers", "published, accuracy %", "joint estimate", "majority", "ECE")
    rows = [
        (
            one["set"],
            "known" if one["known"] else "unknown",
            *(f"{one[way]:.2f}" for way in ("published", "infer", "majority")),
            _digits(one["expected_calibration_error"]),
        )
        for one in found["sets"]
    ]
    return make_table(head, rows)


def _shared_voice(world: Found) -> str:
    error, sure = world["expected_calibration_error"], world["too_sure"]
    return (
        f"With {world['verifiers']} verifiers an operator, scores are off by {error:.3f}, and for {error - sure:.3f} "
        "of it because they are too careful: an operator has one voice, of however many verifiers.\n"
    )


def _digits(value: float) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _attacks(found: Found) -> str:
    head = (
        "attack",
        "an attacker weighs",
        "an honest one weighs",
        "without the attack",
        "independence",
        "wrong claims verified, %",
        "without the attack",
        "right claims refused, %",
        "without the attack",
    )
    shares = ("verified", "verified_without", "refused", "refused_without")
    weights = ("attackers_weigh", "honest_weigh", "honest_weigh_without", "independence")
    rows = [
        (one["name"], *(one[weight] for weight in weights), *(_per_cent(one[share]) for share in shares))
        for one in found["rows"]
    ]
    explained = "".join(f"- *{one['name']}*: {one['means']}\n" for one in found["rows"])
    return f"{make_table(head, rows)}{explained}\n"


def _price(found: Found) -> str:
    goals = [_per_cent_of(goal) for goal in found["goals"]]
    head = (
        "setting",
        "endorsed operators",
        "plans tried",
        "verified by the lies alone, %",
        "verified without an honest verdict, %",
        "by the best plan, %",
        "by it in other worlds, %",
        *(f"honest verdicts for {goal}" for goal in goals),
        *(f"the same, gold not known in advance, for {goal}" for goal in goals),
        *(f"its log entries for {goal}" for goal in goals),
    )
    rows = [
        (
            one["setting"],
            one["operators"],
            one["plans"],
            *(_per_cent(one[share]) for share in ("at_once", "free", "best", "fresh")),
            *("∞" if price is None else price["honest"] for price in one["prices"]),
            *("∞" if price is None else price["honest"] for price in one["prices_without_gold"]),
            *("∞" if price is None else price["entries"] for price in one["prices_without_gold"]),
        )
        for one in found["rows"]
    ]
    return f"{make_table(head, rows)}{''.join(_plans(found, goals))}\n"


def _plans(found: Found, goals: Sequence[str]) -> Iterable[str]:
    """Return a line for each number of operators with the plans, in words, that are not those of fewer operators."""
    known: set[str] = set()
    for one in found["rows"]:
        names = [*goals, *(f"{goal} without knowing gold" for goal in goals)]
        prices = zip(names, [*one["prices"], *one["prices_without_gold"]], strict=True)
        plans = {goal: price["plan"] for goal, price in prices if price is not None} | {"most": one["plan"]}
        fresh = {goal: plan for goal, plan in plans.items() if plan not in known}
        known |= set(plans.values())
        if one["setting"] == found["rows"][0]["setting"] and one["operators"] and fresh:
            words = {plan: [goal for goal in fresh if fresh[goal] == plan] for plan in fresh.values()}
            said = " ".join(f"For {' and '.join(shares)}: {plan}." for plan, shares in words.items())
            yield f"- *{one['operators']} endorsed*: {said}\n"


def _per_cent_of(share: float) -> str:
    return f"{100 * share:.0f} %"


def _per_cent(share: float | None) -> str | None:
    return None if share is None else f"{100 * share:.1f}"


def _goals(found: Found) -> str:
    rows = [
        (one["what"], one["wanted"], _digits(float(one["found"])), "yes" if one["reached"] else "no")
        for one in found["rows"]
    ]
    return make_table(("goal", "wanted", "found", "reached"), rows)


TABLES: dict[str, Callable[[Found], str]] = {
    "sets": _sets,
    "sybil": _sybil,
    "speed": _speed,
    "calibration": _calibration,
    "published": _published,
    "attacks": _attacks,
    "price": _price,
    "goals": _goals,
}


def write_page(path: Path, results: Mapping[str, Found]) -> None:
    """Fill the tables of the page in place."""
    path.write_text(fill_page(path.read_text(encoding="utf-8"), results), encoding="utf-8")
