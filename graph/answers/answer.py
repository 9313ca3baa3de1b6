"""An answer to a question: its query and rows, and the statements behind them, as facts or as not yet accepted.

Only claims of statements are facts, and only of verified ones that their author has not retracted. Every other
statement of the rows is under "not yet accepted", with the missing conditions.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph.answers.own_query import OwnAnswer
from graph.scores.on_demand import consensus_of_statements
from graph.store import Row, Store

MAX_STATEMENTS = 50
"""The maximum number of statements behind an answer; the rows may name more."""

TEMPLATES = "templates"
_TAKEN_BACK = "Its author has taken it back."
_REVISED = "Its author has revised it."
_PROBE = "It is a question of the operator's to verifiers, and no claim."


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer, the statement behind it, and the missing conditions of its acceptance."""

    text: str
    statement: str
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, its answer, and the model or templates that answered.

    `by` is `templates` or the name of a model. `note` says why no model answered, if none did; `template` names the
    query that answered.
    """

    question: str
    by: str
    own: OwnAnswer
    accepted: tuple[Sentence, ...]
    not_yet_accepted: tuple[Sentence, ...]
    template: str | None = None
    note: str | None = None


async def sentences_of(
    store: Store, rows: Sequence[Sequence[Any]]
) -> tuple[tuple[Sentence, ...], tuple[Sentence, ...]]:
    """Return the statements named in rows, in their order: those that are facts, and the others."""
    named = list(dict.fromkeys(name for row in rows for value in row for name in _names_in(value)))[
        : 4 * MAX_STATEMENTS
    ]
    if not named:
        return (), ()
    known = await _known(store, named)
    lacking = [row["signed_hash"] for row in known if not _is_fact(row)]
    found = await consensus_of_statements(store, lacking) if lacking else {}
    accepted, others = [], []
    for row in known:
        if _is_fact(row):
            accepted.append(Sentence(row["claim_text"], row["signed_hash"]))
        else:
            reasons = (*_own_reasons(row), *found[row["signed_hash"]].reasons)
            others.append(Sentence(f"{row['agent_name']} states: {row['claim_text']}", row["signed_hash"], reasons))
    return tuple(accepted), tuple(others)


async def _known(store: Store, named: Sequence[str]) -> list[Row]:
    ids = [name for name in named if not name.startswith("sha256:")]
    by_id: dict[str, list[str]] = {}
    for row in await store.read("statements_by_id", ids=ids) if ids else ():
        by_id.setdefault(row["statement_id"], []).append(row["signed_hash"])
    hashes = [one for name in named for one in (by_id.get(name, ()) if name in ids else (name,))]
    hashes = list(dict.fromkeys(hashes))
    rows = {row["signed_hash"]: row for row in await store.read("statements_by_hash", hashes=hashes)}
    return [rows[one] for one in hashes if one in rows][:MAX_STATEMENTS]


def _names_in(value: Any) -> Iterator[str]:
    """Yield the strings in a value of a row that may be the hash or the id of a statement."""
    if isinstance(value, str):
        if value.startswith(("sha256:", "urn:uuid:")):
            yield value
    elif isinstance(value, Mapping):
        if value.get("label") == "Statement":
            yield from _names_in(value.get("signed_hash"))
        elif "label" not in value and "type" not in value:
            for item in value.values():
                yield from _names_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from _names_in(item)


def _is_fact(row: Row) -> bool:
    return bool(row["verified"]) and not any(_own_reasons(row))


def _own_reasons(row: Row) -> tuple[str, ...]:
    found = ((row["retracted"], _TAKEN_BACK), (row["superseded_by"], _REVISED), (row["probe"], _PROBE))
    return tuple(reason for holds, reason in found if holds)
