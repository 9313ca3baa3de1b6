"""Packets for tests: those of the text, changed in one place, and threads of them."""

import copy
from typing import Any

from vectors_file import load_vectors

from a2ap.packet.building import seal_packet
from a2ap.packet.check_packet import Report, check_packet
from a2ap.packet.document import PacketDocument, open_document
from a2ap.packet.finding import Finding, Severity

EXAMPLES = load_vectors("context_packet_examples.json")
CORE: dict[str, Any] = EXAMPLES["appendix_A_min_core"]
GOVERNED: dict[str, Any] = EXAMPLES["appendix_B_governed"]
ITEM: dict[str, Any] = EXAMPLES["05_item"]
QUOTED: dict[str, Any] = EXAMPLES["05.3_sanitised_item"]
GONE = object()


def altered(packet: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a packet with members changed; `scope__project` is a path, `items__0__kind` one into a list."""
    made = copy.deepcopy(packet)
    for path, value in changes.items():
        *steps, last = path.split("__")
        at: Any = made
        for step in steps:
            at = at[int(step)] if isinstance(at, list) else at.setdefault(step, {})
        if value is GONE:
            del at[last]
        elif isinstance(at, list):
            at[int(last)] = value
        else:
            at[last] = value
    return made


def with_items(packet: dict[str, Any], *items: dict[str, Any]) -> dict[str, Any]:
    return altered(packet, items=list(copy.deepcopy(items)))


def report_on(packet: dict[str, Any], **options: Any) -> Report:
    return check_packet(open_document(packet), **options)


def found(packet: dict[str, Any], number: str, **options: Any) -> list[Finding]:
    return [one for one in report_on(packet, **options).findings if one.rule.number == number]


def errors(packet: dict[str, Any], number: str, **options: Any) -> list[Finding]:
    return [one for one in found(packet, number, **options) if one.severity is Severity.ERROR]


def sealed(packet: dict[str, Any] = GOVERNED, **changes: Any) -> PacketDocument:
    return open_document(seal_packet(altered(packet, **changes)))
