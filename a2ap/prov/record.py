"""The records of the PROV data model that we write, and the meaning of their places (PROV-DM §5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from a2ap.rdf.triples import Literal
from a2ap.rdf.vocabulary import PROV_NAMESPACE

Attributes: TypeAlias = tuple[tuple[str, str | Literal], ...]
"""Attributes of a thing or of a record, by IRI: each value an IRI or a literal, as in `a2ap.rdf.triples`."""

PROV_TYPE: Final = PROV_NAMESPACE + "type"


class Kind(StrEnum):
    """The kinds of record, by their word in PROV-N and PROV-JSON."""

    ENTITY = "entity"
    ACTIVITY = "activity"
    AGENT = "agent"
    GENERATION = "wasGeneratedBy"
    USAGE = "used"
    COMMUNICATION = "wasInformedBy"
    INVALIDATION = "wasInvalidatedBy"
    DERIVATION = "wasDerivedFrom"
    ATTRIBUTION = "wasAttributedTo"
    ASSOCIATION = "wasAssociatedWith"
    DELEGATION = "actedOnBehalfOf"
    SPECIALIZATION = "specializationOf"


class Places(NamedTuple):
    """The names of a record's places in PROV-JSON and in PROV-JSONLD, and the number of places in PROV-N."""

    json: tuple[str, ...]
    jsonld: tuple[str, ...]
    width: int


# Only places that we fill have a name; PROV-N has a dash in the others.
PLACES: Final[Mapping[Kind, Places]] = MappingProxyType(
    {
        Kind.ENTITY: Places((), (), 1),
        Kind.ACTIVITY: Places(("prov:startTime", "prov:endTime"), ("startTime", "endTime"), 3),
        Kind.AGENT: Places((), (), 1),
        Kind.GENERATION: Places(("prov:entity", "prov:activity", "prov:time"), ("entity", "activity", "time"), 3),
        Kind.USAGE: Places(("prov:activity", "prov:entity", "prov:time"), ("activity", "entity", "time"), 3),
        Kind.COMMUNICATION: Places(("prov:informed", "prov:informant"), ("informed", "informant"), 2),
        Kind.INVALIDATION: Places(("prov:entity", "prov:activity", "prov:time"), ("entity", "activity", "time"), 3),
        Kind.DERIVATION: Places(("prov:generatedEntity", "prov:usedEntity"), ("generatedEntity", "usedEntity"), 5),
        Kind.ATTRIBUTION: Places(("prov:entity", "prov:agent"), ("entity", "agent"), 2),
        Kind.ASSOCIATION: Places(("prov:activity", "prov:agent", "prov:plan"), ("activity", "agent", "plan"), 3),
        Kind.DELEGATION: Places(("prov:delegate", "prov:responsible"), ("delegate", "responsible"), 3),
        Kind.SPECIALIZATION: Places(
            ("prov:specificEntity", "prov:generalEntity"), ("specificEntity", "generalEntity"), 2
        ),
    }
)

THINGS: Final = (Kind.ENTITY, Kind.ACTIVITY, Kind.AGENT)
"""The kinds whose first place is the name of the thing itself."""

TIMES: Final = frozenset({"prov:startTime", "prov:endTime", "prov:time"})


@dataclass(frozen=True, slots=True)
class Record:
    """A record: IRIs and times in their places, None for an empty place, and attributes."""

    kind: Kind
    places: tuple[str | None, ...]
    attributes: Attributes = ()


@dataclass(frozen=True, slots=True)
class Bundle:
    """Records under a name; each thing is declared once, and no record is there twice."""

    name: str
    records: tuple[Record, ...]


def bundle_of(name: str, records: list[Record]) -> Bundle:
    """Return a bundle of records, those of one thing joined into one with all of its attributes."""
    things: dict[tuple[Kind, str | None], Record] = {}
    others: dict[Record, None] = {}
    for record in records:
        if record.kind not in THINGS:
            others[record] = None
            continue
        key = (record.kind, record.places[0])
        known = things.get(key)
        things[key] = record if known is None else _joined(known, record)
    return Bundle(name, (*things.values(), *others))


def _joined(first: Record, second: Record) -> Record:
    width = max(len(first.places), len(second.places))
    padded = [(*record.places, *[None] * (width - len(record.places))) for record in (first, second)]
    places = tuple(one if one is not None else other for one, other in zip(*padded, strict=True))
    return Record(first.kind, places, tuple(dict.fromkeys((*first.attributes, *second.attributes))))
