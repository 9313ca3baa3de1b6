"""Rows of a query in a terminal."""

import json
from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from graph.cli.terminal import one_line, output

_WIDEST = 200
_ROOM = 10_000  # columns


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows under their columns; texts of others are on one line each, and cut off where they are long."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(one_line(column))
    for row in rows:
        table.add_row(*(Text(_cell(value)) for value in row))
    # What is no terminal has room for whole cells.
    output().print(table, width=None if output().is_terminal else _ROOM, crop=False)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        value = round(value, 4)
    text = one_line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
