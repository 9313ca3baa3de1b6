"""The lists of agents, statements and disputes: a form of filters, and pages by cursor whose addresses can be kept."""

from collections.abc import Mapping
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response

from graph.web.choices import chosen_flag, chosen_text, chosen_value
from graph.web.negotiation import DataRoute
from graph.web.page import Pages, PagesOf
from graph.web.paging import PageLinks, page_variables

router = APIRouter(route_class=DataRoute, include_in_schema=False)

_PAGE = 20
_DISPUTE_ORDERS = {"weight": ("WEIGHT", "DESC"), "newest": ("LOG_INDEX", "DESC"), "oldest": ("LOG_INDEX", "ASC")}
_DISPUTE_STATES = ("OPEN", "DECIDED", "WITHDRAWN")
_GROUNDS = ("AMOUNT", "DATE", "DENIAL", "OUTCOME")
_STATUSES = ("CURRENT", "SUPERSEDED", "RETRACTED")
_AGENT_ORDERS = {
    "oldest": ("LOG_INDEX", "ASC"),
    "newest": ("LOG_INDEX", "DESC"),
    "name": ("NAME", "ASC"),
    "reputation": ("REPUTATION", "DESC"),
}
_STATEMENT_ORDERS = {
    "newest": ("LOG_INDEX", "DESC"),
    "oldest": ("LOG_INDEX", "ASC"),
    "score": ("SCORE", "DESC"),
    "uncertain": ("SCORE", "ASC"),
}


@router.get("/agents")
async def agents(pages: PagesOf) -> Response:
    """Show the agents of a name, a publisher or a capability."""
    words = ("name", "publisher", "capability")
    conditions = {**_texts(pages, words), "active": chosen_flag(pages.request, "active")}
    return await _show(pages, "agents", conditions, _AGENT_ORDERS, (*words, "active"))


@router.get("/statements")
async def statements(pages: PagesOf) -> Response:
    """Show the statements of a status, a source, an agent or a topic."""
    words = ("topic", "agent", "source")
    conditions = {
        **_texts(pages, words),
        "verified": chosen_flag(pages.request, "verified"),
        "status": _listed(chosen_value(pages.request, "status", _STATUSES)),
    }
    return await _show(pages, "statements", conditions, _STATEMENT_ORDERS, (*words, "status", "verified"))


@router.get("/disputes")
async def disputes(pages: PagesOf) -> Response:
    """Show the disputes about a topic, of a state or a ground, both sides beside each other."""
    conditions = {
        "declared": chosen_flag(pages.request, "declared"),
        "state": _listed(chosen_value(pages.request, "state", _DISPUTE_STATES)),
        "ground": _listed(chosen_value(pages.request, "ground", _GROUNDS)),
    }
    filters = ("topic", "state", "ground", "declared")
    topic = chosen_text(pages.request, "topic")
    return await _show(pages, "disputes", conditions, _DISPUTE_ORDERS, filters, root="contradictions", topic=topic)


def _texts(pages: Pages, names: tuple[str, ...]) -> dict[str, str | None]:
    return {name: chosen_text(pages.request, name) for name in names}


async def _show(
    pages: Pages,
    name: str,
    conditions: Mapping[str, object],
    orders: Mapping[str, tuple[str, str]],
    filters: tuple[str, ...],
    root: str | None = None,
    **others: object,
) -> Response:
    """Return the page of the list `name`, which is the root field `root`; `others` are further variables."""
    own = next(iter(orders))
    order = chosen_value(pages.request, "order", orders) or own
    field, direction = orders[order]
    variables = {
        "filter": {one: value for one, value in conditions.items() if value is not None},
        # The first order is the list's own, which reads no more than a page.
        "orderBy": None if order == own else {"field": field, "direction": direction},
        **{one: value for one, value in others.items() if value is not None},
        **page_variables(pages.request, _PAGE),
    }
    data = await pages.ask(name, **variables)
    found = data[root or name]
    stated = pages.request.query_params
    kept = {one: stated[one] for one in (*filters, "order", "after", "before") if stated.get(one)}
    shown = {
        **data,
        "found": found,
        "order": order,
        "orders": list(orders),
        "stated": {one: stated.get(one, "") for one in filters},
        "links": PageLinks.of(pages.request, found["pageInfo"]),
        "parameters": urlencode(kept) + "&" if kept else "",
    }
    return pages.render(name, shown, query=name, variables=variables)


def _listed(value: str | None) -> list[str] | None:
    return None if value is None else [value]
