"""Registrations with a proof of possession, and without one where a platform takes none."""

from collections.abc import Callable
from http import HTTPStatus
from typing import TypeVar

from a2ap.client.answers import ProblemError

T = TypeVar("T")


def send_with_proof(send: Callable[[str | None], T], possession_mac: str) -> T:
    """Return `send(possession_mac)`, or `send(None)` if the platform takes no proof of possession for these bytes.

    Raises the errors of `send`.
    """
    try:
        return send(possession_mac)
    except ProblemError as problem:
        if not takes_no_proof(problem):
            raise
    return send(None)


def takes_no_proof(problem: ProblemError) -> bool:
    """Say if a platform has refused a registration for its proof of possession.

    It takes none if the bytes are there already and another agent owns them (403 with the path of the proof), or if it
    is of an earlier version: there nobody registered them (403 without a path), or bytes that it has did not come again
    (422 without a path).
    """
    of_proof = problem.path is None or problem.path.endswith("possessionMac")
    return problem.status in (HTTPStatus.FORBIDDEN, HTTPStatus.UNPROCESSABLE_ENTITY) and of_proof
