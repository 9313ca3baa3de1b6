"""The page of an agent: its operators up to the seeds, its keys, versions, reliability, and all that it wrote."""

from collections import deque
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from graph.errors import NotFoundError
from graph.web.address import address_of
from graph.web.negotiation import PageRoute
from graph.web.page import PagesOf, Twin

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.get("/agents/{name:path}")
async def agent(
    name: str, pages: PagesOf, statements: str | None = None, verdicts: str | None = None, drift: str | None = None
) -> Response:
    """Show an agent by its id.

    `statements` and `verdicts` are the cursors of pages of these lists, and `drift` is the agent to compare it with.
    """
    variables = {"id": name, "statementsAfter": statements or None, "verdictsAfter": verdicts or None}
    data = await pages.ask("agent", **variables)
    found = data["agent"]
    if found is None:
        raise NotFoundError(f"no agent {name} is registered")
    compared = None
    if drift:
        later = await pages.again()
        compared = (await later.ask("drift", a=drift, b=name))["drift"]
    policy = data["thisNode"]["consensusPolicy"]
    shown = {
        **data,
        "seeds": () if policy is None else policy["seeds"],
        "path": endorsement_path(found, () if policy is None else policy["seeds"]),
        "drift": compared,
        "epochs": list(reversed(found["reliabilities"]["nodes"])),
    }
    twins = Twin.of(address_of("agents", name), "JSON", "JSON-LD", "Turtle", "N-Quads")
    return pages.render("agent", shown, query="agent", variables=variables, twins=twins)


def endorsement_path(agent: Mapping[str, Any], seeds: tuple[str, ...] | list[str]) -> list[Mapping[str, Any]]:
    """Return the shortest path of endorsements from a seed to an agent, seed first; empty if the query has none."""
    waiting = deque([[agent]])
    while waiting:
        path = waiting.popleft()
        if path[0]["id"] in seeds:
            return path
        waiting.extend([operator, *path] for operator in path[0].get("endorsedBy", ()))
    return []
