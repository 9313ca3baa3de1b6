"""Lists of statements: the statements between two places of an order, and their filters.

Reading begins at the smallest set: a document's statements, the hits of a search, an author's statements, those about a
subject, else the newest statements.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from a2ap.times import micros_of
from graph.lists.cursor import Key, Ordering
from graph.lists.ordered import END, Near, find_ordered
from graph.lists.span import Span
from graph.store import Row, Store

_PLACES = 8
"""Statements are numbered without a gap; most filters match more than one in this many."""


class StatementOrder(StrEnum):
    """The orders in which statements can be listed."""

    LOG_INDEX = "LOG_INDEX"
    GENERATED_AT = "GENERATED_AT"
    SCORE = "SCORE"
    CONFIDENCE = "CONFIDENCE"


@dataclass(frozen=True, slots=True)
class StatementChoice:
    """A selection of statements; None is no condition. Ranges are half-open."""

    agent: str | None = None
    hashes: tuple[str, ...] | None = None
    document: str | None = None
    subject_key: str | None = None
    verified: bool | None = None
    min_score: float | None = None
    max_score: float | None = None
    generated_from: datetime | None = None
    generated_until: datetime | None = None
    log_from: int | None = None
    log_until: int | None = None
    statuses: tuple[str, ...] | None = None

    @property
    def is_everything(self) -> bool:
        """Return whether the selection leaves nothing out."""
        return self == StatementChoice()


def ordering_of(order: StatementOrder, *, descending: bool) -> Ordering:
    """Return an ordering of statements; of equal rank, newer statements come after older ones."""
    types = (int,) if order is StatementOrder.LOG_INDEX else (float, int)
    return Ordering(f"statements by {order}", types, descending)


def key_of(order: StatementOrder, row: Row) -> Key:
    """Return the key of a row in this ordering."""
    return (row["number"],) if order is StatementOrder.LOG_INDEX else (row["rank"], row["number"])


async def find_statements(store: Store, choice: StatementChoice, order: StatementOrder, span: Span) -> list[Row]:
    """Return the `name`, `rank` and `number` of the statements in a span, in its direction of reading."""
    between = await _between(store, choice)
    query, start = await _start_of(store, choice)
    parameters = {**_conditions(choice), **start, "order": order.value}
    near = None
    if not start:
        near = Near("find_statements_near", _PLACES, int((await store.read("statement_count"))[0]["statements"]))
    return await find_ordered(store, query, span, parameters, between=between, near=near)


async def _between(store: Store, choice: StatementChoice) -> tuple[int, int]:
    """Return the bounds of the statement numbers in the chosen part of the log, both exclusive."""
    low, high = -1, END
    if choice.log_from is not None:
        rows = await store.read("next_statement", after=choice.log_from - 1)
        low = rows[0]["number"] - 1 if rows else END
    if choice.log_until is not None:
        rows = await store.read("next_statement", after=choice.log_until - 1)
        high = rows[0]["number"] if rows else END
    return low, high


async def _start_of(store: Store, choice: StatementChoice) -> tuple[str, dict[str, object]]:
    """Return the query that begins at the smallest set, and the parameters that only this query has."""
    hashes = None if choice.hashes is None else list(choice.hashes)
    if choice.document is not None:
        rows = await store.read("lineage_documents", name=choice.document)
        documents = [row["document_key"] for row in rows]
        narrower = {"agent": choice.agent, "subject": choice.subject_key, "hashes": hashes}
        return "find_statements_citing", {"documents": documents, **narrower}
    if hashes is not None:
        return "find_statements_among", {"hashes": hashes, "agent": choice.agent, "subject": choice.subject_key}
    if choice.agent is not None:
        return "find_statements_of_agent", {"agent": choice.agent, "subject": choice.subject_key}
    if choice.subject_key is not None:
        return "find_statements_about", {"subject": choice.subject_key}
    return "find_statements", {}


def _conditions(choice: StatementChoice) -> dict[str, object]:
    return {
        "verified": choice.verified,
        "min_score": choice.min_score,
        "max_score": choice.max_score,
        "generated_from": None if choice.generated_from is None else micros_of(choice.generated_from),
        "generated_until": None if choice.generated_until is None else micros_of(choice.generated_until),
        "statuses": None if choice.statuses is None else list(choice.statuses),
    }
