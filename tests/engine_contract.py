"""Which tests run on Neo4j as well as on the embedded engine, and whether they run every query there.

All that can differ between the engines is in the files of `cypher/` and in the mapping of values. `make test` runs the
tests marked `both_engines` on both (`--neo4j=contract`) and the others on the embedded engine, and fails if a query was
never run on Neo4j. `make test-engines` runs all tests on both (`--neo4j=all`, the default of pytest).
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cypher import Query, load_query

# In a worker: the names of the queries that its tests ran on each engine. In the controller: those of all workers.
_RUN: dict[str, set[str]] = {"embedded": set(), "neo4j": set()}


def noted_queries(kind: str) -> Callable[[str], Query]:
    """Return a `load_query` that notes which queries an engine of this kind is asked to run."""

    def load(name: str) -> Query:
        query = load_query(name)
        _RUN[kind].add(name)
        return query

    return load


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--neo4j`."""
    parser.addoption(
        "--neo4j",
        choices=("all", "contract"),
        default="all",
        help="which tests run on Neo4j as well: all, or those marked both_engines",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Name the mark."""
    config.addinivalue_line("markers", "both_engines: run on Neo4j as well with --neo4j=contract")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests on Neo4j that are not part of the contract."""
    if config.getoption("--neo4j") == "all":
        return
    kept = [item for item in items if not _is_on_neo4j(item) or item.get_closest_marker("both_engines")]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


def _is_on_neo4j(item: pytest.Item) -> bool:
    called = getattr(item, "callspec", None)
    return called is not None and called.params.get("engine") == "neo4j"


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand a worker's queries to the controller, which fails a whole run that left queries out on Neo4j."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["queries"] = {kind: sorted(names) for kind, names in _RUN.items()}
    elif _is_whole(session.config) and _missing():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the queries for which a whole run fails, near its last line."""
    if _is_whole(config) and (missing := _missing()):
        terminalreporter.section("queries that ran on the embedded engine alone", red=True)
        terminalreporter.write_line(f"Mark a test of each with `both_engines`: {', '.join(missing)}")


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Take the queries of a worker that has ended."""
    for kind, names in getattr(node, "workeroutput", {}).get("queries", {}).items():
        _RUN[kind].update(names)


def _missing() -> list[str]:
    return sorted(_RUN["embedded"] - _RUN["neo4j"])


def _is_whole(config: pytest.Config) -> bool:
    """Whether all tests were asked for and Neo4j was there."""
    asked = config.getoption("--neo4j") == "contract" and config.args_source is not pytest.Config.ArgsSource.ARGS
    return asked and bool(_RUN["neo4j"]) and not any(map(config.getoption, ("keyword", "markexpr", "lf", "deselect")))
