"""The verifier's desk: open requests, keys of the reader's browser, and signed verdicts and statements.

The pages show the data; the scripts make keys, build messages, sign them and submit them. No key reaches the node.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from graph.errors import NotFoundError
from graph.web.negotiation import PageRoute
from graph.web.page import PagesOf
from graph.web.paging import PageLinks, page_variables

PAGE_SIZE = 20
FILTERS = ("criterion", "requester", "verifier")

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.get("/desk")
async def desk(pages: PagesOf) -> Response:
    """Show the requests that wait for verdicts, newest first, with filters."""
    stated = {name: pages.request.query_params.get(name, "").strip() for name in FILTERS}
    conditions: dict[str, object] = {name: stated[name] for name in ("requester", "verifier") if stated[name]}
    if stated["criterion"]:
        conditions["criteria"] = [stated["criterion"]]
    variables = {"filter": conditions or None, **page_variables(pages.request, PAGE_SIZE)}
    data = await pages.ask("desk", **variables)
    requested = [request["criteria"] for request in data["openRequests"]["nodes"]]
    criteria = criteria_of(data["thisNode"], [*requested, [stated["criterion"]] if stated["criterion"] else []])
    shown = {
        **data,
        "stated": stated,
        "choices": [("", "any"), *((one, one) for one in criteria)],
        "links": PageLinks.of(pages.request, data["openRequests"]["pageInfo"]),
        "node": node_facts(data["thisNode"]),
    }
    return pages.render("desk", shown, query="desk", variables=variables)


@router.get("/desk/statements/{name}")
async def judge(name: str, pages: PagesOf) -> Response:
    """Show a statement with a form for a verdict; `?request=` is the signed hash of the request that it answers."""
    data = await pages.ask_for("desk_statement", "statement", name, statementId=name)
    statement = data["statement"]
    asked = pages.request.query_params.get("request") or None
    requests = statement["verificationRequests"]["nodes"]
    request = next((one for one in requests if one["signedHash"] == asked), None)
    if asked is not None and request is None:
        raise NotFoundError(f"no request {asked} asks about the statement {name}")
    criteria = criteria_of(data["thisNode"], [] if request is None else [request["criteria"]])
    task = {
        **node_facts(data["thisNode"]),
        "statement": {"id": statement["id"], "hash": statement["signedHash"]},
        "request": None if request is None else {"id": request["id"], "hash": request["signedHash"]},
        "criteria": criteria if request is None else request["criteria"],
        "others": [] if request is None else [one for one in criteria if one not in request["criteria"]],
    }
    shown = {**data, "request": request, "task": task}
    return pages.render("desk_statement", shown, query="desk_statement", variables={"statementId": name})


@router.get("/desk/new-statement")
async def new_statement(pages: PagesOf) -> Response:
    """Show a form for a statement about sources of this node; `?source=` is the hash of the one to begin with."""
    data = await pages.ask("desk_sources")
    chosen = pages.request.query_params.get("source") or None
    sources = data["documents"]["nodes"]
    if chosen is not None and not any(one["hash"] == chosen for one in sources):
        raise NotFoundError(f"no source {chosen} that can be cited is here")
    task = {**node_facts(data["thisNode"]), "sources": sources, "chosen": chosen}
    return pages.render("desk_new_statement", {**data, "task": task}, query="desk_sources")


def criteria_of(node: Mapping[str, Any], requested: Sequence[Sequence[str]]) -> list[str]:
    """Return the criteria of the policy in force, and then further ones of requests."""
    policy = node["consensusPolicy"]
    named = [*(policy["criteria"] if policy else ()), *(one for criteria in requested for one in criteria)]
    return list(dict.fromkeys(named))


def node_facts(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts about this node that the scripts need."""
    return {"logKeys": node["logKeys"], "admission": node["admissionMode"]}
