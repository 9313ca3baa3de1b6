"""The reach of events: an event affects only its ancestors, and only if it and the records between them hold.

Anybody can name a record. So a `redact` on another branch hides nothing, and a `revert` to one restores nothing.
"""

from collections.abc import Iterable, Sequence

from a2ap.passport.ancestry import Ancestry
from a2ap.passport.event_type import EventType
from a2ap.passport.passport import Chain, Passport


def find_hidden(chain: Chain, ancestry: Ancestry, holds: Sequence[bool]) -> dict[str, str]:
    """Return the ids of records that a `redact` event hides, each with the record that does so."""
    named: list[tuple[Passport, int, str]] = []
    for one in chain.passports:
        target = _named_by(one, EventType.REDACT)
        if target is not None and target != one.id and target in ancestry.first_with_id:
            named.append((one, ancestry.first_with_id[target], target))
    bits = _bits(at for _, at, _ in named)
    behind = _behind(ancestry, holds, bits)
    hidden: dict[str, str] = {}
    for one, at, target in named:
        if behind.get(one.position, 0) & bits[at]:
            hidden.setdefault(target, one.label)
    return hidden


def find_restored(chain: Chain, ancestry: Ancestry, holds: Sequence[bool]) -> dict[int, int]:
    """Return for each `revert` event the record that it is about, both by their positions.

    Of several records with that id it is the only one that the event comes from, wherever the others stand in the file.
    """
    named = {one.position: target for one in chain.passports if (target := _named_by(one, EventType.REVERT))}
    targets = frozenset(named.values())
    with_id = [(one.id, one.position) for one in chain.passports if one.id is not None and one.id in targets]
    bits = _bits(at for _, at in with_id)
    places = tuple(bits)
    masks: dict[str, int] = {}
    for name, at in with_id:
        masks[name] = masks.get(name, 0) | bits[at]
    behind = _behind(ancestry, holds, bits)
    found = {at: behind.get(at, 0) & masks.get(target, 0) for at, target in named.items()}
    return {at: places[reached.bit_length() - 1] for at, reached in found.items() if reached.bit_count() == 1}


def _named_by(one: Passport, kind: EventType) -> str | None:
    return (one.target or one.parent_id) if one.is_event(kind) else None


def _bits(positions: Iterable[int]) -> dict[int, int]:
    return {at: 1 << number for number, at in enumerate(dict.fromkeys(positions))}


def _behind(ancestry: Ancestry, holds: Sequence[bool], bits: dict[int, int]) -> dict[int, int]:
    """Return for each record those that have a bit and that it comes from by records that hold."""
    behind: dict[int, int] = {}
    for at in ancestry.order if bits else ():
        found = 0
        for parent in ancestry.parents[at] if holds[at] else ():
            found |= behind.get(parent, 0) | bits.get(parent, 0)
        behind[at] = found
    return behind
