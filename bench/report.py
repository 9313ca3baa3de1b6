"""The tables of `bench/results/performance.json` as Markdown, for `docs/explanation/performance.md`."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bench.markdown import make_table

Found = Mapping[str, Any]
"""The results of one measure, by engine."""

_NOTHING = "\nNot measured yet.\n\n"


def tables_of(results: Mapping[str, Found]) -> dict[str, str]:
    """Return the section of each measure: its table, or a line that there are no results."""
    return {name: table(results[name]) if name in results else _NOTHING for name, table in TABLES.items()}


def _load(found: Found) -> str:
    return make_table(
        ("bulk load", "statements", "platform ÷ raw driver", "entries of the log ÷ raw driver's statements"),
        ((engine, f"{one['statements']:,}", one["ratio"], f"{one['appends']:.0f}") for engine, one in found.items()),
    )


def _page(found: Found) -> str:
    clients = sorted(next(iter(found.values()))["clients"], key=int)
    rows: list[Iterable[object]] = []
    for engine, one in found.items():
        rows.append((f"{engine}: pages ÷ hand-written queries", *(one["clients"][count] for count in clients)))
        if beside := one.get("neo4j_graphql"):
            rows.append((f"{engine}: pages ÷ those of `@neo4j/graphql`", *(beside[count] for count in clients)))
    queries = {size: most for one in found.values() for size, most in one["queries"].items()}
    asked = " and ".join(f"{most} for a page of {size}" for size, most in queries.items())
    head = ("a page of 20 statements", *(f"{count} client{'s' * (count != '1')}" for count in clients))
    return f"{make_table(head, rows)}Database queries: {asked}.\n\n"


def _batch(found: Found) -> str:
    return make_table(
        ("1,000 statements in one call ÷ in a call each", "ratio"),
        ((engine, one["ratio"]) for engine, one in found.items()),
    )


def _verdicts(found: Found) -> str:
    return make_table(
        ("new scores after one more verdict", "among so many verdicts", "÷ among so many", "ratio"),
        ((engine, f"{one['verdicts'][1]:,}", f"{one['verdicts'][0]:,}", one["ratio"]) for engine, one in found.items()),
    )


def _proofs(found: Found) -> str:
    (one,) = found.values()
    return make_table(
        ("time of an inclusion proof", "in a log of", "÷ in a log of", "of any entry", "of a recent entry"),
        [("log", f"{one['leaves'][1]:,}", f"{one['leaves'][0]:,}", one["any"], one["recent"])],
    )


def _exports(found: Found) -> str:
    formats = list(dict.fromkeys(name for one in found.values() for name in one["formats"]))
    rows: list[Iterable[object]] = []
    for engine, one in found.items():
        small, large = one["statements"]
        shown = [one["formats"].get(name) for name in formats]
        rows.append((f"{engine}: peak memory at {large:,} ÷ at {small:,}", *(each and each["peak"] for each in shown)))
        rows.append((f"{engine}: speed ÷ the Cypher script's", *(each and each["speed"] for each in shown)))
    return make_table(("exports", *formats), rows)


def _audit(found: Found) -> str:
    return make_table(
        ("audit", "statements", "÷ bulk load", "without comparing the graph"),
        ((engine, f"{one['statements']:,}", one["ratio"], one["without graph"]) for engine, one in found.items()),
    )


def _graph_page(found: Found) -> str:
    head = (
        *("a graph drawn in software", "things", "open, s", "interactive, s", "settled, s", "a press, ms"),
        *("frames/s panned", "frames/s still"),
    )
    return make_table(
        head,
        (
            (
                *(engine, f"{one['things']:,}", one["opened"], one["interactive"], one["settled"], one["press"]),
                *(f"{one['panned']:.0f}", f"{one['still']:.0f}"),
            )
            for engine, sizes in found.items()
            for one in sizes["sizes"]
        ),
    )


def _web_pages(found: Found) -> str:
    head = (
        *("page", "HTML, KB", "CSS, KB", "JS, KB", "data, KB", "first view, KB", "second view, KB"),
        *("node, ms", "÷ its query", "first paint, ms", "interactive, ms", "again, ms"),
    )
    return make_table(
        head, (_web_page(f"{e}: {name}", one) for e, run in found.items() for name, one in run["pages"].items())
    )


def _web_page(name: str, one: Mapping[str, Any]) -> Iterable[object]:
    first, second = one["first"], one["second"]
    sizes = [first["bytes"][kind] for kind in ("html", "css", "js", "data")]
    totals = [sum(view["bytes"].values()) for view in (first, second)]
    yield name
    yield from (f"{size / 1000:.0f}" for size in (*sizes, *totals))
    yield from (f"{one['node']:.0f}", one["ratio"], first["painted"], first["interactive"], second["interactive"])


TABLES: dict[str, Callable[[Found], str]] = {
    "P1": _load,
    "P3": _page,
    "P5": _verdicts,
    "P6": _proofs,
    "P7": _exports,
    "audit": _audit,
    "batch": _batch,
    "graph": _graph_page,
    "pages": _web_pages,
}
