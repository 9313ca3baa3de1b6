"""The lists of agents, statements and disputes: a form of filters, and pages by cursor whose addresses can be kept."""

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
    asked = _Asked(pages, ("name", "publisher", "capability", "active"))
    conditions = {**asked.texts("name", "publisher", "capability"), **asked.choice("active")}
    return await asked.show("agents", conditions, _AGENT_ORDERS)


@router.get("/statements")
async def statements(pages: PagesOf) -> Response:
    """Show the statements of a status, a source, an agent or a topic."""
    asked = _Asked(pages, ("topic", "agent", "source", "status", "verified"))
    conditions = {
        **asked.texts("topic", "agent", "source"),
        **asked.choice("verified"),
        **asked.one_of("status", _STATUSES),
    }
    return await asked.show("statements", conditions, _STATEMENT_ORDERS)


@router.get("/disputes")
async def disputes(pages: PagesOf) -> Response:
    """Show the disputes about a topic, of a state or a ground, both sides beside each other."""
    asked = _Asked(pages, ("topic", "state", "ground", "declared"))
    conditions = {
        **asked.choice("declared"),
        **asked.one_of("state", _DISPUTE_STATES),
        **asked.one_of("ground", _GROUNDS),
    }
    return await asked.show("disputes", conditions, _DISPUTE_ORDERS, root="contradictions", **asked.texts("topic"))


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

    def one_of(self, name: str, values: tuple[str, ...]) -> dict[str, list[str]]:
        """Return a condition that is one of these values, or not stated. Raises `InputError`."""
        stated = self.stated(name)
        if stated is None:
            return {}
        if stated not in values:
            raise InputError(f"{name} is {stated[:40]!r}, not one of {', '.join(values)}", name)
        return {name: [stated]}

    async def show(
        self,
        name: str,
        conditions: Mapping[str, object],
        orders: Mapping[str, tuple[str, str]],
        root: str | None = None,
        **others: object,
    ) -> Response:
        """Return the page of the list `name`, which is the root field `root`; `others` are further variables."""
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
            **others,
            **({"last": _PAGE, "before": before} if before else {"first": _PAGE, "after": after}),
        }
        data = await self._pages.ask(name, **variables)
        found = data[root or name]
        shown = {
            **data,
            "found": found,
            "order": order,
            "orders": list(orders),
            "stated": {one: self.stated(one) or "" for one in self._filters},
            "newer": "?" + self._parameters("asOf", before=found["pageInfo"]["startCursor"]),
            "older": "?" + self._parameters("asOf", after=found["pageInfo"]["endCursor"]),
            "parameters": parameters + "&" if (parameters := self._parameters(after=after, before=before)) else "",
        }
        return self._pages.render(name, shown, query=name, variables=variables)

    def _parameters(self, *others: str, **cursor: str | None) -> str:
        """Return the filters, the order, other parameters and a cursor as the query string of an address."""
        kept = {name: self.stated(name) for name in (*self._filters, "order", *others)}
        return urlencode({name: value for name, value in {**kept, **cursor}.items() if value})
