"""The lists of agents and of statements: a form of filters, and pages by cursor whose addresses can be kept."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response

from graph.errors import InputError
from graph.web.negotiation import PageRoute
from graph.web.page import Pages, PagesOf

router = APIRouter(route_class=PageRoute, include_in_schema=False)

_PAGE = 20
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
    asked = _Asked(pages, ("name", "publisher", "capability", "active"))
    conditions = {**asked.texts("name", "publisher", "capability"), **asked.choice("active")}
    return await asked.show("agents", conditions, _AGENT_ORDERS)


@router.get("/statements")
async def statements(pages: PagesOf) -> Response:
    """Show the statements of a status, a source, an agent or a topic."""
    asked = _Asked(pages, ("topic", "agent", "source", "status", "verified"))
    conditions: dict[str, object] = {**asked.texts("topic", "agent", "source"), **asked.choice("verified")}
    status = asked.stated("status")
    if status is not None:
        if status not in _STATUSES:
            raise InputError(f"status is {status[:40]!r}, not one of {', '.join(_STATUSES)}", "status")
        conditions["status"] = [status]
    return await asked.show("statements", conditions, _STATEMENT_ORDERS)


class _Asked:
    """The parameters of a list's address: its filters, its order, and the cursor of one end of the page."""

    def __init__(self, pages: Pages, filters: tuple[str, ...]) -> None:
        self._pages = pages
        self._filters = filters

    def stated(self, name: str) -> str | None:
        """Return a parameter of the address; None if it is missing or empty, as a form sends it."""
        return self._pages.request.query_params.get(name) or None

    def texts(self, *names: str) -> dict[str, str]:
        """Return the stated ones of these conditions."""
        return {name: text.strip() for name in names if (text := self.stated(name)) and text.strip()}

    def choice(self, name: str) -> dict[str, bool]:
        """Return a condition that is true, false or not stated. Raises `InputError`."""
        stated = self.stated(name)
        if stated not in (None, "yes", "no"):
            raise InputError(f"{name} is {str(stated)[:40]!r}, not yes or no", name)
        return {} if stated is None else {name: stated == "yes"}

    async def show(
        self, name: str, conditions: Mapping[str, object], orders: Mapping[str, tuple[str, str]]
    ) -> Response:
        """Return the page of the list `name`."""
        order = self.stated("order") or next(iter(orders))
        if order not in orders:
            raise InputError(f"order is {order[:40]!r}, not one of {', '.join(orders)}", "order")
        after, before = self.stated("after"), self.stated("before")
        if after and before:
            raise InputError("after and before are stated, not one of them", "before")
        field, direction = orders[order]
        variables: dict[str, Any] = {
            "filter": dict(conditions),
            # The first order is the list's own, which reads no more than a page.
            "orderBy": None if order == next(iter(orders)) else {"field": field, "direction": direction},
            **({"last": _PAGE, "before": before} if before else {"first": _PAGE, "after": after}),
        }
        data = await self._pages.ask(name, **variables)
        shown = {
            **data,
            "found": data[name],
            "order": order,
            "orders": list(orders),
            "stated": {one: self.stated(one) or "" for one in self._filters},
            "newer": "?" + self._parameters("asOf", before=data[name]["pageInfo"]["startCursor"]),
            "older": "?" + self._parameters("asOf", after=data[name]["pageInfo"]["endCursor"]),
            "parameters": parameters + "&" if (parameters := self._parameters(after=after, before=before)) else "",
        }
        return self._pages.render(name, shown, query=name, variables=variables)

    def _parameters(self, *others: str, **cursor: str | None) -> str:
        """Return the filters, the order, other parameters and a cursor as the query string of an address."""
        kept = {name: self.stated(name) for name in (*self._filters, "order", *others)}
        return urlencode({name: value for name, value in {**kept, **cursor}.items() if value})
