"""The operator's page: the state of the node, its rules in words, and the effect of another threshold or quorum.

The schema refuses the state to every other reader (`Query.nodeStatus`). The page changes nothing: commands do, with the
node's key.
"""

from fastapi import APIRouter
from fastapi.responses import Response

from a2ap.messages.policy import MAX_QUORUM
from graph.web.choices import chosen_number, chosen_share
from graph.web.negotiation import PageRoute
from graph.web.page import PagesOf

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.get("/operator")
async def operator(pages: PagesOf) -> Response:
    """Show the node to its operator; `threshold` and `quorum` are the values of a policy to try."""
    threshold, quorum = chosen_share(pages.request, "threshold"), chosen_number(pages.request, "quorum")
    is_tried = threshold is not None or quorum is not None
    variables = {"threshold": threshold, "quorum": quorum, "tried": is_tried}
    data = await pages.ask("operator", **variables)
    shown = {
        **data,
        "agents": {one["id"]: one for one in data["agents"]["nodes"]},
        "preview": data["nodeStatus"].get("policyPreview"),
        "most_quorum": MAX_QUORUM,
    }
    return pages.render("operator", shown, query="operator", variables=variables)
