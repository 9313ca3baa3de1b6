"""Rows of a query in a terminal."""

import json
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from graph.cli.terminal import one_line, output

_WIDEST = 200
_ROOM = 10_000  # columns


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows under their columns; texts of others are on one line each, and cut off if they are long.

    If a terminal is too narrow for that, each row is a list of its columns: names and hashes are never cut to fit.
    """
    names = [one_line(column) for column in columns]
    cells = [[_cell(value) for value in row] for row in rows]
    table = _table(names, cells)
    console = output()
    if not console.is_terminal:
        # An output that is no terminal has room for whole cells; a console prints no wider than itself in any case.
        Console(file=console.file, width=_ROOM, highlight=False).print(table)
    elif console.measure(table, options=console.options.update(max_width=_ROOM)).maximum <= console.width:
        console.print(table)
    else:
        for place, row in enumerate(cells):
            console.print(*[""] * (place > 0), _listed(names, row), sep="\n")


def _table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        table.add_column(Text(name))
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _listed(names: Sequence[str], row: Sequence[str]) -> Table:
    """Return a row as lines of name and value; a value longer than its line goes on in the next, whole."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", overflow="fold")
    table.add_column(overflow="fold")
    for name, cell in zip(names, row, strict=True):
        table.add_row(Text(name), Text(cell))
    return table


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        value = round(value, 4)
    text = one_line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
