"""The pages of an answer that the client asks for one after another, for commands that show all of it."""

from collections.abc import Callable, Iterator
from typing import Any

Page = dict[str, Any]


def walk_pages(read: Callable[[int | None, str | None], Page], items: str, as_of: int | None = None) -> Iterator[Page]:
    """Yield the pages that `read` returns for a size of the log and a cursor, each with the connection `items`.

    The pages after the first are of the size of the log that the first one has, if it states one.
    """
    after: str | None = None
    while True:
        page = read(as_of, after)
        yield page
        place = page[items]["pageInfo"]
        if not place["hasNextPage"]:
            return
        as_of, after = page.get("asOf", as_of), place["endCursor"]
