"""Lists of verdicts: the verdicts between two places of an order, and their filters."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from a2ap.times import micros_of
from graph.lists.cursor import Key, Ordering
from graph.lists.ordered import END, Near, find_ordered
from graph.lists.span import Span
from graph.log.entry import log_size
from graph.store import Row, Store

_PLACES = 24
"""Verdicts are most of a log; usually at least one in this many entries matches."""


class VerificationOrder(StrEnum):
    """The orders in which verdicts can be listed."""

    LOG_INDEX = "LOG_INDEX"
    VERIFIED_AT = "VERIFIED_AT"
    CONFIDENCE = "CONFIDENCE"


@dataclass(frozen=True, slots=True)
class VerificationChoice:
    """A selection of verdicts; None is no condition. Ranges are half-open."""

    agent: str | None = None
    statement: str | None = None
    verdicts: tuple[str, ...] | None = None
    criterion: str | None = None
    machine: bool | None = None
    verified_from: datetime | None = None
    verified_until: datetime | None = None
    log_from: int | None = None
    log_until: int | None = None


def ordering_of(order: VerificationOrder, *, descending: bool) -> Ordering:
    """Return an ordering of verdicts; of equal rank, newer verdicts come after older ones."""
    types = (int,) if order is VerificationOrder.LOG_INDEX else (float, int)
    return Ordering(f"verifications by {order}", types, descending)


def key_of(order: VerificationOrder, row: Row) -> Key:
    """Return the key of a row in this ordering."""
    return (row["number"],) if order is VerificationOrder.LOG_INDEX else (row["rank"], row["number"])


async def find_verifications(
    store: Store, choice: VerificationChoice, order: VerificationOrder, span: Span
) -> list[Row]:
    """Return the `name`, `rank` and `number` of the verdicts in a span, in its direction of reading."""
    parameters: dict[str, object] = {
        "verdicts": None if choice.verdicts is None else list(choice.verdicts),
        "criterion": choice.criterion,
        "machine": choice.machine,
        "verified_from": None if choice.verified_from is None else micros_of(choice.verified_from),
        "verified_until": None if choice.verified_until is None else micros_of(choice.verified_until),
        "order": order.value,
    }
    between = between_of(choice.log_from, choice.log_until)
    if choice.statement is not None:
        narrower = {"statement": choice.statement, "agent": choice.agent}
        return await find_ordered(
            store, "find_verifications_of_statement", span, parameters | narrower, between=between
        )
    if choice.agent is not None:
        narrower = {"agent": choice.agent}
        return await find_ordered(store, "find_verifications_of_agent", span, parameters | narrower, between=between)
    near = Near("find_verifications_near", _PLACES, await log_size(store))
    return await find_ordered(store, "find_verifications", span, parameters, between=between, near=near)


def between_of(log_from: int | None, log_until: int | None) -> tuple[int, int]:
    """Return the bounds of the log indices in a half-open range, both exclusive."""
    return -1 if log_from is None else log_from - 1, END if log_until is None else log_until
