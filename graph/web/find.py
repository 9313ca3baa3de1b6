"""From a name to its page: hashes and ids in the answers of programs become links by it."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from graph.errors import InputError, NotFoundError
from graph.web.address import address_of
from graph.web.negotiation import PageRoute
from graph.web.page import PagesOf

router = APIRouter(route_class=PageRoute, include_in_schema=False)

FOLDERS: Mapping[str, str] = {
    "AGENT": "agents",
    "PACK": "records",
    "PACKET": "records",
    "PACKET_RECORD": "records",
    "PASSPORT": "records",
    "SOURCE": "sources",
    "STATEMENT": "statements",
    "VERIFICATION": "verifications",
}
"""The folders of the pages of each kind that has pages."""


@router.get("/find")
async def find(pages: PagesOf, name: str = "") -> Response:
    """Lead to the page of the thing of this name; the first of several."""
    if not name:
        raise InputError("the address states no name", "name")
    for thing in (await pages.ask("find", name=name))["impact"]["of"]:
        address = page_of(thing)
        if address is not None:
            return RedirectResponse(address, 303, {"vary": "Accept, Authorization"})
    raise NotFoundError(f"{name} has no page")


def page_of(thing: Mapping[str, Any]) -> str | None:
    """Return the address of a thing's page from the root; None if it has none, such as a key."""
    folder = FOLDERS.get(thing["kind"])
    if folder is not None:
        return address_of(folder, thing["name"])
    return None if thing["logIndex"] is None else f"log/{thing['logIndex']}"
