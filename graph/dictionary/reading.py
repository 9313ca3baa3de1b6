"""Reads the dictionary's files: `terms/<subject>.toml`, each with the labels and types of relationship of a subject.

A section `[nodes.Label]` or `[relationships.TYPE]` begins with these members, `is` always and the others if they apply:

- `is`: the meaning, a sentence;
- `from`, `to`: the labels at the two ends of a relationship, alternatives separated by bars;
- `export`: the query of its pages in exports (`graph.export.steps`);
- `is_written_once`: whether nodes stay as they were written, so that exports of changes do not have them again;
- `comes_with_statement`: whether the nodes are messages about a statement, exported with it (`graph.export.gathering`);
- `table`, `indexes`: the table of the mirror for the nodes of a message, and the columns that it is searched by;
- `withheld`: the properties with the words of a source.

All other members are properties, the key of a node first: `kind`, `(unit)` if it has one, `!` if it is always present,
then its origin and its meaning. Its origin is `said` by a signed message or a record, `noted` by the node when it
accepts a message, or `derived` from the log, so that it may change. `[relationships.TYPE.Label]` has the properties of
relationships that start at the label.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from graph.dictionary.term import Column, Kind, Origin, Term

WITHHELD = Column("withheld", Kind.TEXT, "Why words were taken out for this reader, where they were.", "", Origin.NOTED)
"""The column that every table has beside its properties."""

_NODES = (
    *("LogEntry", "Agent", "AgentFamily", "Key", "KeyEvent", "AdmissionPolicy", "Policy", "Epoch", "Reliability"),
    *("Peer", "PeerCheckpoint", "Equivocation", "Retraction", "Redaction", "VerificationDecline", "ChallengeAnswer"),
    *("Probe", "GoldLabel", "GoldDispute", "Source", "Document", "Passport", "Pack", "Step", "Packet", "Item"),
    *("PacketRecord", "Chunk", "Statement", "VerificationRequest", "Verification", "LogHead"),
)
"""Labels in the order in which exports have had them; any other label comes after these, by its name."""

_RELATIONSHIPS = (
    *("HAS_KEY", "SPECIALIZATION_OF", "ENDORSED", "OF", "REGISTERED", "SOURCED_FROM", "PART_OF", "GENERATED", "CITES"),
    *("SUPPORTS", "CONTRADICTS", "REVISION_OF", "VERIFIED", "CHALLENGED", "REQUESTED_VERIFICATION", "TARGETS"),
    *("VALIDATES", "PERFORMED_BY", "LABELS", "DECLINES", "STATED_BY", "DISPUTES", "RECORD_OF", "GENERATED_BY"),
    *("DERIVED_FROM", "ATTRIBUTED_TO", "USED", "HAS_STEP", "INFORMED_BY", "HAS_ITEM", "ABOUT", "SUPERSEDES", "ECHOES"),
    "DISPOSES",
)
"""Types of relationship in their order; any other type comes after these, by its name."""

_TEXTS = ("is", "from", "to", "export", "table")
_STATED = re.compile(
    r"(?P<kind>\w+(\[\])?)(\((?P<unit>[^)]+)\))?(?P<always>!)? (?P<origin>said|noted|derived): (?P<meaning>.+)"
)


@cache
def node_terms() -> Mapping[str, Term]:
    """Return the labels, in the order in which they are read."""
    return _terms("nodes", _NODES)


@cache
def relationship_terms() -> Mapping[str, Term]:
    """Return the types of relationship, each with the properties that it has from every start."""
    return _terms("relationships", _RELATIONSHIPS)


@cache
def columns_from(type: str, start: str) -> tuple[Column, ...]:
    """Return the properties of a type of relationship that starts at a label."""
    own = _read("relationships").get(type, {}).get(start, {})
    return (*relationship_terms()[type].columns, *_columns(f"{type}.{start}", own))


def starts_with_own(type: str) -> tuple[str, ...]:
    """Return the start labels at which relationships of a type have properties that others of the type lack."""
    return tuple(name for name, own in _read("relationships")[type].items() if isinstance(own, dict))


def _terms(section: str, order: Sequence[str]) -> dict[str, Term]:
    found = _read(section)
    return {name: _term(name, found[name]) for name in dict.fromkeys((*order, *sorted(found)))}


@cache
def _read(section: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for file in sorted((Path(__file__).parent / "terms").glob("*.toml")):
        stated = tomllib.loads(file.read_text(encoding="utf-8")).get(section, {})
        if repeated := sorted(found.keys() & stated.keys()):
            raise ValueError(f"{file.name} describes {', '.join(repeated)}, which another file of {section} describes")
        found |= stated
    return found


def _term(name: str, stated: Mapping[str, Any]) -> Term:
    properties = {one: text for one, text in stated.items() if one not in _TEXTS and isinstance(text, str)}
    return Term(
        name,
        stated["is"],
        _columns(name, properties),
        ends=(stated.get("from", ""), stated.get("to", "")),
        export=stated.get("export"),
        is_written_once=stated.get("is_written_once", False),
        comes_with_statement=stated.get("comes_with_statement", False),
        table=stated.get("table"),
        indexes=tuple(stated.get("indexes", ())),
        withheld=tuple(stated.get("withheld", ())),
    )


def _columns(name: str, stated: Mapping[str, str]) -> tuple[Column, ...]:
    return tuple(_column(f"{name}.{one}", one, text) for one, text in stated.items())


def _column(where: str, name: str, stated: str) -> Column:
    found = _STATED.fullmatch(stated)
    if found is None:
        raise ValueError(f"the dictionary says of {where} {stated!r}, not a kind, an origin and a meaning")
    return Column(
        name,
        Kind(found["kind"]),
        found["meaning"],
        found["unit"] or "",
        Origin(found["origin"]),
        is_always_there=found["always"] is not None,
    )
