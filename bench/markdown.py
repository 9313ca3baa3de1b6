"""Tables of results as Markdown, between the markers of a page, so that no figure is typed by hand."""

import re
from collections.abc import Iterable, Mapping


class MarkerError(Exception):
    """The page does not have exactly one place for a table."""


def fill_page(page: str, prefix: str, tables: Mapping[str, str]) -> str:
    """Return the page with each table between `<!-- PREFIX:NAME -->` and `<!-- PREFIX:end -->`; raises MarkerError."""
    for name, table in tables.items():
        marked = re.compile(rf"<!-- {prefix}:{name} -->\n(.*?)<!-- {prefix}:end -->", re.DOTALL)
        places = [match.span(1) for match in marked.finditer(page)]
        if len(places) != 1:
            raise MarkerError(f"the page has {len(places)} places for {name}, not one")
        [(start, end)] = places
        page = page[:start] + table + page[end:]
    return page


def make_table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table whose first column is text and whose others are figures."""
    titles = list(head)
    lines = [titles, ["---", *["--:"] * (len(titles) - 1)], *rows]
    return "\n" + "".join(f"| {' | '.join(_cell(cell) for cell in line)} |\n" for line in lines) + "\n"


def _cell(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else "–" if value is None else str(value)
