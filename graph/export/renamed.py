"""Nodes and relationships under pseudonyms, in the order of these: the order of the names would reveal them.

A label, or a type between two labels, is read whole before any of it is given, and an export that broke off goes on at
the beginning of one.
"""

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator

from graph.dictionary.labels import NODE_KEYS
from graph.export.external_sort import ExternalSort, open_sort
from graph.export.graph_reader import Edges, Nodes
from graph.export.pseudonyms import Pseudonyms


async def renamed_nodes(
    pages: AsyncIterable[Nodes], pseudonyms: Pseudonyms, begin: Callable[[], None]
) -> AsyncIterator[Nodes]:
    """Yield nodes under pseudonyms; `begin` is called at the start of each label, once all before is given."""
    with open_sort() as rows:
        label = ""
        async for page in pages:
            if page.label != label:
                for given in _nodes(label, rows):
                    yield given
                label = page.label
                begin()
            if (renamed := pseudonyms.nodes(page)) is not None:
                rows.add((str(one.get(NODE_KEYS[label])), "", one) for one in renamed.properties)
        for given in _nodes(label, rows):
            yield given


async def renamed_edges(
    pages: AsyncIterable[Edges], pseudonyms: Pseudonyms, begin: Callable[[], None]
) -> AsyncIterator[Edges]:
    """Yield relationships under pseudonyms; `begin` is called at the start of each type, once all before is given."""
    with open_sort() as rows:
        last: Edges | None = None
        async for page in pages:
            if last is None or _kind(page) != _kind(last):
                for given in _edges(last, rows):
                    yield given
                begin()
            last = page
            if (renamed := pseudonyms.edges(page)) is None:
                continue
            if not renamed.edges:  # it says that the rows that were there go
                yield renamed
            rows.add((str(one.start), str(one.end), one) for one in renamed.edges)
        for given in _edges(last, rows):
            yield given


def _kind(page: Edges) -> tuple[str, str, str]:
    return page.type, page.start_label, page.end_label


def _nodes(label: str, rows: ExternalSort) -> Iterator[Nodes]:
    for page in rows.pages():
        yield Nodes(label, page)


def _edges(like: Edges | None, rows: ExternalSort) -> Iterator[Edges]:
    if like is not None:
        for page in rows.pages():
            yield Edges(*_kind(like), page, like.is_instead, like.is_again)
