"""The page of an error, for a client that prefers pages; others get the problem as JSON (RFC 9457)."""

from collections.abc import Mapping

from fastapi import Request
from fastapi.responses import Response

from graph.clearance import Reader
from graph.errors import UnauthenticatedError
from graph.http.readers import readers_of
from graph.problem import Problem
from graph.web.negotiation import prefers_page
from graph.web.page import page_facts, page_response


def problem_page(request: Request, problem: Problem, headers: Mapping[str, str]) -> Response | None:
    """Return the page of a problem; None if the client prefers another form."""
    if request.method not in ("GET", "HEAD") or not prefers_page(request.headers.get("accept")):
        return None
    page = page_facts(request, _reader(request))
    response = page_response("problem", page, {"problem": problem}, problem.status)
    response.headers.update(headers)
    return response


def _reader(request: Request) -> Reader | None:
    """Return the reader of a request; None if its token is unknown."""
    try:
        return readers_of(request).find(request.headers.get("authorization"))
    except UnauthenticatedError:
        return None
