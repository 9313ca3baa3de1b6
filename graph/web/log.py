"""The page of the log: its checkpoint, its entries by type and agent, and the addresses that a monitor reads."""

from fastapi import APIRouter
from fastapi.responses import Response

from a2ap.log.tiles import TILE_WIDTH, entries_path, tile_path
from graph.web.checkpoint import ShownCheckpoint
from graph.web.choices import chosen_text, chosen_value
from graph.web.log_rows import TYPES, entry_rows
from graph.web.negotiation import DataRoute
from graph.web.page import PagesOf
from graph.web.paging import PageLinks, page_variables

router = APIRouter(route_class=DataRoute, include_in_schema=False)


@router.get("/log")
async def log(pages: PagesOf) -> Response:
    """Show the log as of its newest checkpoint, the newest entries first."""
    kind = chosen_value(pages.request, "type", TYPES)
    agent = chosen_text(pages.request, "agent")
    # The log only grows, so that an earlier size of it needs no graph of the past.
    conditions = {"type": None if kind is None else [kind], "agent": agent, "logUntil": pages.as_of}
    variables = {"filter": conditions, **page_variables(pages.request)}
    data = await pages.ask("log", **variables)
    agents = {one["id"]: one for one in data["agents"]["nodes"]}
    shown = {
        **data,
        "checkpoint": ShownCheckpoint.of(data["log"]["checkpoint"]),
        "entries": entry_rows(data["logEntries"]["nodes"], agents),
        "links": PageLinks.of(pages.request, data["logEntries"]["pageInfo"]),
        "types": (("", "any"), *TYPES.items()),
        "type": kind,
        "agent": agent,
        "tiles": tile_addresses(data["log"]["size"]),
    }
    return pages.render("log", shown, query="log", variables=variables)


def tile_addresses(size: int) -> tuple[str, str]:
    """Return the addresses of the newest tile of hashes and the newest bundle of entries of a log of this size."""
    index, width = divmod(size, TILE_WIDTH)
    if width == 0:
        index, width = index - 1, TILE_WIDTH
    return f"log/{tile_path(0, index, width)}", f"log/{entries_path(index, width)}"
