"""The page of a Context Passport: its chain, agent by agent, the findings of its check, and the state after it."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from graph.web.address import address_of
from graph.web.json_lines import in_lines, read_json
from graph.web.negotiation import PageRoute
from graph.web.page import PagesOf, Twin

MAX_LANES = 6
MAX_SHOWN = 20_000
"""The most characters of a text of a record that a page shows; the bytes are at its address."""

SEVERITIES = (
    ("ERROR", "Errors: a check failed", "badge-bad"),
    ("GAP", "Gaps: a check cannot be made here", "badge-open"),
    ("WARNING", "Warnings: a person should look", "badge-open"),
    ("NOTE", "Notes", ""),
)
"""The severities of findings, worst first, each with its heading and mark."""

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Step:
    """A record in its chain: its number from 1, its lane, and its parents and children that are shown, by number."""

    number: int
    lane: int
    record: Mapping[str, Any]
    parents: tuple[int, ...]
    children: tuple[int, ...]

    @property
    def forks(self) -> bool:
        """Whether several records were derived from it."""
        return len(self.children) > 1


@router.get("/passports/{name}")
async def passport(name: str, pages: PagesOf) -> Response:
    """Show a passport by the hash of its bytes or by its id."""
    data = await pages.ask_for("passport", "passport", name, name=name)
    found = data["passport"]
    check = found["verification"]
    steps = steps_of(found["chain"]["nodes"])
    numbers = {step.record["recordHash"]: step.number for step in steps}
    shown = {
        **data,
        "steps": steps,
        "number": numbers.get(found["recordHash"]),
        "groups": groups_of(check["findings"] if check else ()),
        "chain_groups": groups_of(check["chainFindings"] if check else ()),
        "numbers": numbers,
        "document": shortened(found["document"]),
        "state": _state(found["state"]),
    }
    twins = Twin.of(address_of("passports", found["recordHash"]), "JSON") if found["document"] is not None else ()
    return pages.render("passport", shown, query="passport", variables={"name": name}, twins=twins)


def steps_of(records: Sequence[Mapping[str, Any]]) -> list[Step]:
    """Return the records of a chain, parents first; a first child continues its parent's lane, others get their own."""
    ordered = _parents_first(records)
    numbers = {record["recordHash"]: number for number, record in enumerate(ordered, 1)}
    parents = {
        place: tuple(above for one in record["parents"] if (above := numbers.get(one["recordHash"], place)) < place)
        for place, record in enumerate(ordered, 1)
    }
    children: dict[int, list[int]] = {number: [] for number in parents}
    for number, given in parents.items():
        for one in given:
            children[one].append(number)
    lanes: dict[int, int] = {}
    last = -1
    for number, given in parents.items():
        if given and children[given[0]][0] == number:
            lanes[number] = lanes[given[0]]
        else:
            last = lanes[number] = min(last + 1, MAX_LANES - 1)
    return [
        Step(number, lanes[number], record, parents[number], tuple(children[number]))
        for number, record in enumerate(ordered, 1)
    ]


def groups_of(findings: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, list[Mapping[str, Any]]]]:
    """Return findings by severity, worst first: the heading, the mark and the findings of each."""
    return [
        (heading, mark, [one for one in findings if one["severity"] == severity])
        for severity, heading, mark in SEVERITIES
    ]


def shortened(text: str | None) -> str | None:
    """Return a text, cut off at `MAX_SHOWN` characters."""
    return text if text is None or len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + " …"


def indented(text: str) -> str:
    """Return a JSON text in lines, cut off at `MAX_SHOWN` characters; a text that is no JSON stays as it is."""
    with suppress(ValueError):
        text = in_lines(read_json(text))
    return shortened(text) or ""


def _state(state: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if state is None:
        return None
    values = {name: indented(state[name]) for name in ("output", "memory", "variables")}
    lacks = json.loads(state["lacks"])
    return {**state, **values, "lacks": lacks if isinstance(lacks, dict) else {}}


def _parents_first(records: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    # Records come in the order of the log, in which a parent may be later than its children.
    known = {record["recordHash"]: record for record in records}
    ordered: dict[str, Mapping[str, Any]] = {}
    pending = list(reversed(records))
    waiting: set[str] = set()
    while pending:
        record = pending.pop()
        name = record["recordHash"]
        if name in ordered:
            continue
        above = [one["recordHash"] for one in record["parents"]]
        missing = [known[one] for one in above if one in known and one not in ordered and one not in waiting]
        if missing and name not in waiting:
            waiting.add(name)
            pending += [record, *reversed(missing)]
        else:
            ordered[name] = record
    return list(ordered.values())
