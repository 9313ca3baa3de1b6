"""What of a packet goes along with the items that are passed on, and may say nothing of those that are left out.

Open loops and extensions are of no class, and the packet's old ceiling is all that is known of them:

- an open loop goes along where it names an item that does, and none that is left out;
- of the extensions those go along that say what a local word stands for, and the signed checkpoint of the log.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from a2ap.packet.document import Members, part_of, text_of
from a2ap.packet.extensions import is_namespaced, read_boundary, read_use

CHECKPOINT = "a2ap.checkpoint"

_NAMES = ("a2ap.statement", "a2ap.statement_id", "a2ap.verification")
_WORD = re.compile(r"[^\s\"'(),;!?]+")


def loops_of(loops: Sequence[Members], kept: Sequence[Members], left_out: Sequence[Members]) -> list[Members]:
    """Return the open loops that are about items that are kept, and about none that is left out."""
    if not left_out:
        return list(loops)
    gone = {name for item in left_out for name in _names_of(item)}
    there = {name for item in kept for name in _names_of(item)} - gone
    found = []
    for loop in loops:
        text = json.dumps(loop, ensure_ascii=False)
        words = {word.rstrip(".:") for word in _WORD.findall(text)}
        if words & there and not any(name in text for name in gone):
            found.append(loop)
    return found


def words_of_ext(ext: Members) -> dict[str, Any]:
    """Return the members of an `ext` that say for which class or use a local word stands, and the checkpoint."""
    found: dict[str, Any] = {}
    for name, value in ext.items():
        if name == CHECKPOINT or (is_namespaced(name) and _is_word(value)):
            found[name] = value
        elif isinstance(value, Mapping) and not is_namespaced(name):
            inner = {local: member for local, member in value.items() if _is_word(member)}
            found |= {name: inner} if inner else {}
    return found


def _is_word(value: Any) -> bool:
    target = value.get("maps_to") if isinstance(value, Mapping) else value
    return read_boundary(target) is not None or read_use(target) is not None


def _names_of(item: Members) -> set[str]:
    ext = part_of(item, "ext")
    named = [text_of(item, "item_id"), text_of(part_of(item, "provenance"), "source")]
    named += [text_of(ext, name) for name in _NAMES]
    return {name for name in named if name}
