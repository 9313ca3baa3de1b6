"""Rows in a terminal: under their columns where these fit, else listed, and names and hashes whole in any case."""

import io
from typing import Any

import pytest
from rich.console import Console

from graph.cli import table
from graph.cli.table import print_table

HASHES = tuple(f"sha256:{digit * 64}" for digit in "ab")
NAME = "urn:agent:source-searcher:91aaa8b7081f4871"


def printed(
    monkeypatch: pytest.MonkeyPatch, columns: list[str], *rows: list[Any], width: int = 80, terminal: bool = True
) -> list[str]:
    """Return the lines that rows are printed as."""
    written = io.StringIO()
    console = Console(file=written, width=width, force_terminal=terminal, color_system=None, highlight=False)
    monkeypatch.setattr(table, "output", lambda: console)
    print_table(columns, rows)
    return [line.rstrip() for line in written.getvalue().splitlines()]


def test_rows_that_fit_stand_under_their_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = printed(monkeypatch, ["agent", "verdicts"], [NAME, 93], ["Clerk", None])
    assert lines == [
        "agent                                       verdicts",
        f"{NAME}  93",
        "Clerk",
    ]


def test_rows_too_wide_for_a_terminal_are_listed_with_whole_names_and_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = ["agent", "agent_name", "statement", "score"]
    lines = printed(monkeypatch, columns, *([NAME, "Source Searcher", one, 0.5] for one in HASHES))
    text = "\n".join(lines)
    assert lines[0].split() == ["agent", NAME]
    assert lines.count("") == 1, "a line between two rows"
    assert all(len(line) <= 80 for line in lines) and "…" not in text
    assert [text.replace("\n", "").replace(" ", "").count(one) for one in HASHES] == [1, 1]


def test_a_name_longer_than_the_terminal_goes_on_in_the_next_line(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = printed(monkeypatch, ["statement"], [HASHES[0]], width=40)
    assert len(lines) > 1
    assert "".join(line.removeprefix("statement").strip() for line in lines) == HASHES[0]


def test_a_pipe_gets_whole_rows_under_their_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = printed(monkeypatch, ["one", "other"], [HASHES[0], HASHES[1]], terminal=False)
    assert lines[1].split() == list(HASHES)
