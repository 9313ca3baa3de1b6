"""The operator's page: the state of the node, its rules in words, and the effect of another threshold or quorum.

The schema refuses the state to every other reader (`Query.nodeStatus`). The page changes nothing: commands do, with the
node's key.
"""

from fastapi import APIRouter
from fastapi.responses import Response

from graph.web.choices import chosen_number, chosen_share
from graph.web.negotiation import PageRoute
from graph.web.page import PagesOf

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.get("/operator")
async def operator(pages: PagesOf) -> Response:
    """Show the node to its operator; `threshold` and `quorum` are the values of a policy to try."""
    tried = {"threshold": chosen_share(pages.request, "threshold"), "quorum": chosen_number(pages.request, "quorum")}
    data = await pages.ask("operator", **tried)
    names = {one["id"]: one["name"] for one in data["agents"]["nodes"]}
    shown = {**data, "names": names, "is_tried": any(value is not None for value in tried.values())}
    return pages.render("operator", shown, query="operator", variables=tried)
