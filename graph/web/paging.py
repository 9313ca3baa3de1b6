"""The pages of a list: the cursor that an address states, and the addresses of the pages before and after it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import Request

from graph.errors import InputError

PAGE_SIZE = 25

_CURSORS = ("after", "before")


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The addresses of the neighbours of a page, relative to it; None if there is none."""

    previous: str | None
    next: str | None

    @classmethod
    def of(cls, request: Request, info: Mapping[str, Any]) -> "PageLinks":
        """Return the neighbours of the page that this `PageInfo` describes."""
        previous = _address(request, "before", info["startCursor"]) if info["hasPreviousPage"] else None
        return cls(previous, _address(request, "after", info["endCursor"]) if info["hasNextPage"] else None)


def page_variables(request: Request, size: int = PAGE_SIZE) -> dict[str, object]:
    """Return the variables of a connection's query: `first` and `after`, or `last` and `before`.

    Raises `InputError` if the address states both cursors.
    """
    after, before = (request.query_params.get(name) or None for name in _CURSORS)
    if after and before:
        raise InputError("after and before are stated, not one of them", "before")
    return {"last": size, "before": before} if before else {"first": size, "after": after}


def _address(request: Request, name: str, cursor: str) -> str:
    stated = [(key, value) for key, value in request.query_params.multi_items() if value and key not in _CURSORS]
    return "?" + urlencode([*stated, (name, cursor)])
