"""The page of a search: statements with the words that were looked for marked, twenty a page."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response

from graph.errors import InputError
from graph.graphql.context import MAX_PAGE
from graph.web.negotiation import PageRoute
from graph.web.page import PagesOf, Twin

router = APIRouter(route_class=PageRoute, include_in_schema=False)

_HITS = 20
_LAST_PAGE = MAX_PAGE // _HITS
_MOST_QUOTES = 3


@router.get("/search")
async def search(pages: PagesOf, q: str = "") -> Response:
    """Show the statements that a query finds; without one, the form."""
    query = q.strip()
    number = _page_number(pages.request.query_params.get("page") or "1")
    shown: dict[str, Any] = {
        "asked": query,
        "number": number,
        "hits": [],
        "more": False,
        "cut": False,
        "log": {"size": None},
    }
    if not query:
        return pages.render("search", shown)
    # One more than the page shows tells whether there is another page.
    variables: dict[str, object] = {"query": query, "first": min(number * _HITS + 1, MAX_PAGE)}
    data = await pages.ask("search", **variables)
    hits = data["search"]["hits"]
    shown |= {
        **data,
        "hits": [with_citations(hit) for hit in hits[(number - 1) * _HITS : number * _HITS]],
        "more": len(hits) > number * _HITS and number < _LAST_PAGE,
        "cut": len(hits) == MAX_PAGE and number == _LAST_PAGE,
    }
    address = urlencode({"q": query, "first": variables["first"], "_mediatype": "application/json"})
    twins = (Twin("JSON", f"search?{address}"),)
    return pages.render("search", shown, query="search", variables=variables, twins=twins)


def with_citations(hit: Mapping[str, Any]) -> dict[str, Any]:
    """Return a hit whose evidence has the place in the source, those with marked words first."""
    places = {citation["chunkId"]: citation for citation in hit["statement"]["citations"]}
    evidence = [
        {**places[one["chunkId"]], "quote": one["quote"], "withheld": one["withheld"]}
        for one in hit["evidence"]
        if one["chunkId"] in places
    ]
    marked = [one for one in evidence if one["quote"]["highlights"]]
    return {**hit, "evidence": (marked or evidence)[:_MOST_QUOTES]}


def _page_number(stated: str) -> int:
    if not (stated.isascii() and stated.isdigit() and len(stated) < 4 and 1 <= int(stated) <= _LAST_PAGE):
        raise InputError(f"page is {stated[:40]!r}, not from 1 to {_LAST_PAGE}", "page")
    return int(stated)
