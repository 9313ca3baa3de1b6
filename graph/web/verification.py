"""The page of a verdict: its findings, the statement judged, its evidence, and the dispute about a challenge."""

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from graph.errors import NotFoundError
from graph.web.address import address_of, query_of
from graph.web.negotiation import PageRoute
from graph.web.page import PagesOf, Twin

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.get("/verifications/{name}")
async def verification(name: str, pages: PagesOf) -> Response:
    """Show a verdict by its signed hash; lead from its id to its hash."""
    if not name.startswith("sha256:"):
        things = (await pages.ask("find", name=name))["impact"]["of"]
        known = next((thing["name"] for thing in things if thing["kind"] == "VERIFICATION"), None)
        if known is None:
            raise NotFoundError(f"no verification {name} is here")
        address = f"../{address_of('verifications', known)}{query_of(pages.request)}"
        return RedirectResponse(address, 307, {"vary": "Accept, Authorization"})
    data = await pages.ask_for("verification", "verification", name, signedHash=name)
    found = data["verification"]
    consensus = found["statement"]["consensus"]
    shown = {
        **data,
        "reading": next((one for one in consensus["readings"] if one["logIndex"] == found["logIndex"]), None),
        "part": next((one for one in consensus["contributions"] if one["agent"] == found["agent"]["id"]), None),
    }
    twins = Twin.of(address_of("verifications", name), "JSON", "JSON-LD", "Turtle", "N-Quads")
    return pages.render("verification", shown, query="verification", variables={"signedHash": name}, twins=twins)
