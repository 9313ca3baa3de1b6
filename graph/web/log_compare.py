"""The page that compares two sizes of the log: the entries between, the scores that changed, and the proofs.

Rules:

- The scores of a statement are compared if an entry between the sizes is the statement, a verdict on it or its
  retraction. Other entries, such as a policy, can change the score of any statement; the page lists them.
- The scores need the graph as it was at both sizes. If this node cannot make it, the page shows everything else.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from graph.errors import InputError, OperationTimeoutError, TooManySizesError
from graph.web.choices import chosen_number
from graph.web.log_rows import entry_rows, type_words
from graph.web.negotiation import DataRoute
from graph.web.page import Pages, PagesOf
from graph.web.paging import PageLinks, page_variables

router = APIRouter(route_class=DataRoute, include_in_schema=False)

_MOST_SCORES = 60


@router.get("/log/compare")
async def log_compare(pages: PagesOf) -> Response:
    """Show the difference between two sizes of the log; without sizes, the form that asks for them."""
    start, end = chosen_number(pages.request, "from"), chosen_number(pages.request, "to")
    size = (await pages.ask("log_size"))["log"]["size"]
    if start is None:
        return pages.render("log_compare", {"log": {"size": size}})
    end = size if end is None else end
    _check(start, end, size)
    variables = {"from": start, "to": end, **page_variables(pages.request)}
    data = await pages.ask("log_compare", **variables)
    touched = list(_touched(data, start, end))
    changes, reason = await _changes(pages, touched[:_MOST_SCORES], start, end, size)
    agents = {one["id"]: one for one in data["agents"]["nodes"]}
    log, proofs = data["log"], ("fromRoot", "toRoot", "between", "onward", "checkpoint", "successions")
    shown = {
        **data,
        "compared": {"from": start, "to": end},
        "entries": entry_rows(data["logEntries"]["nodes"], agents),
        "links": PageLinks.of(pages.request, data["logEntries"]["pageInfo"]),
        "touched": len(touched),
        "changes": changes,
        "reason": reason,
        "most_scores": _MOST_SCORES,
        "wide_entries": [{**one, "words": type_words(one["type"])} for one in data["wide"]["nodes"]],
        "material": {"from": start, "to": end, "logKey": log["key"], **{name: log[name] for name in proofs}},
    }
    return pages.render("log_compare", shown, query="log_compare", variables=variables)


def _check(start: int, end: int, size: int) -> None:
    """Raise `InputError` unless the log has had both sizes, in this order."""
    for name, value in (("from", start), ("to", end)):
        if not 1 <= value <= size:
            raise InputError(f"{name} is {value}; the log has had sizes from 1 to {size}", name)
    if start > end:
        raise InputError(f"from is {start}, larger than to, which is {end}", "from")


def _touched(data: Mapping[str, Any], start: int, end: int) -> Iterator[dict[str, Any]]:
    """Yield the statements that an entry between the sizes is about, each once."""
    retracted = [one for one in data["retracted"]["nodes"] if start <= one["retraction"]["logIndex"] < end]
    judged = [one["statement"] for one in data["verifications"]["nodes"]]
    seen: set[str] = set()
    for statement in (*data["statements"]["nodes"], *judged, *retracted):
        if statement["signedHash"] not in seen:
            seen.add(statement["signedHash"])
            yield statement


async def _changes(
    pages: Pages, touched: list[dict[str, Any]], start: int, end: int, size: int
) -> tuple[list[dict[str, Any]], str | None]:
    """Return the statements whose scores or standings differ, or the reason why they cannot be compared."""
    if not touched or start == end:
        return [], None
    moments = [None if one == size else {"logSize": one} for one in (start, end)]
    ids = [one["globalId"] for one in touched]
    try:
        scores = await pages.ask("log_scores", ids=ids, **dict(zip(("from", "to"), moments, strict=True)))
    except (InputError, OperationTimeoutError, TooManySizesError) as error:
        return [], str(error)
    pairs = zip(touched, scores["earlier"], scores["later"], strict=True)
    return [
        {**statement, "earlier": earlier, "later": later} for statement, earlier, later in pairs if earlier != later
    ], None
